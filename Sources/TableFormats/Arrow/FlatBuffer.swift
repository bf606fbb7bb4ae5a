/// Metadata in the FlatBuffers encoding. Each access is checked and throws an ``ArrowError`` if the metadata is damaged.
struct FlatBuffer: Sendable {
    let bytes: [UInt8]

    func number<T: FixedWidthInteger>(_ type: T.Type, at position: Int) throws(ArrowError) -> T {
        guard position >= 0, position <= bytes.count - MemoryLayout<T>.size else { throw .damaged("its metadata ends early") }
        return T(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: T.self) })
    }

    /// The position to which the relative offset at `position` refers.
    fileprivate func target(at position: Int) throws(ArrowError) -> Int {
        let (target, overflow) = position.addingReportingOverflow(Int(try number(UInt32.self, at: position)))
        guard !overflow, target < bytes.count else { throw .damaged("its metadata points beyond its end") }
        return target
    }

    /// The outermost table of the metadata.
    var root: FlatTable {
        get throws(ArrowError) { try FlatTable(self, at: try target(at: 0)) }
    }
}

/// A table in a FlatBuffer. Fields are identified by numbers, and any field may be absent.
struct FlatTable {
    private let buffer: FlatBuffer
    private let position: Int
    private let directory: Int
    private let directoryBytes: Int

    init(_ buffer: FlatBuffer, at position: Int) throws(ArrowError) {
        (self.buffer, self.position) = (buffer, position)
        directory = position - Int(try buffer.number(Int32.self, at: position))
        directoryBytes = Int(try buffer.number(UInt16.self, at: directory))
    }

    /// The byte position of a field; `nil` if the field is absent.
    private func offset(ofField field: Int) throws(ArrowError) -> Int? {
        let entry = 4 + 2 * field
        guard entry + 2 <= directoryBytes else { return nil }
        let offset = Int(try buffer.number(UInt16.self, at: directory + entry))
        return offset == 0 ? nil : position + offset
    }

    /// The value of a number field; `value` if the field is absent.
    func number<T: FixedWidthInteger>(_ field: Int, default value: T) throws(ArrowError) -> T {
        guard let offset = try offset(ofField: field) else { return value }
        return try buffer.number(T.self, at: offset)
    }

    /// The value of a flag; false if the field is absent.
    func flag(_ field: Int) throws(ArrowError) -> Bool { try number(field, default: UInt8(0)) != 0 }

    /// The table to which a field refers; `nil` if the field is absent.
    func table(_ field: Int) throws(ArrowError) -> FlatTable? {
        guard let offset = try offset(ofField: field) else { return nil }
        return try FlatTable(buffer, at: try buffer.target(at: offset))
    }

    /// A string of at most 64 KiB.
    func text(_ field: Int) throws(ArrowError) -> String? {
        guard let characters = try vector(field, stride: 1) else { return nil }
        guard characters.count <= 64 << 10 else { throw .damaged("a name is \(characters.count) bytes long") }
        return String(decoding: buffer.bytes[characters.start..<characters.start + characters.count], as: UTF8.self)
    }

    /// The array to which a field refers; `nil` if the field is absent. Throws an error if an element is outside the buffer. `stride` is
    /// the size of an element in bytes.
    func vector(_ field: Int, stride: Int) throws(ArrowError) -> FlatVector? {
        guard let offset = try offset(ofField: field) else { return nil }
        let start = try buffer.target(at: offset)
        let count = Int(try buffer.number(UInt32.self, at: start))
        guard count <= (buffer.bytes.count - start - 4) / stride else { throw .damaged("its metadata has a list that is too long") }
        return FlatVector(buffer: buffer, start: start + 4, count: count, stride: stride)
    }

    /// The tables in an array; empty if the field is absent.
    func tables(_ field: Int) throws(ArrowError) -> [FlatTable] {
        guard let offsets = try vector(field, stride: 4) else { return [] }
        var tables: [FlatTable] = []
        for index in 0..<offsets.count { tables.append(try FlatTable(buffer, at: try buffer.target(at: offsets.start + 4 * index))) }
        return tables
    }
}

/// An array in a FlatBuffer whose elements have a fixed size.
struct FlatVector: Sendable {
    fileprivate let buffer: FlatBuffer
    fileprivate let start: Int
    let count: Int
    fileprivate let stride: Int

    /// The number at a byte offset within an element.
    func number<T: FixedWidthInteger>(_ type: T.Type, of element: Int, at offset: Int = 0) throws(ArrowError) -> T {
        guard element >= 0, element < count else { throw .damaged("its metadata has too few entries") }
        return try buffer.number(type, at: start + element * stride + offset)
    }
}
