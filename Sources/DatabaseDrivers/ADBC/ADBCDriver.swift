import CCodecs
import CDrivers
import EngineProtocol
import Locks

/// A connection to any engine with a driver for Arrow Database Connectivity (ADBC) 1.0 or 1.1.
final class ADBCDriver: Driver {
    private let functions = UnsafeMutablePointer<gv_adbc_driver>.allocate(capacity: 1)
    private let database = UnsafeMutablePointer<gv_adbc_object>.allocate(capacity: 1)
    private let connection = UnsafeMutablePointer<gv_adbc_object>.allocate(capacity: 1)
    private let statement = UnsafeMutablePointer<gv_adbc_object>.allocate(capacity: 1)
    private var isLoaded = false
    private var hasDatabase = false
    private var hasConnection = false
    /// True while the statement can be cancelled. The reader's thread holds the lock while it cancels, so that the statement cannot be
    /// released meanwhile.
    private let isRunning = Mutex(false)

    init() {
        functions.initialize(to: gv_adbc_driver())
        for object in [database, connection, statement] { object.initialize(to: gv_adbc_object()) }
    }

    deinit {
        close()
        functions.deallocate()
        for object in [database, connection, statement] { object.deallocate() }
    }

    func interrupt() {
        isRunning.withLock { isRunning in
            guard isRunning, let cancel = functions.pointee.statement_cancel else { return }
            // Ignore a failure: if the driver cannot cancel, the program kills the helper.
            var error = gv_adbc_error()
            _ = cancel(statement, &error)
            error.release?(&error)
        }
    }

    func close() {
        if hasConnection { try? check { functions.pointee.connection_release?(connection, &$0) ?? 0 } }
        if hasDatabase { try? check { functions.pointee.database_release?(database, &$0) ?? 0 } }
        if isLoaded, let release = functions.pointee.release { try? check { release(functions, &$0) } }
        // The library stays loaded, because some libraries, such as libraries written in Go, cannot be unloaded.
        (isLoaded, hasDatabase, hasConnection) = (false, false, false)
    }

    // MARK: Opening

    func connect(_ request: ConnectRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) -> ServerInfo {
        do throws(DriverFailure) { return try open(request, control) } catch {
            // Remove secrets, because some drivers repeat the connection URL in their messages.
            var message = error.message
            message.summary = Self.redacted(message.summary, request.options)
            throw DriverFailure(message)
        }
    }

    /// Replaces secret option values in a text, such as passwords, with `…`.
    static func redacted(_ text: String, _ options: [ConnectRequest.Option]) -> String {
        var text = text
        for option in options where option.name != "driver" && option.name != "entrypoint" {
            let name = option.name.lowercased()
            var secrets: [String] = []
            if ["pass", "pwd", "token", "secret", "key", "auth", "credential"].contains(where: { name.contains($0) }) {
                secrets.append(option.value)
            } else if let at = option.value.lastIndex(of: "@"), let scheme = option.value.firstRange(of: "://"), scheme.upperBound < at {
                let user = option.value[scheme.upperBound..<at]
                if let colon = user.firstIndex(of: ":") { secrets.append(String(user[user.index(after: colon)...])) }
            }
            for secret in secrets where !secret.isEmpty { text = text.replacing(secret, with: "…") }
        }
        return text
    }

    private func open(_ request: ConnectRequest, _ control: RequestControl) throws(DriverFailure) -> ServerInfo {
        close()
        var name = ""
        var entryPoint: String?
        var options: [ConnectRequest.Option] = []
        for option in request.options {
            guard !option.name.utf8.contains(0), !option.value.utf8.contains(0) else {
                throw DriverFailure(.malformed, "A connection option contains a NUL character")
            }
            switch option.name {
            case "driver": name = option.value
            case "entrypoint": entryPoint = option.value
            default: options.append(option)
            }
        }
        let manifest = try ADBCManifest(driver: name)
        try load(manifest.library, entryPoint: entryPoint ?? manifest.entryPoint)
        guard let new = functions.pointee.database_new, let initialize = functions.pointee.database_init,
            let setOption = functions.pointee.database_set_option, let newConnection = functions.pointee.connection_new,
            let initializeConnection = functions.pointee.connection_init, functions.pointee.statement_new != nil,
            functions.pointee.statement_set_sql_query != nil, functions.pointee.statement_execute_query != nil,
            functions.pointee.statement_release != nil
        else { throw DriverFailure(.unsupported, "The driver lacks required ADBC functions", hint: "Update the driver") }
        try check { new(database, &$0) }
        hasDatabase = true
        let isDuckDB = (entryPoint ?? manifest.entryPoint) == Self.duckDBEntryPoint || manifest.library.contains("duckdb")
        if isDuckDB {
            options += Self.readOnlyOptions(for: options)
            options.insert(contentsOf: Self.extensionOptions(for: options), at: 0)
        }
        for option in options { try check { setOption(database, option.name, option.value, &$0) } }
        try check { initialize(database, &$0) }
        if control.reason != nil { throw control.failure }
        try check { newConnection(connection, &$0) }
        hasConnection = true
        try check { initializeConnection(connection, database, &$0) }
        var info = ServerInfo(product: name.split(separator: "/").last.map(String.init) ?? name, version: "")
        info.properties[ServerInfo.Property.driver] = manifest.library
        // Ask for a read-only session. Most drivers do not support it, so the user is warned.
        if isDuckDB, options.contains(where: { $0.name == Self.accessMode && $0.value.lowercased() == "read_only" }) { return info }
        do throws(DriverFailure) {
            guard let setOption = functions.pointee.connection_set_option else { throw DriverFailure(.unsupported, "") }
            try check { setOption(connection, "adbc.connection.readonly", "true", &$0) }
        } catch {
            info.properties[ServerInfo.Property.warning] =
                "The driver cannot make the session read-only. Connect as a user who can only read"
        }
        return info
    }

    private static let duckDBEntryPoint = "duckdb_adbc_init"
    /// The option of DuckDB that decides whether the database can be changed.
    private static let accessMode = "access_mode"

    /// The option that opens a database file of DuckDB read-only. Empty if the user has set the option, or if the database is not a file.
    ///
    /// Otherwise, DuckDB would create a missing file, and no second process, such as the helper for another connection, could open it.
    static func readOnlyOptions(for options: [ConnectRequest.Option]) -> [ConnectRequest.Option] {
        guard !options.contains(where: { $0.name == accessMode }),
            let path = options.last(where: { $0.name == "path" || $0.name == "uri" })?.value, !path.isEmpty,
            ![":memory:", "md:", "motherduck:"].contains(where: path.hasPrefix)
        else { return [] }
        return [ConnectRequest.Option(accessMode, "READ_ONLY")]
    }

    /// The option that stops DuckDB from downloading extensions, which are programs. Otherwise, a view of the database or a file of another
    /// format could make it download one. Empty for MotherDuck, which is an extension.
    ///
    /// The option comes before the options of the user, which can therefore override it.
    static func extensionOptions(for options: [ConnectRequest.Option]) -> [ConnectRequest.Option] {
        let path = options.last { $0.name == "path" || $0.name == "uri" }?.value ?? ""
        return ["md:", "motherduck:"].contains(where: path.hasPrefix) ? [] : [.init("autoinstall_known_extensions", "false")]
    }

    private func load(_ path: String, entryPoint: String?) throws(DriverFailure) {
        var message: UnsafePointer<CChar>?
        guard let library = gv_open_library(path, &message) else {
            throw DriverFailure(.libraryMissing, "The driver cannot be loaded: \(text(message))")
        }
        let names = entryPoint.map { [$0] } ?? ["AdbcDriverInit", Self.duckDBEntryPoint]
        guard let function = names.lazy.compactMap({ gv_library_function(library, $0) }).first else {
            throw DriverFailure(.unsupported, "\(path) lacks the function \(names[0]), so it is not an ADBC driver")
        }
        functions.pointee = gv_adbc_driver()
        do throws(DriverFailure) {
            try check { gv_adbc_init(function, GV_ADBC_VERSION_1_1, functions, &$0) }
        } catch {
            // The driver does not support ADBC 1.1, so try ADBC 1.0.
            functions.pointee = gv_adbc_driver()
            try check { gv_adbc_init(function, GV_ADBC_VERSION_1_0, functions, &$0) }
            functions.pointee.statement_cancel = nil
            functions.pointee.statement_execute_schema = nil
        }
        isLoaded = true
    }

    // MARK: Statements

    func execute(_ request: ExecuteRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) {
        try withStatement(request.statement, control) { () throws(DriverFailure) in
            try bind(request.parameters)
            var stream = gv_arrow_stream()
            defer { stream.release?(&stream) }
            guard try run(&stream, control) else { return }
            let types = try self.types(&stream, control)
            try sink.sendColumns(Self.columns(types), hasKinds: true)
            while try nextBatch(&stream, types, sink, control) {}
        }
    }

    func describe(_ request: DescribeRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) {
        do throws(DriverFailure) {
            try withStatement(request.statement, control) { () throws(DriverFailure) in
                guard let executeSchema = functions.pointee.statement_execute_schema else {
                    throw DriverFailure(.unsupported, "The driver cannot describe a statement without running it")
                }
                var schema = gv_arrow_schema()
                defer { schema.release?(&schema) }
                try check(control) { executeSchema(statement, &schema, &$0) }
                sink.send(.columns(Self.columns(try ADBCType(&schema).children), parameters: []))
            }
        } catch {
            guard error.message.kind == .unsupported else { throw error }
            // This query returns no rows, but has the same columns as the statement. The newline is needed if the statement ends with a
            // comment.
            try withStatement("SELECT * FROM (\(request.statement)\n) AS q WHERE 1 = 0", control) { () throws(DriverFailure) in
                var stream = gv_arrow_stream()
                defer { stream.release?(&stream) }
                guard try run(&stream, control) else { return }
                sink.send(.columns(Self.columns(try self.types(&stream, control)), parameters: []))
            }
        }
    }

    /// Runs the statement. Returns false if the statement has no result.
    private func run(_ stream: inout gv_arrow_stream, _ control: RequestControl) throws(DriverFailure) -> Bool {
        guard let execute = functions.pointee.statement_execute_query else { return false }
        var affected: Int64 = -1
        try check(control) { execute(statement, &stream, &affected, &$0) }
        return stream.release != nil
    }

    private static func columns(_ types: [ADBCType]) -> [ResultColumn] {
        types.map { ResultColumn(name: $0.name, type: .init(name: $0.typeName)) }
    }

    private func withStatement(_ text: String, _ control: RequestControl, _ body: () throws(DriverFailure) -> Void) throws(DriverFailure) {
        guard hasConnection, let new = functions.pointee.statement_new, let setQuery = functions.pointee.statement_set_sql_query,
            let release = functions.pointee.statement_release
        else { throw DriverFailure(.notConnected, "No connection is open") }
        guard !text.utf8.contains(0) else { throw DriverFailure(.syntax, "The statement contains a NUL character") }
        statement.pointee = gv_adbc_object()
        try check { new(connection, statement, &$0) }
        isRunning.withLock { $0 = true }
        defer {
            isRunning.withLock { $0 = false }
            try? check { release(statement, &$0) }
        }
        if control.reason != nil { throw control.failure }
        try check(control) { setQuery(statement, text, &$0) }
        try body()
    }

    private func types(_ stream: inout gv_arrow_stream, _ control: RequestControl) throws(DriverFailure) -> [ADBCType] {
        var schema = gv_arrow_schema()
        defer { schema.release?(&schema) }
        try checkStream(stream.get_schema?(&stream, &schema), &stream, control)
        let type = try ADBCType(&schema)
        guard type.kind == .structure, type.dictionary == nil else { throw ADBCType.malformedDataFailure("a schema") }
        return type.children
    }

    private func nextBatch(
        _ stream: inout gv_arrow_stream, _ types: [ADBCType], _ sink: ResultSink, _ control: RequestControl
    ) throws(DriverFailure) -> Bool {
        _ = sink.sendDueRows()
        if control.reason != nil { throw control.failure }
        var array = gv_arrow_array()
        defer { array.release?(&array) }
        try checkStream(stream.get_next?(&stream, &array), &stream, control)
        guard array.release != nil else { return false }
        guard array.length >= 0, array.offset >= 0, array.child_count == types.count, array.child_count == 0 || array.children != nil else {
            throw ADBCType.malformedDataFailure("a batch")
        }
        var columns: [ADBCColumn] = []
        for (index, type) in types.enumerated() { columns.append(try ADBCColumn(type, array.children[index])) }
        let (length, offset) = (Int(array.length), Int(array.offset))
        guard let end = Optional(length.addingReportingOverflow(offset)), !end.overflow,
            columns.allSatisfy({ $0.length >= end.partialValue }),
            !columns.isEmpty || length < 1 << 31
        else { throw ADBCType.malformedDataFailure("a batch") }
        for row in offset..<end.partialValue {
            if row & 1_023 == 1_023, control.reason != nil { throw control.failure }
            guard sink.appendRow({ batch in for column in columns { column.append(row, to: &batch) } }) else { return false }
        }
        return true
    }

    private func bind(_ parameters: [Parameter]) throws(DriverFailure) {
        guard !parameters.isEmpty else { return }
        guard let bind = functions.pointee.statement_bind else {
            throw DriverFailure(.unsupported, "The driver does not support parameters")
        }
        var values: [gv_arrow_value] = []
        var ranges: [(start: Int, count: Int)] = []
        var bytes: [UInt8] = []
        for (index, parameter) in parameters.enumerated() {
            var value = gv_arrow_value()
            value.type = CChar(bitPattern: UInt8(ascii: "u"))
            value.is_null = parameter.value == nil ? 1 : 0
            let text = String(decoding: parameter.value ?? [], as: UTF8.self)
            switch parameter.type {
            case .named("bigint"), .named("integer"), .named("int64"), .named("int32"), .named("smallint"), .named("int16"), .named("int8"):
                value.type = CChar(bitPattern: UInt8(ascii: "l"))
                guard let number = Int64(text) ?? (parameter.value == nil ? 0 : nil) else {
                    throw DriverFailure(.other, "The value of parameter \(index + 1) is not an integer")
                }
                value.integer = number
            case .named("double"), .named("double precision"), .named("real"), .named("float64"), .named("float32"):
                value.type = CChar(bitPattern: UInt8(ascii: "g"))
                guard let number = Double(text) ?? (parameter.value == nil ? 0 : nil) else {
                    throw DriverFailure(.other, "The value of parameter \(index + 1) is not a number")
                }
                value.number = number
            case .named("blob"), .named("binary"): value.type = CChar(bitPattern: UInt8(ascii: "z"))
            default: break
            }
            ranges.append((bytes.count, parameter.value?.count ?? 0))
            bytes += parameter.value ?? []
            values.append(value)
        }
        var array = gv_arrow_array()
        var schema = gv_arrow_schema()
        let isMade = bytes.withUnsafeBufferPointer { buffer in
            for (index, range) in ranges.enumerated() {
                (values[index].bytes, values[index].count) = (buffer.baseAddress.map { $0 + range.start }, range.count)
            }
            return gv_arrow_make_row(values, values.count, &array, &schema) != 0
        }
        guard isMade else { throw DriverFailure(.tooLarge, "The parameters are too long") }
        // Release the data that the driver has not taken. The driver clears the release function of data that it takes.
        defer {
            array.release?(&array)
            schema.release?(&schema)
        }
        try check { bind(statement, &array, &schema, &$0) }
    }

    // MARK: Errors

    private func check(_ control: RequestControl? = nil, _ call: (inout gv_adbc_error) -> gv_adbc_status) throws(DriverFailure) {
        var error = gv_adbc_error()
        let status = call(&error)
        defer { error.release?(&error) }
        guard status != 0 else { return }
        if let control, control.reason != nil { throw control.failure }
        let state = withUnsafeBytes(of: error.sqlstate) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        throw Self.failure(status, state, text(error.message))
    }

    private func checkStream(_ result: Int32?, _ stream: inout gv_arrow_stream, _ control: RequestControl) throws(DriverFailure) {
        guard result != 0 else { return }
        if control.reason != nil { throw control.failure }
        let message = result == nil ? "" : text(stream.get_last_error?(&stream))
        throw Self.failure(0, "", message.isEmpty ? "The driver failed without a message" : message)
    }

    private static func failure(_ status: gv_adbc_status, _ state: String, _ message: String) -> DriverFailure {
        let known = PostgresDriver.kind(state)
        let kind: ServerMessage.Kind
        if known != .other {
            kind = known
        } else {
            // DuckDB and Sail do not use error codes. Their messages begin with these words, or contain them after a colon.
            let kinds: [(String, ServerMessage.Kind)] = [
                ("Parser Error", .syntax), ("Catalog Error", .missingObject), ("Binder Error", .missingObject), ("INTERRUPT", .cancelled),
                ("Interrupted", .cancelled), ("Permission Error", .permissionDenied), ("IO Error", .cannotOpen),
                ("error in SQL parser", .syntax), ("[TABLE_OR_VIEW_NOT_FOUND]", .missingObject),
            ]
            if let found = kinds.first(where: { message.hasPrefix($0.0) || message.contains(": \($0.0)") }) {
                kind = found.1
            } else {
                kind =
                    switch status {
                    case 2: .unsupported
                    case 3: .missingObject
                    case 10: .unreachable
                    case 11: .cancelled
                    case 12: .timedOut
                    case 13: .wrongPassword
                    case 14: .permissionDenied
                    default: .other
                    }
            }
        }
        return DriverFailure(
            kind, message.isEmpty ? "The driver failed without a message" : message, code: state.isEmpty ? "ADBC \(status)" : state)
    }
}
