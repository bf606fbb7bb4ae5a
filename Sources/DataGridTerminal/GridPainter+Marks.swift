import DataGrid
import TerminalSurface

/// Marks that say what is not there: parts that should be frozen and have no room, and rows and columns that a transposed grid has beyond its frame.
/// They stand where nothing tells of data.
extension GridPainter {
    /// Marks that point to the sides at which there was no room for what should be frozen.
    private var yieldMarks: [String] {
        let signs: [(FrozenSides, String)] = [(.leading, "◂"), (.top, "▴"), (.trailing, "▸"), (.bottom, "▾")]
        return signs.filter { layout.yielding.contains($0.0) }.map(\.1)
    }

    private var yieldStyle: CellStyle { CellStyle(foreground: theme.frozenEdge.foreground) }

    // MARK: In a table and on cards

    /// In a table they stand in the last line of the corner or, where there is none, at the end of the rule. Without either, and on cards, they stand
    /// one above the other in the column of the scroll bar, and without that at the end of the header, of the rule above what is frozen at the
    /// bottom, or in the blanks right of cards. Where there is none of all these, only the delegate is told.
    func paintYieldMarks(on buffer: inout CellBuffer) {
        let marks = yieldMarks
        guard !marks.isEmpty else { return }
        let hasCorner = layout.rowHeaderWidth > 1 && layout.headerHeight > 0
        if hasCorner || layout.presentation == .table && layout.headerHeight > ruleY {
            let end = hasCorner ? Self.edge(ofRowHeader: layout.rowHeaderWidth) : layout.rowEnd
            return paintInHeader(marks, before: end, y: layout.headerHeight - 1, theme.headerLine, on: &buffer)
        }
        if let x = layout.scrollBarX {
            let lines = layout.headerHeight..<max(layout.headerHeight, layout.pane.upperBound)
            let thumb = thumb
            let free = lines.filter { !thumb.contains($0) }
            // Where the bar leaves no room for all of them, there is little to scroll by it.
            return paintDown(marks, x: x, lines: free.count < marks.count ? Array(lines) : free, on: &buffer)
        }
        if layout.headerHeight > 0 {
            return paintInHeader(marks, before: layout.rowEnd, y: layout.headerHeight - 1, theme.header, on: &buffer)
        }
        guard layout.presentation == .cards else { return }
        if let edge = layout.strips.first(where: { $0.kind == .bottomEdge }) {
            return write(
                marks.joined(), before: layout.rowEnd, y: edge.y, lay(yieldStyle, over: lay(theme.bottomEdge, over: theme.row)), on: &buffer
            )
        }
        if state.metrics.cards.padding.width > 0 { paintDown(marks, x: layout.rowEnd - 1, lines: Array(layout.pane), on: &buffer) }
    }

    private func paintInHeader(_ marks: [String], before end: Int, y: Int, _ ground: CellStyle, on buffer: inout CellBuffer) {
        write(marks.prefix(max(0, end)).joined(), before: end, y: y, layInHeader(yieldStyle, over: ground), on: &buffer)
    }

    /// Signs of one terminal cell each.
    private func write(_ signs: String, before end: Int, y: Int, _ style: CellStyle, on buffer: inout CellBuffer) {
        write(signs, x: end - signs.count, y: y, width: signs.count, style: style, ellipsis: false, on: &buffer)
    }

    /// One above the other in the last of some lines.
    private func paintDown(_ marks: [String], x: Int, lines: [Int], on buffer: inout CellBuffer) {
        for (mark, y) in zip(marks, lines.suffix(marks.count)) {
            write(mark, x: x, y: y, width: 1, style: lay(yieldStyle, over: theme.row), on: &buffer)
        }
    }

    // MARK: Where rows stand beside each other

    /// Whether rows that scroll are out of sight before and behind those that are seen.
    var moreRows: (before: Bool, after: Bool) {
        guard let last = layout.tiles.last(where: { $0.pane == .scrolling }) else { return (false, false) }
        let end = state.outline.itemCount - layout.bottomItemCount
        return (state.scroll.top > layout.frozenItemCount, last.index < end - 1 || !last.isWhole)
    }

    private var moreFields: (above: Bool, below: Bool) {
        guard let last = layout.fields.last(where: { !$0.isFixed }) else { return (false, false) }
        return (state.scroll.x > 0, last.index < state.columns.count - layout.fields.count { $0.pane == .trailing } - 1)
    }

    /// ‹ and › in the header of rows where there are more of them, ↑ and ↓ in the blank behind the titles where there are more columns, and what
    /// yields in the corner. What has no header stands in that blank, too, and what has neither titles nor a header below the last column.
    func paintTransposedMarks(on buffer: inout CellBuffer) {
        let header = layout.headerHeight > 0
        let (rows, fields, yielding) = (moreRows, moreFields, yieldMarks)
        var inBlank: [(mark: String, y: Int, style: CellStyle)] = []
        let more = CellStyle(foreground: theme.sortBadge.foreground)
        if fields.above { inBlank.append(("↑", layout.pane.lowerBound, more)) }
        if fields.below { inBlank.append(("↓", layout.pane.upperBound - 1, more)) }
        if header {
            paintMoreRows(rows, on: &buffer)
            if !yielding.isEmpty {
                let hasCorner = layout.titleWidth > yielding.count
                paintInHeader(
                    yielding, before: hasCorner ? layout.titleWidth - 1 : layout.size.width - (rows.after ? 1 : 0), y: 0, theme.header,
                    on: &buffer)
            }
        } else {
            if rows.before { inBlank.append(("‹", layout.pane.lowerBound, more)) }
            if rows.after { inBlank.append(("›", layout.pane.lowerBound, more)) }
            inBlank += yielding.reversed().map { ($0, layout.size.height - 1, yieldStyle) }
        }
        if layout.titleWidth > 0 { return paintInBlank(inBlank, on: &buffer) }
        let end = layout.fields.last?.range.upperBound ?? 0
        guard !header, !yielding.isEmpty, end < layout.accessoryY ?? layout.size.height else { return }
        write(yielding.joined(), before: layout.size.width, y: end, lay(yieldStyle, over: theme.row), on: &buffer)
    }

    private func paintMoreRows(_ rows: (before: Bool, after: Bool), on buffer: inout CellBuffer) {
        let pane = layout.paneColumns
        if rows.before { write("‹", x: max(0, pane.lowerBound - 1), y: 0, width: 1, style: theme.sortBadge, on: &buffer) }
        guard rows.after else { return }
        let isBlank = pane.upperBound < layout.size.width && state.metrics.columnSpacing > 0
        write("›", x: isBlank ? pane.upperBound : pane.upperBound - 1, y: 0, width: 1, style: theme.sortBadge, on: &buffer)
    }

    /// Marks in the terminal cells behind the titles, each in the free line nearest to where it belongs.
    private func paintInBlank(_ marks: [(mark: String, y: Int, style: CellStyle)], on buffer: inout CellBuffer) {
        var free = Array(layout.headerHeight..<layout.size.height)
        for (mark, wanted, style) in marks {
            guard let place = free.indices.min(by: { abs(free[$0] - wanted) < abs(free[$1] - wanted) }) else { return }
            write(mark, x: layout.titleWidth - 1, y: free.remove(at: place), width: 1, style: lay(style, over: theme.row), on: &buffer)
        }
    }
}
