/// Lays out strings as the fields of a record, in memory that the next records reuse.
///
/// ```
/// var buffer = FieldBuffer()
/// for row in rows {
///     for text in row { buffer.append(text) }
///     buffer.withFields { fields in … }
/// }
/// ```
public struct FieldBuffer: @unchecked Sendable {
    private var bytes: [UInt8] = []
    /// The place of each field in ``bytes``; `nil` for a missing field.
    private var ranges: [Range<Int>?] = []
    // The pointers make the type unsafe to send, but the array is empty between calls.
    private var fields: [FieldBytes] = []

    /// Creates a buffer for a record without fields.
    public init() {}

    /// Appends a string as a field. `nil` becomes a missing field, and an empty string an empty one. O(bytes).
    public mutating func append(_ text: String?) {
        guard let text else { return ranges.append(nil) }
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        ranges.append(start..<bytes.count)
    }

    /// Appends a field of bytes that can be invalid UTF-8. O(bytes).
    package mutating func append(bytes field: [UInt8]) {
        let start = bytes.count
        bytes += field
        ranges.append(start..<bytes.count)
    }

    /// Calls `body` with the appended fields, and removes them. Does not allocate if an earlier record had as many fields and bytes.
    public mutating func withFields<Result>(
        _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) throws -> Result
    ) rethrows -> Result {
        defer {
            bytes.removeAll(keepingCapacity: true)
            ranges.removeAll(keepingCapacity: true)
            fields.removeAll(keepingCapacity: true)
        }
        // Add a byte so that even empty fields have an address. A field without an address is missing.
        bytes.append(0)
        return try bytes.withUnsafeBufferPointer { bytes in
            for range in ranges {
                fields.append(range.map { FieldBytes(start: bytes.baseAddress! + $0.lowerBound, count: $0.count) } ?? .missing)
            }
            return try fields.withUnsafeBufferPointer(body)
        }
    }

    /// Appends strings as fields, and then calls `body` with the fields, like ``withFields(_:)``. O(bytes).
    public mutating func withFields<Result>(
        of texts: [String?], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) throws -> Result
    ) rethrows -> Result {
        for text in texts { append(text) }
        return try withFields(body)
    }

    /// Appends fields and calls `body` like ``withFields(of:_:)``, but some fields consist of other bytes. O(bytes).
    /// - Parameter bytes: the bytes of fields that are not valid UTF-8, by the index of the field.
    package mutating func withFields<Result>(
        of texts: [String?], keeping bytes: [Int: [UInt8]], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) throws -> Result
    ) rethrows -> Result {
        for (index, text) in texts.enumerated() {
            if let field = bytes[index] { append(bytes: field) } else { append(text) }
        }
        return try withFields(body)
    }
}
