/// Where items stand that are not lines of a table: what both kinds of tiles have to tell. All are pure functions of the state.
protocol TileGeometry {
    /// The lines in which tiles stand.
    var pane: Range<Int> { get }
    /// What is seen when the pane begins with item `top`, frozen tiles first.
    func tiles(from top: Int) -> [TileSpan]
    /// What else is in sight then: the loader behind the last item, and totals.
    func strips(from top: Int) -> [GridStrip]
    /// Items that a pane holds whole.
    var pageItemCount: Int { get }
    /// The nearest useful scroll position: the first item of a line, and nothing is wasted behind the last.
    func clampedTop(_ top: Int) -> Int
    /// The scroll position nearest to `top` at which an item is seen whole.
    func top(_ top: Int, showing index: Int) -> Int
    /// The scroll position `steps` lines of tiles further than `top`.
    func top(_ top: Int, scrolledBy steps: Int) -> Int
    /// Where a pointer that has gone by `distance` drags `scroll`.
    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll
    /// Where the cursor goes from item `index` with a motion of arrows or pages; `nil` for other motions.
    func item(from index: Int, _ motion: GridMotion) -> Int?

    /// Whether rows stand beside each other, and each column has a line. What follows is of such tiles only.
    var rowsGoAcross: Bool { get }
    /// Terminal cells of the titles, at the left, with the blank behind them.
    var titleWidth: Int { get }
    /// The columns in sight.
    var fields: [FieldSpan] { get }
    /// The first column of those that scroll, at its greatest.
    var maximumField: Int { get }
    /// The first column at which column `index` is seen, nearest to `first`.
    func firstField(_ first: Int, showing index: Int) -> Int
}

extension TileGeometry {
    var rowsGoAcross: Bool { false }
    var titleWidth: Int { 0 }
    var fields: [FieldSpan] { [] }
    var maximumField: Int { 0 }
    func firstField(_ first: Int, showing index: Int) -> Int { 0 }
}
