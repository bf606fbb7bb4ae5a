import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppPainter {
    /// Draws the title line of a full-screen panel and, at its right end, the number of lines below the visible part.
    func paintTitle(_ title: String, in rect: TerminalRect, below count: Int, on buffer: inout CellBuffer) {
        paintTitle([title], in: rect, below: count, on: &buffer)
    }

    /// Draws the first of these titles that fits, or else the last one.
    func paintTitle(_ titles: [String], in rect: TerminalRect, below count: Int, on buffer: inout CellBuffer) {
        let reserved = count <= 0 ? 2 : DisplayWidth.of("↓ \(ValueText.count(count))") + 4
        let title = titles.first { DisplayWidth.of($0) + reserved <= rect.width } ?? titles.last ?? ""
        let words = count == 1 ? "↓ 1 more line" : "↓ \(ValueText.count(count)) more lines"
        let fits = DisplayWidth.of(title) + DisplayWidth.of(words) + 4 <= rect.width
        let more = count <= 0 ? "" : fits ? words : "↓ \(ValueText.count(count))"
        let textWidth = DisplayWidth.of(more)
        let end = textWidth == 0 ? 1 : textWidth + 3
        write(title, x: rect.x + 1, y: rect.y, width: rect.width - 1 - end, style: theme.panel.applying(theme.title), on: &buffer)
        write(
            more, x: rect.x + rect.width - textWidth - 1, y: rect.y, width: textWidth, style: theme.panel.applying(theme.hint), on: &buffer)
    }
}
