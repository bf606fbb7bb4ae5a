import DataGrid
import FieldValues
import TerminalSurface

/// The cursor for screen readers: its screen position, and its cell in words.
extension GridController {
    /// The screen position of the current cell or section header; `nil` if it is not visible.
    public var cursorPosition: (x: Int, y: Int)? {
        guard let point = cursorPoint else { return nil }
        return (frame.x + point.x, frame.y + point.y)
    }

    private var cursorPoint: GridPoint? {
        if let row = state.currentRow { return state.currentColumn.flatMap { state.visibleFrame(ofRow: row, column: $0.id)?.origin } }
        let layout = state.layout
        guard case .header(let section) = state.cursor.item else { return nil }
        if let line = layout.itemSpans.first(where: { $0.item == state.cursor.item }) {
            return GridPoint(x: layout.toggleX(of: section), y: line.y)
        }
        return layout.tiles.first { $0.item == state.cursor.item }.map { GridPoint(x: $0.x, y: $0.y) }
    }

    /// The current cell in words: its column, its position and its value, such as `price, row 3 of 100: 12.5`.
    ///
    /// For a section header: its title, its position, its rows and its state, such as `Metals, group 1 of 4: 3 rows, expanded`. `nil` in
    /// an empty grid. While a cell is edited, the value is the typed text or the reason why it is rejected.
    public var cursorDescription: String? {
        let contents = caches.contents
        let noun = contents.rowNoun
        if case .header(let section) = state.cursor.item {
            guard let tree = state.outline.tree, section < tree.count else { return nil }
            let count = tree.rows(of: section).count
            let rows = "\(ValueText.count(count)) \(count == 1 ? noun.one : noun.many)"
            let ordinal = "group \(ValueText.count(section + 1)) of \(ValueText.count(tree.count))"
            let status = state.isCollapsed(section: section) ? "collapsed" : "expanded"
            return "\(tree.sections[section].title), \(ordinal): \(rows), \(status)"
        }
        guard let row = state.currentRow, let position = state.cursor.row, let column = state.currentColumn, dataSource != nil else {
            return nil
        }
        let ordinal = "\(noun.one) \(ValueText.count(position + 1)) of \(ValueText.count(state.rows.count))"
        let edited = state.editing.map { $0.rejection ?? $0.field.string }
        let value = edited ?? spokenText(for: contents.content(row: row, column: column.id), column)
        return "\(column.title), \(ordinal): \(value)"
    }

    private func spokenText(for content: CellContent, _ column: Column) -> String {
        if content.condition == .missing { return "missing" }
        if content.condition == .null { return "null" }
        if content.condition == .pending { return "not loaded yet" }
        // Screen readers have no name for the mark that displays a flag.
        let text = column.kind == .flag ? content.text : ValueText.display(content, in: column)
        return text.isEmpty ? "empty" : text
    }
}
