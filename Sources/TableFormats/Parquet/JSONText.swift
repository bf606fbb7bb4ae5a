/// Writes JSON in memory that grows.
final class JSONText {
    private let buffer = RawBuffer()
    /// The number of bytes that are written.
    @exclusivity(unchecked) private(set) var count = 0

    /// The written bytes. The pointer is valid until the next write.
    var start: UnsafePointer<UInt8> { UnsafePointer(buffer.start) }

    /// The size in memory, in bytes.
    var capacity: Int { buffer.capacity }

    func removeAll() { count = 0 }

    /// Replaces the text from an index by a JSON string that contains it.
    func quote(from start: Int) {
        let text = Array(UnsafeBufferPointer(start: self.start + start, count: count - start))
        count = start
        text.withUnsafeBufferPointer { putQuoted($0) }
    }

    /// Memory for `bytes` more bytes. Call ``advance(_:)`` after writing them.
    func reservedPointer(bytes: Int) -> UnsafeMutablePointer<UInt8> {
        if count + bytes > buffer.capacity { buffer.grow(to: max(count + bytes, buffer.capacity * 2), keeping: count) }
        return buffer.start + count
    }

    func advance(_ bytes: Int) { count += bytes }

    func put(_ byte: UInt8) {
        reservedPointer(bytes: 1).initialize(to: byte)
        count += 1
    }

    func put(_ bytes: [UInt8]) {
        let target = reservedPointer(bytes: bytes.count)
        for (index, byte) in bytes.enumerated() { target[index] = byte }
        count += bytes.count
    }

    func put(_ text: StaticString) {
        reservedPointer(bytes: text.utf8CodeUnitCount).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    /// Writes a string in quotes.
    func putQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        put(UInt8(ascii: "\""))
        // An escape has at most 6 bytes.
        var remaining = text[...]
        while !remaining.isEmpty {
            let chunk = remaining.prefix(4_096)
            remaining = remaining.dropFirst(4_096)
            let target = reservedPointer(bytes: chunk.count * 6)
            var length = 0
            for byte in chunk { length += Self.escape(byte, into: target + length) }
            count += length
        }
        put(UInt8(ascii: "\""))
    }

    /// Writes a byte of a string. Returns the number of bytes written, 1 to 6.
    private static func escape(_ byte: UInt8, into target: UnsafeMutablePointer<UInt8>) -> Int {
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            target[0] = byte
            return 1
        }
        target[0] = UInt8(ascii: "\\")
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): target[1] = byte
        case 8: target[1] = UInt8(ascii: "b")
        case 9: target[1] = UInt8(ascii: "t")
        case 10: target[1] = UInt8(ascii: "n")
        case 12: target[1] = UInt8(ascii: "f")
        case 13: target[1] = UInt8(ascii: "r")
        default:
            (target[1], target[2], target[3]) = (UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"))
            target[4] = HexDigits.digit(byte >> 4)
            target[5] = HexDigits.digit(byte & 15)
            return 6
        }
        return 2
    }

    /// A string as JSON, in quotes.
    static func quoted(_ text: String) -> [UInt8] {
        let json = JSONText()
        var text = text
        text.withUTF8 { json.putQuoted($0) }
        return Array(UnsafeBufferPointer(start: json.start, count: json.count))
    }
}

/// Hexadecimal digits.
enum HexDigits {
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
}

/// Memory that grows and is released with the object.
final class RawBuffer {
    /// The number of readable bytes after the capacity. They exist because functions in C read complete words.
    static let paddingBytes = 16

    @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private(set) var capacity: Int

    init() {
        capacity = 0
        start = Self.allocate(0)
    }

    deinit { start.deallocate() }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity + paddingBytes, alignment: 16)
        return memory.assumingMemoryBound(to: UInt8.self)
    }

    /// Grows to at least `bytes` bytes. The content is lost.
    func reserve(_ bytes: Int) {
        guard bytes > capacity else { return }
        start.deallocate()
        start = Self.allocate(bytes)
        capacity = bytes
    }

    /// Grows to `bytes` bytes, and keeps the first `count` bytes.
    func grow(to bytes: Int, keeping count: Int) {
        let larger = Self.allocate(bytes)
        larger.update(from: start, count: count)
        start.deallocate()
        (start, capacity) = (larger, bytes)
    }

    /// Grows to at least `bytes` bytes, and keeps the first `count` bytes.
    func grow(toHold bytes: Int, keeping count: Int) { if bytes > capacity { grow(to: bytes, keeping: count) } }

    /// The memory as values of a type.
    func values<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
        UnsafeMutableRawPointer(start).assumingMemoryBound(to: Value.self)
    }
}
