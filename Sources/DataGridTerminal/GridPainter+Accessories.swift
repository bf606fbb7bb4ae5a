import DataGrid
import TerminalSurface

extension GridPainter {
    func paintAccessory(_ row: RowID, x: Int, y: Int, _ rowStyle: CellStyle, on buffer: inout CellBuffer) {
        guard let glyph = cells.glyphs.glyph(of: source?.accessory(ofRow: row) ?? .none) else { return }
        write(glyph, x: x, y: y, width: 1, style: cells.decorated(theme.accessory, over: rowStyle), on: &buffer)
    }

    /// Draws the text of a cell, with a mark if its value has changed.
    /// - Parameter markRoom: the reserved room for the mark; 0 for no room.
    func paintCellBody(
        _ body: CellBody, in box: CellBox, _ appearance: CellAppearance, _ change: Highlights.Change?, of column: Column, markRoom: Int,
        on buffer: inout CellBuffer
    ) {
        cells.paintBody(body, in: box.withoutMark(markRoom, appearance.alignment), appearance, on: &buffer)
        guard let change else { return }
        if !column.keepsChangeMarks { return paintChangeMark(change, of: body, in: box, appearance, on: &buffer) }
        let isAtEnd = appearance.alignment == .leading
        guard markRoom > 0, box.width > 0, isAtEnd ? box.clippedLeading + box.width == box.fullWidth : box.clippedLeading == 0 else {
            return
        }
        paintChangeMark(change, x: isAtEnd ? box.x + box.width - 1 : box.x, y: box.y, appearance, on: &buffer)
    }

    /// Draws the mark of a rise or fall in its reserved room next to the text or, without reserved room, in the space before the cell.
    private func paintChangeMark(
        _ change: Highlights.Change, of body: CellBody, in box: CellBox, _ appearance: CellAppearance, on buffer: inout CellBuffer
    ) {
        let text = body.graphic == nil ? body.firstLine.map { DisplayWidth.of($0, limit: box.fullWidth) } : nil
        let free = box.fullWidth - (text ?? box.fullWidth)
        let x: Int
        if appearance.alignment != .leading, free > (appearance.alignment == .center ? 1 : 0), box.clippedLeading == 0 {
            x = box.x + CellPainter.indent(appearance.alignment, unusedWidth: free) - 1
        } else if appearance.alignment == .leading, free > 1, box.clippedLeading + box.width == box.fullWidth {
            x = box.x + box.width - 1
        } else if state.metrics.columnSpacing > 1, box.clippedLeading == 0, box.x > 0 {
            x = box.x - 1
        } else {
            return
        }
        paintChangeMark(change, x: x, y: box.y, appearance, on: &buffer)
    }

    func paintChangeMark(_ change: Highlights.Change, x: Int, y: Int, _ appearance: CellAppearance, on buffer: inout CellBuffer) {
        guard let glyph = cells.glyphs.mark(of: change), y < layout.size.height else { return }
        let color = CellStyle(foreground: (change == .rise ? theme.rise : theme.fall).foreground)
        write(
            glyph, x: x, y: y, width: 1, style: appearance.isCursor ? appearance.style : layered(color, over: appearance.style), on: &buffer
        )
    }
}

extension CellBox {
    /// The box without the `room` for a change mark. The room is at the end of left-aligned cells and at the start of other cells.
    fileprivate func withoutMark(_ room: Int, _ alignment: CellAlignment) -> CellBox {
        guard room > 0 else { return self }
        var box = self
        box.fullWidth -= room
        if alignment != .leading {
            let hidden = min(room, clippedLeading)
            box.clippedLeading -= hidden
            box.x += room - hidden
            box.width -= room - hidden
        }
        box.width = max(0, min(box.width, box.fullWidth - box.clippedLeading))
        return box
    }
}
