/// The screen positions of rows and section headers as tiles: cards, or the rows of a transposed grid.
///
/// Implementations compute all values from the state of the grid. An item is a row or a section header; a scroll position is the index of
/// the first item in the pane.
protocol TileGeometry {
    /// The indices of the items that scroll. The items before them are frozen at the start, and the items after them at the end.
    var items: Range<Int> { get }
    /// The sides at which some frozen rows or columns do not fit. These rows or columns scroll.
    var overflowingSides: FrozenSides { get }
    /// The lines in which cards scroll; in a transposed grid, the lines in which columns scroll.
    var pane: Range<Int> { get }
    /// The visible tiles: the tiles frozen at the start, then the scrolling tiles, then the tiles frozen at the end.
    var tiles: [TileSpan] { get }
    /// The visible strips: pull message, loader, rules next to items frozen at the end, and totals.
    var strips: [GridStrip] { get }
    /// The width of a card, or of a row in a transposed grid, in terminal cells.
    var itemWidth: Int { get }
    /// The number of items that fit completely in the pane.
    var pageItemCount: Int { get }
    /// The number of items on a page; `nil` if the grid does not scroll by pages.
    var pageSize: Int? { get }
    /// True if the grid is scrolled to its upper edge, where a pull uncovers the pull strip.
    func isAtTop(_ scroll: GridScroll) -> Bool
    /// The valid scroll position nearest to `top`. It is the first item of a line or page, and leaves no unused space after the last
    /// item.
    func clampedTop(_ top: Int) -> Int
    /// The scroll position nearest to `top` at which item `index` is fully visible.
    func topItem(from top: Int, showing index: Int) -> Int
    /// The scroll position `steps` lines of cards (in a transposed grid: rows) away from `top`. If the grid scrolls by pages, the
    /// distance is rounded up to whole pages.
    func topItem(from top: Int, scrolledBy steps: Int) -> Int
    /// The scroll position a page or half a page away from `top`, and the number of lines of cards (in a transposed grid: rows) by which
    /// the cursor moves.
    ///
    /// `steps` is negative when moving back. A page forward starts with the first clipped line; a page back ends before `top`.
    func pagedTop(_ top: Int, isForward: Bool, isHalf: Bool) -> (top: Int, steps: Int)
    /// The scroll position after the pointer has dragged the content by `distance`, starting from the scroll position `scroll`.
    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll
    /// The target of a cursor motion from item `index` that depends on the positions of tiles, such as ↓; `nil` for other motions.
    func item(from index: Int, _ motion: GridMotion) -> Int?

    /// The number of cards in a line, and the number of screen lines that a line of cards takes; `nil` for a transposed grid.
    var lineSize: GridSize? { get }
    /// The scroll position at which item `index` is as near as possible to `line` lines below the top of the pane. `nil` for a frozen
    /// item, and for a transposed grid.
    func topItem(placing index: Int, atLine line: Int) -> Int?

    /// True for a transposed grid. The members declared below are used only for a transposed grid.
    var isTransposed: Bool { get }
    /// The number of lines at the top that show section titles.
    var sectionLineCount: Int { get }
    /// The visible height of the section titles and of the row headers below them, in lines.
    var headerHeight: Int { get }
    /// The visible width in terminal cells of the column names at the left, including the blank after them; 0 if the names are scrolled out
    /// of view.
    var titleWidth: Int { get }
    /// The y coordinate of the symbols at the ends of rows; `nil` without symbols.
    var accessoryY: Int? { get }
    /// The x coordinates between which rows scroll.
    var paneColumns: Range<Int> { get }
    /// The visible columns with the lines that they take.
    var fields: [FieldSpan] { get }
    /// The valid column scroll position nearest to `first`. A column scroll position is the index of the first visible column among the
    /// scrolling columns. A valid one leaves no unused space after the last column. If the grid scrolls by pages, it is the first column of
    /// a page.
    func clampedFirstField(_ first: Int) -> Int
    /// The column scroll position nearest to `first` at which column `index` is visible. `index` counts all visible columns of the grid.
    func firstVisibleField(near first: Int, showing index: Int) -> Int
    /// The column scroll position after scrolling by `steps` columns from `first`. If the grid scrolls by pages, the distance is rounded up
    /// to whole pages.
    func firstVisibleField(from first: Int, scrolledBy steps: Int) -> Int
    /// The column scroll position a page away from `first`, and the number of columns by which the cursor moves. For the scroll position of
    /// rows, see ``pagedTop(_:isForward:isHalf:)``.
    func pagedFields(_ first: Int, isForward: Bool) -> (first: Int, steps: Int)
}

extension TileGeometry {
    var lineSize: GridSize? { nil }
    func topItem(placing index: Int, atLine line: Int) -> Int? { nil }

    var isTransposed: Bool { false }
    var sectionLineCount: Int { 0 }
    var headerHeight: Int { 0 }
    var titleWidth: Int { 0 }
    var accessoryY: Int? { nil }
    var paneColumns: Range<Int> { 0..<0 }
    var fields: [FieldSpan] { [] }
    func clampedFirstField(_ first: Int) -> Int { 0 }
    func firstVisibleField(near first: Int, showing index: Int) -> Int { 0 }
    func firstVisibleField(from first: Int, scrolledBy steps: Int) -> Int { 0 }
    func pagedFields(_ first: Int, isForward: Bool) -> (first: Int, steps: Int) { (0, 0) }

    /// The number `steps`, rounded up to a multiple of the page size `size`. If `size` is `nil`, the grid does not scroll by pages, and the
    /// number is not rounded.
    static func roundedUp(_ steps: Int, toPagesOf size: Int?) -> Int {
        guard let size else { return steps }
        return (abs(steps) + size - 1) / size * size * steps.signum()
    }

    /// The number `steps`, rounded to the nearest multiple of the page size `size`. If `size` is `nil`, the grid does not scroll by pages,
    /// and the number is not rounded.
    static func rounded(_ steps: Int, toNearestPageOf size: Int?) -> Int {
        guard let size else { return steps }
        return Int((Double(steps) / Double(size)).rounded()) * size
    }
}
