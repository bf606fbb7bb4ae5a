import Dispatch
import EngineProtocol
import FieldValues
import Locks
import SQLTables
import Tables

/// The result of a statement on files. DuckDB runs it once; its rows are copied to a temporary file as they arrive.
final class FileQuerySource: TableSource {
    /// Always "query", because the result has no file name.
    let name = "query"
    private let columns: [ServerColumn]
    private let statement: String
    private let views: [String]
    private let run: QueryRun
    private let product: String

    /// Runs the statement, and waits for its first rows.
    /// - Throws: ``ServerError`` if DuckDB is not installed or the statement fails.
    init(
        _ statement: String, on files: QueriedFiles, in file: any ScratchFile, helperPath: String?,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        let database = files.makeDatabase(helperPath: helperPath)
        let dialect: SQLDialect
        do {
            dialect = try database.dialect(isCancelled: isCancelled)
        } catch let failure as ServerDatabase.SetupFailure {
            throw files.setupError(failure)
        } catch let error as ServerError {
            throw ServerError("DuckDB is needed for --sql on files. \(error.message)")
        }
        do {
            // DuckDB's function `query` parses the statement, and refuses everything except a single query before any of it runs. The
            // result has the columns of the statement, with numbers after repeated names: `id`, `id_1`.
            let query = "SELECT * FROM query(\(statement.quoted(by: "'")))"
            columns = try database.table(ofStatement: query, isCancelled: isCancelled).columns
            try Self.checkIntegers(of: columns, query, in: database, isCancelled)
        } catch let error as ServerError {
            throw files.statementError(error, database.setupFailures)
        }
        (self.statement, views) = (statement, files.views(without: database.setupFailures))
        product = [database.info?.product, database.info?.version].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        let jsonColumns = Set(columns.enumerated().lazy.filter { dialect.sendsJSON($0.element) }.map(\.offset))
        run = QueryRun(statement, SpooledRows(columnCount: columns.count, jsonColumns: jsonColumns, in: file), in: database)
        run.start()
        var firstRows: ContinuousClock.Instant?
        // Wait briefly, because most results are complete soon after their first rows.
        try run.wait { rows in
            if rows > 0, firstRows == nil { firstRows = .now }
            return !isCancelled() && firstRows.map { ContinuousClock.now - $0 < .milliseconds(30) } ?? true
        }
        if isCancelled() { throw ServerDatabase.Interrupted() }
    }

    /// Throws an error if a column contains `UHUGEINT` numbers. DuckDB sends them as signed 128-bit decimals, in which large numbers become
    /// negative.
    private static func checkIntegers(
        of columns: [ServerColumn], _ query: String, in database: ServerDatabase, _ isCancelled: () -> Bool
    ) throws {
        // Lists, structures and maps can contain such numbers, too. The type name of a map does not contain the types of its values.
        guard columns.contains(where: { $0.type.name.contains("decimal(38, 0)") || $0.type.name.contains("map") }) else { return }
        let types = SQLStatement(text: "SELECT column_name FROM (DESCRIBE \(query)) WHERE contains(column_type, 'UHUGEINT')")
        guard case .text(let name)? = try database.rows(types, isCancelled: isCancelled).first?.first else { return }
        throw ServerError(
            "Numbers of the type UHUGEINT in “\(name)” cannot be read. Write \(name)::hugeint or \(name)::varchar in the statement.")
    }

    deinit { run.cancel() }

    /// Always `nil`.
    var path: String? { nil }
    /// The bytes of the known rows, at least 1.
    var byteCount: Int { max(1, run.rows.byteCount) }
    /// The value of ``byteCount`` once all rows are known; 0 before.
    var indexedByteCount: Int { run.rows.isComplete ? byteCount : 0 }
    /// True until all rows are known, because their number cannot be estimated before.
    var isGrowing: Bool { !run.rows.isComplete }
    /// The number of columns of the result.
    var columnCount: Int { columns.count }
    /// Always `true`.
    var hasColumnNames: Bool { true }
    /// Always `true`.
    var hasNulls: Bool { true }
    func title(ofColumn column: Int) -> String { columns.indices.contains(column) ? columns[column].name : "" }
    /// The profiles of all columns in the known rows, with the types of the result.
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        let numbers = Array(first..<max(first, columnCount))
        let profiles = run.rows.snapshot().profiles(of: numbers, notation: .point) { title(ofColumn: $0) }
        return zip(numbers, profiles).map { column, profile in
            var profile = profile
            profile.kind = columns[column].type.kind
            return profile
        }
    }
    /// A table of the rows that are known now. O(1).
    func snapshot() -> SpoolTable { run.rows.snapshot() }
    /// The last known rows.
    func tail(atLeast count: Int) throws -> TailRecords { try run.rows.tail(atLeast: count) }

    /// Waits until DuckDB has passed all rows. After a cancellation, the statement pauses until the next call.
    /// - Throws: ``ServerError``. The rows before the error stay known.
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        guard !run.rows.isComplete else { return }
        run.resume()
        var isCancelled = false
        try run.wait { rows in
            isCancelled = !progress(ReadProgress(bytesDone: 0, bytesTotal: byteCount, records: rows))
            return !isCancelled
        }
        if isCancelled { run.pause() }
        if run.rows.isComplete {
            _ = progress(ReadProgress(bytesDone: byteCount, bytesTotal: byteCount, records: run.rows.count))
        }
    }

    /// The program that ran the statement, and the names of the files in it.
    var details: [(name: String, value: String)] {
        [("format", "result of a statement"), ("statement run by", product), ("tables", views.joined(separator: ", "))]
            .filter { !$0.1.isEmpty }
    }

    /// The statement.
    func statements(ofViewWithRow row: Int?, withPlans: Bool, isCancelled: () -> Bool) throws -> [ViewStatement] {
        [ViewStatement("Statement", statement)]
    }
}

/// A statement that runs once, on its own thread.
private final class QueryRun: Sendable {
    let rows: SpooledRows
    private let statement: SQLStatement
    private let database: ServerDatabase
    private let state = Mutex(State())

    private struct State {
        var isRunning = true
        var isPaused = false
        var isCancelled = false
        var failure: (any Error)?
    }

    init(_ statement: String, _ rows: SpooledRows, in database: ServerDatabase) {
        (self.statement, self.rows, self.database) = (SQLStatement(text: statement), rows, database)
    }

    /// Starts the statement. Call it once.
    func start() {
        DispatchQueue.global(qos: .userInitiated).async {
            let result = Result { try self.read() }
            // Close the database to free the memory of its helper process, which is no longer needed.
            self.database.close()
            self.state.withLock { state in
                state.isRunning = false
                if case .failure(let error) = result { state.failure = error }
            }
        }
    }

    /// Stops taking rows, so that DuckDB waits. The statement is not run again, because a second run could return other rows or another
    /// order.
    func pause() { state.withLock { $0.isPaused = true } }
    func resume() { state.withLock { $0.isPaused = false } }
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Waits until the statement has ended, or until `shouldContinue` returns `false` for the number of known rows. The statement continues
    /// after `wait` returns.
    /// - Throws: the error that has ended the statement, at each call.
    func wait(while shouldContinue: (_ rows: Int) -> Bool) throws {
        while state.withLock({ $0.isRunning }) {
            guard shouldContinue(rows.count) else { return }
            Self.sleep()
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private static func sleep() { _ = EnginePlatform.wait(-1, 0, milliseconds: 5) }

    private func read() throws {
        let isCancelled = { @Sendable in self.state.withLock { $0.isCancelled } }
        try rows.read(while: { _ in !isCancelled() }) { appender in
            do {
                try database.stream(statement, isCancelled: { appender.checkForStop() }) { batch in
                    var failure: (any Error)?
                    let all = ServerBatch(batch: batch, rows: 0..<batch.rowCount)
                    let first = appender.nextRow
                    let cuts = all.cuts(ofColumns: Array(0..<batch.columnCount), from: first)
                    let continues = all.forEachRow(columns: batch.columnCount) { index, fields in
                        let cuts = cuts.isEmpty ? [] : cuts.filter { $0.record == first + index }
                        do { return try appender.append(fields, cuts: cuts) } catch { failure = error }
                        return false
                    }
                    if let failure { throw failure }
                    if continues { try appender.publishIfDue() }
                    while state.withLock({ $0.isPaused && !$0.isCancelled }) { Self.sleep() }
                    return continues
                }
            } catch is ServerDatabase.Interrupted where appender.isStopped {}
        }
    }
}
