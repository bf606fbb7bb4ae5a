public import EngineClient
import EngineProtocol
import Locks
import SQLTables
import Tables

/// A database with its connections. Several tables of a database share one object.
///
/// Statements that run at the same time have their own connections, at most ``connectionLimit``. So a count delays a page only while all
/// connections are in use.
public final class ServerDatabase: Sendable {
    /// The connection URL without a table. It can contain a password, so only its description is shown.
    public let target: ConnectionTarget
    private let helperPath: String?
    /// The snapshot that all connections read; `nil` if each statement reads the rows as they are when it runs.
    private let snapshot: DatabaseSnapshot?
    private let setup: [SetupStatement]
    private let state = Mutex(State())

    private struct State {
        var idleConnections: [EngineConnection] = []
        var openCount = 0
        /// The connections on which ``orderSettings`` has run.
        var orderedConnections: Set<ObjectIdentifier> = []
        var info: ServerInfo?
        /// The dialect of the server behind an ADBC driver; `nil` until it is known.
        var dialect: SQLDialect?
        /// The password that the user has typed. It is never saved.
        var password: String?
        var setupFailures: [SetupFailure] = []
        /// See ``ServerDatabase/needsReload``.
        var needsReload = false
        /// The shortest measured time from a statement to its result. ``timeLimit(_:)`` uses it as the delay of the network.
        var shortestResponseTime = Duration.seconds(60)
    }

    /// The maximum number of connections to a database.
    public static let connectionLimit = 4

    /// Creates a database without connecting.
    /// - Parameters:
    ///   - target: the connection URL; its table is ignored.
    ///   - helperPath: the path of the helper program; `nil` for the helper next to the program.
    public convenience init(_ target: ConnectionTarget, helperPath: String? = nil) {
        self.init(target, helperPath: helperPath, snapshot: nil, setup: [])
    }

    /// Creates a database without connecting.
    /// - Parameters:
    ///   - snapshot: the snapshot that all connections read; `nil` if each statement reads the rows as they are when it runs.
    ///   - setup: statements that run on each new connection.
    init(_ target: ConnectionTarget, helperPath: String?, snapshot: DatabaseSnapshot?, setup: [SetupStatement]) {
        var target = target
        target.table = []
        (self.target, self.helperPath, self.snapshot, self.setup) = (target, helperPath, snapshot, setup)
    }

    /// Takes a snapshot of the database. The returned database shows the same rows for as long as it is used.
    /// - Throws: ``ServerError`` if the server has no snapshots that connections can share.
    func snapshotDatabase(isCancelled: () -> Bool = { false }) throws -> ServerDatabase {
        guard target.driver == "postgresql" else {
            throw ServerError("--snapshot needs PostgreSQL. Other databases have no snapshot that several connections share.")
        }
        let connection = EngineConnection(target, helperPath: helperPath)
        let password = state.withLock { $0.password }
        do throws(EngineError) {
            try connection.open(password: password, isCancelled: isCancelled)
            let copy = ServerDatabase(target, helperPath: helperPath, snapshot: try DatabaseSnapshot(connection), setup: setup)
            copy.state.withLock { $0.password = password }
            return copy
        } catch {
            throw connectionFailure(error)
        }
    }

    /// The time of the snapshot in the time zone of the session; `nil` without one.
    var snapshotTime: String? { snapshot?.time }

    /// The server's description of itself, from the first connection; `nil` before it is open.
    var info: ServerInfo? { state.withLock { $0.info } }

    /// The dialect of the server. Connects if there is no connection yet.
    /// - Throws: ``ServerError``.
    func dialect(isCancelled: () -> Bool = { false }) throws -> SQLDialect {
        switch target.driver {
        case "postgresql":
            let info = try info ?? withConnection(isCancelled: isCancelled) { $0.serverInfo }
            let encoding = info?.properties[ServerInfo.Property.storedEncoding] ?? ""
            return .postgreSQL(product: info?.product ?? "", encoding: encoding)
        case "sqlite": return .sqlite
        default:
            if let known = state.withLock({ $0.dialect }) { return known }
            let (dialect, isCertain) = try withConnection(isCancelled: isCancelled) { connection -> (SQLDialect, Bool) in
                let product = (connection.serverInfo?.product ?? "").lowercased()
                if product.contains("duckdb") { return (.duckDB, true) }
                if product.contains("spark") { return (.spark, true) }
                do throws(EngineError) {
                    let rows = try connection.query(ExecuteRequest(Self.sparkTest), isCancelled: isCancelled).rows
                    return (rows.rowCount == 1 && rows.text(row: 0, column: 0) == "'o" ? .spark : .ansi, true)
                } catch {
                    switch error {
                    case .syntax, .missingObject, .unsupported: return (.ansi, true)
                    // The server may still be starting, so the next call runs the test again.
                    case .failed: return (.ansi, false)
                    default: throw error
                    }
                }
            }
            if isCertain { state.withLock { $0.dialect = dialect } }
            return dialect
        }
    }

    /// A statement that only Spark SQL, as in Sail, answers with `'o`. It is needed because all Flight SQL servers have the same driver.
    /// The statement has text in double quotes, a name in backticks, and a cast of bytes to text. Other servers refuse it or return a
    /// different result.
    private static let sparkTest = "SELECT CAST(X'276f' AS string) AS `a`, \"b\""

    /// True if a connection is open.
    var isConnected: Bool { state.withLock { $0.info != nil && $0.openCount > 0 } }

    /// True if the last request has failed because of a lost connection, a changed table, or missing rights.
    var needsReload: Bool { state.withLock { $0.needsReload } }

    // MARK: Connections

    /// Runs `body` with a connection that no other thread uses. Waits if all connections are in use.
    /// - Throws: ``ServerError``, and the errors of `body`.
    func withConnection<T>(isCancelled: () -> Bool = { false }, _ body: (EngineConnection) throws -> T) throws -> T {
        let connection = try connection(isCancelled)
        defer { release(connection) }
        do {
            let result = try body(connection)
            state.withLock { $0.needsReload = false }
            return result
        } catch let error as EngineError {
            if ServerError(error).advisesReload { state.withLock { $0.needsReload = true } }
            // A failed statement ends the transaction that shows the snapshot, so the connection would show other rows.
            if snapshot != nil { connection.close() }
            throw Self.failure(error)
        }
    }

    /// ``Interrupted`` after a cancellation by the caller, otherwise a ``ServerError``.
    private static func failure(_ error: EngineError) -> any Error { error == .cancelled ? Interrupted() : ServerError(error) }

    /// Thrown after the caller has cancelled a statement.
    struct Interrupted: Error {}

    /// The error to throw if connecting fails. It is `PasswordNeeded` if a password for PostgreSQL is missing or wrong.
    private func connectionFailure(_ error: EngineError) -> any Error {
        let isRefused: Bool
        switch error {
        case .passwordNeeded: isRefused = false
        // 28P01 means that the password is wrong. The other errors of this case, such as an unknown host in pg_hba.conf, have other causes.
        case .wrongPassword(let message) where message.code == "28P01": isRefused = true
        default: return Self.failure(error)
        }
        guard target.driver == "postgresql" else { return ServerError(error) }
        let remedy = isRefused ? " Put the correct password into the file ~/.pgpass, or set PGPASSWORD." : ""
        return PasswordNeeded(ServerError(error).message + remedy, account: target.account, wasPasswordRefused: isRefused) {
            [weak self] password in
            self?.state.withLock { $0.password = password }
        }
    }

    private func connection(_ isCancelled: () -> Bool) throws -> EngineConnection {
        while true {
            let (idle, mayOpen) = state.withLock { state -> (EngineConnection?, Bool) in
                if let idle = state.idleConnections.popLast() { return (idle, false) }
                guard state.openCount < Self.connectionLimit else { return (nil, false) }
                state.openCount += 1
                return (nil, true)
            }
            if let idle {
                if idle.isOpen { return idle }
                state.withLock { $0.openCount -= 1 }
            } else if mayOpen {
                let connection = EngineConnection(target, helperPath: helperPath)
                do {
                    let info = try connection.open(password: state.withLock { $0.password }, isCancelled: isCancelled)
                    try snapshot?.apply(to: connection)
                    try runSetup(on: connection, isCancelled)
                    state.withLock { state in
                        state.info = state.info ?? info
                        state.orderedConnections.remove(ObjectIdentifier(connection))
                    }
                    return connection
                } catch {
                    let isCancelled = error is Interrupted || error as? EngineError == .cancelled
                    state.withLock { state in
                        state.openCount -= 1
                        state.needsReload = state.needsReload || !isCancelled
                    }
                    if let error = error as? EngineError { throw connectionFailure(error) }
                    throw error
                }
            } else {
                if isCancelled() { throw Interrupted() }
                _ = EnginePlatform.wait(-1, 0, milliseconds: 5)
            }
        }
    }

    /// A statement that runs on each new connection.
    struct SetupStatement {
        let text: String
        /// True if the connection can be used even if this statement fails. The error is then in ``setupFailures``.
        var isOptional = false
    }

    /// The failure of a setup statement. A new connection throws it unless the statement is optional.
    struct SetupFailure: Error {
        /// The index of the statement in the list of setup statements.
        let index: Int
        let error: ServerError
    }

    /// The failures of optional statements on the newest connection.
    var setupFailures: [SetupFailure] { state.withLock { $0.setupFailures } }

    private func runSetup(on connection: EngineConnection, _ isCancelled: () -> Bool) throws {
        var failures: [SetupFailure] = []
        for (index, statement) in setup.enumerated() {
            do throws(EngineError) {
                _ = try connection.query(ExecuteRequest(statement.text), isCancelled: isCancelled)
            } catch {
                let failure = SetupFailure(index: index, error: ServerError(error))
                if statement.isOptional, error != .cancelled, connection.isOpen {
                    failures.append(failure)
                    continue
                }
                connection.close()
                if error == .cancelled { throw Interrupted() }
                throw failure
            }
        }
        state.withLock { $0.setupFailures = failures }
    }

    /// Makes a connection available to other threads if it is still open.
    private func release(_ connection: EngineConnection) {
        state.withLock { state in
            if connection.isOpen { state.idleConnections.append(connection) } else { state.openCount -= 1 }
        }
    }

    /// Closes the connections that are not in use.
    public func close() {
        let idleConnections = state.withLock { state in
            defer {
                state.openCount -= state.idleConnections.count
                state.idleConnections = []
            }
            return state.idleConnections
        }
        for connection in idleConnections { connection.close() }
    }

    deinit { close() }

    /// Kills suspended helper processes, which would continue to exist after the program. Call it when the program ends.
    public static func endHelpers() { EngineConnection.killStoppedHelpers() }

    // MARK: Statements

    /// A statement that makes PostgreSQL return unsorted rows in the same order each time. It turns off parallel scans and asynchronous
    /// reads of foreign tables, which return rows in the order of their arrival.
    private static let orderSettings = """
        SELECT pg_catalog.set_config(name, CASE vartype WHEN 'bool' THEN 'off' ELSE '0' END, false) FROM pg_catalog.pg_settings \
        WHERE name IN ('max_parallel_workers_per_gather', 'enable_async_append')
        """

    /// Runs ``orderSettings`` on a connection to PostgreSQL, once for each connection.
    private func applyOrderSettings(to connection: EngineConnection) throws {
        let id = ObjectIdentifier(connection)
        guard target.driver == "postgresql", !state.withLock({ $0.orderedConnections.contains(id) }) else { return }
        _ = try connection.query(ExecuteRequest(Self.orderSettings))
        _ = state.withLock { $0.orderedConnections.insert(id) }
    }

    /// Runs a statement and returns its rows as values.
    /// - Parameters:
    ///   - keepsOrder: true if the statement has no sort but must return its rows in the same order each time.
    ///   - milliseconds: the time limit; 0 means no limit. A statement that reaches it throws ``ServerError/timedOut``.
    func rows(
        _ statement: SQLStatement, keepsOrder: Bool = false, timeLimit milliseconds: UInt32 = 0, isCancelled: () -> Bool = { false }
    ) throws -> [[SQLValue]] {
        try reconnecting(isCancelled) { connection, _ in
            if keepsOrder { try applyOrderSettings(to: connection) }
            let start = ContinuousClock.now
            let result = try connection.query(request(statement, milliseconds), isCancelled: isCancelled)
            let time = start.duration(to: .now)
            state.withLock { $0.shortestResponseTime = min($0.shortestResponseTime, time) }
            guard !result.completion.isTruncated else { throw ServerError.tooLarge }
            return values(result.rows)
        }
    }

    /// The time limit to request so that the server itself has `milliseconds`. It is longer by the delay of the network, at most one
    /// minute.
    func timeLimit(_ milliseconds: UInt32) -> UInt32 {
        milliseconds + UInt32(min(60_000, state.withLock { $0.shortestResponseTime } / .milliseconds(1)))
    }

    /// Runs a statement whose result is one number. Returns 0 if the result has no number.
    func fetchNumber(_ statement: SQLStatement, isCancelled: () -> Bool = { false }) throws -> Int {
        try rows(statement, isCancelled: isCancelled).first?.first?.number.map { Int($0) } ?? 0
    }

    /// The number of rows of a query according to the server's plan, without running the query; `nil` if the server has no estimate.
    /// - Parameter milliseconds: the time limit of the statement that returns the plan.
    func estimatedRowCount(of query: SQLQuery, timeLimit milliseconds: UInt32 = 2_000, isCancelled: () -> Bool) throws -> Int? {
        guard let statement = query.estimate() else { return nil }
        do {
            let rows = try rows(statement, timeLimit: milliseconds, isCancelled: isCancelled)
            guard case .text(let plan)? = rows.first?.first else { return nil }
            return SQLQuery.estimatedRows(inPlan: plan).map { Int($0) }
        } catch is ServerError {
            // The estimate is optional, so an error counts as no estimate.
            return nil
        }
    }

    /// Runs a statement and passes its rows in batches, in bounded memory.
    /// - Parameters:
    ///   - keepsOrder: true if the statement has no sort but must return its rows in the same order each time.
    ///   - milliseconds: the time limit; 0 means no limit. A statement that reaches it throws ``ServerError/timedOut``.
    func stream(
        _ statement: SQLStatement, keepsOrder: Bool = false, timeLimit milliseconds: UInt32 = 0, isCancelled: () -> Bool = { false },
        onRows: (RowBatch) throws -> Bool
    ) throws {
        try reconnecting(isCancelled) { connection, isRepeatable in
            if keepsOrder { try applyOrderSettings(to: connection) }
            _ = try connection.stream(request(statement, milliseconds), isCancelled: isCancelled, onColumns: { _ in }) { batch in
                isRepeatable = false
                return try onRows(batch)
            }
        }
    }

    /// Runs `body`. Repeats it once with a new connection if the server has closed the connection since its last use.
    /// - Parameter body: sets `isRepeatable` to `false` before it passes rows on, because a repetition would pass them twice.
    private func reconnecting<T>(
        _ isCancelled: () -> Bool, _ body: (_ connection: EngineConnection, _ isRepeatable: inout Bool) throws -> T
    ) throws -> T {
        let wasOpen = state.withLock { !$0.idleConnections.isEmpty }
        var isRepeatable = true
        do {
            return try withConnection(isCancelled: isCancelled) { connection in
                do {
                    return try body(connection, &isRepeatable)
                } catch let error as EngineError where error.isDisconnection && wasOpen && isRepeatable {
                    throw Disconnected()
                }
            }
        } catch is Disconnected {
            // The server has probably closed the other idle connections, too.
            close()
            return try withConnection(isCancelled: isCancelled) { try body($0, &isRepeatable) }
        }
    }

    private struct Disconnected: Error {}

    private func request(_ statement: SQLStatement, _ milliseconds: UInt32) -> ExecuteRequest {
        ExecuteRequest(statement.text, statement.parameters.map(parameter), timeLimitMilliseconds: milliseconds)
    }

    /// SQLite needs the types of parameters. For other servers, casts in the statement specify them.
    private func parameter(_ parameter: SQLParameter) -> Parameter {
        let isTyped = target.driver == "sqlite"
        switch parameter.value {
        case .null: return Parameter(nil)
        case .text(let text): return Parameter(text, isTyped ? .named("text") : .inferred)
        case .invalidText(let bytes): return Parameter(bytes: bytes, isTyped ? .named("text") : .inferred)
        case .integer(let number): return Parameter(String(number), isTyped ? .named("integer") : .inferred)
        case .double(let number): return Parameter("\(number)", isTyped ? .named("real") : .inferred)
        case .bytes(let bytes): return Parameter(bytes: bytes, isTyped ? .named("blob") : .inferred)
        }
    }

    /// The cells of all rows of a batch. The values have the types that SQLite sent, so that keys can be sent back unchanged.
    func values(_ batch: RowBatch) -> [[SQLValue]] {
        (0..<batch.rowCount).map { values(batch, row: $0, columns: 0..<batch.columnCount) }
    }

    /// The cells of one row in a range of columns, converted as in ``values(_:)``.
    func values(_ batch: RowBatch, row: Int, columns: Range<Int>) -> [SQLValue] {
        columns.map { column in
            guard let text = batch.text(row: row, column: column) else { return .null }
            switch batch.kind(row: row, column: column) {
            case .text:
                // A U+FFFD can also be part of the text that the server has sent, so compare the bytes.
                guard text.utf8.contains(0xEF), text.unicodeScalars.contains("\u{FFFD}"),
                    let bytes = batch.bytes(row: row, column: column), !bytes.elementsEqual(text.utf8)
                else { return .text(text) }
                return .invalidText(bytes)
            case .integer: return Int64(text).map { .integer($0) } ?? .text(text)
            case .real: return Double(text).map { .double($0) } ?? .text(text)
            case .blob: return .bytes(batch.bytes(row: row, column: column) ?? [])
            }
        }
    }
}

extension EngineError {
    /// True if the connection was lost. A new connection may succeed.
    var isDisconnection: Bool {
        switch self {
        case .serverClosed, .helperEnded, .notOpen: true
        default: false
        }
    }
}
