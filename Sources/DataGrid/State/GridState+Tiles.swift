extension GridState {
    /// How the grid is laid out in the frame it has: ``GridPresentation/adaptive(below:)`` is decided.
    public var shownPresentation: GridPresentation {
        guard case .adaptive(let width) = presentation else { return presentation }
        return size.width < width ? .cards : .table
    }

    /// What places rows that are not lines of a table; `nil` in a table.
    var tileGeometry: (any TileGeometry)? {
        switch shownPresentation {
        case .table, .adaptive: nil
        case .cards: CardFlow(self, right: size.width - (metrics.showsScrollBar && size.width > 1 ? 1 : 0))
        case .transposed: TransposedGeometry(self)
        }
    }

    mutating func present(_ presentation: GridPresentation) { layOut { $0.presentation = presentation } }

    /// Changes how rows are laid out. What is at the top stays there, unless that takes a cursor that was in sight out of it.
    mutating func layOut(_ change: (inout GridState) -> Void) {
        let before = shownPresentation
        let isAway = isCursorAway
        change(&self)
        if shownPresentation != before { presentationChanged() }
        if isAway { clampScroll() } else { revealCursor() }
    }

    private var isCursorAway: Bool {
        let items = layout.items
        return !items.isEmpty && !items.contains(cursor.item)
    }

    /// Scroll positions mean something else.
    private mutating func presentationChanged() {
        drag = nil
        dragOrigin = nil
        scroll.x = 0
    }

    // MARK: The slots of cards

    /// The indices of the columns that stand in slots, as they are read; none elsewhere than among cards.
    var slotColumns: [Int] {
        guard shownPresentation == .cards else { return [] }
        let binding = CardBinding(columns)
        return binding.slots.compactMap { binding[$0].flatMap(columns.index(of:)) }
    }

    /// The column nearest to an index that the cursor can be in: on cards it is only in such that stand in a slot.
    func cursorColumn(nearest index: Int) -> Int {
        slotColumns.min { abs($0 - index) < abs($1 - index) } ?? index.clampedIndex(columns.count)
    }

    /// Where motions among the columns of a card go; `nil` for others. Behind the last slot of a card comes the first of the next.
    private func moveAmongSlots(_ motion: GridMotion, from item: Int) -> (item: Int, column: Int)? {
        let slots = slotColumns
        guard let first = slots.first, let last = slots.last else { return nil }
        let place = cursor.row == nil ? nil : slots.firstIndex(of: cursor.column)
        switch motion {
        case .nextColumn:
            if let place, place + 1 < slots.count { return (item, slots[place + 1]) }
            return item + 1 < outline.itemCount ? (item + 1, first) : (item, cursor.column)
        case .previousColumn:
            if let place, place > 0 { return (item, slots[place - 1]) }
            return item > 0 ? (item - 1, last) : (item, cursor.column)
        case .pageLeft: return (item, first)
        case .pageRight: return (item, last)
        case .column(let index): return (item, cursorColumn(nearest: index))
        default: return nil
        }
    }

    // MARK: Moving and scrolling

    /// Arrows among tiles; `nil` for motions that mean the same everywhere.
    func moveAmongTiles(_ motion: GridMotion, _ geometry: any TileGeometry) -> (item: Int, column: Int)? {
        let item = outline.index(of: cursor.item)
        if geometry.rowsGoAcross {
            switch motion {
            case .up(let count): return (item, cursor.column - min(count, cursor.column))
            case .down(let count): return (item, cursor.column + min(count, columns.count - 1 - cursor.column))
            default: break
            }
        }
        return moveAmongSlots(motion, from: item) ?? geometry.item(from: item, motion).map { ($0, cursor.column) }
    }

    /// Turns pages of tiles, and answers where the cursor goes, as in a table; `nil` for other motions.
    mutating func turnTiles(_ motion: GridMotion, _ geometry: any TileGeometry) -> (item: Int, column: Int)? {
        let item = outline.index(of: cursor.item)
        switch motion {
        case .pageUp: return (turnTiles(geometry, from: item, forward: false), cursor.column)
        case .pageDown: return (turnTiles(geometry, from: item, forward: true), cursor.column)
        case .halfPageUp: return (turnTiles(geometry, from: item, forward: false, isHalf: true), cursor.column)
        case .halfPageDown: return (turnTiles(geometry, from: item, forward: true, isHalf: true), cursor.column)
        case .pageLeft where geometry.rowsGoAcross: return (item, turnFields(geometry, forward: false))
        case .pageRight where geometry.rowsGoAcross: return (item, turnFields(geometry, forward: true))
        default: return nil
        }
    }

    /// Scrolls by a page or half of one, and answers to which item the cursor goes; at an end of the grid it goes to the very end.
    private mutating func turnTiles(_ geometry: any TileGeometry, from item: Int, forward: Bool, isHalf: Bool = false) -> Int {
        let top = geometry.clampedTop(scroll.top)
        let page = geometry.turned(top, forward: forward, isHalf: isHalf)
        scroll.top = page.top
        if page.top == top { return forward ? outline.itemCount - 1 : 0 }
        let count = abs(page.steps)
        let motion: GridMotion = geometry.rowsGoAcross ? forward ? .right(count) : .left(count) : forward ? .down(count) : .up(count)
        guard let seen = itemsSeenAmongTiles else { return scroll.top }
        let next = (geometry.item(from: item, motion) ?? item).clamped(to: seen)
        // Where headers leave no room for a whole tile, back is still back.
        return forward ? next : min(next, max(scroll.top, item - 1))
    }

    private mutating func turnFields(_ geometry: any TileGeometry, forward: Bool) -> Int {
        let first = geometry.clampedField(scroll.x)
        let page = geometry.turnedFields(first, forward: forward)
        scroll.x = page.first
        guard page.first != first, let seen = columnsSeenAmongTiles else { return forward ? columns.count - 1 : 0 }
        return (cursor.column + page.steps).clamped(to: seen)
    }

    private var itemsSeenAmongTiles: ClosedRange<Int>? {
        let seen = layout.tiles.filter { !$0.isFixed && $0.isWhole }
        return seen.first.flatMap { first in seen.last.map { first.index...$0.index } }
    }

    private var columnsSeenAmongTiles: ClosedRange<Int>? {
        let seen = layout.fields.filter { !$0.isFixed }
        return seen.first.flatMap { first in seen.last.map { first.index...$0.index } }
    }

    mutating func revealAmongTiles(_ geometry: any TileGeometry) {
        clampScroll(geometry)
        guard outline.itemCount > 0, size.width > 0, size.height > 0 else { return }
        scroll.x = geometry.firstField(scroll.x, showing: cursor.column)
        scroll.top = geometry.top(scroll.top, showing: outline.index(of: cursor.item))
        guard let pull, pull.uncovered > 0 else { return }
        let layout = layout
        let isSeen =
            geometry.rowsGoAcross
            ? layout.fields.contains { $0.index == cursor.column } : layout.tiles.contains { $0.item == cursor.item && $0.isWhole }
        // There is no room for both.
        if !isSeen { self.pull?.uncovered = 0 }
    }

    mutating func clampScroll(_ geometry: any TileGeometry) {
        scroll.top = geometry.clampedTop(scroll.top)
        scroll.x = geometry.clampedField(scroll.x)
    }

    /// Scrolls by lines of tiles, and in a transposed grid by columns; the cursor stays in sight.
    mutating func scrollTiles(_ steps: Int, columns count: Int, _ geometry: any TileGeometry) {
        guard outline.itemCount > 0 else { return }
        // Where rows stand beside each other, what goes up and down are columns, and what goes sideways are rows.
        if geometry.rowsGoAcross { scroll.x = geometry.firstField(scroll.x, scrolledBy: steps) }
        scroll.top = geometry.top(scroll.top, scrolledBy: geometry.rowsGoAcross ? count : steps)
        keepCursorInSight()
    }

    /// Scrolls to the part of all tiles where the scroll bar was taken to; the cursor stays in sight.
    mutating func scrollTiles(toPart part: Double, _ geometry: any TileGeometry) {
        let first = geometry.clampedTop(0)
        scroll.top = geometry.clampedTop(first + Int(Double(geometry.clampedTop(.max) - first) * part.clamped(to: 0...1)))
        keepCursorInSight()
    }

    private mutating func keepCursorInSight() {
        let layout = layout
        let item = outline.index(of: cursor.item)
        if let seen = itemsSeenAmongTiles, !layout.tiles.contains(where: { $0.isFixed && $0.index == item }) {
            cursor.item = outline.item(at: item.clamped(to: seen))
        }
        if let seen = columnsSeenAmongTiles, !layout.fields.contains(where: { $0.isFixed && $0.index == cursor.column }) {
            cursor.column = cursor.column.clamped(to: seen)
        }
    }

    /// Sets the width of rows that stand beside each other; `nil`: as their columns need.
    /// - Returns: what that brings about: nothing where they do not, or nothing is seen to change.
    mutating func setTransposedRowWidth(_ width: Int?) -> [GridEvent] {
        let before = tileGeometry?.itemWidth
        metrics.transposedRowWidth = width
        // Under the pointer nothing may move but the edge that it holds.
        if drag == nil { revealCursor() } else { clampScroll() }
        guard let after = tileGeometry?.itemWidth, after != before else { return [] }
        return [.rowsResized(width: after)]
    }

    // MARK: The pointer

    /// Scrolls from where a drag began, by a step for each tile that the pointer has gone.
    mutating func panTiles(_ tiles: any TileGeometry, _ from: GridScroll, by distance: GridPoint) {
        scroll = tiles.scroll(from, pannedBy: distance)
        clampScroll(tiles)
    }

    /// Extends the selection to the tile nearest to the pointer; with `isScrolling`, at an edge to one further.
    mutating func extendAmongTiles(_ tiles: any TileGeometry, to point: GridPoint, rows: Bool, isScrolling: Bool) {
        let layout = layout
        guard let tile = layout.tile(nearest: point) else { return }
        let steps = isScrolling ? layout.steps(at: point) : (items: 0, fields: 0)
        // What stays in sight is above what scrolls, wherever its own place is.
        let isAbove = tile.isFixed && tile.pane != .bottom && scroll.top > tiles.clampedTop(0)
        let from = isAbove ? layout.tiles.first { !$0.isFixed }?.index ?? tile.index : tile.index
        let item = tiles.item(from: from, tiles.rowsGoAcross ? .right(steps.items) : .down(steps.items)) ?? from
        var field = layout.field(nearestY: point.y)
        if steps.fields < 0, scroll.x > 0 { field = layout.fields.first { !$0.isFixed } }
        let column = field.map { $0.index + steps.fields } ?? layout.slot(at: point)?.index ?? cursor.column
        cursor.item = outline.item(at: item.clampedIndex(outline.itemCount))
        if !rows { cursor.column = column.clampedIndex(columns.count) }
        extendSelection()
        revealCursor()
    }

    /// Scrolls on while a column or rows are held at an edge of what scrolls.
    mutating func scrollOn(_ reordering: Reordering, _ tiles: any TileGeometry, _ layout: GridLayout) {
        let steps = layout.steps(at: reordering.now)
        switch reordering.subject {
        case .column: scroll.x = tiles.firstField(scroll.x, scrolledBy: steps.fields)
        case .rows: scroll.top = tiles.top(scroll.top, scrolledBy: steps.items)
        }
        clampScroll(tiles)
    }
}

extension GridLayout {
    /// Where what stands at the end of a card is drawn, a blank before it: in its last terminal cell, half-way down, which may be out of
    /// sight; `nil` when no room is kept for that.
    public func accessoryPlace(ofCard tile: TileSpan) -> GridPoint? {
        guard hasCardAccessories else { return nil }
        return GridPoint(x: tile.x + tile.width - 1, y: tile.y + (tile.fullHeight - 1) / 2)
    }

    func tile(nearest point: GridPoint) -> TileSpan? { tiles.min { $0.distance(to: point) < $1.distance(to: point) } }

    func field(nearestY y: Int) -> FieldSpan? { fields.min { abs($0.y - y) < abs($1.y - y) } }

    /// Which ways a pointer that is held at `point` has tiles scroll: -1, 0 or 1, by lines of cards or by rows that stand beside each other,
    /// and by columns that have lines.
    fileprivate func steps(at point: GridPoint) -> (items: Int, fields: Int) {
        func step(_ at: Int, _ first: Int?, _ end: Int) -> Int { at <= first ?? 0 ? -1 : at >= end - 1 ? 1 : 0 }
        let first = tiles.first { !$0.isFixed }
        guard presentation == .transposed else { return (step(point.y, first?.y, pane.upperBound), 0) }
        return (step(point.x, first?.x, paneColumns.upperBound), step(point.y, fields.first { !$0.isFixed }?.y, pane.upperBound))
    }

    /// The part of a slot in sight on one of the cards; `nil` when its line is cut off.
    func frame(of slot: SlotSpan, on tile: TileSpan) -> (origin: GridPoint, size: GridSize)? {
        guard slot.line < tile.height else { return nil }
        return (GridPoint(x: tile.x + slot.x, y: tile.y + slot.line), GridSize(width: slot.width, height: 1))
    }

    func slot(at point: GridPoint) -> SlotSpan? {
        guard let tile = tiles.first(where: { $0.contains(point) }), case .row = tile.item else { return nil }
        return slots.first { $0.line == point.y - tile.y && ($0.x..<$0.x + $0.width).contains(point.x - tile.x) }
    }

    func tileHit(_ point: GridPoint) -> GridHit {
        if point.x == scrollBarX { return .scrollBar(scrollPart(atY: point.y)) }
        if strips.contains(where: { $0.contains(point) }) { return .nothing }
        if let separator = rowSeparator(at: point) { return separator }
        let field = fields.first { $0.range.contains(point.y) }
        if point.x < titleWidth { return field.map { .header($0.index) } ?? .corner }
        guard let tile = tiles.first(where: { $0.contains(point) }) else { return .nothing }
        switch tile.item {
        case .header(let section):
            // Across, it stands before the name, not indented and in one of the tile's lines.
            if presentation == .transposed { return .sectionHeader(section, onToggle: point.y == headerHeight && point.x - tile.x <= 1) }
            return .sectionHeader(section, onToggle: abs(point.x - toggleX(of: section)) <= 1)
        case .row(let row):
            if point.y == accessoryY { return .accessory(row) }
            if presentation == .transposed { return field.map { .cell(row: row, column: $0.index) } ?? .rowHeader(tile.item) }
            // All of the card's height is easier to hit than the line on which it stands.
            if let place = accessoryPlace(ofCard: tile), point.x >= place.x - 1 { return .accessory(row) }
            return .cell(row: row, column: slot(at: point)?.index ?? cardColumn)
        }
    }

    /// The space behind the header of a row that stands beside others.
    private func rowSeparator(at point: GridPoint) -> GridHit? {
        guard presentation == .transposed, point.y < headerHeight, point.x >= titleWidth else { return nil }
        for (tile, next) in zip(tiles, tiles.dropFirst().map(Optional.some) + [nil]) where tile.isWhole {
            guard case .row(let row) = tile.item, tile.pane != .bottom else { continue }
            if Self.isEdge(point.x, of: tile.x..<tile.x + tile.width, before: next?.x) { return .rowSeparator(row) }
        }
        return nil
    }
}
