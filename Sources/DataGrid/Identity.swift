/// Which row, wherever it stands now.
///
/// Rows of a file are numbered from 0 in the order of the file. Negative numbers count from the end: −1 is the last row of a file
/// whose length is not known yet.
public struct RowID: Hashable, Sendable, Codable, Comparable, ExpressibleByIntegerLiteral {
    public let rawValue: Int

    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    @inlinable
    public init(integerLiteral value: Int) { rawValue = value }

    public static func < (a: RowID, b: RowID) -> Bool { a.rawValue < b.rawValue }

    /// Whether the row is counted from the end, so that its number is not known yet.
    public var isCountedFromEnd: Bool { rawValue < 0 }
}

/// Which column, wherever it stands now: the column of the source, from 0.
public struct ColumnID: Hashable, Sendable, Codable, Comparable, ExpressibleByIntegerLiteral {
    public let rawValue: Int

    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    @inlinable
    public init(integerLiteral value: Int) { rawValue = value }

    public static func < (a: ColumnID, b: ColumnID) -> Bool { a.rawValue < b.rawValue }
}
