import DelimitedText
import Dispatch
import FieldValues
import Locks
import Tables

/// A table of a database whose rows are found by key.
///
/// While all rows are read, the key of every 1,024th row is stored, so that later reads can start there. A key that is a rowid takes 16
/// bytes. If the keys exceed 64 MiB, every second key is dropped. If the rowids have no gaps, the keys are computed instead of read.
final class SQLiteSource: SQLiteTableSource {
    /// A number that identifies this source in this process.
    private let serial = TableSerial.next()
    let database: SQLiteDatabase
    let definition: SQLiteTableDefinition
    let columns: [SQLiteColumn]
    private let order: SQLiteOrder
    private let index: Mutex<Index>
    private let meanRecordBytes: Int
    /// The first and the last rowid when the table was opened, to estimate the progress; `nil` for a table without rowids or rows.
    private let rowIDs: ClosedRange<Int64>?

    /// The number of rows that are known so far, and the keys of some of these rows.
    private struct Index {
        var keys: [SQLiteKey] = []
        /// The number of rows from one stored key to the next.
        var stride = SQLiteSource.initialStride
        var rowCount = 0
        var isComplete = false
        /// The size of the keys in bytes.
        var keyByteCount = 0
    }

    private static let initialStride = 1_024
    /// The maximum size of the keys in bytes. If it is exceeded, half of the keys are dropped.
    private let keyLimit: Int
    private let countLimits: CountLimits

    /// The limits of counting rows before their keys are read. While rows are counted, other programs cannot write a database without a
    /// write-ahead log.
    struct CountLimits {
        /// The range of database sizes, in bytes, for which rows may be counted.
        var bytes = 1 << 20...512 << 20
        /// The time after which counting stops, in milliseconds.
        var time = 200
    }

    /// Reads the keys of the first rows.
    /// - Throws: ``FormatError`` if the table cannot be read.
    init(
        _ database: SQLiteDatabase, _ definition: SQLiteTableDefinition, _ columns: [SQLiteColumn], _ order: SQLiteOrder,
        keyLimit: Int = 64 << 20, countLimits: CountLimits = CountLimits()
    ) throws {
        (self.keyLimit, self.countLimits) = (keyLimit, countLimits)
        (self.database, self.definition, self.columns, self.order) = (database, definition, columns, order)
        var first = Index()
        var ends: [Int64] = []
        try database.use { connection in
            try Self.extend(&first, order, connection, keyLimit: keyLimit)
            guard order.isRowID else { return }
            for direction in [false, true] {
                try connection.query(
                    "select \(order.selectedKeys) from \(order.table) order by \(order.keyList(isDescending: direction)) limit 1"
                ) {
                    ends.append($0.integer(0))
                    return true
                }
            }
        }
        rowIDs = ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
        let known = SQLiteTable(
            database, definition, columns, order, keys: first.keys, stride: first.stride, recordCount: first.rowCount)
        meanRecordBytes = Self.meanBytes(known)
        index = Mutex(first)
    }

    /// The mean row size in bytes, from at most the first 1 MiB of rows.
    private static func meanBytes(_ table: SQLiteTable) -> Int {
        var (bytes, rows) = (0, 0)
        try? table.scanBatches(0..<min(200, table.recordCount), columns: Array(0..<table.columnCount)) { batch in
            for slot in 0..<batch.count * batch.width { bytes += 1 + batch.fields[slot].count }
            rows += batch.count
            return bytes < 1 << 20
        }
        return rows == 0 ? 64 : max(1, bytes / rows)
    }

    private static let outOfOrder = SQLiteFailure(code: SQLiteFailure.damaged, message: "rows are out of order")

    /// Adds the next block of rows.
    private static func extend(
        _ index: inout Index, _ order: SQLiteOrder, _ connection: SQLiteConnection, keyLimit: Int
    ) throws {
        guard !index.isComplete else { return }
        var next: SQLiteKey?
        guard let last = index.keys.last else {
            try connection.query("select \(order.selectedKeys) from \(order.table) order by \(order.keyList()) limit 1") { row in
                next = try order.key(in: row, at: 0)
                return true
            }
            guard let next else {
                index.isComplete = true
                return
            }
            index.keys = [next]
            return try extend(&index, order, connection, keyLimit: keyLimit)
        }
        let condition = order.condition(">=", first: 1)
        let parameter = order.keyCount + 1
        let stride = Int64(index.stride)
        try connection.query(
            "select \(order.selectedKeys) from \(order.table) where \(condition) order by \(order.keyList()) limit 1 offset ?\(parameter)",
            bind: { statement in
                last.bind(statement, first: 1)
                statement.bind(stride, at: parameter)
            }
        ) { row in
            next = try order.key(in: row, at: 0)
            return true
        }
        let blocks = index.keys.count
        if let next {
            // In a damaged file, pages can refer to each other in a cycle, so that keys repeat. Reading the rows would then never end.
            if case .number(let old) = last, case .number(let new) = next, new <= old { throw Self.outOfOrder }
            index.rowCount = blocks * index.stride
            index.keys.append(next)
            index.keyByteCount += next.byteCount
            // Every second key is dropped, but never the last one. Otherwise the number of known rows would decrease.
            if index.keyByteCount > keyLimit, index.keys.count % 2 == 1, index.stride < 1 << 30 {
                index.keys = Swift.stride(from: 0, to: index.keys.count, by: 2).map { index.keys[$0] }
                index.keyByteCount = index.keys.reduce(0) { $0 + $1.byteCount }
                index.stride *= 2
            }
            return
        }
        var rest = 0
        try connection.query(
            "select count(*) from (select 1 from \(order.table) where \(condition) limit ?\(parameter))",
            bind: { statement in
                last.bind(statement, first: 1)
                statement.bind(stride, at: parameter)
            }
        ) { row in
            rest = Int(clamping: row.integer(0))
            return true
        }
        index.rowCount = (blocks - 1) * index.stride + rest
        index.isComplete = true
    }

    // MARK: Properties

    var indexedByteCount: Int { index.withLock { bytesDone($0) } }

    /// The estimated number of bytes of the known rows. The estimate uses the position of the last known rowid between the first and the
    /// last rowid of the table.
    private func bytesDone(_ index: Index) -> Int {
        if index.isComplete { return byteCount }
        guard let rowIDs, case .number(let last)? = index.keys.last else { return 0 }
        let share = (Double(last) - Double(rowIDs.lowerBound)) / max(1, Double(rowIDs.upperBound) - Double(rowIDs.lowerBound))
        return min(byteCount, max(0, Int(share * Double(byteCount))))
    }

    func snapshot() -> SQLiteTable {
        let known = index.withLock { $0 }
        return SQLiteTable(
            database, definition, columns, order, keys: known.keys, stride: known.stride, recordCount: known.rowCount,
            isComplete: known.isComplete, meanRecordBytes: meanRecordBytes,
            contentID: known.isComplete ? serial << 32 : nil)
    }

    // MARK: Reading

    func tail(atLeast count: Int) throws -> TailRecords {
        var (first, found) = (SQLiteKey?.none, 0)
        try database.use { connection in
            try connection.query(
                "select \(order.selectedKeys) from \(order.table) order by \(order.keyList(isDescending: true)) limit ?1",
                bind: { $0.bind(Int64(max(0, count)), at: 1) }
            ) { row in
                found += 1
                first = try order.key(in: row, at: 0)
                return true
            }
        }
        guard let first else { return TailRecords(records: [], firstByteOffset: byteCount, isSettled: true) }
        let last = SQLiteTable(database, definition, columns, order, keys: [first], stride: found, recordCount: found)
        // In a table with rowids, longer values can be read later, because the rowid finds the row again.
        let records = try last.records(0..<found, maximumFieldBytes: order.isRowID ? 4_096 : 1 << 20)
        return TailRecords(records: records, firstByteOffset: 0, isSettled: true)
    }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        var known = index.withLock { $0 }
        var attempts = 0
        if threads > 1, mayBeConsecutive(known) {
            var shouldContinue = true
            let rows = RowCount.count(database, order, milliseconds: countLimits.time) {
                shouldContinue = progress(readProgress(known))
                return shouldContinue
            }
            guard shouldContinue else { return }
            if let rows, let all = indexOfConsecutiveRows(known, rows) {
                known = all
                index.withLock { [known] in $0 = known }
                _ = progress(readProgress(known))
            }
        }
        while !known.isComplete {
            do {
                try database.use { connection in
                    for _ in 0..<32 where !known.isComplete { try Self.extend(&known, order, connection, keyLimit: keyLimit) }
                }
                attempts = 0
            } catch let error as FormatError {
                // Each attempt waits 250 ms for another program, which may write for several seconds.
                attempts += 1
                guard database.isLocked(error), attempts < 40 else { throw error }
            }
            index.withLock { [known] in $0 = known }
            // A row takes at least three bytes. A file that claims more than eight rows for each of its bytes is certainly damaged.
            guard known.rowCount <= 1 << 24 || known.rowCount / 8 <= byteCount else { throw database.error(Self.outOfOrder) }
            guard progress(readProgress(known)) else { return }
        }
    }

    private func readProgress(_ known: Index) -> ReadProgress {
        ReadProgress(bytesDone: bytesDone(known), bytesTotal: byteCount, records: known.rowCount)
    }

    // MARK: Consecutive rowids

    /// True if counting the rows could replace reading the keys: the table is large, and its known rowids are consecutive.
    private func mayBeConsecutive(_ known: Index) -> Bool {
        guard order.isRowID, !known.isComplete, countLimits.bytes.contains(byteCount), let first = known.keys.first else { return false }
        return known.keys.count > 1 && hasConsecutiveKeys(known, from: first)
    }

    private func hasConsecutiveKeys(_ known: Index, from first: SQLiteKey) -> Bool {
        guard case .number(let start) = first else { return false }
        return known.keys.indices.allSatisfy { index in
            guard case .number(let key) = known.keys[index] else { return false }
            return key &- start == Int64(index) * Int64(known.stride)
        }
    }

    /// Computes the keys of a table whose rowids have no gaps. Returns `nil` if the rowids have gaps.
    private func indexOfConsecutiveRows(_ known: Index, _ rows: RowCount.RowIDExtent) -> Index? {
        guard rows.isConsecutive, rows.count >= known.rowCount, rows.count <= 1 << 24 || rows.count / 8 <= byteCount,
            case .number(rows.first)? = known.keys.first, hasConsecutiveKeys(known, from: .number(rows.first))
        else { return nil }
        var all = known
        while (rows.count / all.stride + 1) * SQLiteKey.number(0).byteCount > max(keyLimit, 64), all.stride < 1 << 30 { all.stride *= 2 }
        all.keys = Swift.stride(from: 0, to: rows.count, by: all.stride).map { .number(rows.first + Int64($0)) }
        all.keyByteCount = all.keys.reduce(0) { $0 + $1.byteCount }
        (all.rowCount, all.isComplete) = (rows.count, true)
        return all
    }
}

/// Counts the rows of a table with rowids on another thread, so that counting can be interrupted.
///
/// SQLite counts rows several times as fast as it reads rowids, because it reads only the headers of pages.
private final class RowCount: Sendable {
    /// The number of rows, with the first and the last rowid.
    struct RowIDExtent: Sendable {
        var count: Int
        var first: Int64
        var last: Int64

        /// True if no rowid is missing between the first and the last one.
        var isConsecutive: Bool {
            let (span, overflows) = last.subtractingReportingOverflow(first)
            return !overflows && count > 0 && span == Int64(count) - 1
        }
    }

    private struct State {
        var extent: RowIDExtent?
        /// The connection that counts the rows; `nil` while no rows are counted.
        var connection: SQLiteConnection?
        var isStopped = false
    }

    private let state = Mutex(State())
    private let group = DispatchGroup()

    /// Counts the rows. Returns `nil` if that fails, takes too long, or is cancelled.
    /// - Parameter shouldContinue: called every 10 ms; returns `false` to cancel.
    static func count(_ database: SQLiteDatabase, _ order: SQLiteOrder, milliseconds: Int, shouldContinue: () -> Bool) -> RowIDExtent? {
        let count = RowCount()
        count.start(database, order)
        defer { count.stop() }
        for _ in 0..<max(1, milliseconds / 10) where !count.waitForEnd(milliseconds: 10) {
            guard shouldContinue() else { return nil }
        }
        return count.state.withLock { $0.extent }
    }

    private func start(_ database: SQLiteDatabase, _ order: SQLiteOrder) {
        DispatchQueue.global(qos: .utility).async(group: group) { [self] in
            // Errors are ignored here: they are reported when the keys are read.
            try? database.use { connection in
                let shouldStart = state.withLock { state in
                    if !state.isStopped { state.connection = connection }
                    return !state.isStopped
                }
                guard shouldStart else { return }
                defer { state.withLock { $0.connection = nil } }
                let ends = ["min", "max"].map { "(select \($0)(\(order.selectedKeys)) from \(order.table))" }.joined(separator: ", ")
                try connection.query("select (select count(*) from \(order.table)), \(ends)") { row in
                    let extent = RowIDExtent(count: Int(clamping: row.integer(0)), first: row.integer(1), last: row.integer(2))
                    state.withLock { $0.extent = extent }
                    return false
                }
            }
        }
    }

    /// Waits until counting has ended, but not longer than the given time. Returns `false` if counting continues.
    private func waitForEnd(milliseconds: Int) -> Bool { group.wait(timeout: .now() + .milliseconds(milliseconds)) == .success }

    /// Stops counting, and waits until the thread has left the database.
    private func stop() {
        state.withLock { $0.isStopped = true }
        // An interrupt has no effect before the statement starts, so it is repeated.
        repeat { state.withLock { $0.connection?.interrupt() } } while !waitForEnd(milliseconds: 1)
    }
}
