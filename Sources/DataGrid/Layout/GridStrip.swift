/// A part of the grid, mostly across its whole width, that is no row and no section's header, and so can be neither scrolled to nor selected.
public struct GridStrip: Hashable, Sendable {
    /// What it is there for.
    public enum Kind: Hashable, Sendable {
        /// What pulling on has uncovered, under the lowest frozen row; across, under the lowest frozen line.
        case pull
        /// Behind the last row, while more are coming.
        case loader
        /// The rule above what is frozen at the bottom; across, also the one left of what is frozen at the right.
        case bottomEdge
        /// The row of totals, at the bottom; across, a column of them at the right.
        case totals
    }

    /// What it is there for.
    public var kind: Kind
    /// The first line, from the upper edge of the frame.
    public var y: Int
    /// Lines in sight.
    public var height: Int
    /// The terminal cells that it takes of its lines; `nil`: all. Where rows stand beside each other, loader and totals stand like one of them.
    public var columns: Range<Int>?

    /// The lines it takes.
    public var range: Range<Int> { y..<y + height }

    func contains(_ point: GridPoint) -> Bool { range.contains(point.y) && columns?.contains(point.x) ?? true }
}

/// The sides at which something should be frozen, as they are in a table: across, columns are at the top and at the bottom, and rows at either
/// side.
public struct FrozenSides: OptionSet, Hashable, Sendable {
    /// A bit for each side.
    public let rawValue: UInt8
    /// The sides whose bits are set.
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
