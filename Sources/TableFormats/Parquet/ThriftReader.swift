/// A problem in the bytes of a Parquet file.
struct ParquetError: Error {
    /// A clause without a full stop, such as `a page has an invalid size`.
    var reason: String
    /// True if the bytes end too early.
    var isCutOff = false
    /// For a valid file that exceeds a limit, the sentence that says what to do; `nil` for a damaged file.
    var advice: String?

    init(_ reason: String, isCutOff: Bool = false) { (self.reason, self.isCutOff) = (reason, isCutOff) }

    /// An error about a valid file that exceeds a limit. Smaller row groups have smaller pages and dictionaries.
    static func tooLarge(_ reason: String, advice: String = "Write the file again with smaller row groups.") -> ParquetError {
        var error = ParquetError(reason)
        error.advice = advice
        return error
    }

    /// The error for users.
    /// - Parameter column: the title of the column that cannot be read; `nil` if the error is in the metadata of the file.
    func formatError(of file: String, column: String? = nil) -> FormatError {
        let clause = column.map { "in column “\($0)”, \(reason)" } ?? reason
        return advice.map { FormatError("Cannot read \(file): \(clause). \($0)") } ?? .damaged(file, clause)
    }
}

/// Reads values in the compact protocol of Apache Thrift, which stores the metadata of Parquet files.
///
/// Throws an error for lists longer than the remaining bytes, and for structures nested deeper than 32 levels.
struct ThriftReader {
    /// The types of values. `yes` and `no` are the types of true and false flags; such a field has no other bytes.
    enum Kind: UInt8 {
        case stop, yes, no, byte, int16, int32, int64, double, binary, list, set, map, structure, uuid
    }

    private static let maximumDepth = 32

    private let bytes: [UInt8]
    /// The offset of the next byte.
    private(set) var position: Int
    private var depth = 0

    init(_ bytes: [UInt8], at position: Int = 0) { (self.bytes, self.position) = (bytes, position) }

    private var remaining: Int { bytes.count - position }

    private static var cutOffError: ParquetError { ParquetError("its metadata ends too early", isCutOff: true) }
    private static var invalidError: ParquetError { ParquetError("its metadata is invalid") }

    private mutating func readByte() throws -> UInt8 {
        guard position < bytes.count else { throw Self.cutOffError }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func readVarint() throws -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let next = try readByte()
            result |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return result }
            shift += 7
        }
        throw Self.invalidError
    }

    private mutating func readZigzag() throws -> Int {
        let value = try readVarint()
        return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
    }

    private mutating func kind(_ nibble: UInt8) throws -> Kind {
        guard let kind = Kind(rawValue: nibble) else { throw Self.invalidError }
        return kind
    }

    /// Calls `body` for each field of a structure. `body` must read or skip the value.
    mutating func readStructure(_ body: (_ reader: inout ThriftReader, _ field: Int, _ kind: Kind) throws -> Void) throws {
        guard depth < Self.maximumDepth else { throw Self.invalidError }
        depth += 1
        defer { depth -= 1 }
        var field = 0
        while true {
            let head = try readByte()
            let kind = try kind(head & 0x0F)
            if kind == .stop { return }
            let delta = Int(head >> 4)
            field = delta == 0 ? try readZigzag() : field &+ delta
            try body(&self, field, kind)
        }
    }

    /// Reads the structure in a field. Throws an error if the field has another kind.
    mutating func readStructure(
        _ kind: Kind, _ body: (_ reader: inout ThriftReader, _ field: Int, _ kind: Kind) throws -> Void
    ) throws {
        guard kind == .structure else { throw Self.invalidError }
        try readStructure(body)
    }

    /// Calls `body` for each element of a list. `body` must read or skip the element.
    mutating func readList(_ kind: Kind, _ body: (_ reader: inout ThriftReader, _ element: Kind) throws -> Void) throws {
        guard kind == .list || kind == .set else { throw Self.invalidError }
        let head = try readByte()
        let element = try self.kind(head & 0x0F)
        let count = head >> 4 == 15 ? try readVarint() : UInt64(head >> 4)
        // Each element takes at least one byte, so a greater count is damage.
        guard count <= UInt64(remaining) else { throw Self.cutOffError }
        for _ in 0..<count { try body(&self, element) }
    }

    mutating func readInteger(_ kind: Kind) throws -> Int {
        switch kind {
        case .byte: Int(Int8(bitPattern: try readByte()))
        case .int16, .int32, .int64: try readZigzag()
        default: throw Self.invalidError
        }
    }

    mutating func readFlag(_ kind: Kind) throws -> Bool {
        guard kind == .yes || kind == .no else { throw Self.invalidError }
        return kind == .yes
    }

    mutating func readText(_ kind: Kind) throws -> String {
        guard kind == .binary else { throw Self.invalidError }
        let count = try readVarint()
        guard count <= UInt64(remaining) else { throw Self.cutOffError }
        defer { position += Int(count) }
        return String(decoding: bytes[position..<position + Int(count)], as: UTF8.self)
    }

    /// The bytes of a value.
    mutating func readBinary(_ kind: Kind) throws -> ArraySlice<UInt8> {
        guard kind == .binary else { throw Self.invalidError }
        let count = try readVarint()
        guard count <= UInt64(remaining) else { throw Self.cutOffError }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    /// Reads a flag in a list, which is stored as one byte: 1 for true.
    mutating func readElementFlag(_ kind: Kind) throws -> Bool {
        guard kind == .yes || kind == .no else { throw Self.invalidError }
        return try readByte() == 1
    }

    /// Skips the value of a field.
    mutating func skip(_ kind: Kind) throws {
        switch kind {
        case .stop: throw Self.invalidError
        case .yes, .no: return
        case .byte: _ = try readByte()
        case .int16, .int32, .int64: _ = try readVarint()
        case .double: try skip(bytes: 8)
        case .uuid: try skip(bytes: 16)
        case .binary: try skip(bytes: try readVarint())
        case .list, .set: try skipElements { try $0.readList(kind) { try $0.skipElement($1) } }
        case .map:
            let count = try readVarint()
            guard count <= UInt64(remaining) else { throw Self.cutOffError }
            guard count > 0 else { return }
            let kinds = try readByte()
            let (key, value) = (try self.kind(kinds >> 4), try self.kind(kinds & 0x0F))
            try skipElements { reader in
                for _ in 0..<count {
                    try reader.skipElement(key)
                    try reader.skipElement(value)
                }
            }
        case .structure: try readStructure { try $0.skip($2) }
        }
    }

    /// Skips an element of a list or map. A flag takes one byte there, unlike a flag in a field of a structure.
    private mutating func skipElement(_ kind: Kind) throws {
        if kind == .yes || kind == .no { _ = try readByte() } else { try skip(kind) }
    }

    private mutating func skipElements(_ body: (inout ThriftReader) throws -> Void) throws {
        guard depth < Self.maximumDepth else { throw Self.invalidError }
        depth += 1
        defer { depth -= 1 }
        try body(&self)
    }

    private mutating func skip(bytes count: UInt64) throws {
        guard count <= UInt64(remaining) else { throw Self.cutOffError }
        position += Int(count)
    }
}
