/// The positions of items in a layout other than a table: cards or a transposed grid. Implementations are pure functions of the state.
protocol TileGeometry {
    /// The scrolling items. The items before and after them are frozen, if there is room for them.
    var items: Range<Int> { get }
    /// The sides that do not have room for all frozen rows or columns.
    var overflowingSides: FrozenSides { get }
    /// The lines in which tiles scroll; in a transposed grid, the lines in which columns scroll.
    var pane: Range<Int> { get }
    /// The visible tiles: first the tiles frozen at the start, last the tiles frozen at the end.
    var tiles: [TileSpan] { get }
    /// The visible strips: pull, loader, the rules next to items frozen at the end, and totals.
    var strips: [GridStrip] { get }
    /// The width of a card, or of a row in a transposed grid, in terminal cells.
    var itemWidth: Int { get }
    /// The number of whole items that fit in the pane.
    var pageItemCount: Int { get }
    /// The number of items on a page; `nil` without paging.
    var pageSize: Int? { get }
    /// True if nothing is scrolled out at the top, so that a pull uncovers the strip.
    func isAtTop(_ scroll: GridScroll) -> Bool
    /// The scroll position nearest to `top` that is the first item of a line (or page) and leaves no unused space after the last item.
    func clampedTop(_ top: Int) -> Int
    /// The scroll position nearest to `top` at which an item is fully visible.
    func top(_ top: Int, showing index: Int) -> Int
    /// The scroll position `steps` lines of tiles away from `top`. In a paged grid, the distance is rounded up to whole pages.
    func top(_ top: Int, scrolledBy steps: Int) -> Int
    /// The scroll position a page or half a page away from `top`, and the number of lines of tiles by which the cursor moves.
    ///
    /// `steps` is negative when moving back. A page forward starts with the first clipped line; a page back ends before `top`.
    func paged(_ top: Int, isForward: Bool, isHalf: Bool) -> (top: Int, steps: Int)
    /// The scroll position after a drag by `distance` that started at `scroll`.
    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll
    /// The target of a cursor motion with the arrow keys from item `index`; `nil` for other motions.
    func item(from index: Int, _ motion: GridMotion) -> Int?

    /// The number of cards in a line, and the height of a line on the screen; `nil` for a transposed grid.
    var lineSize: GridSize? { get }
    /// The scroll position that puts item `index` nearest to `line` lines below the top of the pane; `nil` for a frozen item or a
    /// transposed grid.
    func top(placing index: Int, atLine line: Int) -> Int?

    /// True for a transposed grid. The requirements below apply only to a transposed grid.
    var isTransposed: Bool { get }
    /// The number of lines with titles of sections at the top.
    var sectionLines: Int { get }
    /// The visible height of the section titles and of the row headers below them, in lines.
    var headerHeight: Int { get }
    /// The visible width of the column names at the left in terminal cells, including the blank after them.
    var titleWidth: Int { get }
    /// The line of accessories; `nil` without accessories.
    var accessoryY: Int? { get }
    /// The terminal cells in which rows scroll.
    var paneColumns: Range<Int> { get }
    /// The visible columns.
    var fields: [FieldSpan] { get }
    /// The valid first scrolling column nearest to `first`. It leaves no unused space after the last column; in a paged grid, it starts a
    /// page.
    func clampedField(_ first: Int) -> Int
    /// The first scrolling column, as near to `first` as possible, with which column `index` is visible.
    func firstField(_ first: Int, showing index: Int) -> Int
    /// The first scrolling column after scrolling by `steps` columns from `first`. In a paged grid, the distance is rounded up to whole
    /// pages.
    func firstField(_ first: Int, scrolledBy steps: Int) -> Int
    /// The equivalent of ``paged(_:isForward:isHalf:)`` for columns.
    func pagedFields(_ first: Int, isForward: Bool) -> (first: Int, steps: Int)
}

extension TileGeometry {
    var lineSize: GridSize? { nil }
    func top(placing index: Int, atLine line: Int) -> Int? { nil }

    var isTransposed: Bool { false }
    var sectionLines: Int { 0 }
    var headerHeight: Int { 0 }
    var titleWidth: Int { 0 }
    var accessoryY: Int? { nil }
    var paneColumns: Range<Int> { 0..<0 }
    var fields: [FieldSpan] { [] }
    func clampedField(_ first: Int) -> Int { 0 }
    func firstField(_ first: Int, showing index: Int) -> Int { 0 }
    func firstField(_ first: Int, scrolledBy steps: Int) -> Int { 0 }
    func pagedFields(_ first: Int, isForward: Bool) -> (first: Int, steps: Int) { (0, 0) }

    /// The number of steps, rounded up to a multiple of the page size `size`; unchanged if the size is `nil`.
    static func roundedUp(_ steps: Int, toPagesOf size: Int?) -> Int {
        guard let size else { return steps }
        return (abs(steps) + size - 1) / size * size * steps.signum()
    }

    /// The number of steps, rounded to the nearest multiple of the page size `size`; unchanged if the size is `nil`.
    static func rounded(_ steps: Int, toNearestPageOf size: Int?) -> Int {
        guard let size else { return steps }
        return Int((Double(steps) / Double(size)).rounded()) * size
    }
}
