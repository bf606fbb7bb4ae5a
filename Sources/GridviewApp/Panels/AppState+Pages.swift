import TerminalSurface

extension AppState {
    /// Runs a command in a page: scrolls or closes it.
    mutating func runInPage(_ id: CommandID, _ page: Page, _ scroll: Int) {
        let frame = PanelFrame(pageIn: size)
        if id == .close { layer = nil }
        guard let lines = id.scrolledLines(ofPage: frame.pageHeight) else { return }
        let last = max(0, PageText.lines(of: page, self, width: frame.rect.width).count - frame.pageHeight)
        layer = .page(page, scroll: min(max(0, scroll + lines), last))
    }
}
