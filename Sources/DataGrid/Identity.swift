/// The identity of a row, independent of its position.
///
/// Rows of a file are numbered from 0 in file order. Negative numbers count from the end while the length of the file is unknown:
/// −1 is the last row.
public struct RowID: Hashable, Sendable, Codable, Comparable, ExpressibleByIntegerLiteral {
    /// The number of the row in its source, from 0. Negative numbers count from the end: −1 is the last row.
    public let rawValue: Int

    /// Creates the identity of the row with this number.
    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    /// Creates the identity of the row with this number.
    @inlinable
    public init(integerLiteral value: Int) { rawValue = value }

    /// Decodes the number of a row. It must be from −2⁴⁰ to 2⁴⁰.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.container(keyedBy: CodingKeys.self).decode(.rawValue, within: DecodingLimits.rowNumbers)
    }

    /// Compares the numbers. Rows that are counted from the end precede all other rows, so this is not the display order.
    public static func < (a: RowID, b: RowID) -> Bool { a.rawValue < b.rawValue }

    /// The number of lower bits of ``rawValue`` that hold ``number``.
    package static let numberBits = 40

    /// The number of the row in source order, from 0. Negative numbers count from the end.
    ///
    /// It equals ``rawValue``, except for tables on servers. There, each query has its own row order, and the upper bits of ``rawValue``
    /// identify it.
    public var number: Int { rawValue < 0 ? rawValue : rawValue & (1 << Self.numberBits - 1) }

    /// For a table on a server, the number of the row order that contains the row. Each query has its own row order. 0 for other tables, −1
    /// for rows counted from the end.
    package var order: Int { rawValue >> Self.numberBits }

    /// True if the row is counted from the end, because its number from the start is not known yet.
    public var isCountedFromEnd: Bool { rawValue < 0 }
}

/// The identity of a column: its number in the source, from 0. Moving the column does not change it.
public struct ColumnID: Hashable, Sendable, Codable, Comparable, ExpressibleByIntegerLiteral {
    /// The number of the column in the source, from 0.
    public let rawValue: Int

    /// Creates the identity of the column with this number.
    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    /// Creates the identity of the column with this number.
    @inlinable
    public init(integerLiteral value: Int) { rawValue = value }

    /// Decodes the number of a column. The number must be from 0 to 2⁶⁰. If several columns show the same field, the first column has the
    /// number of the field, and the other columns have numbers of 2⁴⁰ or more.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.container(keyedBy: CodingKeys.self).decode(.rawValue, within: DecodingLimits.columnIDs)
    }

    /// Compares the numbers, which are in the order of the source and not in display order.
    public static func < (a: ColumnID, b: ColumnID) -> Bool { a.rawValue < b.rawValue }
}
