import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppPainter {
    /// Draws a list with its title, the typed text and the visible rows.
    /// - Returns: The position of the text cursor.
    func paintList(_ panel: ListPanel, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        let matches = panel.matches
        let frame = panel.listFrame(in: state)
        let rect = frame.rect
        let first = frame.firstRow(selected: panel.selected)
        // Leave one cell clear at each side, so that the list is separated from the text of the grid in every theme.
        let (left, right) = (max(0, rect.x - 1), min(state.size.columns, rect.x + rect.width + 1))
        buffer.fill(TerminalRect(x: left, y: rect.y, width: right - left, height: rect.height), style: theme.row.textStyle)
        buffer.fill(rect, style: theme.panel.textStyle)
        paintFrame(rect, on: &buffer)
        paintTitle(panel.title, in: rect, below: matches.count - first - frame.listHeight, on: &buffer)
        let label = write("› ", x: rect.x + 1, y: rect.y + 1, width: rect.width - 2, style: theme.panel, on: &buffer)
        let room = max(1, rect.width - 2 - label)
        let viewport = LineEditorViewport(panel.field, width: room)
        paint(viewport, x: rect.x + 1 + label, y: rect.y + 1, style: theme.panel, on: &buffer)
        for line in 0..<min(frame.listHeight, max(0, matches.count - first)) {
            let row = matches[first + line]
            let y = rect.y + 2 + line
            let isSelected = first + line == panel.selected
            let style = isSelected ? theme.panelSelection : theme.panel
            if isSelected { buffer.fill(TerminalRect(x: rect.x, y: y, width: rect.width, height: 1), style: style.textStyle) }
            let detailWidth = DisplayWidth.of(row.detail)
            let width = max(0, rect.width - detailWidth - 5)
            write(Message.shortened(row.text, width: width), x: rect.x + 2, y: y, width: width, style: style, on: &buffer)
            write(
                row.detail, x: rect.x + rect.width - detailWidth - 2, y: y, width: detailWidth,
                style: isSelected ? style : theme.panel.applying(theme.hint),
                on: &buffer)
        }
        if panel.selected < matches.count, rect.height > 3 {
            write(
                matches[panel.selected].note, x: rect.x + 2, y: rect.y + rect.height - 1, width: rect.width - 4,
                style: theme.panel.applying(theme.hint), on: &buffer)
        }
        if matches.isEmpty {
            let destination = panel.purpose.accept == nil ? nil : RowDestination(panel.field.string)
            write(
                destination.map { "Go to \($0.name)." } ?? "No matches.", x: rect.x + 2, y: rect.y + 2, width: rect.width - 4,
                style: theme.panel.applying(theme.hint), on: &buffer)
        }
        return (min(rect.x + 1 + label + viewport.cursorX, rect.x + rect.width - 1), rect.y + 1)
    }

    /// Draws a frame around a list: through its title line, through the line below its entries, and at both sides.
    func paintFrame(_ rect: TerminalRect, on buffer: inout CellBuffer) {
        let (left, right, last) = (rect.x - 1, rect.x + rect.width, rect.y + rect.height - 1)
        let style = theme.panel.applying(theme.hint)
        let line = String(repeating: "─", count: rect.width)
        for (y, ends) in [(rect.y, ("┌", "┐")), (last, ("└", "┘"))] {
            write(line, x: rect.x, y: y, width: rect.width, style: style, on: &buffer)
            if left >= 0 { write(ends.0, x: left, y: y, width: 1, style: style, on: &buffer) }
            if right < state.size.columns { write(ends.1, x: right, y: y, width: 1, style: style, on: &buffer) }
        }
        for y in rect.y + 1..<max(rect.y + 1, last) {
            if left >= 0 { write("│", x: left, y: y, width: 1, style: style, on: &buffer) }
            if right < state.size.columns { write("│", x: right, y: y, width: 1, style: style, on: &buffer) }
        }
    }
}
