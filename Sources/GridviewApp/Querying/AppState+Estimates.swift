import DataGrid
import FieldValues

extension AppState {
    /// The estimated number of rows of the view until they are counted; `nil` if no estimate exceeds the number of known rows.
    var estimatedRowCount: Int? {
        if query.shown.isFileOrder { return document.currentEstimate }
        // While the first rows of a query are shown, its job counts the others.
        guard query.previous != nil, let estimate = jobs.first(where: { $0.kind == .arrange })?.estimatedRowCount else { return nil }
        return estimate > grid.rows.count ? estimate : nil
    }

    /// True if the rows of the view on a server are not counted yet. The view may have more rows than the known ones, and an export can
    /// still write all of them.
    var isOpenEnded: Bool {
        guard document.canBeQueriedWhileIncomplete else { return false }
        return query.shown.isFileOrder ? !document.isComplete : query.previous != nil
    }

    /// True if the input has no more rows to read or count. A running filter of a file can still find rows.
    var isRowCountExact: Bool { document.canBeQueriedWhileIncomplete ? !isOpenEnded : document.isComplete }

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
