extension EngineAnswer {
    /// The kind byte in the header of a batch of rows. The receiver keeps the bytes of such a message without copying them.
    static let rowsKind: UInt8 = 67

    /// Writes all answers except rows, which ``RowBatchWriter`` writes.
    /// - Returns: The kind byte in the header of the message.
    func write(to writer: inout ByteWriter) -> UInt8 {
        switch self {
        case .hello(let version):
            writer.integer(EngineRequest.magic)
            writer.integer(version)
            return 64
        case .connected(let info):
            writer.text(info.product)
            writer.text(info.version)
            writer.count(info.properties.count)
            for (key, value) in info.properties.sorted(by: { $0.key < $1.key }) {
                writer.text(key)
                writer.text(value)
            }
            return 65
        case .columns(let columns, let parameters):
            writer.count(columns.count)
            for column in columns { column.write(to: &writer) }
            writer.count(parameters.count)
            for parameter in parameters { parameter.write(to: &writer) }
            return 66
        case .rows: return Self.rowsKind
        case .done(let completion):
            writer.integer(completion.rowCount)
            writer.flag(completion.isTruncated)
            writer.integer(completion.microseconds)
            return 68
        case .notice(let message):
            message.write(to: &writer)
            return 69
        case .failed(let message):
            message.write(to: &writer)
            return 70
        case .progress(let progress):
            writer.integer(progress.rows)
            writer.integer(progress.microseconds)
            return 71
        }
    }

    /// Decodes a message. A batch of rows keeps the buffer instead of copying it.
    /// - Throws: ``MalformedMessage``.
    public init(kind: UInt8, _ buffer: MessageBuffer) throws(MalformedMessage) {
        var reader = ByteReader(buffer.bytes)
        switch kind {
        case 64:
            guard try reader.integer("magic", as: UInt32.self) == EngineRequest.magic else { throw MalformedMessage("magic") }
            self = .hello(version: try reader.integer("version"))
        case 65:
            var info = ServerInfo(product: try reader.text("product"), version: try reader.text("version"))
            for _ in 0..<(try reader.count(limit: EngineLimits.options, itemBytes: 8, "properties")) {
                let key = try reader.text("key")
                info.properties[key] = try reader.text("value")
            }
            self = .connected(info)
        case 66:
            var columns: [ResultColumn] = []
            for _ in 0..<(try reader.count(limit: EngineLimits.columns, itemBytes: 17, "columns")) {
                columns.append(try ResultColumn(from: &reader))
            }
            var parameters: [ResultColumn.ColumnType] = []
            for _ in 0..<(try reader.count(limit: EngineLimits.parameters, itemBytes: 12, "parameters")) {
                parameters.append(try ResultColumn.ColumnType(from: &reader))
            }
            self = .columns(columns, parameters: parameters)
        case Self.rowsKind:
            self = .rows(try RowBatch(buffer))
            return
        case 68:
            var completion = Completion(rowCount: try reader.integer("rows"))
            completion.isTruncated = try reader.flag("truncated")
            completion.microseconds = try reader.integer("time")
            self = .done(completion)
        case 69: self = .notice(try ServerMessage(from: &reader))
        case 70: self = .failed(try ServerMessage(from: &reader))
        case 71: self = .progress(Progress(rows: try reader.integer("rows"), microseconds: try reader.integer("time")))
        default: throw MalformedMessage("kind")
        }
        try reader.expectEnd()
    }
}

extension ResultColumn {
    func write(to writer: inout ByteWriter) {
        writer.text(name)
        type.write(to: &writer)
        switch origin {
        case nil: writer.byte(0)
        case .numbers(let table, let column):
            writer.byte(1)
            writer.integer(table)
            writer.integer(column)
        case .names(let schema, let table, let column):
            writer.byte(2)
            writer.text(schema)
            writer.text(table)
            writer.text(column)
        }
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        name = try reader.text("name")
        type = try ColumnType(from: &reader)
        switch try reader.byte("origin") {
        case 0: origin = nil
        case 1: origin = .numbers(table: try reader.integer("table"), column: try reader.integer("column"))
        case 2: origin = .names(schema: try reader.text("schema"), table: try reader.text("table"), column: try reader.text("column"))
        default: throw MalformedMessage("origin")
        }
    }
}

extension ResultColumn.ColumnType {
    func write(to writer: inout ByteWriter) {
        writer.text(name)
        writer.integer(oid)
        writer.integer(modifier)
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        self.init(name: try reader.text("type"), oid: try reader.integer("type OID"), modifier: try reader.integer("modifier"))
    }
}

extension ServerMessage {
    func write(to writer: inout ByteWriter) {
        writer.byte(kind.rawValue)
        for text in [code, summary, detail, hint] { writer.text(text) }
        writer.integer(position)
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        guard let kind = Kind(rawValue: try reader.byte("error kind")) else { throw MalformedMessage("error kind") }
        let code = try reader.text("code")
        let summary = try reader.text("summary")
        let detail = try reader.text("detail")
        let hint = try reader.text("hint")
        self.init(kind, summary, code: code, detail: detail, hint: hint, position: try reader.integer("position"))
    }
}
