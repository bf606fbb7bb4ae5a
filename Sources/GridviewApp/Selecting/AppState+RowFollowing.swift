import DataGrid
import DataGridTerminal

/// Rows of a table on a server, which numbers the rows of each query separately. After a query, marked and selected rows are found by key.
extension AppState {
    /// The order of the shown rows, as in ``RowID/order``; `nil` without rows.
    private var shownOrder: Int? { grid.rows.count > 0 ? grid.rows.unmoved[0].order : nil }

    /// The marked rows, selected rows and rows with a set height that belong to another order than the shown one. O(these rows).
    /// - Parameter history: true to include rows whose marks can be undone.
    func rowsOfOtherOrders(history: Bool) -> Set<RowID> {
        guard document.canSeek, let shownOrder else { return [] }
        let rows = history ? grid.rowsWithState.union(sheet.history.markedRows) : grid.rowsWithState
        return rows.filter { $0.order != shownOrder && !$0.isCountedFromEnd }
    }

    /// Finds rows of other orders in the shown one, if there are any.
    func followRows() -> [AppEffect] {
        rowsOfOtherOrders(history: true).isEmpty && sheet.followedCursor == nil ? [] : [.followRows]
    }

    /// Marks and selects the found rows again, and moves the cursor to its row unless the user has moved it.
    /// - Parameter ids: the new ids by the earlier ones; `nil` if the table has no key.
    mutating func followRows(_ ids: [RowID: RowID]?, cursor position: Int?) {
        let anchor = sheet.followedCursor
        sheet.followedCursor = nil
        if let ids {
            controller.perform(.renumberRowState(ids))
            sheet.history.renameMarks { ids[$0] ?? $0 }
        } else if !rowsOfOtherOrders(history: false).isEmpty {
            show(.rowsNotFollowed)
        }
        guard let anchor, let position, anchor.placed == grid.cursor, position < grid.rows.count else { return }
        controller.perform(.move(.row(position)))
        scrollCursor(toLine: anchor.line)
    }

    /// Discards marks and heights of rows of queries, because a reloaded table numbers its queries from 1 again.
    mutating func discardRowsOfOtherOrders() {
        let rows = grid.rowsWithState.union(sheet.history.markedRows).filter { $0.order > 0 }
        guard !rows.isEmpty else { return }
        controller.perform(.discardRowState(Array(rows)))
        sheet.history.renameMarks { rows.contains($0) ? nil : $0 }
    }
}
