/// The decimal and thousands separators of a column.
///
/// A notation is a property of a whole column, like a ``ValueKind``: a single `1,500` is ambiguous.
public enum DecimalStyle: UInt8, Sendable, Hashable, Codable, CaseIterable {
    /// `1,234.56`.
    case point
    /// `1.234,56`.
    case comma

    /// The decimal separator.
    @inlinable
    public var decimalSeparator: UInt8 { self == .point ? 0x2E : 0x2C }

    /// The thousands separator.
    @inlinable
    public var groupSeparator: UInt8 { self == .point ? 0x2C : 0x2E }
}
