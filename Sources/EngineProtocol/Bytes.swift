/// A message that does not follow the protocol.
public struct MalformedMessage: Error, Equatable, Sendable {
    /// The invalid part of the message, for logs and tests.
    public let part: String

    init(_ part: String) { self.part = part }
}

/// Reads the fields of a message. Every read is checked. Therefore an invalid message cannot crash the reader, or make it allocate more
/// memory than the size of the message.
///
/// The parameter `part` of each method names the field in a ``MalformedMessage``.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var remaining: Int { bytes.count - position }

    mutating func next(_ count: Int, _ part: String) throws(MalformedMessage) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else { throw MalformedMessage(part) }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    mutating func readByte(_ part: String) throws(MalformedMessage) -> UInt8 { try next(1, part)[0] }

    mutating func readFlag(_ part: String) throws(MalformedMessage) -> Bool {
        let value = try readByte(part)
        guard value < 2 else { throw MalformedMessage(part) }
        return value == 1
    }

    /// Reads a little-endian integer. `part` is the name of the value, for errors.
    mutating func readInteger<Value: FixedWidthInteger>(_ part: String, as type: Value.Type = Value.self) throws(MalformedMessage) -> Value
    {
        Value(littleEndian: try next(MemoryLayout<Value>.size, part).loadUnaligned(as: Value.self))
    }

    /// Reads a count of items with at least `itemBytes` bytes each. A count that exceeds the rest of the message is an error, so that an
    /// invalid count cannot reserve memory.
    mutating func readCount(limit: Int, itemBytes: Int, _ part: String) throws(MalformedMessage) -> Int {
        let value = Int(try readInteger(part, as: UInt32.self))
        guard value <= limit, value <= remaining / max(1, itemBytes) else { throw MalformedMessage(part) }
        return value
    }

    mutating func readBytes(limit: Int, _ part: String) throws(MalformedMessage) -> UnsafeRawBufferPointer {
        try next(readCount(limit: limit, itemBytes: 1, part), part)
    }

    mutating func readText(limit: Int = EngineLimits.maximumTextBytes, _ part: String) throws(MalformedMessage) -> String {
        String(decoding: try readBytes(limit: limit, part), as: UTF8.self)
    }

    /// Throws an error if the message has bytes after its last field.
    func expectEnd() throws(MalformedMessage) {
        guard remaining == 0 else { throw MalformedMessage("end") }
    }
}

/// Writes the fields of a message.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func writeByte(_ value: UInt8) { bytes.append(value) }

    mutating func writeFlag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func writeInteger<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func writeCount(_ value: Int) { writeInteger(UInt32(clamping: value)) }

    mutating func writeBytes(_ value: [UInt8]) {
        writeCount(value.count)
        bytes.append(contentsOf: value)
    }

    /// Writes a string, cut after `limit` bytes. If the cut splits a character, the reader replaces it with U+FFFD.
    mutating func writeText(_ value: String, limit: Int = EngineLimits.maximumTextBytes) {
        var value = value
        value.withUTF8 { utf8 in
            let length = min(utf8.count, limit)
            writeCount(length)
            bytes.append(contentsOf: utf8.prefix(length))
        }
    }
}
