/// Where a row or a section's header stands that is not a line of a table: a card, or a column of a transposed grid.
public struct TileSpan: Hashable, Sendable {
    /// Which row or header it is.
    public var item: GridItem
    /// Counted among the items that can be scrolled to.
    public var index: Int
    /// The first terminal cell.
    public var x: Int
    /// The first line.
    public var y: Int
    /// Terminal cells in sight.
    public var width: Int
    /// Lines in sight.
    public var height: Int
    /// Terminal cells of the whole tile.
    public var fullWidth: Int
    /// Lines of the whole tile.
    public var fullHeight: Int
    /// Whether it stays where it is when others scroll.
    public var isFixed = false

    /// Whether no part of it is out of sight.
    public var isWhole: Bool { width == fullWidth && height == fullHeight }

    /// The tile of a section's header as a line across the frame.
    public var line: LineSpan {
        LineSpan(item: item, index: index, y: y, height: height, fullHeight: fullHeight, pane: isFixed ? .stuck : .scrolling)
    }

    func contains(_ point: GridPoint) -> Bool { (x..<x + width).contains(point.x) && (y..<y + height).contains(point.y) }

    /// How far a point is from it, in terminal cells; lines count double, as they are twice as high as cells are wide.
    func distance(to point: GridPoint) -> Int {
        let dx = max(0, x - point.x, point.x - (x + width - 1))
        let dy = max(0, y - point.y, point.y - (y + height - 1))
        return dx + 2 * dy
    }
}

/// The line of a column in a transposed grid.
public struct FieldSpan: Hashable, Sendable {
    /// Counted among the columns that are not hidden.
    public var index: Int
    /// Which column it is.
    public var id: ColumnID
    /// The line.
    public var y: Int
    /// Whether it stays where it is when others scroll.
    public var isFixed: Bool
}
