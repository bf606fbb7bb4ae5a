import DataGrid
import DataGridTerminal
import FieldValues

/// A query on a server whose first rows are shown, and whose later rows become known when they are fetched. The count of its rows was
/// stopped, or has failed.
struct UncountedQuery: Equatable {
    /// The number of its first row, which identifies the query.
    var firstRow: Int
    /// The estimated number of its rows; `nil` without an estimate.
    var estimatedCount: Int?
}

extension AppState {
    /// The estimated number of rows of the view until they are counted; `nil` if no estimate exceeds the number of known rows.
    var estimatedRowCount: Int? {
        if query.shown.isFileOrder { return document.currentEstimate }
        // While the first rows of a query are shown, its job counts the others.
        let counted = query.previous == nil ? nil : jobs.first { $0.kind == .arrange }?.estimatedRowCount
        let estimate = isUncounted ? sheet.uncounted?.estimatedCount : counted
        return estimate.flatMap { $0 > grid.rows.count ? $0 : nil }
    }

    /// True if the rows of ``SheetState/uncounted`` are shown.
    var isUncounted: Bool {
        guard let uncounted = sheet.uncounted else { return false }
        return grid.rows.unmoved.consecutiveRecords?.lowerBound == uncounted.firstRow
    }

    /// True if the rows of the view on a server are not counted yet. The view may have more rows than the known ones, and an export can
    /// still write all of them.
    var isOpenEnded: Bool {
        guard document.canBeQueriedWhileIncomplete else { return false }
        return query.shown.isFileOrder ? !document.isComplete : query.previous != nil || isUncounted
    }

    /// True if the input has no more rows to read or count. A running filter of a file can still find rows.
    var isRowCountExact: Bool { document.canBeQueriedWhileIncomplete ? !isOpenEnded : document.isComplete }

    // MARK: Queries without a count

    /// Keeps the first rows of a query on a server, although its rows could not be counted.
    mutating func keepUncounted(estimate: Int?, _ message: Message) {
        guard let rows = grid.rows.unmoved.consecutiveRecords else { return }
        sheet.uncounted = UncountedQuery(firstRow: rows.lowerBound, estimatedCount: estimate)
        self.message = message
    }

    /// Shows rows of the uncounted query that have become known. Rows that were moved by hand get no rows after them.
    mutating func growUncounted(to count: Int, areAll: Bool) {
        guard let uncounted = sheet.uncounted, isUncounted, !grid.rows.isMoved else { return }
        let rows = RowNumbers(consecutive: uncounted.firstRow..<uncounted.firstRow + count)
        controller.perform(.growRows(.permuted(RowPermutation(rows))))
        if areAll { sheet.uncounted = nil }
    }

    /// Stops the count of a query on a server whose first rows are shown. The rows stay.
    /// - Returns: The effects; `nil` if no such count is running.
    mutating func stopCounting() -> [AppEffect]? {
        guard query.previous != nil, query.shown == query.requested, jobs.contains(where: { $0.kind == .arrange && $0.isCounting }) else {
            return nil
        }
        let estimate = estimatedRowCount
        let effects = applyResult(query.shown, grid.rows, nil, true)
        keepUncounted(estimate: estimate, .notCounted())
        return [.cancel(.arrange)] + effects + launchSearch() + followRows()
    }

    /// The rows of the view. If they are not counted yet, the range of all possible rows.
    var allRows: RowOrder { isOpenEnded ? grid.rows.openEnded : grid.rows }
}

extension RowOrder {
    /// The order of a server that starts with these rows, extended to the maximum number of rows.
    var openEnded: RowOrder {
        let count = 1 << RowID.numberBits
        guard let first = unmoved.consecutiveRecords?.lowerBound else { return .natural(count: count) }
        return .permuted(RowPermutation(RowNumbers(consecutive: first..<first + count)))
    }
}
