import DataGrid
import DataGridQuery
import DataGridTerminal
import Tables
import TerminalSurface

extension AppPainter {
    /// Draws the row view with the line at `position` as the first one.
    /// - Parameter search: the text whose matches are highlighted; if it is empty, the matches of the table's search are highlighted.
    func paintRowView(from position: RecordPosition, search: String, on buffer: inout CellBuffer) {
        guard let row = state.grid.currentRow else { return }
        let frame = PanelFrame(pageIn: state.size)
        let rect = frame.rect
        // If the row cannot be read, no field can.
        let view = rowView ?? RowViewText(state.grid.columns.visible, of: WholeRecord([:]), width: rect.width) { _ in nil }
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
        let current = lines.prefix(height).firstIndex { $0.position.column == state.currentField }
        var matches = state.matches
        if !search.isEmpty {
            let finder = TextHighlighter(.smartCase(search))
            matches = { text, _ in finder.ranges(in: text) }
        }
        for (n, line) in lines.prefix(height).enumerated() {
            let id = view.columns[line.position.column].id
            let isUnreadable = !line.isNote && source?.content(row: row, column: id).condition == .unreadable
            let y = rect.y + 1 + n
            let ground = n == current ? theme.panelSelection : theme.panel
            let dim = n == current ? ground : ground.applying(theme.hint)
            if n == current { buffer.fill(TerminalRect(x: rect.x, y: y, width: rect.width, height: 1), style: ground.textStyle) }
            let textWidth = min(DisplayWidth.of(line.title), view.titleWidth)
            write(line.title, x: rect.x + 1 + view.titleWidth - textWidth, y: y, width: view.titleWidth, style: dim, on: &buffer)
            let x = rect.x + view.titleWidth + 3
            write(
                line.value, x: x, y: y, width: view.valueWidth,
                style: line.isNote ? dim : isUnreadable ? ground.applying(theme.unreadable) : ground, on: &buffer)
            guard let matches, !line.isNote else { continue }
            let style = ground.applying(line.position.column == state.currentField ? theme.currentMatch : theme.match)
            for range in matches(line.value, id) {
                let start = DisplayWidth.of(String(line.value[..<range.lowerBound]))
                let match = String(line.value[range])
                write(match, x: x + start, y: y, width: min(view.valueWidth - start, DisplayWidth.of(match)), style: style, on: &buffer)
            }
        }
    }
}
