/// How the numbers of a column are written: which sign stands before the fraction, and which between thousands.
///
/// A notation is a property of a whole column, as a ``ValueKind`` is: of `1,500` alone nobody can say which one it is in.
public enum NumberNotation: UInt8, Sendable, Hashable, Codable, CaseIterable {
    /// `1,234.56`.
    case point
    /// `1.234,56`.
    case comma

    /// The byte before the fraction.
    @inlinable
    public var decimalSign: UInt8 { self == .point ? 0x2E : 0x2C }

    /// The byte between groups of three digits.
    @inlinable
    public var groupSeparator: UInt8 { self == .point ? 0x2C : 0x2E }
}
