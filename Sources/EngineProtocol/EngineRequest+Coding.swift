extension EngineRequest {
    /// The kind byte in the header of the message.
    var kind: UInt8 {
        switch self {
        case .hello: 1
        case .connect: 2
        case .execute: 3
        case .describe: 4
        case .cancel: 5
        case .close: 6
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .hello(let version):
            writer.writeInteger(Self.magic)
            writer.writeInteger(version)
        case .connect(let request):
            writer.writeText(request.driver)
            writer.writeInteger(request.timeLimitMilliseconds)
            writer.writeCount(request.options.count)
            for option in request.options {
                writer.writeText(option.name)
                writer.writeText(option.value)
            }
        case .execute(let request):
            writer.writeText(request.statement, limit: EngineLimits.maximumStatementBytes)
            writer.writeInteger(request.rowLimit)
            writer.writeInteger(request.byteLimit)
            writer.writeInteger(request.cellLimit)
            writer.writeByte(request.delivery.rawValue)
            writer.writeInteger(request.timeLimitMilliseconds)
            writer.writeCount(request.parameters.count)
            for parameter in request.parameters {
                parameter.type.write(to: &writer)
                writer.writeFlag(parameter.value != nil)
                if let value = parameter.value { writer.writeBytes(value) }
            }
        case .describe(let request):
            writer.writeText(request.statement, limit: EngineLimits.maximumStatementBytes)
            writer.writeInteger(request.timeLimitMilliseconds)
            writer.writeCount(request.types.count)
            for type in request.types { type.write(to: &writer) }
        case .cancel(let number): writer.writeInteger(number)
        case .close: break
        }
    }

    /// Decodes a message.
    /// - Throws: ``MalformedMessage``.
    public init(kind: UInt8, _ bytes: UnsafeRawBufferPointer) throws(MalformedMessage) {
        var reader = ByteReader(bytes)
        switch kind {
        case 1:
            guard try reader.readInteger("magic", as: UInt32.self) == Self.magic else { throw MalformedMessage("magic") }
            self = .hello(version: try reader.readInteger("version"))
        case 2:
            let driver = try reader.readText("driver")
            let timeLimitMilliseconds = try reader.readInteger("deadline", as: UInt32.self)
            var options: [ConnectRequest.Option] = []
            for _ in 0..<(try reader.readCount(limit: EngineLimits.maximumOptions, itemBytes: 8, "options")) {
                options.append(.init(try reader.readText("name"), try reader.readText("value")))
            }
            self = .connect(ConnectRequest(driver: driver, options: options, timeLimitMilliseconds: timeLimitMilliseconds))
        case 3:
            var request = ExecuteRequest(try reader.readText(limit: EngineLimits.maximumStatementBytes, "statement"))
            request.rowLimit = try reader.readInteger("row limit")
            request.byteLimit = try reader.readInteger("byte limit")
            request.cellLimit = try reader.readInteger("cell limit")
            guard let delivery = ExecuteRequest.Delivery(rawValue: try reader.readByte("delivery")) else {
                throw MalformedMessage("delivery")
            }
            request.delivery = delivery
            request.timeLimitMilliseconds = try reader.readInteger("deadline")
            for _ in 0..<(try reader.readCount(limit: EngineLimits.maximumParameters, itemBytes: 2, "parameters")) {
                let type = try Parameter.ValueType(from: &reader)
                let hasValue = try reader.readFlag("null")
                let value = hasValue ? Array(try reader.readBytes(limit: EngineLimits.maximumMessageBytes, "value")) : nil
                request.parameters.append(Parameter(bytes: value, type))
            }
            self = .execute(request)
        case 4:
            var request = DescribeRequest(try reader.readText(limit: EngineLimits.maximumStatementBytes, "statement"))
            request.timeLimitMilliseconds = try reader.readInteger("deadline")
            for _ in 0..<(try reader.readCount(limit: EngineLimits.maximumParameters, itemBytes: 1, "types")) {
                request.types.append(try Parameter.ValueType(from: &reader))
            }
            self = .describe(request)
        case 5: self = .cancel(try reader.readInteger("number"))
        case 6: self = .close
        default: throw MalformedMessage("kind")
        }
        try reader.expectEnd()
    }

    /// The bytes `GVEN`, with which the first message starts. A helper that receives other bytes first ends at once.
    static let magic: UInt32 = 0x4E45_5647
}

extension Parameter.ValueType {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .inferred: writer.writeByte(0)
        case .oid(let oid):
            writer.writeByte(1)
            writer.writeInteger(oid)
        case .named(let name):
            writer.writeByte(2)
            writer.writeText(name)
        }
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        switch try reader.readByte("type") {
        case 0: self = .inferred
        case 1: self = .oid(try reader.readInteger("type OID"))
        case 2: self = .named(try reader.readText("type name"))
        default: throw MalformedMessage("type")
        }
    }
}
