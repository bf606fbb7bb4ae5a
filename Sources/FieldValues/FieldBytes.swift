/// The bytes of one field. They are valid only during the call that passes the field.
///
/// The bytes are UTF-8 if the input is valid text. They can contain NUL and invalid sequences. Quotes and escapes of the file format have
/// been removed.
public struct FieldBytes {
    /// The address of the first byte. It is `nil` for a missing field, such as a field after the end of a short record. An empty field has
    /// an address.
    public let start: UnsafePointer<UInt8>?
    /// The number of bytes of the field.
    public let count: Int

    /// Creates a field of `count` bytes at the address `start`.
    @inlinable
    public init(start: UnsafePointer<UInt8>?, count: Int) {
        self.start = start
        self.count = count
    }

    /// A missing field.
    @inlinable
    public static var missing: FieldBytes { FieldBytes(start: nil, count: 0) }

    /// True if the record does not have this field.
    @inlinable
    public var isMissing: Bool { start == nil }

    /// The bytes as a buffer; empty for a missing field.
    @inlinable
    public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}
