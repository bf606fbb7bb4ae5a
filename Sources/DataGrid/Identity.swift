/// Which row, wherever it stands now.
///
/// Rows of a file are numbered from 0 in the order of the file. Negative numbers count from the end: −1 is the last row of a file
/// whose length is not known yet.
public struct RowID: Hashable, Sendable, Codable, Comparable, ExpressibleByIntegerLiteral {
    /// The record's number from 0, or minus its distance from the end: −1 is the last.
    public let rawValue: Int

    /// The row with this number.
    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    /// The row with this number, for literals.
    @inlinable
    public init(integerLiteral value: Int) { rawValue = value }

    /// Reads a number from −2⁴⁰ to 2⁴⁰.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.container(keyedBy: CodingKeys.self).decode(.rawValue, within: DecodingLimits.rowNumbers)
    }

    /// By number: rows counted from the end come before all others, so this is no order of reading.
    public static func < (a: RowID, b: RowID) -> Bool { a.rawValue < b.rawValue }

    /// Whether the row is counted from the end, so that its number is not known yet.
    public var isCountedFromEnd: Bool { rawValue < 0 }
}

/// Which column, wherever it stands now: the column of the source, from 0.
public struct ColumnID: Hashable, Sendable, Codable, Comparable, ExpressibleByIntegerLiteral {
    /// The source's own number for the column, from 0.
    public let rawValue: Int

    /// The column with this number.
    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    /// The column with this number, for literals.
    @inlinable
    public init(integerLiteral value: Int) { rawValue = value }

    /// Reads a number from 0 to 2³¹.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.container(keyedBy: CodingKeys.self).decode(.rawValue, within: DecodingLimits.columns)
    }

    /// By number: the order of the source, not the one shown.
    public static func < (a: ColumnID, b: ColumnID) -> Bool { a.rawValue < b.rawValue }
}
