import FieldValues
@testable import GridviewApp
import Locks
import Tables

private struct FewerRows: TableError {
    let message = "The table has changed: it has fewer rows. Reload it."
}

/// A table whose rows are all known to a distant server, with one column.
struct DistantTable: Table {
    let recordCount: Int
    let isComplete: Bool
    /// The number of rows that can be shown without waiting.
    var arrivedCount = Int.max
    /// The number of rows on the server, known or not.
    var totalCount = Int.max
    /// The number of rows that were not deleted after they were counted.
    var existingCount = Int.max
    var columnCount: Int { 1 }
    var isSequential: Bool { true }

    func recordsWithoutWaiting(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?] {
        guard range.lowerBound < existingCount else { throw FewerRows() }
        let existing = range.clamped(to: 0..<existingCount)
        return zip(existing, try records(existing, maximumFieldBytes: maximumFieldBytes)).map { $0 < arrivedCount ? $1 : nil }
    }

    func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
        for record in records.clamped(to: 0..<totalCount) {
            let texts = columns.map { column -> String? in column == 0 ? "row \(record + 1)" : nil }
            guard FieldBytes.withFields(of: texts, { body(record, $0) }) else { return }
        }
    }
}

/// A table of which 100 rows are known at first. Any other row can be fetched.
final class DistantSource: TableSource {
    private struct State {
        var knownCount = 100
        var isComplete = false
        var arrivedCount = Int.max
        var existingCount = Int.max
        var fetchTime: Int?
        var knownQueryCount: (count: Int, isComplete: Bool)?
        var queryRowCount: Int?
        var queryCounts = 0
        var tableCounts = 0
        var needsReload = false
        var hasTail = true
        var failure: String?
        var notify: @Sendable () -> Void = {}
    }

    let count: Int
    let estimatedRecordCount: Int?
    let canSeek: Bool
    let location: String?
    var canBeQueriedWhileIncomplete: Bool { canSeek }
    private let state = Mutex(State())

    init(count: Int, estimate: Int?, canSeek: Bool, location: String? = nil) {
        (self.count, estimatedRecordCount, self.canSeek, self.location) = (count, estimate, canSeek, location)
    }

    var name: String { "distant" }
    var path: String? { nil }
    var byteCount: Int { 0 }
    var indexedByteCount: Int { 0 }
    var isGrowing: Bool { false }
    var columnCount: Int { 1 }
    var hasColumnNames: Bool { true }
    func title(ofColumn column: Int) -> String { column == 0 ? "n" : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        first > 0 ? [] : MemoryTable(column: ["row 1", "row 1000000"]).profiles(of: [0])
    }
    func snapshot() -> DistantTable {
        state.withLock {
            DistantTable(
                recordCount: $0.knownCount, isComplete: $0.isComplete, arrivedCount: $0.arrivedCount, totalCount: count,
                existingCount: $0.existingCount)
        }
    }
    /// Simulates an error that the server has reported after a request.
    func report(_ failure: String) {
        let notify = state.withLock { state in
            state.failure = failure
            return state.notify
        }
        notify()
    }
    func consumeFailure() -> String? {
        state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }
    /// Simulates that all later rows were deleted after they were counted.
    func deleteRows(from row: Int) { state.withLock { $0.existingCount = row } }
    func setRecordsArrivedHandler(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }
    func fetchTime(ofRow row: Int) -> Int? { state.withLock { $0.fetchTime } }
    func setFetchTime(_ time: Int) { state.withLock { $0.fetchTime = time } }
    func setArrivedCount(_ count: Int) {
        let notify = state.withLock { state in
            state.arrivedCount = count
            return state.notify
        }
        notify()
    }
    func knownRowCount(ofQueryStartingAt row: Int) -> (count: Int, isComplete: Bool)? { state.withLock { $0.knownQueryCount } }
    func countRows(ofQueryStartingAt row: Int, isCancelled: () -> Bool) throws {
        try state.withLock { state in
            state.queryCounts += 1
            guard let count = state.queryRowCount else { throw RequestError("Too slow.") }
            state.knownQueryCount = (count, true)
        }
    }
    /// Sets the number of rows of any query; `nil` if they cannot be counted.
    func setQueryRowCount(_ count: Int?) { state.withLock { $0.queryRowCount = count } }
    /// How often the rows of a query and of the table were counted.
    var counts: (query: Int, table: Int) { state.withLock { ($0.queryCounts, $0.tableCounts) } }
    var needsReload: Bool { state.withLock { $0.needsReload } }
    /// Simulates a lost connection.
    func loseConnection() { state.withLock { $0.needsReload = true } }
    /// Makes the first rows of the table known, like the arrival of a page.
    func makeRowsKnown(upTo count: Int) {
        let notify = state.withLock { state in
            state.knownCount = count
            return state.notify
        }
        notify()
    }
    /// Makes the first rows of a query known, like the arrival of a page.
    func makeQueryRowsKnown(upTo count: Int, isComplete: Bool = false) {
        let notify = state.withLock { state in
            state.knownQueryCount = (count, isComplete)
            return state.notify
        }
        notify()
    }
    /// The last rows of a query are those of the table in reverse.
    func tail(ofQueryStartingAt row: Int, atLeast minimum: Int, isCancelled: () -> Bool) throws -> TailRecords {
        var tail = try tail(atLeast: minimum)
        if row > 0 { tail.records.reverse() }
        return tail
    }
    /// Simulates rows without a key.
    func removeTail() { state.withLock { $0.hasTail = false } }
    func tail(atLeast minimum: Int) throws -> TailRecords {
        guard state.withLock({ $0.hasTail }) else { throw UnknownEndError() }
        let table = DistantTable(recordCount: count, isComplete: true)
        return TailRecords(
            records: try table.records(max(0, count - minimum)..<count, maximumFieldBytes: 100), firstByteOffset: 0, isSettled: true)
    }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws { countRows() }
    func seek(toRecord record: Int, isCancelled: () -> Bool) throws {
        guard record < count else { return countRows() }
        state.withLock { $0.knownCount = max($0.knownCount, min(count, record + 50)) }
    }
    func seek(toPosition position: Int, ofQueryStartingAt row: Int, isCancelled: () -> Bool) throws {
        guard row > 0 else { return try seek(toRecord: position, isCancelled: isCancelled) }
        state.withLock { state in
            state.knownQueryCount =
                position < count ? (max(state.knownQueryCount?.count ?? 0, min(count, position + 50)), false) : (count, true)
        }
    }
    private func countRows() {
        state.withLock { state in
            (state.knownCount, state.isComplete) = (count, true)
            state.tableCounts += 1
        }
    }
}
