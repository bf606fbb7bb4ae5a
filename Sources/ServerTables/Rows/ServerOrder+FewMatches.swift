import Locks
import SQLTables
import Tables

/// Pages of rows that match a condition: the server either reads an index until enough rows match, or filters all rows before it sorts the
/// matches.
extension ServerOrder {
    /// The history of index scans: statements that read an index until they have the matching rows of a page.
    struct IndexScanHistory {
        /// True after such a statement has reached its time limit.
        var hadSlowIndexScan = false
        /// True if a page of a view is read in the order of an index, according to its plan. `nil` before the plan is known.
        var readsHiddenIndex: Bool?
    }

    /// If at most this many rows match, the server filters all rows first and then sorts the matches. One statement fetches all matches
    /// with one scan. The alternative, reading rows in the order of an index, reads the index again for each page, usually in random order.
    static let filterFirstLimit = 2_048
    /// The limit that replaces ``filterFirstLimit`` after an index scan took too long.
    static let filterFirstLimitAfterSlowIndexScan = 65_536
    /// The time limit in milliseconds of a statement that returns a plan.
    private static let planTimeLimit: UInt32 = 2_000

    /// The time limit in milliseconds of a statement that reads an index until enough rows match. A scan of the whole table takes about as
    /// long as this limit.
    var indexScanTimeLimit: UInt32 {
        givenIndexScanTimeLimit ?? database.timeLimit(UInt32(min(3_600_000, 1_000 + (query.table.estimatedRows ?? 0) / 10_000)))
    }

    /// True if the server filters all rows for each page, because few rows match.
    var filtersFirst: Bool { canFilterFirst(query) && filtersFirst(forMatchCount: knownRowCount.isComplete ? knownRowCount.count : nil) }

    /// True if the server is known to read an index for the pages of this order.
    func canFilterFirst(_ query: SQLQuery, in section: [GroupValue] = []) -> Bool {
        query.canFilterFirst(in: section) && (!query.sortsRows || indexScanHistory.withLock { $0.readsHiddenIndex ?? false })
    }

    /// True if the server filters all rows for the pages of a section. It then also sorts the matches, so that skipped rows cost little.
    func filtersFirst(_ part: OrderSegments.Part) -> Bool {
        canFilterFirst(query, in: part.segment.section) && filtersFirst(forMatchCount: part.segmentCount)
    }

    /// - Parameter count: the number of matching rows; `nil` if it is not known.
    func filtersFirst(forMatchCount count: Int?) -> Bool {
        let hadSlowIndexScan = indexScanHistory.withLock { $0.hadSlowIndexScan }
        // If many rows match, do not filter first, even after a slow statement: it was probably slow because it read a part of the index
        // without matches. Later pages start after that part, so they are fast.
        return count.map { $0 <= (hadSlowIndexScan ? Self.filterFirstLimitAfterSlowIndexScan : Self.filterFirstLimit) } ?? hadSlowIndexScan
    }

    /// The rows of a page. If an index scan takes too long, the server filters all rows first instead.
    /// - Parameters:
    ///   - count: the number of rows that match without a search; `nil` if it is not known.
    ///   - replacesSlowScan: false to throw ``ServerError/timedOut`` if the index scan takes too long. ``filtersFirst`` is then true.
    ///   - isFromStart: false if the scan starts at the end of the index. If that scan is slow, other pages may still be fast.
    ///   - page: creates the statement for the page from a query.
    func filteredRows(
        forMatchCount count: Int?, in section: [GroupValue], matching search: Formula? = nil, replacesSlowScan: Bool = true,
        isFromStart: Bool = true, _ page: (SQLQuery) throws -> PageStatement, _ isCancelled: () -> Bool
    ) throws -> [PageRow] {
        let indexScan = try page(query)
        guard query.canFilterFirst(in: section, matching: search), try readsIndexInOrder(indexScan.statement, isCancelled) else {
            return try run(indexScan, isCancelled)
        }
        var filtering = query
        filtering.filtersFirst = true
        if filtersFirst(forMatchCount: count) { return try run(page(filtering), isCancelled) }
        do {
            return try run(indexScan, timeLimit: indexScanTimeLimit, isCancelled)
        } catch let error as ServerError where error.isTimeLimit {
            // In a section, a slow index scan does not count: rows of other sections can be at the start of the index.
            if search == nil, !segments.isGrouped, isFromStart { indexScanHistory.withLock { $0.hadSlowIndexScan = true } }
            guard replacesSlowScan else { throw error }
            return try run(page(filtering), isCancelled)
        }
    }

    /// True if the server reads an index for a page. For a view, the plan of its first page determines this.
    private func readsIndexInOrder(_ statement: SQLStatement, _ isCancelled: () -> Bool) throws -> Bool {
        guard query.sortsRows else { return true }
        if let known = indexScanHistory.withLock({ $0.readsHiddenIndex }) { return known }
        var reads = false
        do {
            let rows = try database.rows(
                query.explain(statement), keepsOrder: !query.hasUniqueOrder, timeLimit: Self.planTimeLimit, isCancelled: isCancelled)
            if case .text(let plan)? = rows.first?.first { reads = SQLQuery.readsIndexInOrder(inPlan: plan) }
        } catch is ServerError {
            // Ignore the error, because the page can be fetched without the plan.
        }
        indexScanHistory.withLock { $0.readsHiddenIndex = reads }
        return reads
    }
}
