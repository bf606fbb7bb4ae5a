import DataGrid
import TerminalSurface

extension GridPainter {
    /// Where the edges of the frozen columns stand, with the rules between columns; nowhere when there are no blanks between columns.
    var edges: [Int] {
        guard state.metrics.columnSpacing > 0 else { return [] }
        let geometry = layout.geometry
        var edges: [Int] = []
        if geometry.leading > 0 {
            edges.append(geometry.starts[geometry.leading - 1] + geometry.widths[geometry.leading - 1] + ruleOffset)
        }
        if geometry.trailing > 0 { edges.append(geometry.trailingX - 1 - ruleOffset) }
        return edges.filter { $0 >= 0 && $0 < layout.size.width }
    }

    /// How far behind a column the rule in the middle of the blanks stands.
    private var ruleOffset: Int { (state.metrics.columnSpacing - 1) / 2 }

    /// Where rules between columns stand, when they are asked for. An edge takes the place of the rules next to it.
    var rules: [Int] {
        let spacing = state.metrics.columnSpacing
        guard state.metrics.gridLines != .none, spacing > 0 else { return [] }
        let end = layout.scrollBarX ?? layout.size.width
        return layout.columns.filter { !$0.isClippedTrailing }.map { $0.range.upperBound + ruleOffset }.filter { x in
            x < end && !edges.contains { abs($0 - x) <= spacing }
        }
    }

    /// The lower edge of the frozen rows is an underline: it takes no line away.
    func paintFrozenRowsEdge(on buffer: inout CellBuffer) {
        guard let last = layout.lines.last(where: { $0.pane == .frozen }) else { return }
        buffer.restyle(rect(x: 0, y: last.range.upperBound - 1, width: layout.size.width)) { $0.attributes.insert(.underline) }
    }

    /// The bar at the right: where in the whole the pane is.
    ///
    /// It stands in whole terminal cells and in no style of its own: it has to be written anew with every line that scrolls.
    func paintScrollBar(on buffer: inout CellBuffer) {
        guard let x = layout.scrollBarX else { return }
        let height = layout.pane.count
        let scrolling = state.outline.itemCount - layout.frozenItemCount - layout.bottomItemCount
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
}
