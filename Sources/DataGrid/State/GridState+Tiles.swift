extension GridState {
    /// The presentation that is used: ``presentation``, or a table or cards if it is ``GridPresentation/adaptive(below:)``.
    public var effectivePresentation: GridPresentation {
        guard case .adaptive(let width) = presentation else { return presentation }
        return size.width < width ? .cards : .table
    }

    /// The screen positions of cards or of a transposed grid; `nil` for a table.
    var tileGeometry: (any TileGeometry)? {
        switch effectivePresentation {
        case .table, .adaptive: nil
        case .cards: CardFlow(self, right: size.width - (metrics.showsScrollBar && size.width > 1 ? 1 : 0))
        case .transposed: TransposedGeometry(self)
        }
    }

    mutating func setPresentation(_ presentation: GridPresentation) { changeLayout { $0.presentation = presentation } }

    /// Changes values that affect the layout. The top item stays at the top, unless a cursor that was visible would then be invisible.
    mutating func changeLayout(_ change: (inout GridState) -> Void) {
        let before = effectivePresentation
        let wasCursorHidden = isCursorHidden
        change(&self)
        if effectivePresentation != before { resetForNewPresentation() }
        if wasCursorHidden { clampScroll() } else { revealCursor() }
    }

    private var isCursorHidden: Bool {
        let items = layout.items
        return !items.isEmpty && !items.contains(cursor.item)
    }

    /// Ends the drag and resets the horizontal scroll position, because both belong to the old presentation.
    private mutating func resetForNewPresentation() {
        drag = nil
        dragOrigin = nil
        scroll.x = 0
    }

    // MARK: The slots of cards

    /// The indices of the columns that are shown on cards, in the reading order of their slots. Empty unless the grid shows cards.
    var slotColumns: [Int] {
        guard effectivePresentation == .cards else { return [] }
        let binding = CardBinding(columns)
        return binding.slots.compactMap { binding[$0].flatMap(columns.index(of:)) }
    }

    /// The index of the column that is nearest to `index` and that the cursor can enter. On cards, the cursor can enter only columns with
    /// a slot.
    func cursorColumn(nearest index: Int) -> Int {
        let index = index.clampedIndex(count: columns.count)
        return slotColumns.min { abs($0 - index) < abs($1 - index) } ?? index
    }

    /// The item and column that a motion between the slots of cards reaches, on the next card if necessary. `nil` for other motions.
    private func moveAmongSlots(_ motion: GridMotion, from item: Int) -> (item: Int, column: Int)? {
        let slots = slotColumns
        guard let first = slots.first, let last = slots.last else { return nil }
        let slot = cursor.row == nil ? nil : slots.firstIndex(of: cursor.column)
        switch motion {
        case .nextColumn:
            if let slot, slot + 1 < slots.count { return (item, slots[slot + 1]) }
            return item + 1 < outline.itemCount ? (item + 1, first) : (item, cursor.column)
        case .previousColumn:
            if let slot, slot > 0 { return (item, slots[slot - 1]) }
            return item > 0 ? (item - 1, last) : (item, cursor.column)
        case .pageLeft: return (item, first)
        case .pageRight: return (item, last)
        case .column(let index): return (item, cursorColumn(nearest: index))
        default: return nil
        }
    }

    // MARK: Moving and scrolling

    /// The item and column that a motion reaches on cards or in a transposed grid. `nil` for motions that are the same in a table.
    func moveAmongTiles(_ motion: GridMotion, _ geometry: any TileGeometry) -> (item: Int, column: Int)? {
        let item = outline.index(of: cursor.item)
        if geometry.isTransposed {
            switch motion {
            case .up(let count): return (item, cursor.column - min(count, cursor.column))
            case .down(let count): return (item, cursor.column + min(count, columns.count - 1 - cursor.column))
            default: break
            }
        }
        return moveAmongSlots(motion, from: item) ?? geometry.item(from: item, motion).map { ($0, cursor.column) }
    }

    /// Scrolls cards or a transposed grid by a page, and returns the item and column to which the cursor moves. `nil` for motions that
    /// are not by pages.
    mutating func scrollTilePage(_ motion: GridMotion, _ geometry: any TileGeometry) -> (item: Int, column: Int)? {
        let item = outline.index(of: cursor.item)
        switch motion {
        case .pageUp: return (scrollTilePage(geometry, from: item, isForward: false), cursor.column)
        case .pageDown: return (scrollTilePage(geometry, from: item, isForward: true), cursor.column)
        case .halfPageUp: return (scrollTilePage(geometry, from: item, isForward: false, isHalf: true), cursor.column)
        case .halfPageDown: return (scrollTilePage(geometry, from: item, isForward: true, isHalf: true), cursor.column)
        case .pageLeft where geometry.isTransposed: return (item, scrollFieldPage(geometry, isForward: false))
        case .pageRight where geometry.isTransposed: return (item, scrollFieldPage(geometry, isForward: true))
        default: return nil
        }
    }

    /// Scrolls by a page or half a page. Returns the item to which the cursor moves: if the grid cannot scroll further, the first or last
    /// item.
    private mutating func scrollTilePage(_ geometry: any TileGeometry, from item: Int, isForward: Bool, isHalf: Bool = false) -> Int {
        let top = geometry.clampedTop(scroll.top)
        let page = geometry.pagedTop(top, isForward: isForward, isHalf: isHalf)
        scroll.top = page.top
        if page.top == top { return isForward ? outline.itemCount - 1 : 0 }
        let count = abs(page.steps)
        let motion: GridMotion = geometry.isTransposed ? isForward ? .right(count) : .left(count) : isForward ? .down(count) : .up(count)
        guard let visible = visibleTileItems else { return scroll.top }
        let next = (geometry.item(from: item, motion) ?? item).clamped(to: visible)
        // Moving back by a page must move the cursor, even if headers leave no room for a whole card or row.
        return isForward ? next : min(next, max(scroll.top, item - 1))
    }

    private mutating func scrollFieldPage(_ geometry: any TileGeometry, isForward: Bool) -> Int {
        let first = geometry.clampedFirstField(scroll.x)
        let page = geometry.pagedFields(first, isForward: isForward)
        scroll.x = page.first
        guard page.first != first, let visible = visibleTileColumns else { return isForward ? columns.count - 1 : 0 }
        return (cursor.column + page.steps).clamped(to: visible)
    }

    private var visibleTileItems: ClosedRange<Int>? {
        let tiles = layout.tiles.filter { !$0.isFrozenOrStuck }
        // A line of cards counts as visible only if its tallest card is completely visible.
        let clippedY = effectivePresentation == .cards ? tiles.first { !$0.isWhole }?.y : nil
        let visible = tiles.filter { $0.isWhole && $0.y != clippedY }
        return visible.first.flatMap { first in visible.last.map { first.index...$0.index } }
    }

    private var visibleTileColumns: ClosedRange<Int>? {
        let visible = layout.fields.filter { !$0.isFrozen }
        return visible.first.flatMap { first in visible.last.map { first.index...$0.index } }
    }

    mutating func revealCursorAmongTiles(_ geometry: any TileGeometry) {
        clampScroll(geometry)
        guard size.width > 0, size.height > 0 else { return }
        scroll.x = geometry.firstVisibleField(near: scroll.x, showing: cursor.column)
        guard outline.itemCount > 0 else { return }
        scroll.top = geometry.topItem(from: scroll.top, showing: outline.index(of: cursor.item))
        guard let pull, pull.uncovered > 0 else { return }
        let layout = layout
        let isSeen =
            geometry.isTransposed
            ? layout.fields.contains { $0.index == cursor.column } : layout.tiles.contains { $0.item == cursor.item && $0.isWhole }
        // Cover the pull strip, because there is no room for both the cursor and the strip.
        if !isSeen { self.pull?.uncovered = 0 }
    }

    mutating func clampScroll(_ geometry: any TileGeometry) {
        scroll.top = geometry.clampedTop(scroll.top)
        scroll.x = geometry.clampedFirstField(scroll.x)
    }

    /// Scrolls by a number of lines of cards; in a transposed grid, by columns vertically and by rows horizontally. The cursor moves if
    /// necessary, so that it stays visible.
    mutating func scrollTiles(_ steps: Int, columns count: Int, _ geometry: any TileGeometry) {
        guard outline.itemCount > 0 else { return }
        // In a transposed grid, columns scroll vertically, and rows scroll horizontally.
        if geometry.isTransposed { scroll.x = geometry.firstVisibleField(from: scroll.x, scrolledBy: steps) }
        scroll.top = geometry.topItem(from: scroll.top, scrolledBy: geometry.isTransposed ? count : steps)
        keepCursorVisible()
    }

    /// Scrolls so that item `top` is in the first visible line of cards or, in a transposed grid, is the first visible row. Called when the
    /// scroll bar is dragged. The cursor moves if necessary, so that it stays visible.
    mutating func scrollTiles(toTop top: Int, _ geometry: any TileGeometry) {
        scroll.top = geometry.clampedTop(top)
        keepCursorVisible()
    }

    private mutating func keepCursorVisible() {
        let layout = layout
        let item = outline.index(of: cursor.item)
        if let visible = visibleTileItems, !layout.tiles.contains(where: { $0.isFrozenOrStuck && $0.index == item }) {
            cursor.item = outline.item(at: item.clamped(to: visible))
        }
        if let visible = visibleTileColumns, !layout.fields.contains(where: { $0.isFrozen && $0.index == cursor.column }) {
            cursor.column = cursor.column.clamped(to: visible)
        }
    }

    /// Sets the width of the rows of a transposed grid in terminal cells; `nil` means the width that their columns need.
    /// - Returns: a resize event if the width on the screen changed.
    mutating func setTransposedRowWidth(_ width: Int?) -> [GridEvent] {
        let before = tileGeometry?.itemWidth
        metrics.transposedRowWidth = width
        // During a drag, do not scroll to the cursor. Only the edge under the pointer may move.
        if drag == nil { revealCursor() } else { clampScroll() }
        guard let after = tileGeometry?.itemWidth, after != before else { return [] }
        return [.rowsResized(width: after)]
    }

    // MARK: The pointer

    /// Scrolls after the pointer has dragged the content by `distance`. `from` is the scroll position at the start of the drag. The grid
    /// moves by one step for each card or row that the pointer has crossed.
    mutating func panTiles(_ tiles: any TileGeometry, _ from: GridScroll, by distance: GridPoint) {
        scroll = tiles.scroll(from, pannedBy: distance)
        clampScroll(tiles)
    }

    /// Extends the selection to the card or row nearest to the pointer. With `isScrolling`, extends it by one more step if the pointer is
    /// at an edge.
    mutating func extendAmongTiles(_ tiles: any TileGeometry, to point: GridPoint, wholeRows: Bool, isScrolling: Bool) {
        let layout = layout
        guard let tile = layout.tile(nearest: point) else { return }
        let steps = isScrolling ? layout.steps(at: point) : (items: 0, fields: 0)
        // A tile that is frozen or stuck can have any index, but is before all scrolling tiles.
        let isAbove = tile.isFrozenOrStuck && tile.pane != .frozenBottom && scroll.top > tiles.clampedTop(0)
        let from = isAbove ? layout.tiles.first { !$0.isFrozenOrStuck }?.index ?? tile.index : tile.index
        let item = tiles.item(from: from, tiles.isTransposed ? .right(steps.items) : .down(steps.items)) ?? from
        var field = layout.field(nearestY: point.y)
        if steps.fields < 0, scroll.x > 0 { field = layout.fields.first { !$0.isFrozen } }
        let column = field.map { $0.index + steps.fields } ?? layout.slot(at: point)?.index ?? cursor.column
        cursor.item = outline.item(at: item.clampedIndex(count: outline.itemCount))
        if !wholeRows { cursor.column = column.clampedIndex(count: columns.count) }
        extendSelection()
        revealCursor()
    }

    /// During a drag of a column or rows, scrolls if the pointer is at an edge of the area in which they scroll.
    mutating func scrollAtEdge(_ reordering: Reordering, _ tiles: any TileGeometry, _ layout: GridLayout) {
        let steps = layout.steps(at: reordering.now)
        switch reordering.subject {
        case .column: scroll.x = tiles.firstVisibleField(from: scroll.x, scrolledBy: steps.fields)
        case .rows: scroll.top = tiles.topItem(from: scroll.top, scrolledBy: steps.items)
        }
        clampScroll(tiles)
    }
}

extension GridLayout {
    /// The position of the symbol at the end of a card: the last terminal cell of the card's middle line, inside its edge. There is a
    /// space before it.
    ///
    /// The middle line may be clipped. `nil` if no room is reserved for symbols.
    public func accessoryPoint(ofCard tile: TileSpan) -> GridPoint? {
        guard hasCardAccessories else { return nil }
        return GridPoint(x: tile.x + tile.width - (cardEdge == .box ? 3 : 1), y: tile.y + (tile.fullHeight - 1) / 2)
    }

    func tile(nearest point: GridPoint) -> TileSpan? { tiles.min { $0.distance(to: point) < $1.distance(to: point) } }

    func field(nearestY y: Int) -> FieldSpan? { fields.min { abs($0.y - y) < abs($1.y - y) } }

    /// The directions in which to scroll while the pointer is held at `point`: −1, 0 or 1. `items` counts lines of cards or transposed
    /// rows, and `fields` counts transposed columns.
    fileprivate func steps(at point: GridPoint) -> (items: Int, fields: Int) {
        func step(at position: Int, first: Int?, end: Int) -> Int { position <= first ?? 0 ? -1 : position >= end - 1 ? 1 : 0 }
        let first = tiles.first { !$0.isFrozenOrStuck }
        guard presentation == .transposed else { return (step(at: point.y, first: first?.y, end: pane.upperBound), 0) }
        return (
            step(at: point.x, first: first?.x, end: paneColumns.upperBound),
            step(at: point.y, first: fields.first { !$0.isFrozen }?.y, end: pane.upperBound)
        )
    }

    /// The visible part of a slot on a card, as its upper left point and its size; `nil` if the line of the slot is clipped.
    func frame(of slot: SlotSpan, on tile: TileSpan) -> (origin: GridPoint, size: GridSize)? {
        guard slot.cardLine < tile.height else { return nil }
        return (
            GridPoint(x: tile.x + slot.x, y: tile.y + slot.cardLine),
            GridSize(width: slot.width, height: min(slot.height, tile.height - slot.cardLine))
        )
    }

    func slot(at point: GridPoint) -> SlotSpan? {
        guard let tile = tiles.first(where: { $0.contains(point) }), case .row = tile.item else { return nil }
        return slots(of: tile).first { slot in
            (slot.cardLine..<slot.cardLine + slot.height).contains(point.y - tile.y)
                && (slot.x..<slot.x + slot.width).contains(point.x - tile.x)
        }
    }

    func tileHit(_ point: GridPoint) -> GridHit {
        if point.x == scrollBarX { return .scrollBar(scrollFraction(atY: point.y)) }
        if strips.contains(where: { $0.contains(point) }) { return .nothing }
        if let separator = rowSeparator(at: point) { return separator }
        let field = fields.first { $0.range.contains(point.y) }
        if point.x < titleWidth { return field.map { .header($0.index) } ?? .corner }
        guard let tile = tiles.first(where: { $0.contains(point) }) else { return .nothing }
        switch tile.item {
        case .header(let section):
            // In a transposed grid, ▸ or ▾ is in the first line of the header, before its name and without indentation.
            if presentation == .transposed { return .sectionHeader(section, onToggle: point.y == tile.y && point.x - tile.x <= 1) }
            return .sectionHeader(section, onToggle: abs(point.x - toggleX(of: section)) <= 1)
        case .row(let row):
            if point.y == accessoryY { return .accessory(row) }
            if presentation == .transposed { return field.map { .cell(row: row, column: $0.index) } ?? .rowHeader(tile.item) }
            // Accept the whole height of the card, because the single line of the symbol is hard to hit.
            if let symbol = accessoryPoint(ofCard: tile), point.x >= symbol.x - 1 { return .accessory(row) }
            return .cell(row: row, column: slot(at: point)?.index ?? cursor.column)
        }
    }

    /// The edge after the header of a transposed row at `point`, which resizes the rows; `nil` if there is no such edge.
    private func rowSeparator(at point: GridPoint) -> GridHit? {
        guard presentation == .transposed, (sectionLineCount..<headerHeight).contains(point.y), point.x >= titleWidth else { return nil }
        for (tile, next) in zip(tiles, tiles.dropFirst().map(Optional.some) + [nil]) where tile.isWhole {
            guard case .row(let row) = tile.item, tile.pane != .frozenBottom else { continue }
            if Self.isEdge(point.x, of: tile.x..<tile.x + tile.width, before: next?.x) { return .rowSeparator(row) }
        }
        return nil
    }
}
