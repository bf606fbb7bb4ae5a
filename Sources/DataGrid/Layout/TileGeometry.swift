/// Where items stand that are not lines of a table: what both kinds of tiles have to tell. All are pure functions of the state.
protocol TileGeometry {
    /// The items that scroll; those before and behind are frozen, as far as there is room.
    var items: Range<Int> { get }
    /// Where there was no room for all that should be frozen.
    var yielding: FrozenSides { get }
    /// The lines in which tiles scroll or, where rows stand beside each other, columns.
    var pane: Range<Int> { get }
    /// What is seen: frozen tiles first, those frozen at the end last.
    var tiles: [TileSpan] { get }
    /// What else is in sight: the strip that is pulled out, the loader behind the last item, the rules beside what is frozen at the end, and
    /// totals.
    var strips: [GridStrip] { get }
    /// Terminal cells of a card, or of a row that stands beside others.
    var itemWidth: Int { get }
    /// Items that a pane holds whole.
    var pageItemCount: Int { get }
    /// Items of a page where the grid is turned by whole pages; `nil` elsewhere.
    var pageSize: Int? { get }
    /// Whether nothing is scrolled out at the top, so that pulling on uncovers the strip there.
    func isAtTop(_ scroll: GridScroll) -> Bool
    /// The nearest useful scroll position: the first item of a line, and nothing is wasted behind the last; the first of a page where there
    /// are pages.
    func clampedTop(_ top: Int) -> Int
    /// The scroll position nearest to `top` at which an item is seen whole.
    func top(_ top: Int, showing index: Int) -> Int
    /// The scroll position `steps` lines of tiles further than `top`, or as many pages as hold them.
    func top(_ top: Int, scrolledBy steps: Int) -> Int
    /// A page, or half of one, from `top`: the scroll position, and how many lines of tiles the cursor goes, back when less than 0. Forward a page
    /// begins with what was not seen whole, and back it ends before what was first.
    func turned(_ top: Int, forward: Bool, isHalf: Bool) -> (top: Int, steps: Int)
    /// Where a pointer that has gone by `distance` drags `scroll`.
    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll
    /// Where the cursor goes from item `index` with a motion of arrows; `nil` for other motions.
    func item(from index: Int, _ motion: GridMotion) -> Int?

    /// Cards of a line, and the lines of the screen that one takes; `nil` where rows stand beside each other.
    var lineSize: GridSize? { get }
    /// The scroll position at which item `index` stands as near as can be to `line` lines below the upper edge of the pane; `nil` where it is
    /// frozen, or rows stand beside each other.
    func top(placing index: Int, atLine line: Int) -> Int?

    /// Whether rows stand beside each other, and each column has a line. What follows is of such tiles only.
    var rowsGoAcross: Bool { get }
    /// Lines of the header of rows in sight, at the top.
    var headerHeight: Int { get }
    /// Terminal cells of the titles in sight, at the left, with the blank behind them.
    var titleWidth: Int { get }
    /// The line of what stands at the ends of rows; `nil` when none is kept for that.
    var accessoryY: Int? { get }
    /// The terminal cells in which rows scroll.
    var paneColumns: Range<Int> { get }
    /// The columns in sight.
    var fields: [FieldSpan] { get }
    /// The nearest useful first column of those that scroll; that of a page where there are pages.
    func clampedField(_ first: Int) -> Int
    /// The first column at which column `index` is seen, nearest to `first`.
    func firstField(_ first: Int, showing index: Int) -> Int
    /// The first column `steps` columns further than `first`, or as many pages as hold them.
    func firstField(_ first: Int, scrolledBy steps: Int) -> Int
    /// The same as ``turned(_:forward:isHalf:)`` of the lines of columns.
    func turnedFields(_ first: Int, forward: Bool) -> (first: Int, steps: Int)
}

extension TileGeometry {
    var lineSize: GridSize? { nil }
    func top(placing index: Int, atLine line: Int) -> Int? { nil }

    var rowsGoAcross: Bool { false }
    var headerHeight: Int { 0 }
    var titleWidth: Int { 0 }
    var accessoryY: Int? { nil }
    var paneColumns: Range<Int> { 0..<0 }
    var fields: [FieldSpan] { [] }
    func clampedField(_ first: Int) -> Int { 0 }
    func firstField(_ first: Int, showing index: Int) -> Int { 0 }
    func firstField(_ first: Int, scrolledBy steps: Int) -> Int { 0 }
    func turnedFields(_ first: Int, forward: Bool) -> (first: Int, steps: Int) { (0, 0) }

    /// So many steps or, when turned by pages of `size`, as many as whole pages that hold them have.
    static func steps(_ count: Int, pages size: Int?) -> Int {
        guard let size else { return count }
        return (abs(count) + size - 1) / size * size * count.signum()
    }

    /// The same for a distance, of which the nearest page is meant.
    static func steps(_ count: Int, nearestOf size: Int?) -> Int {
        guard let size else { return count }
        return Int((Double(count) / Double(size)).rounded()) * size
    }
}
