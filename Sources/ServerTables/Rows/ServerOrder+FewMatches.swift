import Locks
import SQLTables
import Tables

/// Filters all rows before it sorts the matching ones, if few rows match in the order of an index.
extension ServerOrder {
    /// The results of reading an index until enough rows match.
    struct Walks {
        /// True after a statement reached the time limit because it read an index for too long.
        var hadSlowWalk = false
        /// True if the plan of a page reads an index behind a view. `nil` before the plan is known.
        var readsHiddenIndex: Bool?
    }

    /// The number of matching rows up to which the server filters all rows before it sorts them. One statement fetches all of them, so this
    /// takes one scan. An index would be read for each page, usually in random order.
    static let fewMatches = 2_048
    /// The same number after a statement that read an index for too long.
    static let fewSlowMatches = 65_536
    /// The time limit in milliseconds of a plan.
    private static let planTimeLimit: UInt32 = 2_000

    /// The time limit in milliseconds of a statement that reads an index until enough rows match. A scan of the table takes about as long.
    var walkTimeLimit: UInt32 {
        givenWalkTimeLimit ?? database.timeLimit(UInt32(min(3_600_000, 1_000 + (query.table.estimatedRows ?? 0) / 10_000)))
    }

    /// True if the server filters all rows for each page, because few rows match.
    var filtersFirst: Bool { canFilterFirst(query) && filtersFirst(ofMatches: known.isComplete ? known.count : nil) }

    /// True if the server is known to read an index for pages of matching rows.
    func canFilterFirst(_ query: SQLQuery, in section: [GroupValue] = []) -> Bool {
        query.canFilterFirst(in: section) && (!query.sortsRows || walks.withLock { $0.readsHiddenIndex ?? false })
    }

    /// True if the server filters all rows for the pages of a section. It then also sorts them, so that skipped rows cost little.
    func filtersFirst(_ part: Part) -> Bool {
        canFilterFirst(query, in: part.segment.section) && filtersFirst(ofMatches: part.segmentCount)
    }

    /// - Parameter count: the number of matching rows; `nil` if it is not known.
    func filtersFirst(ofMatches count: Int?) -> Bool {
        let hadSlowWalk = walks.withLock { $0.hadSlowWalk }
        // If many rows match, the slow statement has passed a part of the index where no row matches. The others are read from known rows.
        return count.map { $0 <= (hadSlowWalk ? Self.fewSlowMatches : Self.fewMatches) } ?? hadSlowWalk
    }

    /// The rows of a page. If the server reads an index for too long until enough rows match, it filters all rows first.
    /// - Parameters:
    ///   - count: the number of rows that match without a search; `nil` if it is not known.
    ///   - isReplaced: false to throw ``ServerError/timedOut`` instead. ``filtersFirst`` is then true.
    ///   - isFirst: false if the index is read from its end, whose time does not tell how long the next pages take.
    ///   - page: the statement of a query for the page.
    func filteredRows(
        ofMatches count: Int?, in section: [GroupValue], matching search: Formula? = nil, isReplaced: Bool = true, isFirst: Bool = true,
        _ page: (SQLQuery) throws -> PageStatement, _ isCancelled: () -> Bool
    ) throws -> [PageRow] {
        let walk = try page(query)
        guard query.canFilterFirst(in: section, matching: search), try readsIndexInOrder(walk.statement, isCancelled) else {
            return try run(walk, isCancelled)
        }
        var filtering = query
        filtering.filtersFirst = true
        if filtersFirst(ofMatches: count) { return try run(page(filtering), isCancelled) }
        do {
            return try run(walk, timeLimit: walkTimeLimit, isCancelled)
        } catch let error as ServerError where error.isTimeLimit {
            // The index can have the rows of other sections at its start.
            if search == nil, !isGrouped, isFirst { walks.withLock { $0.hadSlowWalk = true } }
            guard isReplaced else { throw error }
            return try run(page(filtering), isCancelled)
        }
    }

    /// True if the server reads an index for a page. For a view, the plan of its first page tells.
    private func readsIndexInOrder(_ statement: SQLStatement, _ isCancelled: () -> Bool) throws -> Bool {
        guard query.sortsRows else { return true }
        if let known = walks.withLock({ $0.readsHiddenIndex }) { return known }
        var reads = false
        do {
            let rows = try database.rows(
                query.explain(statement), keepsOrder: !query.hasUniqueOrder, timeLimit: Self.planTimeLimit, isCancelled: isCancelled)
            if case .text(let plan)? = rows.first?.first { reads = SQLQuery.readsIndexInOrder(inPlan: plan) }
        } catch is ServerError {
            // The page does not need the plan.
        }
        walks.withLock { $0.readsHiddenIndex = reads }
        return reads
    }
}
