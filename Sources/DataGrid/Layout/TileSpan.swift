/// The screen position of a tile: a card, a row of a transposed grid, or a section header.
public struct TileSpan: Hashable, Sendable {
    /// The row or section header.
    public var item: GridItem
    /// The index among all items of the ``Outline``, including frozen items.
    public var index: Int
    /// The x coordinate of the first terminal cell.
    public var x: Int
    /// The y coordinate of the first line.
    public var y: Int
    /// The visible width in terminal cells.
    public var width: Int
    /// The visible height in lines.
    public var height: Int
    /// The width in terminal cells, including clipped cells.
    public var fullWidth: Int
    /// The height in lines, including clipped lines.
    public var fullHeight: Int
    /// The area in which the tile lies: frozen, stuck or scrolling.
    public var pane = ItemSpan.Pane.scrolling

    /// True if the tile is frozen or stuck, and does not scroll.
    public var isFrozenOrStuck: Bool { pane != .scrolling }
    /// True if no part of the tile is clipped.
    public var isWhole: Bool { width == fullWidth && height == fullHeight }

    /// The tile of a section header, converted for code that draws the header as a line across the frame.
    public var itemSpan: ItemSpan {
        ItemSpan(item: item, index: index, y: y, height: height, fullHeight: fullHeight, pane: pane)
    }

    func contains(_ point: GridPoint) -> Bool { (x..<x + width).contains(point.x) && (y..<y + height).contains(point.y) }

    /// The distance from the tile to a point in terminal cells; 0 inside the tile. Lines count double, because cells are about twice as
    /// tall as wide.
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
    /// The y coordinate of the column's cells.
    public var y: Int
    /// The number of visible lines: one for the cells and, if there are rules between columns, one for the rule below them.
    public var height: Int
    /// The area in which the column lies: frozen at the top or bottom, or scrolling.
    public var pane: GridPane

    /// The visible lines.
    public var range: Range<Int> { y..<y + height }
    /// True if the column is frozen.
    public var isFrozen: Bool { pane != .scrolling }

    /// The area of the column's name at the left, in the form of a column span, so that it can be drawn like a header.
    package func title(width: Int) -> ColumnSpan {
        ColumnSpan(index: index, id: id, x: 0, width: width, clippedLeading: 0, fullWidth: width, pane: .leading)
    }
}
