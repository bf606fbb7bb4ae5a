import DelimitedText
import FieldValues
import Locks
import Tables

/// An SQLite database. Any thread can use it: each use takes a connection from a small pool.
///
/// Read transactions are short, because a long one would keep other programs from writing, or from reusing their write-ahead log. The end
/// of a transaction depends on its purpose:
/// - Reading rows: after a block of rows; if their rowids have no gaps, after up to 4,096 rows.
/// - Counting the rows of a table: after 0.2 s.
/// - Reading rows that an index finds: after 30 ms plus the time to count a block.
///
/// Rows may therefore change between two reads. ``checkForChange()`` detects changes, and so does a read that finds fewer rows in a block
/// than were counted.
///
/// No file is created next to the database.
final class SQLiteDatabase: Sendable {
    let file: BinaryFile
    let path: String
    let header: SQLiteHeader
    private let library: SQLiteLibrary
    private let pool = Mutex(Pool())
    /// The status of the write-ahead log when the database was opened.
    private let openedLog: BinaryFile.Fingerprint?

    /// The connections that no thread uses, and the mode in which they were opened.
    private struct Pool {
        var idleConnections: [SQLiteConnection] = []
        var mode: OpenMode?
        /// True if the database has a write-ahead log that cannot be read.
        var lacksLog = false
    }

    /// How to open the database, and the status of a file that must not change meanwhile: the database for `.immutable`, and the
    /// write-ahead log for `.abandonedLog`.
    private struct OpenMode: Equatable {
        var access: SQLiteConnection.Access
        var fingerprint: BinaryFile.Fingerprint?
    }

    /// The maximum number of idle connections; 0 for a database with a write-ahead log. While a connection is open, other programs do not
    /// delete the log when they end.
    private func maximumIdleCount(in mode: OpenMode) -> Int { usesWriteAheadLog && mode.access == .shared ? 0 : 4 }

    /// True if the database currently uses a write-ahead log. A program that writes the database can change this.
    private var usesWriteAheadLog: Bool { (try? file.bytes(at: 18, count: 2))?.contains(2) ?? header.usesWriteAheadLog }

    /// Opens a database.
    /// - Throws: ``FormatError`` if the database cannot be opened.
    init(_ file: BinaryFile, path: String, _ library: SQLiteLibrary) throws {
        (self.file, self.path, self.library) = (file, path, library)
        DeferredClosing.keep(file, path: path)
        header = SQLiteHeader(try file.bytes(at: 0, count: 100))
        openedLog = BinaryFile.Fingerprint(ofPath: path + "-wal")
        // This statement makes SQLite read the schema. Damage is therefore found now.
        try use { try $0.query("select count(*) from sqlite_master") { _ in true } }
    }

    deinit { DeferredClosing.keep(file, path: path) }

    var name: String { file.name }

    /// Calls `body` with a connection.
    /// - Throws: ``FormatError`` for errors of SQLite; the errors of `body`.
    func use<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        DeferredClosing.beginUse(of: path)
        defer { DeferredClosing.endUse(of: path) }
        let mode = currentMode
        var connection = pool.withLock { pool -> SQLiteConnection? in
            if pool.mode != mode { (pool.mode, pool.idleConnections) = (mode, []) }
            return pool.idleConnections.popLast()
        }
        do {
            let used: SQLiteConnection
            if let connection { used = connection } else { used = try connect(mode) }
            connection = used
            let result = try body(used)
            used.isInterrupted = nil
            let maximum = maximumIdleCount(in: mode)
            pool.withLock { pool in
                if pool.mode == mode, pool.idleConnections.count < maximum { pool.idleConnections.append(used) }
            }
            return result
        } catch let failure as SQLiteFailure {
            connection?.isInterrupted = nil
            throw error(failure)
        }
    }

    private func connect(_ mode: OpenMode) throws -> SQLiteConnection {
        do {
            return try connectAndRead(mode.access)
        } catch let failure as SQLiteFailure {
            // The index of the write-ahead log cannot be read or created, for example because the folder is read-only.
            let isLog = failure.kind == SQLiteFailure.cannotOpen || failure.kind == SQLiteFailure.readOnly
            guard usesWriteAheadLog, isLog, failure.code != SQLiteFailure.unfinished, mode.access != .immutable else { throw failure }
            if mode.access == .shared, let connection = try? connectAndRead(.abandonedLog) { return connection }
            let connection = try connectAndRead(.immutable)
            pool.withLock { $0.lacksLog = true }
            return connection
        }
    }

    private func connectAndRead(_ access: SQLiteConnection.Access) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(library, path: path, access)
        try connection.run("select count(*) from sqlite_master")
        return connection
    }

    /// The mode in which the database must be opened at this moment.
    private var currentMode: OpenMode {
        guard usesWriteAheadLog else { return OpenMode(access: .shared) }
        guard let log = BinaryFile.Fingerprint(ofPath: path + "-wal"), log.size > 0 else {
            // No program has the database open. Opening it with locks would create files.
            return OpenMode(access: .immutable, fingerprint: BinaryFile.Fingerprint(ofPath: path))
        }
        if BinaryFile.exists(path + "-shm") { return OpenMode(access: .shared) }
        return OpenMode(access: .abandonedLog, fingerprint: log)
    }

    // MARK: Changes

    /// Compares the database and its write-ahead log with their status at opening. It never returns `grown`: SQLite reuses pages, so
    /// existing rows may have changed in a longer file, too.
    func checkForChange() -> FileChange {
        switch file.checkForChange() {
        case .deleted: return .deleted
        case .unchanged:
            let log = BinaryFile.Fingerprint(ofPath: path + "-wal")
            // Creating or deleting an empty log changes nothing in the database.
            return log == openedLog || (log?.size ?? 0) == 0 && (openedLog?.size ?? 0) == 0 ? .unchanged : .replaced
        case .grown, .truncated, .replaced: return .replaced
        }
    }

    // MARK: Messages

    var problems: [String] {
        pool.withLock { $0.lacksLog } ? ["changes in \(name)-wal are not shown, because that file cannot be read"] : []
    }

    /// The error message for a failure.
    func error(_ failure: SQLiteFailure) -> FormatError {
        if failure.code == SQLiteFailure.unfinished {
            return FormatError(
                "\(name) has an unfinished transaction. Open it once with write access to roll the transaction back: "
                    + "sqlite3 \(ShellWord.path(path)) .schema")
        }
        switch failure.kind {
        case SQLiteFailure.notADatabase: return FormatError("\(name) is encrypted, or it is not an SQLite database.")
        case SQLiteFailure.damaged:
            return FormatError(
                "\(name) is damaged: \(failure.message). Recover it: sqlite3 \(ShellWord.path(path)) .recover | sqlite3 recovered.db")
        case let kind where SQLiteFailure.locked.contains(kind):
            return FormatError("\(name) is locked by another program. Try again when that program has finished writing.")
        case SQLiteFailure.noMemory, SQLiteFailure.tooLong: return FormatError("\(name) has a value that is too long to read.")
        case SQLiteFailure.interrupted: return FormatError("Reading \(name) was stopped.")
        default: return FormatError("Cannot read \(name): \(failure.message).")
        }
    }

    /// True if the error says that another program is writing the database.
    func isLocked(_ error: FormatError) -> Bool { error == self.error(SQLiteFailure(code: 5, message: "")) }

    // MARK: Tables

    /// The tables and views, without the system tables of SQLite and the shadow tables of virtual tables, in the order of their creation.
    func tables() throws -> [SQLiteTableDefinition] {
        try use { connection in
            var tables: [SQLiteTableDefinition] = []
            try connection.query("select name, type, sql from sqlite_master where type in ('table', 'view')") { row in
                let name = row.string(0)
                if name.lowercased().hasPrefix("sqlite_") { return true }
                let sql = row.string(2)
                let isVirtual = sql.uppercased().hasPrefix("CREATE VIRTUAL")
                tables.append(
                    SQLiteTableDefinition(name: name, kind: row.string(1) == "view" ? .view : isVirtual ? .virtual : .table, sql: sql))
                return true
            }
            // `pragma_table_list` needs SQLite 3.37. Errors of this query are ignored, because they concern single tables and are reported
            // when these tables are read.
            var shadows: Set<String> = []
            try? connection.query("select name, type, wr from pragma_table_list where schema = 'main'") { row in
                if row.string(1) == "shadow" { shadows.insert(row.string(0)) }
                return true
            }
            return tables.filter { !shadows.contains($0.name) }
        }
    }

    /// The columns of a table, without hidden columns of virtual tables.
    func columns(of table: SQLiteTableDefinition, _ connection: SQLiteConnection) throws -> [SQLiteColumn] {
        var columns: [SQLiteColumn] = []
        try connection.query("pragma main.table_xinfo(\(SQLiteName.quoted(table.name)))") { row in
            if row.integer(6) == 1 { return true }
            columns.append(SQLiteColumn(name: row.string(1), type: row.string(2), keyPosition: Int(clamping: row.integer(5))))
            return true
        }
        return columns
    }

    /// A list of the tables. To appear quickly, it counts rows only in tables, not in views. If the count takes too long, the number is an
    /// estimate from the row numbers or, if they are missing or not dense, from the statistics of `ANALYZE`.
    /// - Parameter countTime: the time after which no count starts.
    func catalog(of tables: [SQLiteTableDefinition], countTime: Duration = .milliseconds(25)) throws -> [ContainerEntry] {
        let start = ContinuousClock.now
        return try use { connection in
            var analyzedRowCounts: [String: Int] = [:]
            // Without statistics, their table does not exist.
            try? connection.query("select tbl, max(cast(stat as integer)) from sqlite_stat1 group by tbl") { row in
                analyzedRowCounts[row.string(0)] = Int(row.integer(1))
                return true
            }
            var (pageCount, pageSize) = (0.0, 0.0)
            try? connection.query("pragma main.page_count") { row in
                pageCount = Double(row.integer(0))
                return true
            }
            try? connection.query("pragma main.page_size") { row in
                pageSize = Double(row.integer(0))
                return true
            }
            let fileSize = pageCount > 0 ? pageCount * pageSize : nil
            return tables.map { table in
                var entry = ContainerEntry(name: table.name, kind: table.kind.rawValue)
                guard ContinuousClock.now - start < .milliseconds(100) else { return entry }
                let columns: [SQLiteColumn]
                do {
                    columns = try self.columns(of: table, connection)
                } catch {
                    entry.note = (error as? SQLiteFailure)?.message ?? ""
                    return entry
                }
                entry.columns = columns.count
                // Counting the rows of a view may take arbitrarily long.
                guard table.kind == .table else { return entry }
                if ContinuousClock.now - start < countTime { entry.rows = rowCount(of: table, connection) }
                guard entry.rows == nil else { return entry }
                let statistics = analyzedRowCounts[table.name]
                let count = try? approximateRowCount(of: table, columns, fileSize: fileSize, analyzedRowCount: statistics, connection)
                entry.rows = count?.rows ?? statistics
                if entry.rows != nil, count?.isExact != true { entry.note = "rows estimated" }
                return entry
            }
        }
    }

    /// The number of rows of a table; `nil` if the count takes longer than 10 ms.
    private func rowCount(of table: SQLiteTableDefinition, _ connection: SQLiteConnection) -> Int? {
        let end = ContinuousClock.now + .milliseconds(10)
        connection.isInterrupted = { ContinuousClock.now > end }
        defer { connection.isInterrupted = nil }
        var count: Int?
        try? connection.query("select count(*) from main.\(SQLiteName.quoted(table.name))") { row in
            count = Int(row.integer(0))
            return true
        }
        return count
    }

    /// The number of rows that are read at each end of a table for an estimate.
    private static let endLength = 101

    /// The number of rows of a table. It is exact below ``endLength``, and otherwise an estimate from the row numbers or from statistics;
    /// `nil` without row numbers or without an estimate.
    private func approximateRowCount(
        of table: SQLiteTableDefinition, _ columns: [SQLiteColumn], fileSize: Double?, analyzedRowCount: Int?,
        _ connection: SQLiteConnection
    ) throws -> (rows: Int, isExact: Bool)? {
        guard let order = try SQLiteOrder(table, columns, connection), order.isRowID else { return nil }
        let runs = try [false, true].map { isLast -> KeyRun in
            var run = KeyRun(count: 0, low: 0, high: 0)
            let keys = "select \(order.selectedKeys) as k from \(order.table) order by \(order.keyList(isDescending: isLast))"
            try connection.query("select count(*), min(k), max(k) from (\(keys) limit \(Self.endLength))") { row in
                run = KeyRun(count: Int(row.integer(0)), low: Double(row.integer(1)), high: Double(row.integer(2)))
                return true
            }
            return run
        }
        if runs[0].count < Self.endLength { return (runs[0].count, true) }
        let estimate = KeyRun.estimatedRowCount(
            first: runs[0], last: runs[1], byteCount: fileSize, analyzedRowCount: analyzedRowCount.map { Double($0) })
        return estimate.flatMap { Int(exactly: $0.rounded()) }.map { ($0, false) }
    }
}

/// Files whose closing is delayed. A process loses its locks on a file when it closes any descriptor of that file. Descriptors of a
/// database therefore stay open while a connection is in use.
private enum DeferredClosing {
    /// The number of connections to a database, and the files to close after the last connection has ended.
    private struct Uses {
        var count = 0
        var files: [BinaryFile] = []
    }

    private static let uses = Mutex<[String: Uses]>([:])

    static func beginUse(of path: String) { uses.withLock { $0[path, default: Uses()].count += 1 } }

    static func endUse(of path: String) {
        // Close the files outside the lock.
        _ = uses.withLock { uses -> [BinaryFile] in
            guard var use = uses[path] else { return [] }
            use.count -= 1
            uses[path] = use.count > 0 ? use : nil
            return use.count > 0 ? [] : use.files
        }
    }

    /// Keeps a file open until no connection uses a database with this path.
    static func keep(_ file: BinaryFile, path: String) {
        uses.withLock { if $0[path] != nil { $0[path]?.files.append(file) } }
    }
}

/// Quotes names for SQL statements.
enum SQLiteName {
    /// A name as an identifier of SQL, in double quotes.
    static func quoted(_ name: String) -> String { name.quoted(by: "\"") }
}

/// A table, a view or a virtual table, as the schema of the database defines it.
struct SQLiteTableDefinition: Sendable, Equatable {
    enum Kind: String {
        case table
        case view
        case virtual
    }

    var name: String
    var kind: Kind
    /// The SQL statement that created the table.
    var sql: String
}

/// A column of a table, as the table definition declares it.
struct SQLiteColumn: Sendable, Equatable {
    var name: String
    /// The declared type, which may be any text.
    var type: String
    /// The 1-based position of the column in the primary key; 0 for a column outside of the key.
    var keyPosition: Int

    private var columnType: SQLiteColumnType { SQLiteColumnType(type) }
    var hasTextAffinity: Bool { columnType.hasTextAffinity }
    var numberStorage: NumberStorage? { columnType.numberStorage }
    func declared(_ profile: ColumnProfile) -> ColumnProfile { columnType.declared(profile, title: name) }
}

/// The header of a database file.
struct SQLiteHeader: Sendable {
    private let bytes: [UInt8]

    static let magic = Array("SQLite format 3\0".utf8)

    init(_ bytes: [UInt8]) { self.bytes = bytes + [UInt8](repeating: 0, count: max(0, 100 - bytes.count)) }

    private func number(_ offset: Int, _ count: Int) -> Int { bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } }

    /// True if the database has a write-ahead log.
    var usesWriteAheadLog: Bool { bytes[18] == 2 || bytes[19] == 2 }

    var details: [(name: String, value: String)] {
        let version = number(96, 4)
        let pageSize = number(16, 2)
        let encodings = [1: "UTF-8", 2: "UTF-16le", 3: "UTF-16be"]
        var details = [("format", "SQLite database")]
        if version > 0 { details.append(("written by", "SQLite \(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)")) }
        details.append(("page size", "\(NumberText.count(pageSize == 1 ? 65_536 : pageSize)) bytes"))
        if let encoding = encodings[number(56, 4)] { details.append(("encoding", encoding)) }
        details.append(("journal", usesWriteAheadLog ? "write-ahead log" : "rollback"))
        return details
    }
}
