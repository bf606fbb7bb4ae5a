import DelimitedText
import FieldValues
import Tables

/// A view or virtual table. Its rows have no key, so they are copied to a temporary file in the background.
///
/// A cancelled read releases the database. The next read runs the query again and skips the known rows.
final class SQLiteViewSource: SQLiteTableSource {
    let database: SQLiteDatabase
    let definition: SQLiteTableDefinition
    let columns: [SQLiteColumn]
    private let rows: SpooledRows
    /// The statement that selects all rows.
    private let sql: String

    /// Reads the first rows, for at most one second.
    /// - Throws: ``FormatError`` if the rows cannot be read.
    init(_ database: SQLiteDatabase, _ definition: SQLiteTableDefinition, _ columns: [SQLiteColumn]) throws {
        (self.database, self.definition, self.columns) = (database, definition, columns)
        let list = columns.map { "t.\(SQLiteName.quoted($0.name))" }.joined(separator: ", ")
        sql = "select \(list.isEmpty ? "null" : list) from main.\(SQLiteName.quoted(definition.name)) as t"
        rows = SpooledRows(columnCount: columns.count, in: try TemporaryFile())
        let start = ContinuousClock.now
        try read { rows in
            let elapsed = ContinuousClock.now - start
            return elapsed < .milliseconds(30) || rows == 0 && elapsed < .seconds(1)
        }
    }

    var indexedByteCount: Int { rows.isComplete ? byteCount : 0 }

    func snapshot() -> SpoolTable {
        var table = rows.snapshot()
        table.numberStorage = columns.map(\.numberStorage)
        return table
    }
    func tail(atLeast count: Int) throws -> TailRecords { try rows.tail(atLeast: count) }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        guard !rows.isComplete else { return }
        try withoutActuallyEscaping(progress) { progress in
            try read { rows in progress(ReadProgress(bytesDone: 0, bytesTotal: self.byteCount, records: rows)) }
        }
        if rows.isComplete {
            _ = progress(ReadProgress(bytesDone: byteCount, bytesTotal: byteCount, records: rows.count))
        }
    }

    /// Copies rows until `shouldContinue`, which receives the number of copied rows, returns `false`.
    private func read(while shouldContinue: @escaping (Int) -> Bool) throws {
        try rows.read(while: shouldContinue) { appender in
            try database.use { connection in
                var batch = SQLiteBatch(width: columns.count, capacity: 1)
                var fields = [FieldBytes](repeating: .missing, count: columns.count)
                // Cancellation is polled while the statement runs, because the statement may take long between two rows.
                connection.isInterrupted = appender.checkForStop
                defer { connection.isInterrupted = nil }
                do {
                    try connection.query(sql) { values in
                        guard !appender.isNextRowKnown else { return appender.skipRow() }
                        batch.removeAll()
                        batch.append(values)
                        batch.copyTexts(to: &fields)
                        return try fields.withUnsafeBufferPointer { try appender.append($0) }
                    }
                } catch let failure as SQLiteFailure where failure.kind == SQLiteFailure.interrupted && appender.isStopped {}
            }
        }
    }
}
