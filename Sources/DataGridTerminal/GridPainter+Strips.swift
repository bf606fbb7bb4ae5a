import DataGrid
import TerminalSurface

/// Strips across the grid: the pull strip, the loader, the bottom edge and the totals.
extension GridPainter {
    /// The frames of the loader animation, one for each tick.
    private static let loaderGlyphs = ["▖", "▘", "▝", "▗"]

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

    private func fillBackground(of strip: GridStrip, _ style: CellStyle, on buffer: inout CellBuffer) {
        let columns = strip.columns ?? 0..<layout.size.width
        buffer.fill(rect(x: columns.lowerBound, y: strip.y, width: columns.count, height: strip.height), style: style.textStyle)
    }

    private func center(_ text: String, y: Int, _ style: CellStyle, on buffer: inout CellBuffer) {
        let free = max(0, layout.rowEnd - DisplayWidth.of(text, limit: layout.rowEnd))
        write(text, x: free / 2, y: y, width: layout.rowEnd - free / 2, style: style, on: &buffer)
    }

    /// Draws the pull strip, which appears when the user pulls beyond the first row, with its text in the middle line.
    private func paintPull(_ strip: GridStrip, on buffer: inout CellBuffer) {
        guard let pull = state.pull else { return }
        let style = layered(pull.isArmed ? theme.armedStrip : theme.strip, over: theme.row)
        fillBackground(of: strip, style, on: &buffer)
        let text = pull.isArmed ? "↑ " + pull.armedText : "↓ " + pull.text
        center(text, y: strip.y + (strip.height - 1) / 2, style, on: &buffer)
    }

    private func paintLoader(_ strip: GridStrip, on buffer: inout CellBuffer) {
        guard let loader = state.loader else { return }
        let style = layered(theme.strip, over: theme.row)
        let count = Self.loaderGlyphs.count
        let text = Self.loaderGlyphs[(loader.tick % count + count) % count] + " " + loader.text
        fillBackground(of: strip, style, on: &buffer)
        let area = strip.columns ?? 0..<layout.rowEnd
        let fullBox = CellBox(x: area.lowerBound, y: strip.y, width: area.count, height: strip.height, fullWidth: area.count)
        if draw(.loader, in: fullBox, fullHeight: strip.height, style: style, on: &buffer) { return }
        guard let columns = strip.columns else { return center(text, y: strip.y, style, on: &buffer) }
        // In a transposed grid, the loader is a column: wrap the text.
        for (line, text) in TextWrap.lines(text, width: columns.count, limit: strip.height).enumerated() {
            write(text, x: columns.lowerBound, y: strip.y + line, width: columns.count, style: style, on: &buffer)
        }
    }

    private func paintBottomEdge(_ strip: GridStrip, on buffer: inout CellBuffer) {
        let style = layered(theme.bottomEdge, over: theme.row)
        fillBackground(of: strip, style, on: &buffer)
        let width = layout.rowEnd
        write(String(repeating: "─", count: width), x: 0, y: strip.y, width: width, style: style, ellipsis: false, on: &buffer)
        if layout.rowHeaderWidth > 1 {
            write("┼", x: Self.edge(ofRowHeader: layout.rowHeaderWidth), y: strip.y, width: 1, style: style, on: &buffer)
        }
        for (x, _) in rules { write("┼", x: x, y: strip.y, width: 1, style: style, on: &buffer) }
        for x in edges { write("╂", x: x, y: strip.y, width: 1, style: style, on: &buffer) }
    }

    /// Draws as many totals as fit on the line below the cards, each after the title of its column.
    private func paintCardTotals(_ strip: GridStrip, on buffer: inout CellBuffer) {
        let style = layered(theme.totals, over: theme.row)
        fillBackground(of: strip, style, on: &buffer)
        var x = 0
        if let title = source?.totalsTitle { x += write(title, x: x, y: strip.y, width: layout.rowEnd, style: style, on: &buffer) + 2 }
        for column in state.columns.visible {
            guard let total = source?.total(column: column.id) else { continue }
            let text = "\(column.title) \(ValueText.display(total, in: column))"
            // The line is full, so the remaining totals are not drawn.
            guard x + DisplayWidth.of(text, limit: layout.rowEnd + 1) <= layout.rowEnd else { break }
            x += write(text, x: x, y: strip.y, width: layout.rowEnd - x, style: style, on: &buffer) + 2
        }
    }

    /// Draws the totals of a transposed grid as a column, each in the line of its column. The title is above the totals or, without a
    /// header, in the first line without a total.
    private func paintTotalsColumn(_ strip: GridStrip, on buffer: inout CellBuffer) {
        guard let columns = strip.columns else { return }
        let style = layered(theme.totals, over: theme.row)
        fillBackground(of: strip, style, on: &buffer)
        var titleY = layout.headerHeight > 0 ? layout.headerHeight - 1 : nil
        for field in layout.fields {
            guard let total = source?.total(column: field.id) else {
                titleY = titleY ?? field.y
                continue
            }
            let column = state.columns[field.index]
            let appearance = CellAppearance(alignment: column.alignment ?? .leading, style: style, mark: layered(theme.mark, over: style))
            let box = CellBox(x: columns.lowerBound, y: field.y, width: columns.count, height: 1, fullWidth: columns.count)
            cells.paintBody(CellBody(total, in: column, width: columns.count, lines: 1), in: box, appearance, on: &buffer)
        }
        guard let title = source?.totalsTitle, let titleY else { return }
        write(title, x: columns.lowerBound, y: titleY, width: columns.count, style: style, on: &buffer)
    }

    private func paintTotals(_ strip: GridStrip, on buffer: inout CellBuffer) {
        let style = layered(theme.totals, over: theme.row)
        fillBackground(of: strip, style, on: &buffer)
        var first = layout.rowEnd
        for span in layout.columns {
            guard let total = source?.total(column: span.id) else { continue }
            let column = state.columns[span.index]
            let appearance = CellAppearance(alignment: column.effectiveAlignment, style: style, mark: layered(theme.mark, over: style))
            cells.paintBody(
                CellBody(total, in: column, width: span.fullWidth, lines: 1), in: box(span, y: strip.y), appearance, on: &buffer)
            first = min(first, span.x)
        }
        let line = layered(CellStyle(foreground: theme.gridLine.foreground), over: style)
        for (x, _) in rules { write("│", x: x, y: strip.y, width: 1, style: line, on: &buffer) }
        for x in edges { write("┃", x: x, y: strip.y, width: 1, style: layered(theme.frozenEdge, over: style), on: &buffer) }
        let hasHeader = layout.rowHeaderWidth > 1
        let edge = Self.edge(ofRowHeader: layout.rowHeaderWidth)
        if hasHeader { write("│", x: edge, y: strip.y, width: 1, style: layered(theme.rowHeader, over: style), on: &buffer) }
        // The title is right-aligned with the row numbers or, without row numbers, left of the first total.
        guard let title = source?.totalsTitle else { return }
        let free = max(0, (hasHeader ? edge : 0) - DisplayWidth.of(title, limit: layout.size.width))
        write(title, x: free, y: strip.y, width: hasHeader ? edge - free : first - 1, style: style, on: &buffer)
    }
}
