import EngineProtocol
import SQLTables
public import Tables

extension ServerTableSource {
    /// The number of known rows of the order that contains a row. `isComplete` is true if the order has no other rows. `nil` if the order
    /// is not kept.
    public func knownRowCount(ofQueryStartingAt row: Int) -> (count: Int, isComplete: Bool)? {
        guard row >= 0, let known = order(row >> ServerSnapshot.positionBits)?.knownRowCount else { return nil }
        return (known.count, known.isComplete)
    }

    /// Fetches the last rows of an order in reverse order.
    /// - Throws: `UnknownEndError` if the rows have no definite order, or ``ServerError``.
    public func tail(ofQueryStartingAt row: Int, atLeast count: Int, isCancelled: () -> Bool) throws -> TailRecords {
        let order = try shownOrder(ofRow: row)
        guard order.hasDefiniteEnd else { throw UnknownEndError() }
        return try ServerQueryEngine.interruptible {
            let rows = try order.lastRows(count, isCancelled: isCancelled)
            return TailRecords(records: rows.map { Record($0) }, firstByteOffset: 0, isSettled: true)
        }
    }

    /// Fetches the page of a row of an order, and the next page unless it is in the cache or is being fetched. If the row does not exist,
    /// counts the rows of the order.
    /// - Throws: ``ServerError``, or `JobCancelled`.
    public func seek(toPosition position: Int, ofQueryStartingAt row: Int, isCancelled: () -> Bool) throws {
        let order = try shownOrder(ofRow: row)
        guard position >= order.knownRowCount.count else { return }
        try ServerQueryEngine.interruptible {
            let start = position / pages.pageRows * pages.pageRows
            let needed = start..<start + 2 * pages.pageRows
            // Greater row numbers belong to other orders.
            if position < 1 << ServerSnapshot.positionBits {
                let isKnown = try pages.withPages(needed, of: order, isCancelled: isCancelled) { range in
                    // The page may have arrived for the screen meanwhile.
                    if position < order.knownRowCount.count { return true }
                    let time = EnginePlatform.secondsSince1970()
                    let rows = try order.rows(range, isCancelled: isCancelled)
                    order.addKnownRows(rows.count, of: range)
                    if !rows.isEmpty { pages.add(rows, of: order, for: range, requestedAt: time) }
                    return start + rows.count > position
                }
                if isKnown { return }
            }
            try countRows(of: order) { isCancelled() || order.knownRowCount.isComplete }
        }
    }

    /// Counts the rows of an order, without running its query again.
    /// - Throws: ``ServerError``, or `JobCancelled`.
    public func countRows(ofQueryStartingAt row: Int, isCancelled: () -> Bool) throws {
        let order = try shownOrder(ofRow: row)
        try ServerQueryEngine.interruptible { try countRows(of: order) { isCancelled() || order.knownRowCount.isComplete } }
    }

    /// Counts the rows of an order. An order without filters has all rows of the table, which are counted only once. The count ends early
    /// if the last page is fetched before the count is known.
    /// - Parameter isCancelled: also true when all rows of the order are known.
    func countRows(of order: ServerOrder, isCancelled: () -> Bool) throws {
        do {
            if order.query.query.filters.isEmpty { return order.setCount(try countRows(isCancelled: isCancelled)) }
            let statement = try compiling { () throws(SQLLimitations) in try order.query.count() }
            order.setCount(try database.fetchNumber(statement, isCancelled: isCancelled))
        } catch is ServerDatabase.Interrupted where order.knownRowCount.isComplete {
            // The last page was fetched meanwhile.
        }
    }

    /// The word “snapshot” with the time of day; `nil` if the table does not show a snapshot.
    public var rowsLabel: String? { database.snapshotTime.map { "snapshot \($0.suffix(8))" } }

    /// The time when the page of a row was requested, in seconds since 1970; `nil` for a snapshot, whose rows do not change.
    public func fetchTime(ofRow row: Int) -> Int? {
        guard row >= 0, database.snapshotTime == nil else { return nil }
        return pages.requestTime(
            ofRow: row & (1 << ServerSnapshot.positionBits - 1), inOrder: row >> ServerSnapshot.positionBits)
    }

    /// The statements for the rows of the view, for its sections and for its count.
    /// - Throws: ``ServerError``.
    public func statements(ofViewWithRow row: Int?, withPlans: Bool, isCancelled: () -> Bool) throws -> [ViewStatement] {
        let order = try row.map { try shownOrder(ofRow: $0) } ?? latestOrder
        let position = row.map { $0 & (1 << ServerSnapshot.positionBits - 1) } ?? 0
        let count = pages.statementRows(of: order)
        let start = position / count * count
        let statements = try compiling { () throws(SQLLimitations) in try order.statements(at: start, rowCount: count) }
        return try ServerQueryEngine.interruptible {
            try statements.map { title, statement in
                let plan = withPlans ? try plan(of: statement, for: order.query, isCancelled) : []
                return ViewStatement(title, statement.readableText(in: dialect), plan: plan)
            }
        }
    }

    private func shownOrder(ofRow row: Int) throws -> ServerOrder {
        guard let order = order(row >> ServerSnapshot.positionBits) else {
            throw ServerError("This row belongs to an earlier query of the table. Reload the table.")
        }
        return order
    }

    /// The query plan, one line per step. SQLite gives each step a number and the number of its parent, which decide the indentation.
    private func plan(of statement: SQLStatement, for query: SQLQuery, _ isCancelled: () -> Bool) throws -> [String] {
        let rows = try database.rows(query.explain(statement, isForReading: true), isCancelled: isCancelled)
        var depths: [Int64: Int] = [:]
        return rows.flatMap { row -> [String] in
            let texts = row.compactMap(\.planText)
            guard dialect.family == .sqlite, row.count == 4, let step = row[0].number, let parent = row[1].number else {
                return texts.last?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
            }
            let depth = depths[parent].map { $0 + 1 } ?? 0
            depths[step] = depth
            return [String(repeating: "  ", count: depth) + (texts.last ?? "")]
        }
    }
}

extension SQLValue {
    fileprivate var planText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .null, .bytes, .invalidText: nil
        }
    }
}
