/// The screen position of a row or section header in a layout other than a table: a card, or a row of a transposed grid.
public struct TileSpan: Hashable, Sendable {
    /// The row or header.
    public var item: GridItem
    /// The index in the outline, which counts all items, including frozen ones.
    public var index: Int
    /// The first terminal cell.
    public var x: Int
    /// The first line.
    public var y: Int
    /// The visible width in terminal cells.
    public var width: Int
    /// The visible height in lines.
    public var height: Int
    /// The full width in terminal cells.
    public var fullWidth: Int
    /// The full height in lines.
    public var fullHeight: Int
    /// The pane: frozen, stuck or scrolling.
    public var pane = ItemSpan.Pane.scrolling

    /// True if the tile does not scroll.
    public var isFixed: Bool { pane != .scrolling }
    /// True if no part of the tile is clipped.
    public var isWhole: Bool { width == fullWidth && height == fullHeight }

    /// The tile of a section header as an item span, for code that draws the header as a line across the frame.
    public var line: ItemSpan {
        ItemSpan(item: item, index: index, y: y, height: height, fullHeight: fullHeight, pane: pane)
    }

    func contains(_ point: GridPoint) -> Bool { (x..<x + width).contains(point.x) && (y..<y + height).contains(point.y) }

    /// The distance to a point in terminal cells. Lines count double, because cells are about twice as tall as wide.
    func distance(to point: GridPoint) -> Int {
        let dx = max(0, x - point.x, point.x - (x + width - 1))
        let dy = max(0, y - point.y, point.y - (y + height - 1))
        return dx + 2 * dy
    }
}

/// The screen lines of a column in a transposed grid.
public struct FieldSpan: Hashable, Sendable {
    /// The index of the column among the visible columns.
    public var index: Int
    /// The identity of the column.
    public var id: ColumnID
    /// The line of its cells.
    public var y: Int
    /// The number of visible lines: one for the cells and, if there are rules between columns, one for the rule below them.
    public var height: Int
    /// The pane: leading and trailing columns are frozen.
    public var pane: GridPane

    /// The visible lines.
    public var range: Range<Int> { y..<y + height }
    /// True if the column is frozen.
    public var isFixed: Bool { pane != .scrolling }

    /// The area of the column name at the left, as a span in a header.
    package func title(width: Int) -> ColumnSpan {
        ColumnSpan(index: index, id: id, x: 0, width: width, clippedLeading: 0, fullWidth: width, pane: .leading)
    }
}
