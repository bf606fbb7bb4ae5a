import DataGrid
import TerminalSurface

extension GridPainter {
    /// Draws the edited cell so that the text cursor is visible, and the reason for a rejected value below the cell.
    /// - Returns: The position of the text cursor in the buffer; `nil` if no visible cell is being edited.
    func paintEditor(on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        guard let editing = state.editing, let (origin, size) = state.editorFrame, size.width > 0 else { return nil }
        let style = theme.row.applying(CellStyle(traits: .underline))
        buffer.fill(rect(x: origin.x, y: origin.y, width: size.width, height: size.height), style: theme.row.textStyle)
        let y = origin.y + (size.height - 1) / 2
        buffer.fill(rect(x: origin.x, y: y, width: size.width), style: style.textStyle)
        let viewport = LineEditorViewport(editing.field, width: size.width)
        let mark = style.applying(theme.mark)
        viewport.paint { text, x, width, isMark in
            write(text, x: origin.x + x, y: y, width: width, style: isMark ? mark : style, ellipsis: false, on: &buffer)
        }
        if let reason = editing.rejection { paintRejection(reason, at: origin, below: size.height, on: &buffer) }
        return (cells.origin.x + origin.x + viewport.cursorX, cells.origin.y + y)
    }

    /// Draws the reason for a rejected value on a panel below the cell or, on the last line, above it. The text moves left if it would
    /// not fit otherwise.
    private func paintRejection(_ reason: String, at origin: GridPoint, below height: Int, on buffer: inout CellBuffer) {
        let y = origin.y + height < layout.size.height ? origin.y + height : origin.y - 1
        guard y >= 0 else { return }
        let width = min(layout.size.width, DisplayWidth.of(reason, limit: layout.size.width) + 2)
        let start = max(0, min(origin.x, layout.size.width - width))
        let style = theme.row.applying(theme.panel).applying(theme.error)
        buffer.fill(rect(x: start, y: y, width: width), style: style.textStyle)
        write(reason, x: start + 1, y: y, width: width - 2, style: style, on: &buffer)
    }
}

extension GridLayout {
    func hasSamePositions(as other: GridLayout) -> Bool {
        size == other.size && columns == other.columns && itemSpans == other.itemSpans && tiles == other.tiles && slots == other.slots
            && fields == other.fields && strips == other.strips && headerHeight == other.headerHeight && titleWidth == other.titleWidth
    }
}
