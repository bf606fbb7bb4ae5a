import DataGrid
import TerminalSurface

/// What is no row and mostly stands across the whole grid: the strip that is pulled out, the loader, the totals.
extension GridPainter {
    /// The signs that a loader turns through, one for each tick.
    private static let turns = ["▖", "▘", "▝", "▗"]

    func paintStrips(on buffer: inout CellBuffer) {
        for strip in layout.strips {
            switch strip.kind {
            case .pull: paintPull(strip, on: &buffer)
            case .loader: paintLoader(strip, on: &buffer)
            case .bottomEdge where strip.columns == nil: paintBottomEdge(strip, on: &buffer)
            case .bottomEdge: break
            case .totals where layout.presentation == .transposed: paintTotalsColumn(strip, on: &buffer)
            case .totals where layout.presentation == .cards: paintCardTotals(strip, on: &buffer)
            case .totals: paintTotals(strip, on: &buffer)
            }
        }
    }

    private func ground(_ strip: GridStrip, _ style: CellStyle, on buffer: inout CellBuffer) {
        let columns = strip.columns ?? 0..<layout.size.width
        buffer.fill(rect(x: columns.lowerBound, y: strip.y, width: columns.count, height: strip.height), style: style.textStyle)
    }

    private func center(_ text: String, y: Int, _ style: CellStyle, on buffer: inout CellBuffer) {
        let free = max(0, layout.rowEnd - DisplayWidth.of(text, limit: layout.rowEnd))
        write(text, x: free / 2, y: y, width: layout.rowEnd - free / 2, style: style, on: &buffer)
    }

    /// The lowest line in sight says what the strip is for: it comes out from under the rows above it.
    private func paintPull(_ strip: GridStrip, on buffer: inout CellBuffer) {
        guard let pull = state.pull else { return }
        let style = lay(pull.isArmed ? theme.armedStrip : theme.strip, over: theme.row)
        ground(strip, style, on: &buffer)
        let text = pull.isArmed ? "↑ " + pull.armedText : "↓ " + pull.text
        center(text, y: strip.y + (strip.height - 1) / 2, style, on: &buffer)
    }

    private func paintLoader(_ strip: GridStrip, on buffer: inout CellBuffer) {
        guard let loader = state.loader else { return }
        let style = lay(theme.strip, over: theme.row)
        let count = Self.turns.count
        let text = Self.turns[(loader.tick % count + count) % count] + " " + loader.text
        ground(strip, style, on: &buffer)
        guard let columns = strip.columns else { return center(text, y: strip.y, style, on: &buffer) }
        // Where it stands like a row, it has more lines than cells.
        for (line, text) in TextWrap.lines(text, width: columns.count, limit: strip.height).enumerated() {
            write(text, x: columns.lowerBound, y: strip.y + line, width: columns.count, style: style, on: &buffer)
        }
    }

    private func paintBottomEdge(_ strip: GridStrip, on buffer: inout CellBuffer) {
        let style = lay(theme.bottomEdge, over: theme.row)
        ground(strip, style, on: &buffer)
        let width = layout.rowEnd
        write(String(repeating: "─", count: width), x: 0, y: strip.y, width: width, style: style, ellipsis: false, on: &buffer)
        if layout.rowHeaderWidth > 1 {
            write("┼", x: Self.edge(ofRowHeader: layout.rowHeaderWidth), y: strip.y, width: 1, style: style, on: &buffer)
        }
        for (x, _) in rules { write("┼", x: x, y: strip.y, width: 1, style: style, on: &buffer) }
        for x in edges { write("╂", x: x, y: strip.y, width: 1, style: style, on: &buffer) }
    }

    /// Below cards no column has a place of its own: totals stand behind the titles of their columns, those that have room.
    private func paintCardTotals(_ strip: GridStrip, on buffer: inout CellBuffer) {
        let style = lay(theme.totals, over: theme.row)
        ground(strip, style, on: &buffer)
        var x = 0
        if let title = source?.totalsTitle { x += write(title, x: x, y: strip.y, width: layout.rowEnd, style: style, on: &buffer) + 2 }
        for column in state.columns.visible {
            guard let total = source?.total(column: column.id) else { continue }
            let text = "\(column.title) \(ValueText.display(total, in: column))"
            // Where one has no room the line is full: those behind it are not asked for.
            guard x + DisplayWidth.of(text, limit: layout.rowEnd + 1) <= layout.rowEnd else { break }
            x += write(text, x: x, y: strip.y, width: layout.rowEnd - x, style: style, on: &buffer) + 2
        }
    }

    /// Beside rows that stand beside each other, each total is in the line of its column, and what they are called above them or where no total
    /// is.
    private func paintTotalsColumn(_ strip: GridStrip, on buffer: inout CellBuffer) {
        guard let columns = strip.columns else { return }
        let style = lay(theme.totals, over: theme.row)
        ground(strip, style, on: &buffer)
        var titleY = layout.headerHeight > 0 ? 0 : nil
        for field in layout.fields {
            guard let total = source?.total(column: field.id) else {
                titleY = titleY ?? field.y
                continue
            }
            let column = state.columns[field.index]
            let look = CellLook(alignment: column.alignment ?? .leading, style: style, mark: lay(theme.mark, over: style))
            let box = CellBox(x: columns.lowerBound, y: field.y, width: columns.count, height: 1, fullWidth: columns.count)
            cells.paint(CellBody(total, in: column, width: columns.count, lines: 1), in: box, look, on: &buffer)
        }
        guard let title = source?.totalsTitle, let titleY else { return }
        write(title, x: columns.lowerBound, y: titleY, width: columns.count, style: style, on: &buffer)
    }

    private func paintTotals(_ strip: GridStrip, on buffer: inout CellBuffer) {
        let style = lay(theme.totals, over: theme.row)
        ground(strip, style, on: &buffer)
        var first = layout.rowEnd
        for span in layout.columns {
            guard let total = source?.total(column: span.id) else { continue }
            let column = state.columns[span.index]
            let look = CellLook(alignment: column.effectiveAlignment, style: style, mark: lay(theme.mark, over: style))
            cells.paint(CellBody(total, in: column, width: span.fullWidth, lines: 1), in: box(span, y: strip.y), look, on: &buffer)
            first = min(first, span.x)
        }
        let line = lay(CellStyle(foreground: theme.gridLine.foreground), over: style)
        for (x, _) in rules { write("│", x: x, y: strip.y, width: 1, style: line, on: &buffer) }
        for x in edges { write("┃", x: x, y: strip.y, width: 1, style: lay(theme.frozenEdge, over: style), on: &buffer) }
        let hasHeader = layout.rowHeaderWidth > 1
        let edge = Self.edge(ofRowHeader: layout.rowHeaderWidth)
        if hasHeader { write("│", x: edge, y: strip.y, width: 1, style: lay(theme.rowHeader, over: style), on: &buffer) }
        // Its title is aligned like row numbers, or stands where no total does.
        guard let title = source?.totalsTitle else { return }
        let free = max(0, (hasHeader ? edge : 0) - DisplayWidth.of(title, limit: layout.size.width))
        write(title, x: free, y: strip.y, width: hasHeader ? edge - free : first - 1, style: style, on: &buffer)
    }
}
