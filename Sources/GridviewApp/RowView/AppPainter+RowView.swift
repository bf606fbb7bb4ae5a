import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppPainter {
    /// Draws the row view with the line at `position` as the first one.
    func paintRowView(from position: RecordPosition, on buffer: inout CellBuffer) {
        guard let view = rowView, let row = state.grid.currentRow else { return }
        let frame = PanelFrame(pageIn: state.size)
        let rect = frame.rect
        buffer.fill(rect, style: theme.panel.textStyle)
        let height = frame.pageHeight
        // Compute one line more than fits, to know whether more lines follow.
        let lines = view.lines(from: position, count: height + 1)
        let all = state.document.isComplete ? " of \(ValueText.count(state.document.recordCount))" : ""
        let number = row.isCountedFromEnd ? "" : " \(ValueText.count(row.number + 1))\(all)"
        let positionText = view.positionText(of: lines, height: height)
        let textWidth = DisplayWidth.of(positionText)
        let taken = write(
            "Row\(number)", x: rect.x + 1, y: rect.y, width: rect.width - 2, style: theme.panel.applying(theme.title), on: &buffer)
        if taken + textWidth + 4 <= rect.width {
            write(
                positionText, x: rect.x + rect.width - textWidth - 1, y: rect.y, width: textWidth, style: theme.panel.applying(theme.hint),
                on: &buffer)
        }
        // Highlight only the first visible line of the current field, because the field can be longer than the page.
        let current = lines.prefix(height).firstIndex { $0.position.column == state.grid.cursor.column }
        for (n, line) in lines.prefix(height).enumerated() {
            let id = view.columns[line.position.column].id
            let isUnreadable = !line.isNote && source?.content(row: row, column: id).condition == .unreadable
            let y = rect.y + 1 + n
            let ground = n == current ? theme.panelSelection : theme.panel
            let dim = n == current ? ground : ground.applying(theme.hint)
            if n == current { buffer.fill(TerminalRect(x: rect.x, y: y, width: rect.width, height: 1), style: ground.textStyle) }
            let textWidth = min(DisplayWidth.of(line.title), view.titleWidth)
            write(line.title, x: rect.x + 1 + view.titleWidth - textWidth, y: y, width: view.titleWidth, style: dim, on: &buffer)
            write(
                line.value, x: rect.x + view.titleWidth + 3, y: y, width: view.valueWidth,
                style: line.isNote ? dim : isUnreadable ? ground.applying(theme.unreadable) : ground, on: &buffer)
        }
    }
}
