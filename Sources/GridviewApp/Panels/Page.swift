import TerminalSurface

/// A page of text over the grid, scrolled by lines. Each feature declares its own.
struct Page: Overlay {
    let title: String
    /// The text, before it is wrapped. It captures nothing.
    let text: @MainActor @Sendable (AppState) -> [Line]
    /// The index of the first visible line.
    var scroll = 0

    init(_ title: String, _ text: @escaping @MainActor @Sendable (AppState) -> [Line]) { (self.title, self.text) = (title, text) }

    static func == (one: Page, other: Page) -> Bool { one.title == other.title && one.scroll == other.scroll }

    var contexts: [KeyContext] { [.page, .panel] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        let frame = PanelFrame(pageIn: state.size)
        if id == .close { state.overlay = nil }
        if id == .readingOptions { return state.openReading() }
        guard let lines = id.scrolledLines(ofPage: frame.pageHeight) else { return [] }
        let last = max(0, self.lines(state, width: frame.rect.width).count - frame.pageHeight)
        var page = self
        page.scroll = min(max(0, scroll + lines), last)
        state.overlay = page
        return []
    }

    func scroll(notches: Int, in state: inout AppState) -> [AppEffect] { run(notches > 0 ? .down : .up, in: &state) }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        painter.paintPage(self, on: &buffer)
        return nil
    }

    func hints(with painter: AppPainter) -> [AppPainter.Hint] {
        let reading = self == .about ? [painter.hint(.readingOptions)] : []
        return [painter.hint(.up, .down, as: "scroll"), painter.hint(.close)] + reading + [painter.hint(.pageDown, as: "page")]
    }
}
