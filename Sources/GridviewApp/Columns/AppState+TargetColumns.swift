import DataGrid
import DataGridTerminal

extension AppState {
    /// The columns that a command changes. If `count` is not `nil`, these are `count` columns from the cursor to the right. Otherwise, they
    /// are the selected columns or, if no whole columns are selected, the column of the cursor.
    ///
    /// O(columns) with a selection.
    /// - Parameter count: the number of columns that the user typed before the key; `nil` if none was typed, or if the number has another
    ///   meaning for the command.
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

    /// Runs `body` with the columns of ``targetColumns(_:)``. If there are no columns, shows a message instead.
    /// - Parameter count: the number of columns that the user typed before the key; `nil` if no number was typed.
    mutating func withTargetColumns(_ count: Int? = nil, _ body: (inout AppState, [Column]) -> [AppEffect]) -> [AppEffect] {
        let columns = targetColumns(count)
        return columns.isEmpty ? show(.noColumns) : body(&self, columns)
    }

    /// Changes several columns as one change of the grid. The cursor stays on its column. O(columns).
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
