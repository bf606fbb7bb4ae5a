import CCodecs
import FieldValues

/// A read-only connection to a database. One thread uses it at a time. It keeps up to 64 KiB of pages that were read ahead, in addition to
/// the cache of SQLite.
///
/// A database may be hostile, so the connection follows "Defense Against The Dark Arts" in the SQLite documentation. There are no
/// extensions and no unsafe functions in views, and lengths and depths are limited.
final class SQLiteConnection: @unchecked Sendable {
    let library: SQLiteLibrary
    private var handle: OpaquePointer?
    /// Prepared statements by their SQL text.
    private var statements: [String: OpaquePointer] = [:]
    private static let maximumKeptStatements = 12

    /// Polled while a statement runs; returns true to interrupt it.
    var isInterrupted: (() -> Bool)?

    /// How a connection accesses the database.
    enum Access: Equatable, Sendable {
        /// Read-only, with the usual locks. Other programs can use the database.
        case shared
        /// Without locks and without a write-ahead log. This is correct only while no other program has the database open.
        case immutable
        /// For a write-ahead log that another program did not delete when it ended. The index of the log is kept in memory, so that SQLite
        /// creates no file.
        case abandonedLog

        var parameters: String {
            switch self {
            case .shared: "mode=ro"
            case .immutable: "mode=ro&immutable=1"
            case .abandonedLog: "mode=ro&vfs=unix-none"
            }
        }
    }

    /// Opens a database and reads its header.
    /// - Throws: ``SQLiteFailure``.
    init(_ library: SQLiteLibrary, path: String, _ access: Access) throws {
        self.library = library
        // `.abandonedLog` names its own VFS, which has precedence.
        // The sum of SQLITE_OPEN_READONLY, _URI, _NOMUTEX and _EXRESCODE.
        let flags: Int32 = 0x1 | 0x40 | 0x8000 | 0x0200_0000
        let status = library.open("\(FileURI.text(path))?\(access.parameters)", &handle, flags, library.readAhead)
        guard status == 0 else {
            let failure = failure(status)
            _ = library.close(handle)
            handle = nil
            throw failure
        }
        // Disable triggers, tokenizers, extensions and the checkpoint on close. Enable the defensive mode, and make the schema read-only
        // and not trusted.
        for (option, value) in [(1003, 0), (1004, 0), (1005, 0), (1006, 1), (1010, 1), (1011, 0), (1017, 0)] as [(Int32, Int32)] {
            _ = gv_sqlite_configure(library.configure, UnsafeMutableRawPointer(handle), option, value)
        }
        // The limits, in this order: value bytes, SQL bytes, columns, expression depth, terms of a compound select, VDBE instructions,
        // attached databases, pattern bytes, trigger depth, worker threads.
        let limits: [(Int32, Int32)] = [
            (0, 1 << 30), (1, 4 << 20), (2, 2_000), (3, 500), (4, 500), (5, 250_000), (7, 0), (8, 1_000), (10, 10), (11, 0),
        ]
        for (limit, value) in limits { _ = library.limit(handle, limit, value) }
        _ = library.busyTimeout(handle, 250)
        let reference = Unmanaged.passUnretained(self).toOpaque()
        library.progressHandler(
            handle, 4_000,
            { reference in
                guard let reference else { return 0 }
                return Unmanaged<SQLiteConnection>.fromOpaque(reference).takeUnretainedValue().isInterrupted?() == true ? 1 : 0
            }, reference)
        // Files are never memory-mapped, because truncating a mapped file would crash the process.
        try run("pragma mmap_size=0")
        try run("pragma cell_size_check=1")
        if access == .abandonedLog { try run("pragma locking_mode=exclusive") }
    }

    deinit {
        for statement in statements.values { _ = library.finalize(statement) }
        _ = library.close(handle)
    }

    /// The most recent error of the connection, for a result code that is not success.
    func failure(_ code: Int32) -> SQLiteFailure {
        let extended = library.extendedCode(handle)
        let text = library.message(handle).map { String(cString: $0) } ?? "unknown error"
        return SQLiteFailure(code: extended & 0xFF == code & 0xFF ? extended : code, message: text)
    }

    /// Runs a statement and ignores its rows.
    func run(_ sql: String) throws { try query(sql) { _ in true } }

    /// Runs a statement and calls `body` with each row, until `body` returns `false`.
    /// - Parameters:
    ///   - sql: one statement.
    ///   - bind: sets the parameters.
    ///   - body: receives the rows.
    /// - Throws: ``SQLiteFailure``, and the errors of `body`.
    func query(_ sql: String, bind: (SQLiteRow) -> Void = { _ in }, _ body: (SQLiteRow) throws -> Bool) throws {
        let statement = try preparedStatement(sql)
        // Resetting ends the read transaction and releases the lock of the database.
        defer { _ = library.reset(statement) }
        let row = SQLiteRow(library: library, statement: statement)
        bind(row)
        while true {
            let status = library.step(statement)
            if status & 0xFF == 101 { return }
            guard status & 0xFF == 100 else { throw failure(status) }
            guard try body(row) else { return }
        }
    }

    /// Makes the running statement fail. Any thread can call it.
    func interrupt() { library.interrupt(handle) }

    private func preparedStatement(_ sql: String) throws -> OpaquePointer {
        // A statement must not be reused while it runs. That does not happen, because callers never nest the same query on one connection.
        if let cached = statements[sql] { return cached }
        if statements.count >= Self.maximumKeptStatements {
            for statement in statements.values { _ = library.finalize(statement) }
            statements = [:]
        }
        var statement: OpaquePointer?
        let status = library.prepare(handle, sql, -1, &statement, nil)
        guard status == 0, let statement else { throw failure(status) }
        statements[sql] = statement
        return statement
    }
}

/// The current row of a statement, or its parameters before the first row.
struct SQLiteRow {
    let library: SQLiteLibrary
    let statement: OpaquePointer

    enum Kind: Int32 {
        case integer = 1
        case real
        case text
        case blob
        case null
    }

    var count: Int { Int(library.columnCount(statement)) }
    func integer(_ column: Int) -> Int64 { integer(value(column)) }
    func string(_ column: Int) -> String { String(decoding: text(value(column)), as: UTF8.self) }

    /// The value of a column, valid until the next row. One thread uses the connection, so SQLite needs no lock to read the value.
    func value(_ column: Int) -> SQLiteLibrary.Value? { library.columnValue(statement, Int32(column)) }
    func kind(_ value: SQLiteLibrary.Value?) -> Kind { Kind(rawValue: library.valueType(value)) ?? .null }
    func integer(_ value: SQLiteLibrary.Value?) -> Int64 { library.valueInteger(value) }
    func real(_ value: SQLiteLibrary.Value?) -> Double { library.valueDouble(value) }

    /// The bytes of a string as UTF-8, valid until the next row.
    func text(_ value: SQLiteLibrary.Value?) -> UnsafeBufferPointer<UInt8> {
        let start = library.valueText(value)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(library.valueBytes(value)))
    }

    /// The bytes of a blob, valid until the next row.
    func blob(_ value: SQLiteLibrary.Value?) -> UnsafeRawBufferPointer {
        let start = library.valueBlob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(library.valueBytes(value)))
    }

    func bind(_ number: Int64, at parameter: Int) { _ = library.bindInteger(statement, Int32(parameter), number) }
    func bind(_ number: Double, at parameter: Int) { _ = library.bindDouble(statement, Int32(parameter), number) }
    func bind(_ text: [UInt8], at parameter: Int) {
        _ = text.withUnsafeBytes { library.bindText(statement, Int32(parameter), $0.baseAddress, Int32(clamping: $0.count), -1) }
    }
}
