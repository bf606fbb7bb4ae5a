import DataGrid
import TerminalSurface

extension GridPainter {
    /// The bar at the right: where in the whole the pane is.
    ///
    /// It stands in whole lines and in no style of its own: it has to be written anew with every line that scrolls. It is half a cell wide, so
    /// that what fills the last column does not touch it.
    func paintScrollBar(on buffer: inout CellBuffer) {
        guard let x = layout.scrollBarX else { return }
        for y in thumb { write(cells.glyphs.scrollThumb, x: x, y: y, width: 1, style: lay(theme.scrollBar, over: theme.row), on: &buffer) }
    }

    /// The lines of the bar's bright part; none when all is in sight.
    var thumb: Range<Int> {
        let height = layout.pane.count
        let scrolling = state.outline.itemCount - layout.frozenItemCount - layout.bottomItemCount
        guard height > 0, scrolling > layout.pageItemCount else { return 0..<0 }
        let thumb = max(1, min(height - 1, height * layout.pageItemCount / scrolling))
        let range = scrolling - layout.pageItemCount
        let offset = max(0, min(range, state.scroll.top - layout.frozenItemCount))
        // In Double: the product of two counts of millions of rows need not fit. At either end only when there is nothing beyond.
        let part = Double(offset) / Double(range) * Double(height - thumb)
        let start = offset == range ? height - thumb : offset == 0 ? 0 : max(1, min(height - thumb - 1, Int(part)))
        return layout.pane.lowerBound + max(0, start)..<layout.pane.lowerBound + min(height, max(0, start) + thumb)
    }
}
