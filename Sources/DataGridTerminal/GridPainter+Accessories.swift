import DataGrid
import TerminalSurface

extension GridPainter {
    func paintAccessory(_ row: RowID, x: Int, y: Int, _ ground: CellStyle, on buffer: inout CellBuffer) {
        guard let glyph = cells.glyphs.glyph(of: source?.accessory(ofRow: row) ?? .none) else { return }
        write(glyph, x: x, y: y, width: 1, style: lay(theme.accessory, over: ground), on: &buffer)
    }

    /// Draws the mark of a rise or fall next to the text or, without room, in the space before the cell.
    func paint(_ change: Highlights.Change, of body: CellBody, in box: CellBox, _ look: CellAppearance, on buffer: inout CellBuffer) {
        let text = body.graphic == nil ? body.first.map { DisplayWidth.of($0, limit: box.fullWidth) } : nil
        let free = box.fullWidth - (text ?? box.fullWidth)
        let x: Int
        if look.alignment != .leading, free > (look.alignment == .center ? 1 : 0), box.clippedLeading == 0 {
            x = box.x
        } else if look.alignment == .leading, free > 1, box.clippedLeading + box.width == box.fullWidth {
            x = box.x + box.width - 1
        } else if state.metrics.columnSpacing > 1, box.clippedLeading == 0, box.x > 0 {
            x = box.x - 1
        } else {
            return
        }
        paint(change, x: x, y: box.y, look, on: &buffer)
    }

    func paint(_ change: Highlights.Change, x: Int, y: Int, _ look: CellAppearance, on buffer: inout CellBuffer) {
        guard let glyph = cells.glyphs.mark(of: change), y < layout.size.height else { return }
        let color = CellStyle(foreground: (change == .rise ? theme.rise : theme.fall).foreground)
        write(glyph, x: x, y: y, width: 1, style: look.isCursor ? look.style : lay(color, over: look.style), on: &buffer)
    }
}
