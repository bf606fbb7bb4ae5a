import DataGrid
import DataGridTerminal

/// Keeping rows marked and selected in a table on a server. Each query numbers its rows separately, so a job finds these rows by their keys
/// after a query.
extension AppState {
    /// The number of the shown row order, as in `RowID.order`; `nil` if there are no rows.
    private var shownOrder: Int? { grid.rows.count > 0 ? grid.rows.unmoved[0].order : nil }

    /// The rows that are marked, are selected or have a set height, and whose IDs belong to another row order than the shown one. O(these
    /// rows).
    var rowsOfOtherOrders: Set<RowID> {
        guard document.canSeek, let shownOrder else { return [] }
        return grid.rowsWithState.filter { $0.order != shownOrder && !$0.isCountedFromEnd }
    }

    /// If there are rows with IDs of another row order, starts a job that finds them in the shown one.
    mutating func followRows() -> [AppEffect] {
        if sheet.followedCursor?.placedCursor != grid.cursor { sheet.followedCursor = nil }
        let count = rowsOfOtherOrders.count
        if count > Self.maximumSelectedRows { showLimitation(.notAllRowsFollowed) }
        return count == 0 && sheet.followedCursor == nil ? [] : [.followRows]
    }

    /// Shows a message about rows that were not found, unless a message already says that a query has failed or was cancelled.
    private mutating func showLimitation(_ limitation: Message) {
        if ![.cancelled, .jobFailed, .filterInvalid, .notCounted].contains(message?.id) { show(limitation) }
    }

    /// Marks and selects the rows that a job has found in the shown order. Moves the cursor to the row that it follows, unless the user has
    /// moved the cursor.
    /// - Parameters:
    ///   - ids: the new ID of each found row, by its earlier ID; `nil` if the table has no key.
    ///   - position: the position of the row that the cursor follows or, if a filter hides this row, of the next row; `nil` if no position
    ///     was found.
    mutating func followRows(_ ids: [RowID: RowID]?, cursor position: Int?) -> [AppEffect] {
        let anchor = sheet.followedCursor
        sheet.followedCursor = nil
        if let ids {
            controller.perform(.renumberRowState(ids))
            sheet.history.renumberMarks { ids[$0] ?? $0 }
        } else if !rowsOfOtherOrders.isEmpty {
            showLimitation(.rowsNotFollowed)
        }
        guard let anchor, let position, anchor.placedCursor == grid.cursor, grid.rows.count > 0 else { return [] }
        // Go to the row by its number, because its position is not known yet: the last rows have no positions before all rows are counted.
        if position >= numberedRowCount, !document.isComplete, query.shown.isFileOrder { return goTo(rowNumber: position + 1) }
        controller.perform(.move(.row(min(position, grid.rows.count - 1))))
        scrollCursor(toLine: anchor.screenLine)
        return []
    }

    /// Discards the marks, heights and selections of rows whose IDs contain the number of a query. After a reload, queries are numbered
    /// from 1 again, so these IDs would identify different rows.
    mutating func discardRowsOfOtherOrders() {
        (sheet.followedCursor, sheet.uncountedQuery) = (nil, nil)
        let rows = grid.rowsWithState.union(sheet.history.markedRows).filter { $0.order > 0 }
        guard !rows.isEmpty else { return }
        controller.perform(.discardRowState(Array(rows)))
        sheet.history.renumberMarks { rows.contains($0) ? nil : $0 }
    }
}
