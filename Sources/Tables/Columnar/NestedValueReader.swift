package import FieldValues

/// The first byte of a value in the binary form of nested values. Fields and elements inside the value also begin with such a byte.
///
/// The binary form represents what JSON text cannot: bytes, null keys, and the sizes of numbers. The content follows the byte ``present``:
///
/// | type | content |
/// | --- | --- |
/// | decimal numbers | 16 bytes |
/// | text and bytes | a 32-bit length and the bytes |
/// | other values | a 64-bit number, or the bits of a floating-point number |
/// | structures | the fields |
/// | lists, maps | the elements, or each key with its value, and then ``end`` |
///
/// Numbers are little-endian. If a whole nested value is null, the field is missing and has no bytes.
package enum NestedMarker {
    /// The end of a list or map.
    package static let end: UInt8 = 0
    /// A value that is not null. Its content follows.
    package static let present: UInt8 = 1
    /// A null value, without content.
    package static let null: UInt8 = 2
}

/// Reads a nested value in binary form, as described in `NestedMarker`.
package struct NestedValueReader {
    private var remainingBytes: UnsafeRawBufferPointer

    /// Creates a reader that starts at the first byte of a value.
    package init(_ value: FieldBytes) { remainingBytes = UnsafeRawBufferPointer(value.bytes) }

    private mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
        guard remainingBytes.count >= MemoryLayout<Number>.size else { return nil }
        defer { remainingBytes = UnsafeRawBufferPointer(rebasing: remainingBytes[MemoryLayout<Number>.size...]) }
        return Number(littleEndian: remainingBytes.loadUnaligned(as: type))
    }

    /// Reads the first byte of the next field or element; `nil` if the value ends too early.
    package mutating func readMarker() -> UInt8? { read(UInt8.self) }

    /// Reads 64 bits; `nil` if the value ends too early.
    package mutating func readNumber() -> UInt64? { read(UInt64.self) }

    /// Reads 128 bits; `nil` if the value ends too early.
    package mutating func readWideNumber() -> Int128? { read(Int128.self) }

    /// Reads a length and that many bytes; `nil` if the value ends too early. The result is valid as long as the bytes of the nested value.
    package mutating func readBytes() -> UnsafeBufferPointer<UInt8>? {
        guard let length = read(UInt32.self), length <= remainingBytes.count else { return nil }
        defer { remainingBytes = UnsafeRawBufferPointer(rebasing: remainingBytes[Int(length)...]) }
        return UnsafeRawBufferPointer(rebasing: remainingBytes[..<Int(length)]).assumingMemoryBound(to: UInt8.self)
    }
}

extension NestedField {
    /// True if a value in binary form can be written with this type without a loss. Required fields must not be null, and text must be
    /// UTF-8. Numbers and times must be in the range of their types, and the nulls in the value must take at most
    /// ``NestedType/maximumExpandedBytes``. Times in seconds must also fit in milliseconds, as Parquet stores them.
    package func accepts(_ value: FieldBytes) -> Bool {
        guard !value.isMissing else { return true }
        var reader = NestedValueReader(value)
        guard reader.readMarker() == NestedMarker.present, type.accepts(&reader) else { return false }
        return !type.hasWideNulls || type.nullBytes(of: value) <= NestedType.maximumExpandedBytes
    }

    /// Checks one field or element. Its first byte, the marker, has already been read.
    fileprivate func accepts(_ marker: UInt8?, _ reader: inout NestedValueReader) -> Bool {
        switch marker {
        case NestedMarker.present: type.accepts(&reader)
        case NestedMarker.null: isOptional
        default: false
        }
    }
}

extension NestedType {
    /// Checks the content after the marker ``NestedMarker/present``.
    fileprivate func accepts(_ reader: inout NestedValueReader) -> Bool {
        switch self {
        case .value(.text):
            guard let bytes = reader.readBytes() else { return false }
            return FieldBytes(start: bytes.baseAddress, count: bytes.count).isUTF8
        case .value(.binary): return reader.readBytes() != nil
        case .value(.fixedBinary(let width, _)): return reader.readBytes()?.count == width
        case .value(.decimal(let precision, _)):
            return reader.readWideNumber().map { $0.magnitude < ExactDecimal.power(precision).magnitude } ?? false
        case .value(let type): return reader.readNumber().map(type.canRepresent) ?? false
        case .structure(let fields):
            for field in fields where !field.accepts(reader.readMarker(), &reader) { return false }
            return true
        case .list(let element, let size):
            var count = 0
            while let marker = reader.readMarker(), marker != NestedMarker.end {
                guard element.accepts(marker, &reader) else { return false }
                count += 1
            }
            return size == nil || size == count
        case .map(let key, let value):
            while let marker = reader.readMarker(), marker != NestedMarker.end {
                guard key.accepts(marker, &reader), value.accepts(reader.readMarker(), &reader) else { return false }
            }
            return true
        }
    }
}

extension StoredType {
    /// True if the type can represent this 64-bit number.
    fileprivate func canRepresent(_ word: UInt64) -> Bool {
        let number = Int64(bitPattern: word)
        switch self {
        case .integer(64, _): return true
        case .integer(let bits, isSigned: true): return number >> Int64(bits - 1) == 0 || number >> Int64(bits - 1) == -1
        case .integer(let bits, isSigned: false): return word >> UInt64(bits) == 0
        case .date, .time(digits: 3): return Int32(exactly: number) != nil
        // Parquet stores seconds as milliseconds.
        case .time(digits: 0): return Int32(exactly: number).map { !$0.multipliedReportingOverflow(by: 1_000).overflow } ?? false
        case .dateTime(digits: 0, _): return !number.multipliedReportingOverflow(by: 1_000).overflow
        default: return true
        }
    }
}

extension NestedType {
    /// The maximum size of the nulls inside one value in a written file: 256 MiB. A column with a larger value is not written as a nested
    /// column.
    package static let maximumExpandedBytes = 256 << 20

    /// True if one null can take more than 64 bytes in a written file, although it is a single byte in binary form.
    package var hasWideNulls: Bool { largestNullBytes > 64 }

    /// The approximate number of bytes that the nulls inside a value take in a written file. O(bytes).
    package func nullBytes(of value: FieldBytes) -> Int {
        guard !value.isMissing else { return 0 }
        var (reader, bytes) = (NestedValueReader(value), 0)
        addNullBytes(reader.readMarker(), &reader, to: &bytes)
        return bytes
    }

    private func addNullBytes(_ marker: UInt8?, _ reader: inout NestedValueReader, to bytes: inout Int) {
        guard marker == NestedMarker.present else {
            bytes = bytes.addingReportingOverflow(minimumBytes).overflow ? .max : bytes + minimumBytes
            return
        }
        switch self {
        case .value(.text), .value(.binary), .value(.fixedBinary): _ = reader.readBytes()
        case .value(.decimal): _ = reader.readWideNumber()
        case .value: _ = reader.readNumber()
        case .structure(let fields): for field in fields { field.type.addNullBytes(reader.readMarker(), &reader, to: &bytes) }
        case .list(let element, _):
            while let marker = reader.readMarker(), marker != NestedMarker.end { element.type.addNullBytes(marker, &reader, to: &bytes) }
        case .map(let key, let value):
            while let marker = reader.readMarker(), marker != NestedMarker.end {
                key.type.addNullBytes(marker, &reader, to: &bytes)
                value.type.addNullBytes(reader.readMarker(), &reader, to: &bytes)
            }
        }
    }
}
