import DataGrid
import DataGridTerminal

extension AppState {
    /// Hides or shows columns. One column always stays visible. If `ids` contains all visible columns, the column `visibleColumn` stays or,
    /// if `visibleColumn` is `nil`, the last column.
    ///
    /// A selection of whole columns ends when columns are hidden. The cursor moves to the next visible column. O(columns).
    /// - Returns: The number of columns that changed.
    mutating func setHidden(_ ids: Set<ColumnID>, _ isHidden: Bool, keeping visibleColumn: ColumnID? = nil) -> Int {
        var changed = grid.columns.all.filter { $0.isHidden != isHidden && ids.contains($0.id) }.map(\.id)
        if isHidden, !changed.isEmpty, changed.count == grid.columns.count {
            changed.remove(at: visibleColumn.flatMap { changed.firstIndex(of: $0) } ?? changed.count - 1)
        }
        guard !changed.isEmpty else { return 0 }
        guard isHidden else {
            changeColumns(changed) { $0.isHidden = false }
            return changed.count
        }
        if !grid.selectedColumns().isEmpty { controller.perform(.clearSelection) }
        let hidden = Set(changed)
        let remaining = grid.columns.visible.prefix(grid.cursor.column).count { !hidden.contains($0.id) }
        changeColumns(changed) { $0.isHidden = true }
        let index = min(remaining, grid.columns.count - 1)
        if grid.cursor.column != index { controller.perform(.move(.column(index))) }
        return changed.count
    }

    mutating func hide(_ columns: [Column]) -> [AppEffect] {
        let count = setHidden(Set(columns.map(\.id)), true)
        if count == 0 { return show(.lastColumn) }
        return show(
            count == 1 && columns.count == 1
                ? .columnHidden(Message.name(columns[0].title), showKey: key(.showColumns)) : .columnsHidden(count, showKey: showColumnsKey)
        )
    }

    /// Hides all columns except `columns`.
    mutating func hideColumns(except columns: [Column]) -> [AppEffect] {
        let kept = Set(columns.map(\.id))
        let count = setHidden(Set(grid.columns.visible.map(\.id)).subtracting(kept), true)
        return show(count == 0 ? .noOtherColumns : .columnsHidden(count, showKey: showColumnsKey))
    }

    mutating func showColumns(_ ids: Set<ColumnID>) -> [AppEffect] { show(.columnsShown(setHidden(ids, false))) }

    /// Starts a job that finds which columns of `ids` have no values. ``hideFoundEmptyColumns(_:rows:isComplete:)`` hides these columns.
    mutating func hideEmptyColumns(of ids: [ColumnID]) -> [AppEffect] {
        grid.columns.count == 0 ? show(.noColumns) : document.recordCount == 0 ? show(.noRows) : [.findEmptyColumns(ids)]
    }

    /// Hides columns in which a job found no value.
    /// - Parameters:
    ///   - rows: the number of rows that the job has read.
    ///   - isComplete: true if these are all rows of the file.
    mutating func hideFoundEmptyColumns(_ ids: [ColumnID], rows: Int, isComplete: Bool) {
        let count = setHidden(Set(ids), true)
        show(
            count == 0 && !ids.isEmpty
                ? .lastColumn : .emptyColumnsHidden(count, rows: rows, isComplete: isComplete, showKey: showColumnsKey))
        updateColumnList()
    }

    /// The key that opens the list of columns, for messages; `nil` while a panel is open, because the key has no effect there.
    private var showColumnsKey: String? { overlay == nil ? key(.showColumns) : nil }
}
