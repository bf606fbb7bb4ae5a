import CDrivers
import EngineProtocol

extension PostgresDriver {
    func execute(_ request: ExecuteRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) {
        try begin(sink, control, request.statement)
        let parameters = try resolvingTypeNames(request.parameters, control)
        guard parameters.allSatisfy({ $0.value?.contains(0) != true }) else {
            throw DriverFailure(.unsupported, "A parameter contains a NUL character, which PostgreSQL cannot store in text")
        }
        if request.delivery == .stream {
            // Describe the statement first, so that the names of all types are known before the first row.
            let types = parameters.map { Self.oid(of: $0.type) }
            try prepare(request.statement, types, control)
            let description = try describePrepared(control)
            try findTypeNames(description.columns.map(\.type.oid), control)
        }
        let sent = withParameters(parameters) { count, types, values in
            request.delivery == .stream
                ? pq.PQsendQueryPrepared(connection, "", count, values, nil, nil, 0)
                : pq.PQsendQueryParams(connection, request.statement, count, types, values, nil, nil, 0)
        }
        guard sent == 1 else { throw sendingFailure() }
        // Receive each result row by row, so that memory use does not depend on the number of rows.
        _ = pq.PQsetSingleRowMode(connection)
        try readRows(sink, control)
    }

    private func readRows(_ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) {
        var failure: DriverFailure?
        var cancellation = CancellationState()
        var hasEnoughRows = false
        var columnCount: Int32 = 0
        while try nextResult(
            control, cancellation: &cancellation,
            { result, status in
                switch status {
                case .singleRow, .rows:
                    if !sink.hasColumns, failure == nil {
                        columnCount = pq.PQnfields(result)
                        do throws(DriverFailure) { try sink.sendColumns(columns(of: result)) } catch {
                            (failure, hasEnoughRows) = (error, true)
                        }
                    }
                    guard !hasEnoughRows, failure == nil, columnCount == pq.PQnfields(result) else { break }
                    for row in 0..<pq.PQntuples(result) where !hasEnoughRows {
                        hasEnoughRows = !sink.appendRow { append(result, row, columnCount, to: &$0) }
                    }
                case .command, .notice: break
                case .emptyQuery: failure = failure ?? DriverFailure(.syntax, "The statement is empty")
                case .copyIn, .copyOut, .copyBoth:
                    failure = failure ?? DriverFailure(.unsupported, "COPY is not supported", hint: "Use a query")
                default:
                    // If a limit was reached, this error only reports the cancellation.
                    if !hasEnoughRows { failure = failure ?? self.failure(result, control) }
                }
            })
        {
            if failure?.message.kind == .unsupported, failure?.message.summary.hasPrefix("COPY") == true {
                // Close the connection: it now waits for COPY data and cannot be used for anything else.
                close()
                break
            }
            cancellation.isNeeded = hasEnoughRows
        }
        if control.reason != nil, failure == nil, !hasEnoughRows { return }
        if let failure { throw failure }
        if sink.isClosed { throw control.failure }
    }

    private func append(_ result: OpaquePointer, _ row: Int32, _ columnCount: Int32, to batch: inout RowBatchWriter) {
        for column in 0..<columnCount {
            if pq.PQgetisnull(result, row, column) != 0 {
                batch.appendNull()
            } else {
                let length = Int(pq.PQgetlength(result, row, column))
                batch.append(UnsafeRawBufferPointer(start: pq.PQgetvalue(result, row, column), count: max(0, length)))
            }
        }
    }

    func describe(_ request: DescribeRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) {
        try begin(sink, control, request.statement)
        let parameters = try resolvingTypeNames(request.types.map { Parameter(nil, $0) }, control)
        try prepare(request.statement, parameters.map { Self.oid(of: $0.type) }, control)
        var (columns, types) = try describePrepared(control)
        try findTypeNames(columns.map(\.type.oid) + types, control)
        for index in columns.indices { columns[index].type.name = typeName(columns[index].type.oid) }
        sink.send(.columns(columns, parameters: types.map { .init(name: typeName($0), oid: $0) }))
    }

    // MARK: Steps

    private func begin(_ sink: ResultSink, _ control: RequestControl, _ statement: String) throws(DriverFailure) {
        self.sink = sink
        interruptPipe.drain()
        if control.reason != nil { throw control.failure }
        guard connection != nil else { throw DriverFailure(.connectionLost, "The connection is closed") }
        guard !statement.utf8.contains(0) else { throw DriverFailure(.syntax, "The statement contains a NUL character") }
    }

    /// The failure of a request that could not be sent.
    private func sendingFailure() -> DriverFailure {
        pq.PQstatus(connection) == Self.badConnection
            ? connectionLostFailure() : DriverFailure(.other, Self.trimmed(text(pq.PQerrorMessage(connection))))
    }

    private func prepare(_ statement: String, _ types: [UInt32], _ control: RequestControl) throws(DriverFailure) {
        _ = try fetchRows(control) { pq.PQsendPrepare(connection, "", statement, Int32(clamping: types.count), types) }
    }

    /// The columns and the parameter type OIDs of the unnamed prepared statement.
    private func describePrepared(_ control: RequestControl) throws(DriverFailure) -> (columns: [ResultColumn], types: [UInt32]) {
        guard pq.PQsendDescribePrepared(connection, "") == 1 else { throw sendingFailure() }
        var description: (columns: [ResultColumn], types: [UInt32]) = ([], [])
        var failure: DriverFailure?
        var cancellation = CancellationState()
        while try nextResult(
            control, cancellation: &cancellation,
            { result, status in
                if status == .command || status == .rows {
                    description.columns = columns(of: result)
                    description.types = (0..<max(0, pq.PQnparams(result))).map { pq.PQparamtype(result, $0) }
                } else {
                    failure = failure ?? self.failure(result, control)
                }
            })
        {}
        if let failure { throw failure }
        return description
    }

    private func columns(of result: OpaquePointer) -> [ResultColumn] {
        (0..<max(0, pq.PQnfields(result))).map { column in
            let number = pq.PQftype(result, column)
            let table = pq.PQftable(result, column)
            return ResultColumn(
                name: text(pq.PQfname(result, column)),
                type: .init(name: typeName(number), oid: number, modifier: pq.PQfmod(result, column)),
                origin: table == 0 ? nil : .numbers(table: table, column: pq.PQftablecol(result, column)))
        }
    }

    // MARK: Parameters and types

    /// Passes parameters as C arrays. Named types must be resolved.
    func withParameters<Result>(
        _ parameters: [Parameter], _ body: (Int32, UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        var bytes: [CChar] = []
        var starts: [Int?] = []
        for parameter in parameters {
            starts.append(parameter.value == nil ? nil : bytes.count)
            guard let value = parameter.value else { continue }
            bytes.append(contentsOf: value.lazy.map { CChar(bitPattern: $0) })
            bytes.append(0)
        }
        let types = parameters.map { Self.oid(of: $0.type) }
        return bytes.withUnsafeBufferPointer { buffer in
            let values = starts.map { start in start.flatMap { start in buffer.baseAddress.map { $0 + start } } }
            return types.withUnsafeBufferPointer { types in
                values.withUnsafeBufferPointer { body(Int32(clamping: parameters.count), types.baseAddress, $0.baseAddress) }
            }
        }
    }

    private static func oid(of type: Parameter.ValueType) -> UInt32 {
        switch type {
        case .inferred: 0
        case .oid(let oid): oid
        case .named(let name): PostgresTypes.oids[name] ?? 0
        }
    }

    /// Replaces the names of types by their OIDs. The names of built-in types stay.
    private func resolvingTypeNames(_ parameters: [Parameter], _ control: RequestControl) throws(DriverFailure) -> [Parameter] {
        var parameters = parameters
        for index in parameters.indices {
            guard case .named(let name) = parameters[index].type, PostgresTypes.oids[name] == nil else { continue }
            parameters[index].type = .oid(try typeOID(name, control))
        }
        return parameters
    }

    private func typeOID(_ name: String, _ control: RequestControl) throws(DriverFailure) -> UInt32 {
        if let cached = typeOIDs[name] { return cached }
        guard !name.utf8.contains(0) else { throw DriverFailure(.missingObject, "The type name contains a NUL character") }
        let rows = try fetchRows(control) {
            withParameters([Parameter(name, .named("text"))]) { count, types, values in
                pq.PQsendQueryParams(connection, "select pg_catalog.to_regtype($1)::oid", count, types, values, nil, nil, 0)
            }
        }
        guard let number = rows.first?.first?.flatMap({ UInt32($0) }) else {
            throw DriverFailure(.missingObject, "The type “\(name)” does not exist")
        }
        if typeOIDs.count > 1_000 { typeOIDs = [:] }
        typeOIDs[name] = number
        return number
    }

    private func typeName(_ number: UInt32) -> String { PostgresTypes.names[number] ?? typeNames[number] ?? "" }

    /// Reads the names of the types that are not built in. If that fails, these names are empty.
    private func findTypeNames(_ numbers: [UInt32], _ control: RequestControl) throws(DriverFailure) {
        let unknown = Set(numbers.filter { PostgresTypes.names[$0] == nil && typeNames[$0] == nil })
        guard !unknown.isEmpty else { return }
        if typeNames.count > 10_000 { typeNames = [:] }
        // Prepare the statement under a name. An unnamed statement would replace the statement that is being described.
        let name = "gridview_types"
        if !isTypeStatementPrepared {
            let statement =
                "select oid::text, pg_catalog.format_type(oid, null) from pg_catalog.pg_type where oid = any ($1::oid[])"
            _ = try fetchRows(control) { pq.PQsendPrepare(connection, name, statement, 0, nil) }
            isTypeStatementPrepared = true
        }
        let list = "{" + unknown.map { String($0) }.joined(separator: ",") + "}"
        let found = try fetchRows(control, limit: EngineLimits.maximumColumns + EngineLimits.maximumParameters) {
            withParameters([Parameter(list)]) { count, _, values in
                pq.PQsendQueryPrepared(connection, name, count, values, nil, nil, 0)
            }
        }
        for row in found where row.count == 2 {
            if let number = row[0].flatMap({ UInt32($0) }), let name = row[1] { typeNames[number] = name }
        }
    }
}
