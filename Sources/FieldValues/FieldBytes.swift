/// The bytes of one field, borrowed: valid only inside the call that hands it out.
///
/// The bytes are UTF-8 as far as the input was; they may hold anything, NUL and invalid sequences included.
/// Unquoting and unescaping have been done.
public struct FieldBytes {
    /// The first byte; `nil` when the record has no such field (it is shorter than the header), which is not the same as empty.
    public let start: UnsafePointer<UInt8>?
    /// The number of bytes.
    public let count: Int

    /// The `count` bytes from `start` on.
    @inlinable
    public init(start: UnsafePointer<UInt8>?, count: Int) {
        self.start = start
        self.count = count
    }

    /// A field that its record does not have.
    @inlinable
    public static var missing: FieldBytes { FieldBytes(start: nil, count: 0) }

    /// Whether the record has no such field.
    @inlinable
    public var isMissing: Bool { start == nil }

    /// The bytes as a buffer; empty when missing.
    @inlinable
    public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}
