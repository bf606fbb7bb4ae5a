import DataGrid
import DataGridTerminal

/// Keeps rows of a table on a server marked and selected. Each query numbers its rows separately, so these rows are found by key after a
/// query.
extension AppState {
    /// The order of the shown rows, as in `RowID.order`; `nil` without rows.
    private var shownOrder: Int? { grid.rows.count > 0 ? grid.rows.unmoved[0].order : nil }

    /// The marked rows, selected rows and rows with a set height that belong to another order than the shown one. O(these rows).
    var rowsOfOtherOrders: Set<RowID> {
        guard document.canSeek, let shownOrder else { return [] }
        return grid.rowsWithState.filter { $0.order != shownOrder && !$0.isCountedFromEnd }
    }

    /// Finds rows of other orders in the shown one, if there are any.
    mutating func followRows() -> [AppEffect] {
        if sheet.followedCursor?.placed != grid.cursor { sheet.followedCursor = nil }
        let count = rowsOfOtherOrders.count
        if count > Self.maximumSelectedRows { showLimitation(.notAllRowsFollowed) }
        return count == 0 && sheet.followedCursor == nil ? [] : [.followRows]
    }

    /// Shows a message, unless a message says that a query has failed or was cancelled.
    private mutating func showLimitation(_ limitation: Message) {
        if ![.cancelled, .jobFailed, .filterInvalid, .notCounted].contains(message?.id) { show(limitation) }
    }

    /// Marks and selects the found rows again, and moves the cursor to its row unless the user has moved it.
    /// - Parameters:
    ///   - ids: the new ID for each earlier ID; `nil` if the table has no key.
    ///   - position: the position of the row of the cursor in all rows of the order, or of the next row; `nil` if it was not found.
    mutating func followRows(_ ids: [RowID: RowID]?, cursor position: Int?) -> [AppEffect] {
        let anchor = sheet.followedCursor
        sheet.followedCursor = nil
        if let ids {
            controller.perform(.renumberRowState(ids))
            sheet.history.renumberMarks { ids[$0] ?? $0 }
        } else if !rowsOfOtherOrders.isEmpty {
            showLimitation(.rowsNotFollowed)
        }
        guard let anchor, let position, anchor.placed == grid.cursor, grid.rows.count > 0 else { return [] }
        // The row may not be known yet. The last rows have no positions before all rows are counted.
        if position >= numberedRowCount, !document.isComplete, query.shown.isFileOrder { return goTo(rowNumber: position + 1) }
        controller.perform(.move(.row(min(position, grid.rows.count - 1))))
        scrollCursor(toLine: anchor.line)
        return []
    }

    /// Discards marks, heights and open ends of rows of queries, because a reloaded table numbers its queries from 1 again.
    mutating func discardRowsOfOtherOrders() {
        (sheet.followedCursor, sheet.uncounted) = (nil, nil)
        let rows = grid.rowsWithState.union(sheet.history.markedRows).filter { $0.order > 0 }
        guard !rows.isEmpty else { return }
        controller.perform(.discardRowState(Array(rows)))
        sheet.history.renumberMarks { rows.contains($0) ? nil : $0 }
    }
}
