/// Writes values in the compact protocol of Apache Thrift, which ``ThriftReader`` reads.
///
/// Fields of a structure are written in ascending order of their numbers.
struct ThriftWriter {
    typealias Kind = ThriftReader.Kind

    /// The written bytes.
    private(set) var bytes: [UInt8] = []
    /// The number of the last field of the current structure.
    private var lastField = 0

    /// Removes the bytes, and keeps the memory for reuse.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    private mutating func put(variable number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private mutating func begin(_ field: Int, _ kind: Kind) {
        let delta = field - lastField
        if (1...15).contains(delta) {
            bytes.append(UInt8(delta) << 4 | kind.rawValue)
        } else {
            bytes.append(kind.rawValue)
            writeElement(field)
        }
        lastField = field
    }

    // MARK: Fields

    /// - Parameter kind: `int32` or `int64`.
    mutating func writeInteger(_ field: some RawRepresentable<Int>, _ value: Int, _ kind: Kind = .int32) {
        begin(field.rawValue, kind)
        writeElement(value)
    }

    mutating func writeFlag(_ field: some RawRepresentable<Int>, _ value: Bool) { begin(field.rawValue, value ? .yes : .no) }

    /// Writes an 8-bit number as one byte. Wider numbers are written with variable length.
    mutating func writeByte(_ field: some RawRepresentable<Int>, _ value: UInt8) {
        begin(field.rawValue, .byte)
        bytes.append(value)
    }

    mutating func writeText(_ field: some RawRepresentable<Int>, _ text: String) {
        begin(field.rawValue, .binary)
        writeElement(text)
    }

    mutating func writeBinary(_ field: some RawRepresentable<Int>, _ value: [UInt8]) {
        begin(field.rawValue, .binary)
        writeElement(value)
    }

    mutating func writeStructure(_ field: some RawRepresentable<Int>, _ body: (inout ThriftWriter) throws -> Void) rethrows {
        begin(field.rawValue, .structure)
        try writeStructure(body)
    }

    /// Writes a structure that is already encoded.
    mutating func writeStructure(_ field: some RawRepresentable<Int>, bytes structure: UnsafeBufferPointer<UInt8>) {
        begin(field.rawValue, .structure)
        bytes.append(contentsOf: structure)
    }

    /// Begins a list. The caller writes `count` elements.
    mutating func beginList(_ field: some RawRepresentable<Int>, _ kind: Kind, count: Int) {
        begin(field.rawValue, .list)
        if count < 15 {
            bytes.append(UInt8(count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xF0 | kind.rawValue)
            put(variable: UInt64(count))
        }
    }

    // MARK: Elements

    /// Writes a structure that is an element of a list, or the outermost one.
    mutating func writeStructure(_ body: (inout ThriftWriter) throws -> Void) rethrows {
        let outer = lastField
        lastField = 0
        try body(&self)
        lastField = outer
        bytes.append(Kind.stop.rawValue)
    }

    mutating func writeElement(_ value: Int) { put(variable: UInt64(bitPattern: Int64(value << 1 ^ value >> 63))) }

    mutating func writeElement(_ value: Bool) { bytes.append((value ? Kind.yes : .no).rawValue) }

    mutating func writeElement(_ text: String) {
        put(variable: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func writeElement(_ value: [UInt8]) {
        put(variable: UInt64(value.count))
        bytes.append(contentsOf: value)
    }
}
