import Locks
import SQLTables
import Tables

/// The rows of a query in its order, numbered from 0.
///
/// A row is found from the nearest row whose key is known. Keys of fetched pages are kept. When far rows are requested, a job adds the key
/// of every thousandth row. Orders with more than 50 million rows get about 50,000 keys, at greater distances.
final class ServerOrder: Sendable {
    /// Identifies the order among those of the table; 0 is the table itself.
    let number: Int
    /// The query that selects only the beginnings of long cells.
    let query: SQLQuery
    /// The query that selects complete cells.
    let completeQuery: SQLQuery
    /// The number of fields of the table, without derived fields.
    let columnCount: Int
    /// False if the order omits some groups of the query, and therefore their rows.
    let hasAllRows: Bool
    let segments: OrderSegments
    /// True if the sections are in the order of their values.
    let areSectionsSortedByValue: Bool
    /// The statement for the outermost sections; `nil` without sections.
    let sectionsStatement: SQLStatement?
    let database: ServerDatabase
    /// The time limit in milliseconds, as given to the initializer, for a statement that reads an index until enough rows match.
    let givenIndexScanTimeLimit: UInt32?
    let indexScanHistory = Mutex(IndexScanHistory())
    private let state: Mutex<State>

    private struct State {
        var rowCount: KnownRowCount
        /// The time of the count of all rows. `nil` before it, while it is checked, and once it need not be checked any more.
        var countTime: ContinuousClock.Instant?
        /// The age from which the count is checked: 10 seconds, or ten times the duration of the last check if that is longer.
        var checkedAge = Duration.seconds(10)
        /// True if rows were found from the end of the order since the last call of ``ServerOrder/needsCountCheck(now:)``.
        var hasRowsFromEnd = false
        /// True if a section had more rows than counted since the last call of ``ServerOrder/consumeLongerSection()``.
        var hasLongerSection = false
        /// Another order with the same rows, whose count is also the count of this order; `nil` for none.
        var countedOrder: ServerOrder?
        var keys = KnownKeys()
        var frequentValues: Set<SQLValue> = []
        var statementRowLimit = Int.max
    }

    /// The maximum number of rows that a server skips to reach a row. To reach farther rows, the keys of every thousandth row are fetched.
    static let skipLimit = 20_000
    /// The time limit in milliseconds of a statement for rows with a frequent value. The server reads the index of the next key. If the
    /// values of that key depend on the frequent value, it first reads many rows with other values.
    static let frequentValueTimeLimit: UInt32 = 2_000

    /// - Parameters:
    ///   - segments: the innermost sections in the order of their rows; empty for all rows.
    ///   - areSectionsSortedByValue: true if the sections are in the order of their values.
    ///   - sectionsStatement: the statement that fetched the outermost sections, if any.
    ///   - count: the number of rows; `nil` if it is not known yet.
    ///   - hasAllRows: false if the order omits some groups, and therefore their rows.
    ///   - indexScanTimeLimit: the time limit of an index scan in milliseconds. `nil` for the sum of one second, 0.1 s for each
    ///     million rows, and the delay of the network.
    init(
        _ number: Int, _ query: CompiledQuery, columnCount: Int, segments: [OrderSegments.Segment] = [],
        areSectionsSortedByValue: Bool = false,
        sectionsStatement: SQLStatement? = nil, count: Int?, hasAllRows: Bool = true, indexScanTimeLimit: UInt32? = nil,
        in database: ServerDatabase
    ) {
        (self.number, self.query, completeQuery, self.columnCount) = (number, query.cutCellsQuery, query.completeCellsQuery, columnCount)
        self.segments = OrderSegments(segments)
        (self.areSectionsSortedByValue, self.sectionsStatement, self.hasAllRows, self.database) = (
            areSectionsSortedByValue, sectionsStatement, hasAllRows, database
        )
        givenIndexScanTimeLimit = indexScanTimeLimit
        state = Mutex(State(rowCount: KnownRowCount(count), countTime: count == nil ? nil : .now))
    }

    /// The fields of a row, without derived fields.
    var fields: [FieldID] { (0..<columnCount).map { FieldID(rawValue: $0) } }

    /// Divides a range of rows at the ends of its segments.
    func parts(_ range: Range<Int>) -> [OrderSegments.Part] {
        let (count, isComplete) = knownRowCount
        return segments.parts(range, rowCount: isComplete ? count : nil)
    }

    /// The maximum number of rows that one statement fetches. It is lower after a result was too large, because rows can be much longer
    /// than the first rows of the table.
    var statementRowLimit: Int { state.withLock { $0.statementRowLimit } }

    /// Lowers ``statementRowLimit`` after a result with this number of rows was too large.
    func lowerStatementRowLimit(below count: Int) {
        state.withLock { $0.statementRowLimit = max(1, min($0.statementRowLimit, count / 2)) }
    }

    // MARK: Counts

    /// The number of known rows. `isComplete` is true if these are all rows.
    var knownRowCount: (count: Int, isComplete: Bool) {
        let (count, isComplete, counted) = state.withLock { ($0.rowCount.count, $0.rowCount.isComplete, $0.countedOrder) }
        guard !isComplete, let all = counted?.knownRowCount, all.isComplete else { return (count, isComplete) }
        return all
    }

    /// The part of a range in which rows can exist. If all rows are known, it ends at the last row.
    func possibleRows(_ range: Range<Int>) -> Range<Int> {
        let (count, isComplete) = knownRowCount
        return isComplete ? range.prefix(max(0, count - range.lowerBound)) : range
    }

    /// Uses the count of another order with the same rows, even if that order is counted later. A count of this order takes precedence.
    func shareCount(of other: ServerOrder) { state.withLock { $0.countedOrder = other } }

    /// Sets the exact number of rows.
    func setCount(_ count: Int) {
        state.withLock { state in
            state.rowCount = KnownRowCount(count)
            state.countTime = .now
        }
    }

    /// Records the result of a request for rows: `count` of the requested rows exist. If this is less than requested, they are the last
    /// rows.
    func addKnownRows(_ count: Int, of requested: Range<Int>) {
        // Blocks may have been added since the table was opened, and the request did not read them.
        state.withLock { state in
            let wasComplete = state.rowCount.isComplete
            state.rowCount.add(count, of: requested, canHaveMore: query.usesBlocks)
            if state.rowCount.isComplete, !wasComplete { state.countTime = .now }
        }
    }

    /// Records that all rows up to a position exist.
    func addKnownRows(upTo end: Int) { state.withLock { $0.rowCount.add(upTo: end) } }

    // MARK: Checks of the count

    /// The time limit in milliseconds of the statement that checks a count.
    private static let countCheckTimeLimit: UInt32 = 2_000

    /// The order whose count this order uses: itself, or the order of ``shareCount(of:)``.
    private var orderWithCount: ServerOrder { state.withLock { $0.rowCount.isComplete ? nil : $0.countedOrder } ?? self }

    /// Records that rows were found from the end of the order. Their positions are wrong if the number of rows has changed since the count.
    func recordRowsFromEnd() { state.withLock { $0.hasRowsFromEnd = true } }

    /// Records that a section has more rows than counted, as after rows have moved to it from another section.
    func recordLongerSection() { state.withLock { $0.hasLongerSection = true } }

    /// True if a section had more rows than counted since the last call.
    func consumeLongerSection() -> Bool {
        state.withLock { state in
            defer { state.hasLongerSection = false }
            return state.hasLongerSection
        }
    }

    /// True if rows were found from the end of the order since the last call, by a count that is old enough to check. Returns true only
    /// once until ``countChange(now:)`` has checked the count. Always false if the order omits groups, because a count includes their
    /// rows, and for a snapshot, whose rows do not change.
    func needsCountCheck(now: ContinuousClock.Instant = .now) -> Bool {
        let hasRowsFromEnd = state.withLock { state in
            defer { state.hasRowsFromEnd = false }
            return state.hasRowsFromEnd
        }
        guard hasRowsFromEnd, hasAllRows, database.snapshotTime == nil else { return false }
        return orderWithCount.state.withLock { state in
            guard let time = state.countTime, time.duration(to: now) > state.checkedAge else { return false }
            state.countTime = nil
            return true
        }
    }

    /// Counts the rows again, also those of each section. Later calls of ``needsCountCheck(now:)`` return false if a number has changed, or
    /// if the server could not count the rows within two seconds.
    /// - Returns: The error to report if a number has changed; otherwise `nil`.
    /// - Throws: ``ServerError`` if the rows cannot be counted.
    func countChange(now: () -> ContinuousClock.Instant = { .now }) throws -> ServerError? {
        let (known, start) = (knownRowCount, now())
        guard known.isComplete, let statement = try? query.count() else { return nil }
        var isUnchanged = false
        defer {
            let end = now()
            orderWithCount.state.withLock { state in
                state.countTime = isUnchanged ? end : nil
                state.checkedAge = max(.seconds(10), start.duration(to: end) * 10)
            }
        }
        guard let count = try database.rows(statement, timeLimit: Self.countCheckTimeLimit).first?.first?.number else { return nil }
        guard count == known.count else { return .changedRowCount(to: Int(count), from: known.count) }
        guard try !haveSectionsChanged(rowCount: known.count) else { return .movedRows }
        isUnchanged = true
        return nil
    }

    /// True if a section has another number of rows than before. False if the server cannot count them in time.
    private func haveSectionsChanged(rowCount: Int) throws -> Bool {
        guard segments.isGrouped, let statement = query.innermostGroupCounts(limit: segments.count) else { return false }
        do {
            let found = statement.groupsBySection(try database.rows(statement.statement, timeLimit: Self.countCheckTimeLimit))
            var counts: [[GroupValue]: Int] = [:]
            for (section, groups) in found.groups {
                for group in groups { counts[section + [group.value], default: 0] += Int(group.count) }
            }
            return found.isTruncated || counts != segments.counts(rowCount: rowCount)
        } catch let error as ServerError where error.isTimeLimit || error == .tooLarge {
            return false
        }
    }

    // MARK: Keys

    /// Accesses the known keys with the lock held.
    func withKnownKeys<T>(_ body: (inout KnownKeys) -> T) -> T { state.withLock { body(&$0.keys) } }

    /// Adds the key of a row whose position is known.
    func addKnownKey(_ key: RowKey, at position: Int) { withKnownKeys { $0.add(KnownKeys.Anchor(position: position, key: key)) } }

    /// Adds the keys of the first and the last of consecutive rows.
    func addKnownKeys(of rows: [PageRow], from start: Int) {
        guard query.hasUniqueOrder, let last = rows.indices.last else { return }
        for index in Set([0, last]) { addKnownKey(rows[index].key, at: start + index) }
    }

    /// Removes all known keys, to free their memory. Keys that are needed later are fetched again.
    func forgetKeys() { withKnownKeys { $0 = KnownKeys() } }

    /// The number of known keys.
    var knownKeyCount: Int { withKnownKeys { $0.anchors.count } }

    // MARK: Frequent values

    /// Records frequent values of the first sort key. A page that starts after a row with such a value then does not read all rows with
    /// the value.
    func addFrequentValues(_ values: Set<SQLValue>) { state.withLock { $0.frequentValues.formUnion(values) } }

    /// The number of leading sort keys that are frequent in the row of a request. It is 1 if the row has a frequent value of the first sort
    /// key, and no index continues with the second key. Otherwise, it is 0.
    func frequentKeyCount(of request: PageRequest) -> Int {
        guard let value = request.firstValue, query.isIndexedByFirstKeyOnly else { return 0 }
        return state.withLock { $0.frequentValues.contains(value) } ? 1 : 0
    }

    func forgetFrequentValue(of request: PageRequest) {
        if let value = request.firstValue { state.withLock { _ = $0.frequentValues.remove(value) } }
    }

    /// The query for rows in which this number of leading sort keys is frequent.
    func query(frequentKeyCount: Int) -> SQLQuery {
        var query = query
        query.frequentKeyCount = frequentKeyCount
        return query
    }
}

extension PageRequest {
    /// The value of the first sort key of the row next to the requested rows; `nil` if the request has no such row.
    fileprivate var firstValue: SQLValue? {
        switch self {
        case .after(let key, _), .before(let key, _): key.values.first
        case .first, .last, .from, .blocks: nil
        }
    }
}
