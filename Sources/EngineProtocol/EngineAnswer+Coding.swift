extension EngineAnswer {
    /// The kind byte in the header of a batch of rows. The receiver keeps the bytes of such a message without copying them.
    static let rowsKind: UInt8 = 67

    /// Writes all answers except rows, which ``RowBatchWriter`` writes.
    /// - Returns: The kind byte in the header of the message.
    func write(to writer: inout ByteWriter) -> UInt8 {
        switch self {
        case .hello(let version):
            writer.writeInteger(EngineRequest.magic)
            writer.writeInteger(version)
            return 64
        case .connected(let info):
            writer.writeText(info.product)
            writer.writeText(info.version)
            writer.writeCount(info.properties.count)
            for (key, value) in info.properties.sorted(by: { $0.key < $1.key }) {
                writer.writeText(key)
                writer.writeText(value)
            }
            return 65
        case .columns(let columns, let parameters):
            writer.writeCount(columns.count)
            for column in columns { column.write(to: &writer) }
            writer.writeCount(parameters.count)
            for parameter in parameters { parameter.write(to: &writer) }
            return 66
        case .rows: return Self.rowsKind
        case .done(let completion):
            writer.writeInteger(completion.rowCount)
            writer.writeFlag(completion.isTruncated)
            writer.writeInteger(completion.microseconds)
            return 68
        case .notice(let message):
            message.write(to: &writer)
            return 69
        case .failed(let message):
            message.write(to: &writer)
            return 70
        case .progress(let progress):
            writer.writeInteger(progress.rows)
            writer.writeInteger(progress.microseconds)
            return 71
        }
    }

    /// Decodes a message. A batch of rows keeps the buffer instead of copying it.
    /// - Throws: ``MalformedMessage``.
    public init(kind: UInt8, _ buffer: MessageBuffer) throws(MalformedMessage) {
        var reader = ByteReader(buffer.bytes)
        switch kind {
        case 64:
            guard try reader.readInteger("magic", as: UInt32.self) == EngineRequest.magic else { throw MalformedMessage("magic") }
            self = .hello(version: try reader.readInteger("version"))
        case 65:
            var info = ServerInfo(product: try reader.readText("product"), version: try reader.readText("version"))
            for _ in 0..<(try reader.readCount(limit: EngineLimits.maximumOptions, itemBytes: 8, "properties")) {
                let key = try reader.readText("key")
                info.properties[key] = try reader.readText("value")
            }
            self = .connected(info)
        case 66:
            var columns: [ResultColumn] = []
            for _ in 0..<(try reader.readCount(limit: EngineLimits.maximumColumns, itemBytes: 17, "columns")) {
                columns.append(try ResultColumn(from: &reader))
            }
            var parameters: [ResultColumn.ColumnType] = []
            for _ in 0..<(try reader.readCount(limit: EngineLimits.maximumParameters, itemBytes: 12, "parameters")) {
                parameters.append(try ResultColumn.ColumnType(from: &reader))
            }
            self = .columns(columns, parameters: parameters)
        case Self.rowsKind:
            self = .rows(try RowBatch(buffer))
            return
        case 68:
            var completion = Completion(rowCount: try reader.readInteger("rows"))
            completion.isTruncated = try reader.readFlag("truncated")
            completion.microseconds = try reader.readInteger("time")
            self = .done(completion)
        case 69: self = .notice(try ServerMessage(from: &reader))
        case 70: self = .failed(try ServerMessage(from: &reader))
        case 71: self = .progress(Progress(rows: try reader.readInteger("rows"), microseconds: try reader.readInteger("time")))
        default: throw MalformedMessage("kind")
        }
        try reader.expectEnd()
    }
}

extension ResultColumn {
    func write(to writer: inout ByteWriter) {
        writer.writeText(name)
        type.write(to: &writer)
        switch origin {
        case nil: writer.writeByte(0)
        case .numbers(let table, let column):
            writer.writeByte(1)
            writer.writeInteger(table)
            writer.writeInteger(column)
        case .names(let schema, let table, let column):
            writer.writeByte(2)
            writer.writeText(schema)
            writer.writeText(table)
            writer.writeText(column)
        }
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        name = try reader.readText("name")
        type = try ColumnType(from: &reader)
        switch try reader.readByte("origin") {
        case 0: origin = nil
        case 1: origin = .numbers(table: try reader.readInteger("table"), column: try reader.readInteger("column"))
        case 2:
            origin = .names(
                schema: try reader.readText("schema"), table: try reader.readText("table"), column: try reader.readText("column"))
        default: throw MalformedMessage("origin")
        }
    }
}

extension ResultColumn.ColumnType {
    func write(to writer: inout ByteWriter) {
        writer.writeText(name)
        writer.writeInteger(oid)
        writer.writeInteger(modifier)
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        self.init(name: try reader.readText("type"), oid: try reader.readInteger("type OID"), modifier: try reader.readInteger("modifier"))
    }
}

extension ServerMessage {
    func write(to writer: inout ByteWriter) {
        writer.writeByte(kind.rawValue)
        for text in [code, summary, detail, hint] { writer.writeText(text) }
        writer.writeInteger(position)
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        guard let kind = Kind(rawValue: try reader.readByte("error kind")) else { throw MalformedMessage("error kind") }
        let code = try reader.readText("code")
        let summary = try reader.readText("summary")
        let detail = try reader.readText("detail")
        let hint = try reader.readText("hint")
        self.init(kind, summary, code: code, detail: detail, hint: hint, position: try reader.readInteger("position"))
    }
}
