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
            writer.integer(Self.magic)
            writer.integer(version)
        case .connect(let request):
            writer.text(request.driver)
            writer.integer(request.deadline)
            writer.count(request.options.count)
            for option in request.options {
                writer.text(option.name)
                writer.text(option.value)
            }
        case .execute(let request):
            writer.text(request.statement, limit: EngineLimits.statementBytes)
            writer.integer(request.rowLimit)
            writer.integer(request.byteLimit)
            writer.integer(request.cellLimit)
            writer.byte(request.delivery.rawValue)
            writer.integer(request.deadline)
            writer.count(request.parameters.count)
            for parameter in request.parameters {
                parameter.type.write(to: &writer)
                writer.flag(parameter.value != nil)
                if let value = parameter.value { writer.bytes(value) }
            }
        case .describe(let request):
            writer.text(request.statement, limit: EngineLimits.statementBytes)
            writer.integer(request.deadline)
            writer.count(request.types.count)
            for type in request.types { type.write(to: &writer) }
        case .cancel(let number): writer.integer(number)
        case .close: break
        }
    }

    /// Decodes a message.
    /// - Throws: ``MalformedMessage``.
    public init(kind: UInt8, _ bytes: UnsafeRawBufferPointer) throws(MalformedMessage) {
        var reader = ByteReader(bytes)
        switch kind {
        case 1:
            guard try reader.integer("magic", as: UInt32.self) == Self.magic else { throw MalformedMessage("magic") }
            self = .hello(version: try reader.integer("version"))
        case 2:
            let driver = try reader.text("driver")
            let deadline = try reader.integer("deadline", as: UInt32.self)
            var options: [ConnectRequest.Option] = []
            for _ in 0..<(try reader.count(limit: EngineLimits.options, itemBytes: 8, "options")) {
                options.append(.init(try reader.text("name"), try reader.text("value")))
            }
            self = .connect(ConnectRequest(driver: driver, options: options, deadline: deadline))
        case 3:
            var request = ExecuteRequest(try reader.text(limit: EngineLimits.statementBytes, "statement"))
            request.rowLimit = try reader.integer("row limit")
            request.byteLimit = try reader.integer("byte limit")
            request.cellLimit = try reader.integer("cell limit")
            guard let delivery = ExecuteRequest.Delivery(rawValue: try reader.byte("delivery")) else { throw MalformedMessage("delivery") }
            request.delivery = delivery
            request.deadline = try reader.integer("deadline")
            for _ in 0..<(try reader.count(limit: EngineLimits.parameters, itemBytes: 2, "parameters")) {
                let type = try Parameter.ValueType(from: &reader)
                let hasValue = try reader.flag("null")
                let value = hasValue ? Array(try reader.bytes(limit: EngineLimits.messageBytes, "value")) : nil
                request.parameters.append(Parameter(bytes: value, type))
            }
            self = .execute(request)
        case 4:
            var request = DescribeRequest(try reader.text(limit: EngineLimits.statementBytes, "statement"))
            request.deadline = try reader.integer("deadline")
            for _ in 0..<(try reader.count(limit: EngineLimits.parameters, itemBytes: 1, "types")) {
                request.types.append(try Parameter.ValueType(from: &reader))
            }
            self = .describe(request)
        case 5: self = .cancel(try reader.integer("number"))
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
        case .inferred: writer.byte(0)
        case .oid(let oid):
            writer.byte(1)
            writer.integer(oid)
        case .named(let name):
            writer.byte(2)
            writer.text(name)
        }
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        switch try reader.byte("type") {
        case 0: self = .inferred
        case 1: self = .oid(try reader.integer("type OID"))
        case 2: self = .named(try reader.text("type name"))
        default: throw MalformedMessage("type")
        }
    }
}
