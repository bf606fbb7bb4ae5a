import DataGrid
import TerminalSurface

extension GridPainter {
    /// The edges of the frozen panes.
    func paintEdges(on buffer: inout CellBuffer) {
        let geometry = layout.geometry
        let bottom = layout.lines.last?.range.upperBound ?? layout.headerHeight
        func edge(x: Int) {
            guard x >= 0, x < layout.size.width else { return }
            for y in 0..<bottom {
                if layout.lines.contains(where: { $0.range.contains(y) && $0.item.isHeader }) { continue }
                let inHeader = y < layout.headerHeight
                let style = inHeader ? theme.headerLine.with(CellStyle(foreground: theme.frozenEdge.foreground)) : theme.row.with(theme.frozenEdge)
                write(inHeader && y == 2 ? "╂" : "┃", x: x, y: y, width: 1, style: style, on: &buffer)
            }
        }
        if geometry.leading > 0 { edge(x: geometry.starts[geometry.leading - 1] + geometry.widths[geometry.leading - 1]) }
        if geometry.trailing > 0 { edge(x: geometry.trailingX - 1) }
        if layout.frozenItemCount > 0, let last = layout.lines.last(where: { $0.pane == .frozen }) {
            // The lower edge of the frozen rows is an underline: it takes no line away.
            buffer.restyle(rect(x: 0, y: last.range.upperBound - 1, width: layout.size.width)) { $0.attributes.insert(.underline) }
        }
    }

    /// The bar at the right: where in the whole the pane is.
    ///
    /// It stands in whole terminal cells and in no style of its own: it has to be written anew with every line that scrolls.
    func paintScrollBar(on buffer: inout CellBuffer) {
        guard let x = layout.scrollBarX else { return }
        let height = layout.pane.count
        let scrolling = state.outline.itemCount - layout.frozenItemCount
        guard height > 0, scrolling > layout.pageItemCount else { return }
        let thumb = max(1, min(height - 1, height * layout.pageItemCount / scrolling))
        let range = scrolling - layout.pageItemCount
        let offset = max(0, min(range, state.scroll.top - layout.frozenItemCount))
        // In Double: the product of two counts of millions of rows need not fit. At either end only when there is nothing beyond.
        let part = Double(offset) / Double(range) * Double(height - thumb)
        let start = offset == range ? height - thumb : offset == 0 ? 0 : max(1, min(height - thumb - 1, Int(part)))
        for line in max(0, start)..<min(height, start + thumb) {
            write("█", x: x, y: layout.pane.lowerBound + line, width: 1, style: theme.row.with(theme.scrollBar), on: &buffer)
        }
    }

    /// The tint of the column that is being dragged, and the mark where it would go.
    func paintDrag(on buffer: inout CellBuffer) {
        guard case .column(let id, _, _, let target?, _) = state.drag else { return }
        let bottom = layout.lines.last?.range.upperBound ?? layout.headerHeight
        if let span = layout.columns.first(where: { $0.id == id }) {
            let tint = theme.dragTint.textStyle
            buffer.restyle(rect(x: span.x, y: 0, width: span.width, height: bottom)) {
                $0.foreground = tint.foreground
                $0.background = tint.background
                $0.attributes.formUnion(tint.attributes)
            }
        }
        let before = layout.columns.first { $0.index == target }?.x
        let after = layout.columns.last.map { $0.range.upperBound + 1 }
        guard let x = (before ?? after).map({ max(layout.rowHeaderWidth, $0 - 1) }) else { return }
        for y in 0..<bottom { write("┃", x: min(x, layout.size.width - 1), y: y, width: 1, style: theme.insertionMark, on: &buffer) }
    }
}
