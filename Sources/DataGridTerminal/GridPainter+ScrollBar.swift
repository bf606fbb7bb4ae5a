import DataGrid
import TerminalSurface

extension GridPainter {
    /// Draws the vertical scroll bar at the right.
    ///
    /// The scroll bar is redrawn with every scrolled line. Therefore, it moves in whole lines and has the style of the rows. It is half a
    /// cell wide, so that it does not touch the text of the last column.
    func paintScrollBar(on buffer: inout CellBuffer) {
        guard let x = layout.scrollBarX else { return }
        for y in thumb {
            write(cells.glyphs.scrollThumb, x: x, y: y, width: 1, style: layered(theme.scrollBar, over: theme.row), on: &buffer)
        }
    }

    /// The lines of the scroll bar thumb; empty if all rows are visible. Rows that are still expected count as hidden rows.
    var thumb: Range<Int> {
        let height = layout.pane.count
        let scrolling = state.outline.itemCount + state.unknownRowCount - layout.frozenItemCount - layout.bottomItemCount
        guard height > 0, scrolling > layout.pageItemCount else { return 0..<0 }
        let thumb = max(1, min(height - 1, height * layout.pageItemCount / scrolling))
        let range = scrolling - layout.pageItemCount
        let offset = max(0, min(range, state.scrollBarTop - layout.frozenItemCount))
        // Use floating-point numbers, because the product of two row counts can overflow an Int. The thumb touches an end of the bar only
        // if the first or last row is visible.
        let exactStart = Double(offset) / Double(range) * Double(height - thumb)
        let start = offset == range ? height - thumb : offset == 0 ? 0 : max(1, min(height - thumb - 1, Int(exactStart)))
        return layout.pane.lowerBound + max(0, start)..<layout.pane.lowerBound + min(height, max(0, start) + thumb)
    }
}
