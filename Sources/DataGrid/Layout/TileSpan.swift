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
    /// Whether it is frozen, stuck or scrolls.
    public var pane = LineSpan.Pane.scrolling

    /// Whether it stays where it is when others scroll.
    public var isFixed: Bool { pane != .scrolling }
    /// Whether no part of it is out of sight.
    public var isWhole: Bool { width == fullWidth && height == fullHeight }

    /// The tile of a section's header as a line across the frame.
    public var line: LineSpan {
        LineSpan(item: item, index: index, y: y, height: height, fullHeight: fullHeight, pane: pane)
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
    /// The line of its cells.
    public var y: Int
    /// Lines in sight: the one of its cells and, where there are rules between columns, that of the rule below.
    public var height: Int
    /// The first ones are frozen in front, the last ones at the end.
    public var pane: GridPane

    /// The lines it takes.
    public var range: Range<Int> { y..<y + height }
    /// Whether it stays where it is when others scroll.
    public var isFixed: Bool { pane != .scrolling }

    /// The room of its title at the left, as that of a column in a header.
    package func title(width: Int) -> ColumnSpan {
        ColumnSpan(index: index, id: id, x: 0, width: width, clippedLeading: 0, fullWidth: width, pane: .leading)
    }
}
