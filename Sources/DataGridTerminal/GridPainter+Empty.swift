import DataGrid
import TerminalSurface

extension GridPainter {
    /// Draws the text of a grid without rows and sections, in the middle of the pane.
    func paintEmptyText(on buffer: inout CellBuffer) {
        guard state.outline.itemCount == 0, state.loader == nil, !layout.pane.isEmpty else { return }
        let isTransposed = layout.presentation == .transposed
        let columns = isTransposed ? layout.paneColumns : 0..<layout.rowEnd
        let box = CellBox(
            x: columns.lowerBound, y: layout.pane.lowerBound, width: columns.count, height: layout.pane.count, fullWidth: columns.count)
        guard !draw(.emptyGrid, in: box, fullHeight: box.height, style: theme.row, on: &buffer) else { return }
        let text = source?.emptyText ?? ""
        guard !text.isEmpty, box.width > 0 else { return }
        let style = layered(theme.titleDetail, over: theme.row)
        let lines = TextWrap.lines(text, width: box.width, limit: box.height)
        let y = box.y + (box.height - lines.count) / 2
        for (index, line) in lines.enumerated() {
            cells.write(line, in: box, y: y + index, alignment: .center, style: style, on: &buffer)
        }
    }
}
