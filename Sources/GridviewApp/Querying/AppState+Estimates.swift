import DataGrid
import DataGridTerminal
import FieldValues

/// A query on a server whose rows are not counted: the user has stopped the count, or the count has failed. Its first rows are shown, and
/// later rows become known when they are fetched.
struct UncountedQuery: Equatable {
    /// The number of the first row of the query. Shown rows that start at this number are the rows of the query.
    var firstRow: Int
    /// The estimated number of its rows; `nil` without an estimate.
    var estimatedCount: Int?
    /// True if a second count has failed, so that the reload key reloads the table instead of counting again.
    var hasFailedAgain = false
}

extension AppState {
    /// The estimated number of rows in the view while the rows are not counted. `nil` if there is no estimate, or if it does not exceed the
    /// number of known rows.
    var estimatedRowCount: Int? {
        if query.shown.isFileOrder { return document.currentEstimate }
        // While the first rows of a query are shown, its job counts all rows, and reports an estimate.
        let counted = query.previousRows == nil ? nil : jobs.first { $0.kind == .arrange }?.estimatedRowCount
        let estimate = isUncounted ? sheet.uncountedQuery?.estimatedCount : counted
        return estimate.flatMap { $0 > sheet.knownRowCount ?? grid.rows.count ? $0 : nil }
    }

    /// True if the grid shows a query whose rows could not be counted, see ``SheetState/uncountedQuery``.
    var isUncounted: Bool {
        guard let uncounted = sheet.uncountedQuery else { return false }
        return grid.rows.serverRecords?.lowerBound == uncounted.firstRow
    }

    /// True if the grid shows the rows of a query on a server and none of them was moved by hand. The rows need not be counted.
    /// - Parameter first: the number of the first row of the query.
    func showsQuery(startingAt first: Int) -> Bool { grid.rows.serverRecords?.lowerBound == first && !grid.rows.isMoved }

    /// True if the grid shows the uncounted query with this first row, and rows can be added.
    /// - Parameter first: the number of the first row of the query.
    func showsUncountedQuery(startingAt first: Int) -> Bool { sheet.uncountedQuery?.firstRow == first && showsQuery(startingAt: first) }

    /// True if the reload key counts the rows of ``SheetState/uncountedQuery``.
    var canRecount: Bool { isUncounted && sheet.uncountedQuery?.hasFailedAgain == false && !isRecounting }

    /// True if the rows of ``SheetState/uncountedQuery`` are being counted again.
    var isRecounting: Bool { isUncounted && query.isSettled && jobs.contains { $0.kind == .arrange && $0.isCounting } }

    /// The key that makes a server count the rows of the view or of its table. `nil` if the rows are counted, if a job is counting them, or
    /// if the key reloads the table.
    var countAdvice: String? {
        guard document.canBeQueriedWhileIncomplete, !document.needsReload else { return nil }
        return (isUncounted ? canRecount : document.reading.isStopped) ? key(.reload) : nil
    }

    /// True if the rows of the view on a server are not counted yet. The view may have more rows than the known ones, and an export can
    /// still write all of them.
    var isOpenEnded: Bool {
        guard document.canBeQueriedWhileIncomplete else { return false }
        return query.shown.isFileOrder ? !document.isComplete : query.previousRows != nil || isUncounted
    }

    /// True if the input has no more rows to read or count. The number of rows in the view may still change, because a filter of a file may
    /// be running.
    var isRowCountExact: Bool { document.canBeQueriedWhileIncomplete ? !isOpenEnded : document.isComplete }

    // MARK: Queries without a count

    /// Keeps the first rows of a query on a server visible after counting its rows has failed.
    mutating func keepRowsUncounted(estimate: Int?, _ message: Message) {
        guard let rows = grid.rows.serverRecords else { return }
        jobs.removeAll { $0.kind == .arrange }
        sheet.uncountedQuery = UncountedQuery(firstRow: rows.lowerBound, estimatedCount: estimate, hasFailedAgain: isUncounted)
        self.message = message
    }

    /// Shows more rows of a query whose rows could not be counted. Does nothing if rows were moved by hand, because new rows would have no
    /// place among them.
    mutating func growUncountedRows(to count: Int, isComplete: Bool) {
        guard isUncounted, !grid.rows.isMoved else { return }
        if case .spliced(let first, _, let tail) = grid.rows, !isComplete {
            controller.perform(.growRows(.spliced(first: first, head: count, tail: tail)))
        } else {
            setRowCount(shownRowCount(known: count, isComplete: isComplete))
        }
        guard isComplete else { return }
        sheet.uncountedQuery = nil
        if message == .countingResumed { message = nil }
    }

    /// Changes the number of rows of the table, or of a query on a server. The number can decrease, because rows may have been deleted on
    /// the server.
    mutating func setRowCount(_ count: Int) {
        guard let records = grid.rows.serverRecords else {
            controller.perform(.growRows(.natural(count: count)))
            return
        }
        let order = RowOrder.permuted(RowPermutation(RowNumbers(consecutive: records.lowerBound..<records.lowerBound + count)))
        controller.perform(count < records.count ? .setRows(order, keeping: stateToKeep) : .growRows(order))
    }

    /// Stops counting the rows of a query on a server. Its first rows stay visible.
    /// - Returns: The effects; `nil` if no rows are being counted.
    mutating func stopCounting() -> [AppEffect]? {
        if isRecounting {
            jobs.removeAll { $0.kind == .arrange }
            show(.notCounted(reloadKey: key(.reload)))
            return [.cancel(.arrange)]
        }
        guard query.previousRows != nil, query.shown == query.requested, jobs.contains(where: { $0.kind == .arrange && $0.isCounting })
        else {
            return nil
        }
        let estimate = estimatedRowCount
        let effects = applyResult(query.shown, grid.rows, nil, extendsVisibleRows: true)
        keepRowsUncounted(estimate: estimate, .notCounted(reloadKey: key(.reload)))
        return [.cancel(.arrange)] + effects + startLaunchSearch() + followRows()
    }

    /// All rows of the view. If a server has not counted them, this is the range of all possible rows.
    var allRows: RowOrder { isOpenEnded ? grid.rows.openEnded : grid.rows }
}

extension RowOrder {
    /// A server's order that starts with these rows, extended to the largest possible number of rows.
    var openEnded: RowOrder {
        let count = 1 << RowID.numberBits
        guard let first = serverRecords?.lowerBound else { return .natural(count: count) }
        return .permuted(RowPermutation(RowNumbers(consecutive: first..<first + count)))
    }
}
