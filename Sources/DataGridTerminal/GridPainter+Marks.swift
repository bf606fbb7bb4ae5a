import DataGrid
import TerminalSurface

/// Marks that show hidden parts: frozen rows and columns that do not fit, and rows and columns beyond the frame of a transposed grid. Marks
/// never cover data.
extension GridPainter {
    /// Overflow marks: arrows that point to the sides where not all frozen rows or columns fit.
    private var overflowMarks: [String] {
        let marks: [(FrozenSides, String)] = [(.leading, "◂"), (.top, "▴"), (.trailing, "▸"), (.bottom, "▾")]
        return marks.filter { layout.overflowingSides.contains($0.0) }.map(\.1)
    }

    private var overflowMarkStyle: CellStyle { CellStyle(foreground: theme.frozenEdge.foreground) }

    // MARK: Tables and cards

    /// Draws the overflow marks at the first of these positions that exists.
    ///
    /// - In a table: the last line of the corner.
    /// - Then, in tables and cards: one above the other in the scroll bar column, then the end of the header.
    /// - On cards: the end of the bottom edge, then the space right of the cards.
    ///
    /// If none of these positions exists, no marks are drawn and only the delegate is notified.
    func paintOverflowMarks(on buffer: inout CellBuffer) {
        let marks = overflowMarks
        guard !marks.isEmpty else { return }
        let hasCorner = layout.rowHeaderWidth > 1 && layout.headerHeight > 0
        if hasCorner {
            let end = Self.edge(ofRowHeader: layout.rowHeaderWidth)
            return paintInHeader(marks, before: end, y: layout.headerHeight - 1, theme.headerLine, on: &buffer)
        }
        if let x = layout.scrollBarX {
            let lines = layout.headerHeight..<max(layout.headerHeight, layout.pane.upperBound)
            let thumb = thumb
            let free = lines.filter { !thumb.contains($0) }
            // If too little room is free beside the scroll bar thumb, the marks cover the thumb, because there is little to scroll.
            return paintVertically(marks, x: x, lines: free.count < marks.count ? Array(lines) : free, on: &buffer)
        }
        if layout.headerHeight > 0 {
            return paintInHeader(marks, before: layout.rowEnd, y: layout.headerHeight - 1, theme.header, on: &buffer)
        }
        guard layout.presentation == .cards else { return }
        if let edge = layout.strips.first(where: { $0.kind == .bottomEdge }) {
            return write(
                marks.joined(), before: layout.rowEnd, y: edge.y,
                layered(overflowMarkStyle, over: layered(theme.bottomEdge, over: theme.row)), on: &buffer
            )
        }
        if state.metrics.cards.padding.width > 0 { paintVertically(marks, x: layout.rowEnd - 1, lines: Array(layout.pane), on: &buffer) }
    }

    private func paintInHeader(_ marks: [String], before end: Int, y: Int, _ headerStyle: CellStyle, on buffer: inout CellBuffer) {
        write(marks.prefix(max(0, end)).joined(), before: end, y: y, layeredInHeader(overflowMarkStyle, over: headerStyle), on: &buffer)
    }

    /// Writes marks of one terminal cell each.
    private func write(_ marks: String, before end: Int, y: Int, _ style: CellStyle, on buffer: inout CellBuffer) {
        write(marks, x: end - marks.count, y: y, width: marks.count, style: style, ellipsis: false, on: &buffer)
    }

    /// Draws marks one above the other, on the last of `lines`.
    private func paintVertically(_ marks: [String], x: Int, lines: [Int], on buffer: inout CellBuffer) {
        for (mark, y) in zip(marks, lines.suffix(marks.count)) {
            write(mark, x: x, y: y, width: 1, style: layered(overflowMarkStyle, over: theme.row), on: &buffer)
        }
    }

    // MARK: Transposed grids

    /// True for each side at which more scrolling rows exist.
    var moreRows: (before: Bool, after: Bool) {
        guard let last = layout.tiles.last(where: { $0.pane == .scrolling }) else { return (false, false) }
        let end = state.outline.itemCount - layout.bottomItemCount
        return (state.scroll.top > layout.frozenItemCount, last.index < end - 1 || !last.isWhole)
    }

    private var moreFields: (above: Bool, below: Bool) {
        guard let last = layout.fields.last(where: { !$0.isFrozen }) else { return (false, false) }
        return (state.scroll.x > 0, last.index < state.columns.count - layout.fields.count { $0.pane == .trailing } - 1)
    }

    /// Draws ‹ and › in the row header line, ↑ and ↓ in the space after the titles, and the overflow marks in the corner. If the corner has
    /// no room, the overflow marks are at the end of the row header line.
    ///
    /// Without row headers, all marks are in the space after the titles. If the titles are not visible either, only overflow marks are
    /// drawn, below the last column.
    func paintTransposedMarks(on buffer: inout CellBuffer) {
        let (rows, fields, overflowing) = (moreRows, moreFields, overflowMarks)
        var inBlank: [(mark: String, y: Int, style: CellStyle)] = []
        let more = CellStyle(foreground: theme.sortBadge.foreground)
        if fields.above { inBlank.append(("↑", layout.pane.lowerBound, more)) }
        if fields.below { inBlank.append(("↓", layout.pane.upperBound - 1, more)) }
        if let y = layout.rowHeaderY {
            paintMoreRows(rows, y: y, on: &buffer)
            if !overflowing.isEmpty {
                let hasCorner = layout.titleWidth > overflowing.count
                paintInHeader(
                    overflowing, before: hasCorner ? layout.titleWidth - 1 : layout.size.width - (rows.after ? 1 : 0), y: y, theme.header,
                    on: &buffer)
            }
        } else {
            if rows.before { inBlank.append(("‹", layout.pane.lowerBound, more)) }
            if rows.after { inBlank.append(("›", layout.pane.lowerBound, more)) }
            inBlank += overflowing.reversed().map { ($0, layout.size.height - 1, overflowMarkStyle) }
        }
        if layout.titleWidth > 0 { return paintAfterTitles(inBlank, on: &buffer) }
        let end = layout.fields.last?.range.upperBound ?? 0
        guard layout.rowHeaderY == nil, !overflowing.isEmpty, end < layout.accessoryY ?? layout.size.height else { return }
        write(overflowing.joined(), before: layout.size.width, y: end, layered(overflowMarkStyle, over: theme.row), on: &buffer)
    }

    private func paintMoreRows(_ rows: (before: Bool, after: Bool), y: Int, on buffer: inout CellBuffer) {
        let pane = layout.paneColumns
        if rows.before { write("‹", x: max(0, pane.lowerBound - 1), y: y, width: 1, style: theme.sortBadge, on: &buffer) }
        guard rows.after else { return }
        let isBlank = pane.upperBound < layout.size.width && state.metrics.columnSpacing > 0
        write("›", x: isBlank ? pane.upperBound : pane.upperBound - 1, y: y, width: 1, style: theme.sortBadge, on: &buffer)
    }

    /// Draws marks after the titles, each in the free line nearest to its preferred line.
    private func paintAfterTitles(_ marks: [(mark: String, y: Int, style: CellStyle)], on buffer: inout CellBuffer) {
        var free = Array(layout.headerHeight..<layout.size.height)
        for (mark, preferredY, style) in marks {
            guard let index = free.indices.min(by: { abs(free[$0] - preferredY) < abs(free[$1] - preferredY) }) else { return }
            write(mark, x: layout.titleWidth - 1, y: free.remove(at: index), width: 1, style: layered(style, over: theme.row), on: &buffer)
        }
    }
}
