import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppPainter {
    /// Draws a page of text.
    func paintPage(_ page: Page, on buffer: inout CellBuffer) {
        let frame = PanelFrame(pageIn: state.size)
        let rect = frame.rect
        buffer.fill(rect, style: theme.panel.textStyle)
        let lines = page.lines(state, width: rect.width)
        let first = min(page.scroll, max(0, lines.count - frame.pageHeight))
        let last = min(lines.count, first + frame.pageHeight)
        paintTitle(page.title, in: rect, below: lines.count - last, on: &buffer)
        let keyWidth = Page.keyWidth(rect.width)
        for (n, line) in lines[first..<last].enumerated() {
            let y = rect.y + 1 + n
            switch line {
            case .chapter(let title):
                write(title, x: rect.x + 1, y: y, width: rect.width - 2, style: theme.panel.applying(theme.sectionHeader), on: &buffer)
            case .entry(let keys, let text):
                write(keys, x: rect.x + 2, y: y, width: keyWidth, style: theme.panel.applying(theme.hintKey), on: &buffer)
                write(text, x: rect.x + 3 + keyWidth, y: y, width: rect.width - keyWidth - 4, style: theme.panel, on: &buffer)
            case .text(let text): write(text, x: rect.x + 1, y: y, width: rect.width - 2, style: theme.panel, on: &buffer)
            }
        }
    }
}
