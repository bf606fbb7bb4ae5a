import DelimitedText
import FieldValues
import Locks
import Tables

/// A view or virtual table. Its rows have no key, so they are copied to a temporary file in the background.
///
/// A cancelled read releases the database. The next read runs the query again and skips the known rows.
final class SQLiteViewSource: TableSource {
    let name: String
    private let serial = TableSerial.next()
    private let database: SQLiteDatabase
    private let info: SQLiteTableInfo
    private let columns: [SQLiteColumn]
    private let state: Mutex<State>
    /// The statement that selects all rows.
    private let sql: String

    private struct State {
        var spool: RecordSpool
        var isComplete = false
    }

    /// Reads the first rows, for at most one second.
    /// - Throws: ``FormatError`` if the rows cannot be read.
    init(_ database: SQLiteDatabase, _ info: SQLiteTableInfo, _ columns: [SQLiteColumn]) throws {
        (name, self.database, self.info, self.columns) = (info.name, database, info, columns)
        let list = columns.map { "t.\(SQLiteName.quoted($0.name))" }.joined(separator: ", ")
        sql = "select \(list.isEmpty ? "null" : list) from main.\(SQLiteName.quoted(info.name)) as t"
        state = Mutex(State(spool: try RecordSpool(columnCount: columns.count)))
        let start = ContinuousClock.now
        try read { rows in
            let elapsed = ContinuousClock.now - start
            return elapsed < .milliseconds(30) || rows == 0 && elapsed < .seconds(1)
        }
    }

    var path: String? { database.file.path }
    var byteCount: Int { database.file.count }
    var indexedByteCount: Int { state.withLock { $0.isComplete } ? byteCount : 0 }
    var isGrowing: Bool { false }
    var columnCount: Int { columns.count }
    var hasColumnNames: Bool { true }
    var hasNulls: Bool { true }
    func title(ofColumn column: Int) -> String { columns.indices.contains(column) ? columns[column].name : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        let wanted = Array(first..<max(first, columnCount))
        return zip(wanted, snapshot().profiles(of: wanted, notation: .point)).map { columns[$0].declared($1) }
    }

    func snapshot() -> SpoolTable {
        state.withLock { state in
            SpoolTable(
                spool: state.spool, isComplete: state.isComplete, contentID: state.isComplete ? serial << 32 : nil)
        }
    }

    /// The last rows read so far. The end of the view is unknown until all rows are read.
    func tail(atLeast count: Int) throws -> TailRecords {
        let table = snapshot()
        let first = max(0, table.recordCount - max(0, count))
        return TailRecords(
            records: try table.records(first..<table.recordCount, maximumFieldBytes: 1 << 20), firstByteOffset: 0,
            isSettled: table.isComplete)
    }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        guard !state.withLock({ $0.isComplete }) else { return }
        try withoutActuallyEscaping(progress) { progress in
            try read { rows in progress(ReadProgress(bytesDone: 0, bytesTotal: self.byteCount, records: rows)) }
        }
        if state.withLock({ $0.isComplete }) {
            _ = progress(ReadProgress(bytesDone: byteCount, bytesTotal: byteCount, records: snapshot().recordCount))
        }
    }

    /// Copies rows until `shouldContinue` returns `false`. `shouldContinue` receives the number of known rows.
    private func read(while shouldContinue: @escaping (Int) -> Bool) throws {
        var spool = state.withLock { $0.spool }
        let known = spool.appendedCount
        var (row, isStopped) = (0, false)
        var lastCheck = ContinuousClock.now
        // A statement may run for a long time between two rows.
        func isInterrupted() -> Bool {
            let now = ContinuousClock.now
            guard !isStopped, now - lastCheck > .milliseconds(5) else { return isStopped }
            lastCheck = now
            isStopped = !shouldContinue(state.withLock { $0.spool.recordCount })
            return isStopped
        }
        do {
            try database.use { connection in
                var batch = SQLiteBatch(width: columns.count, capacity: 1)
                var fields = [FieldBytes](repeating: .missing, count: columns.count)
                connection.isInterrupted = isInterrupted
                defer { connection.isInterrupted = nil }
                do {
                    try connection.query(sql) { values in
                        row += 1
                        guard row > known else { return row % 64 != 0 || !isInterrupted() }
                        batch.removeAll()
                        batch.append(values)
                        batch.getTexts(&fields)
                        let blocks = spool.recordCount
                        try fields.withUnsafeBufferPointer { try spool.append($0) }
                        if spool.recordCount > blocks { state.withLock { [spool] in $0.spool = spool } }
                        // Reading the clock takes as long as reading a short row.
                        return row % 64 != 0 || !isInterrupted()
                    }
                } catch let failure as SQLiteFailure where failure.kind == SQLiteFailure.interrupted && isStopped {}
            }
        } catch {
            // The rows before the error stay available.
            try? spool.closeBlock()
            state.withLock { [spool] in $0.spool = spool }
            throw error
        }
        try spool.closeBlock()
        state.withLock { [spool] in $0 = State(spool: spool, isComplete: !isStopped) }
    }

    func checkForChange() -> FileChange { database.checkForChange() }
    func isUnchanged() -> Bool { database.checkForChange() == .unchanged }

    var facts: [(name: String, value: String)] { database.header.facts + SQLiteFormat.facts(info) }
    var problems: [String] { database.problems }
    var mayContainInvalidText: Bool { true }
}
