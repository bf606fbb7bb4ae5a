/// The identity of a row, independent of its position.
///
/// Rows of a file are numbered from 0 in file order. Negative numbers count from the end while the length of the file is unknown:
/// −1 is the last row.
public struct RowID: Hashable, Sendable, Codable, Comparable, ExpressibleByIntegerLiteral {
    /// The record number from 0, or negative from the end: −1 is the last.
    public let rawValue: Int

    /// Creates the identity with this number.
    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    /// Creates the identity with this number from a literal.
    @inlinable
    public init(integerLiteral value: Int) { rawValue = value }

    /// Decodes a number from −2⁴⁰ to 2⁴⁰.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.container(keyedBy: CodingKeys.self).decode(.rawValue, within: DecodingLimits.rowNumbers)
    }

    /// Compares by number. Rows counted from the end precede all others, so this is not the display order.
    public static func < (a: RowID, b: RowID) -> Bool { a.rawValue < b.rawValue }

    /// The number of bits of ``number``.
    package static let numberBits = 40

    /// The number of the row in its order, from 0, or negative from the end.
    ///
    /// It equals ``rawValue``, except for tables on servers. These have an order for each query, and the other bits of ``rawValue`` hold
    /// the number of that order.
    public var number: Int { rawValue < 0 ? rawValue : rawValue & (1 << Self.numberBits - 1) }

    /// The number of the order of a table on a server; 0 for other tables, and −1 for rows that are counted from the end.
    package var order: Int { rawValue >> Self.numberBits }

    /// True if the row is counted from the end because its number is not known yet.
    public var isCountedFromEnd: Bool { rawValue < 0 }
}

/// The identity of a column, independent of its place: the column number of the source, from 0.
public struct ColumnID: Hashable, Sendable, Codable, Comparable, ExpressibleByIntegerLiteral {
    /// The column number of the source, from 0.
    public let rawValue: Int

    /// Creates the identity with this number.
    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    /// Creates the identity with this number from a literal.
    @inlinable
    public init(integerLiteral value: Int) { rawValue = value }

    /// Decodes a number from 0 to 2⁶⁰. If several columns show the same field of a table, all except the first have numbers of 2⁴⁰ or more.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.container(keyedBy: CodingKeys.self).decode(.rawValue, within: DecodingLimits.columnIDs)
    }

    /// Compares by number: the order of the source, not the display order.
    public static func < (a: ColumnID, b: ColumnID) -> Bool { a.rawValue < b.rawValue }
}
