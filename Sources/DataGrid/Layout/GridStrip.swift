/// A part of the grid that is neither a row nor a section header, such as the row of totals. The cursor cannot enter it.
public struct GridStrip: Hashable, Sendable {
    /// The content of a strip.
    public enum Kind: Hashable, Sendable {
        /// The message that users uncover by scrolling up when the grid is already at its top, for example to reload. The message is below
        /// the last row frozen at the top; in a transposed grid, below the last frozen column.
        case pull
        /// The indicator after the last row that more rows are expected.
        case loader
        /// The rule above the items frozen at the bottom. In a transposed grid, also the vertical rule to the left of items frozen at the
        /// right.
        case bottomEdge
        /// The row of totals at the bottom; in a transposed grid, a column of totals at the right.
        case totals
    }

    /// The content of the strip.
    public var kind: Kind
    /// The first line, counted from the top of the frame.
    public var y: Int
    /// The number of visible lines.
    public var height: Int
    /// The x coordinates that the strip covers; `nil` means the full width. In a transposed grid, the loader and the totals are vertical
    /// strips as wide as one row.
    public var columns: Range<Int>?

    /// The visible lines.
    public var range: Range<Int> { y..<y + height }

    func contains(_ point: GridPoint) -> Bool { range.contains(point.y) && columns?.contains(point.x) ?? true }
}

/// The sides at which rows and columns can be frozen, named as in a table. In a transposed grid, columns are frozen at the top and
/// bottom, and rows at the left and right.
public struct FrozenSides: OptionSet, Hashable, Sendable {
    /// The set as one bit for each side.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Columns at the left.
    public static let leading = FrozenSides(rawValue: 1)
    /// Columns at the right.
    public static let trailing = FrozenSides(rawValue: 2)
    /// Rows at the top.
    public static let top = FrozenSides(rawValue: 4)
    /// Rows at the bottom, and the row of totals.
    public static let bottom = FrozenSides(rawValue: 8)
}
