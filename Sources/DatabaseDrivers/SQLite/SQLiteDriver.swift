import CDrivers
import EngineProtocol
import FieldValues
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// SQLite files, through libsqlite3.
///
/// A file may be hostile, so the connection follows "Defense Against The Dark Arts" in the SQLite documentation. It is read-only, without
/// extensions and without unsafe functions in views, and lengths and depths are limited. Time limits and cancellations end statements that
/// would never end.
final class SQLiteDriver: Driver {
    let sqlite: gv_sqlite_library
    private(set) var database: OpaquePointer?
    /// Held while another thread interrupts the database, and while ``database`` changes, so that no closed database is interrupted.
    private let interruption = Mutex(())
    /// The running request and its sink, for the progress handler.
    private var control: RequestControl?
    private var sink: ResultSink?
    private var path = ""
    /// The number of patterns of `REGEXP` that are currently compiled, see ``keptPatternLimit``.
    var patternCount = 0

    /// The number of steps of SQLite's virtual machine between two checks for a cancellation, about a millisecond.
    private static let stepsBetweenChecks: Int32 = 10_000

    init() throws(DriverFailure) { sqlite = try SQLiteDriverLibrary.system.get().functions }

    func interrupt() {
        interruption.withLock { _ in
            if let database { sqlite.sqlite3_interrupt(database) }
        }
    }

    func close() {
        interruption.withLock { _ in
            if let database { _ = sqlite.sqlite3_close_v2(database) }
            database = nil
        }
    }

    // MARK: Opening

    /// The access to a file, as a parameter of its URI.
    private enum Access: String {
        case shared = "mode=ro"
        /// Reads without locks and without the write-ahead log. This works in a read-only folder, but recent changes may be missing.
        case immutable = "mode=ro&immutable=1"
    }

    func connect(_ request: ConnectRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) -> ServerInfo {
        close()
        (self.sink, self.control) = (sink, control)
        defer { self.control = nil }
        path = ""
        var isImmutable = false
        for option in request.options {
            switch option.name {
            case "path": path = option.value
            case "immutable": isImmutable = option.value == "1"
            default: throw DriverFailure(.unsupported, "The connection option “\(option.name)” is not supported", hint: "Remove it")
            }
        }
        guard !path.isEmpty else { throw DriverFailure(.cannotOpen, "The file name is missing") }
        guard !path.utf8.contains(0) else { throw DriverFailure(.cannotOpen, "The file name contains a NUL character") }
        // Only regular files are opened: a named pipe would block, and the message of SQLite about a folder does not name the reason.
        var status = stat()
        guard stat(path, &status) == 0 else { throw DriverFailure(.cannotOpen, "\(path): \(String(cString: strerror(errno)))") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw DriverFailure(.cannotOpen, "\(path) is not a regular file") }
        var info = ServerInfo(product: "SQLite", version: text(sqlite.sqlite3_libversion()))
        info.properties[ServerInfo.Property.database] = path
        do throws(DriverFailure) { try open(isImmutable ? .immutable : .shared) } catch {
            // A database with a write-ahead log needs a second file next to it. That file cannot be created in a read-only folder.
            guard error.message.kind == .readOnly || error.message.kind == .cannotOpen, !isImmutable, control.reason == nil else {
                throw error
            }
            close()
            do throws(DriverFailure) { try open(.immutable) } catch { throw error }
            isImmutable = true
        }
        if isImmutable {
            info.properties[ServerInfo.Property.warning] =
                "The file is read without locks and without its write-ahead log, so recent changes may be missing"
        }
        return info
    }

    private func open(_ access: Access) throws(DriverFailure) {
        // SQLITE_OPEN_READONLY, _URI, _NOMUTEX and _EXRESCODE.
        let flags: Int32 = 0x1 | 0x40 | 0x8000 | 0x0200_0000
        var opened: OpaquePointer?
        let status = sqlite.sqlite3_open_v2("\(FileURI.text(path))?\(access.rawValue)", &opened, flags, nil)
        interruption.withLock { _ in database = opened }
        guard status == 0 else {
            let failure = failure(status)
            close()
            throw failure
        }
        // The options of sqlite3_db_config, in order: no triggers, tokenizers or extensions; no checkpoint on close; defensive mode; a
        // schema that is read-only and not trusted; no strings in double quotes, so that an unknown column is an error.
        for (option, value) in [(1003, 0), (1004, 0), (1005, 0), (1006, 1), (1010, 1), (1011, 0), (1013, 0), (1017, 0)] as [(Int32, Int32)]
        {
            _ = withUnsafePointer(to: sqlite) { gv_sqlite_set($0, database, option, value) }
        }
        // The limits, in order: bytes of a value, bytes of SQL, columns, expression depth, terms of a compound select, VDBE instructions,
        // arguments, attached databases, bytes of a pattern, parameters, trigger depth, worker threads.
        let limits: [(Int32, Int32)] = [
            (0, 1 << 30), (1, Int32(EngineLimits.maximumStatementBytes)), (2, 2_000), (3, 500), (4, 500), (5, 250_000), (6, 100), (7, 0),
            (8, 1_000), (9, 32_766), (10, 10), (11, 0),
        ]
        for (limit, value) in limits { _ = sqlite.sqlite3_limit(database, limit, value) }
        for added in [addPatternFunction(), addValueFunctions()] where added != 0 { throw failure(added) }
        _ = sqlite.sqlite3_busy_timeout(database, 250)
        sqlite.sqlite3_progress_handler(
            database, Self.stepsBetweenChecks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<SQLiteDriver>.fromOpaque(context).takeUnretainedValue().isInterrupted() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        // Files are never memory-mapped, because truncating a mapped file would crash the process. The last statement reads the header, so
        // that opening fails if the file is not a database.
        for statement in ["pragma mmap_size=0", "pragma cell_size_check=1", "pragma query_only=1", "pragma schema_version"] {
            let prepared = try prepare(statement)
            defer { _ = sqlite.sqlite3_finalize(prepared) }
            let status = sqlite.sqlite3_step(prepared)
            guard status == Self.rowStatus || status == Self.doneStatus else { throw failure(status) }
        }
    }

    private func isInterrupted() -> Bool {
        _ = sink?.sendDueRows()
        return control?.reason != nil || sink?.isClosed == true
    }

    // MARK: Statements

    static let rowStatus: Int32 = 100
    static let doneStatus: Int32 = 101

    /// SQLite's codes for the types of values.
    enum StorageClass {
        static let integer: Int32 = 1
        static let real: Int32 = 2
        static let text: Int32 = 3
        static let blob: Int32 = 4
        static let null: Int32 = 5
    }

    func execute(_ request: ExecuteRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) {
        let statement = try begin(request.statement, sink, control)
        defer {
            _ = sqlite.sqlite3_finalize(statement)
            self.control = nil
        }
        try bind(request.parameters, to: statement)
        let columnCount = sqlite.sqlite3_column_count(statement)
        if columnCount > 0 { try sink.sendColumns(columns(of: statement), hasKinds: true) }
        while true {
            if control.reason != nil { throw control.failure }
            let status = sqlite.sqlite3_step(statement)
            if status == Self.doneStatus { return }
            guard status == Self.rowStatus else { throw failure(status) }
            guard sink.appendRow({ append(statement, columnCount, to: &$0) }) else { return }
        }
    }

    func describe(_ request: DescribeRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) {
        let statement = try begin(request.statement, sink, control)
        defer {
            _ = sqlite.sqlite3_finalize(statement)
            self.control = nil
        }
        let count = max(0, sqlite.sqlite3_bind_parameter_count(statement))
        let parameters = Array(repeating: ResultColumn.ColumnType(name: ""), count: Int(count))
        sink.send(.columns(columns(of: statement), parameters: parameters))
    }

    private func begin(_ text: String, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) -> OpaquePointer {
        (self.sink, self.control) = (sink, control)
        guard !text.utf8.contains(0) else { throw DriverFailure(.syntax, "The statement contains a NUL character") }
        let statement = try prepare(text)
        guard sqlite.sqlite3_stmt_readonly(statement) != 0 else {
            _ = sqlite.sqlite3_finalize(statement)
            throw DriverFailure(.readOnly, "Attempt to write a readonly database")
        }
        return statement
    }

    /// Prepares the only statement of a text. Throws if more than spaces, comments and a semicolon follows it.
    private func prepare(_ text: String) throws(DriverFailure) -> OpaquePointer {
        guard database != nil else { throw DriverFailure(.notConnected, "No database is open") }
        var statement: OpaquePointer?
        var second: OpaquePointer?
        var text = text
        var status: Int32 = 0
        var position: UInt32 = 0
        text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                var rest: UnsafePointer<CChar>?
                guard let start = characters.baseAddress else { return }
                status = sqlite.sqlite3_prepare_v2(database, start, Int32(clamping: characters.count), &statement, &rest)
                if status != 0, let offset = sqlite.sqlite3_error_offset?(database), offset >= 0, Int(offset) <= characters.count {
                    // The position of the error in characters, counted from 1.
                    position = UInt32(clamping: utf8[..<Int(offset)].count { $0 & 0xC0 != 0x80 } + 1)
                }
                if status == 0, let rest {
                    let length = characters.count - (rest - start)
                    if length > 0 { status = sqlite.sqlite3_prepare_v2(database, rest, Int32(clamping: length), &second, nil) }
                }
            }
        }
        if second != nil || status != 0 && statement != nil {
            _ = sqlite.sqlite3_finalize(second)
            _ = sqlite.sqlite3_finalize(statement)
            throw DriverFailure(.syntax, "Only one statement can run at a time")
        }
        guard status == 0 else {
            var message = failure(status).message
            message.position = position
            throw DriverFailure(message)
        }
        guard let statement else { throw DriverFailure(.syntax, "The statement is empty") }
        return statement
    }

    private func columns(of statement: OpaquePointer) -> [ResultColumn] {
        (0..<max(0, sqlite.sqlite3_column_count(statement))).map { column in
            var origin: ResultColumn.Origin?
            if let schema = sqlite.sqlite3_column_database_name?(statement, column),
                let table = sqlite.sqlite3_column_table_name?(statement, column),
                let name = sqlite.sqlite3_column_origin_name?(statement, column)
            {
                origin = .names(schema: text(schema), table: text(table), column: text(name))
            }
            return ResultColumn(
                name: text(sqlite.sqlite3_column_name(statement, column)),
                type: .init(name: text(sqlite.sqlite3_column_decltype(statement, column))), origin: origin)
        }
    }

    private func append(_ statement: OpaquePointer, _ columnCount: Int32, to batch: inout RowBatchWriter) {
        for column in 0..<columnCount {
            switch sqlite.sqlite3_column_type(statement, column) {
            case StorageClass.integer:
                var digits = String(sqlite.sqlite3_column_int64(statement, column))
                digits.withUTF8 { batch.append(UnsafeRawBufferPointer($0), .integer) }
            case StorageClass.real:
                var digits = Self.digits(sqlite.sqlite3_column_double(statement, column))
                digits.withUTF8 { batch.append(UnsafeRawBufferPointer($0), .real) }
            case StorageClass.text:
                let start = sqlite.sqlite3_column_text(statement, column)
                let count = sqlite.sqlite3_column_bytes(statement, column)
                batch.append(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(max(0, count))), .text)
            case StorageClass.blob:
                let start = sqlite.sqlite3_column_blob(statement, column)
                let count = sqlite.sqlite3_column_bytes(statement, column)
                batch.append(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(max(0, count))), .blob)
            default: batch.appendNull()
            }
        }
    }

    /// The shortest text that reads back to the number, as in files of SQLite that gridview reads itself. SQLite prints 15 digits only, but
    /// keys must be exact. Infinity is `inf`.
    static func digits(_ number: Double) -> String { number.description }

    private func bind(_ parameters: [Parameter], to statement: OpaquePointer) throws(DriverFailure) {
        let count = sqlite.sqlite3_bind_parameter_count(statement)
        guard Int(count) == parameters.count else {
            throw DriverFailure(.other, "The statement has \(count) parameters, but \(parameters.count) values were given")
        }
        for (index, parameter) in parameters.enumerated() {
            let position = Int32(clamping: index + 1)
            let status: Int32
            switch (parameter.value, parameter.type) {
            case (nil, _): status = sqlite.sqlite3_bind_null(statement, position)
            case (let value?, .inferred), (let value?, .named("text")):
                status = value.withUnsafeBytes { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        sqlite.sqlite3_bind_text(
                            statement, position, $0.baseAddress ?? Self.emptyValue, Int32(clamping: $0.count), Self.transientDestructor)
                    }
                }
            case (let value?, .named("blob")):
                status = value.withUnsafeBytes {
                    sqlite.sqlite3_bind_blob(
                        statement, position, $0.baseAddress ?? UnsafeRawPointer(Self.emptyValue), Int32(clamping: $0.count),
                        Self.transientDestructor)
                }
            case (let value?, .named("integer")):
                guard let number = Int64(String(decoding: value, as: UTF8.self)) else { throw Self.wrongParameterFailure(index, "integer") }
                status = sqlite.sqlite3_bind_int64(statement, position, number)
            case (let value?, .named("real")):
                guard let number = Double(String(decoding: value, as: UTF8.self)) else { throw Self.wrongParameterFailure(index, "number") }
                status = sqlite.sqlite3_bind_double(statement, position, number)
            case (_, .named(let name)):
                throw DriverFailure(
                    .unsupported, "The parameter type “\(name)” is unknown", hint: "Use integer, real, text or blob")
            case (_, .oid): throw DriverFailure(.unsupported, "SQLite does not support type OIDs")
            }
            guard status == 0 else { throw failure(status) }
        }
    }

    /// `SQLITE_TRANSIENT`: the library copies the value.
    static var transientDestructor: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? {
        unsafeBitCast(-1, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?.self)
    }

    /// A pointer for empty values, because a null pointer would mean NULL.
    nonisolated(unsafe) private static let emptyValue: UnsafePointer<CChar> = {
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        text.initialize(to: 0)
        return UnsafePointer(text)
    }()

    private static func wrongParameterFailure(_ index: Int, _ type: String) -> DriverFailure {
        DriverFailure(.other, "The value of parameter \(index + 1) is not \(type == "integer" ? "an integer" : "a number")")
    }

    // MARK: Errors

    /// The last error of the connection, or the reason of the interruption if the statement was interrupted.
    private func failure(_ status: Int32) -> DriverFailure {
        let extended = database == nil ? status : sqlite.sqlite3_extended_errcode(database)
        let code = extended & 0xFF == status & 0xFF ? extended : status
        let message = database == nil ? "out of memory" : text(sqlite.sqlite3_errmsg(database))
        if code & 0xFF == 9, let control, control.reason != nil { return control.failure }
        // SQLite limits the nesting of parentheses to about 100, and that of operators to the limit set when the file is opened.
        if code & 0xFF == 1, ["parser stack overflow", "Expression tree is too large"].contains(where: message.hasPrefix) {
            return DriverFailure(
                .other, "The statement has too many nested parts for SQLite", code: String(code),
                hint: "Use fewer formulas that contain each other")
        }
        return DriverFailure(Self.kind(code, message), message, code: String(code))
    }

    private static func kind(_ code: Int32, _ message: String) -> ServerMessage.Kind {
        switch code & 0xFF {
        case 1:
            if message.hasPrefix("no such") { return .missingObject }
            let signs = ["syntax error", "incomplete input", "unrecognized token"]
            return signs.contains { message.contains($0) } ? .syntax : .other
        case 3, 23: return .permissionDenied
        case 5, 6: return .locked
        case 7, 18: return .tooLarge
        case 8: return .readOnly
        case 9: return .cancelled
        case 11, 26: return .damaged
        case 14: return .cannotOpen
        default: return .other
        }
    }
}
