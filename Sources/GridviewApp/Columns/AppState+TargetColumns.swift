import DataGrid
import DataGridTerminal

/// The columns on which commands act.
extension AppState {
    /// The columns on which a command acts: `count` columns from the cursor, the selected columns if whole columns are selected, or the
    /// column of the cursor. O(columns) with a selection.
    /// - Parameter count: the typed number of columns; `nil` if none was typed, or if it has another meaning.
    func targetColumns(_ count: Int? = nil) -> [Column] {
        let columns = grid.columns
        guard grid.cursor.column < columns.count else { return [] }
        if let count {
            let end = min(columns.count - grid.cursor.column, max(1, count)) + grid.cursor.column
            return (grid.cursor.column..<end).map { columns[$0] }
        }
        let selected = grid.selectedColumns()
        return selected.isEmpty ? [columns[grid.cursor.column]] : selected
    }

    /// Runs `body` with the target columns. Without target columns, shows a message.
    /// - Parameter count: the typed number of columns.
    mutating func withColumns(_ count: Int? = nil, _ body: (inout AppState, [Column]) -> [AppEffect]) -> [AppEffect] {
        let columns = targetColumns(count)
        return columns.isEmpty ? show(.noColumns) : body(&self, columns)
    }

    /// Changes columns in one action. The cursor stays on its column. O(columns).
    mutating func changeColumns(_ ids: [ColumnID], _ change: (inout Column) -> Void) {
        if ids.count == 1, var column = grid.columns[ids[0]] {
            change(&column)
            controller.perform(.updateColumn(column))
            return
        }
        let changed = Set(ids)
        controller.perform(
            .replaceColumns(
                grid.columns.all.map { column in
                    guard changed.contains(column.id) else { return column }
                    var column = column
                    change(&column)
                    return column
                }))
    }
}
