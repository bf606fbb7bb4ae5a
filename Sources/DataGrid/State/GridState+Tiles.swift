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

    /// Shows the rows another way; the cursor's row stays in sight.
    mutating func present(_ presentation: GridPresentation) {
        let before = shownPresentation
        self.presentation = presentation
        if shownPresentation != before { presentationChanged() }
        revealCursor()
    }

    /// Scroll positions mean something else; the cursor says where to look.
    mutating func presentationChanged() {
        drag = nil
        dragOrigin = nil
        scroll.x = 0
        if outline.itemCount > 0 { scroll.top = outline.index(of: cursor.item) }
    }

    // MARK: Moving and scrolling

    /// Arrows and pages among tiles; `nil` for motions that mean the same everywhere.
    func moveAmongTiles(_ motion: GridMotion, _ geometry: any TileGeometry) -> (item: Int, column: Int)? {
        let item = outline.index(of: cursor.item)
        if geometry.rowsGoAcross {
            switch motion {
            case .up(let count): return (item, cursor.column - min(count, cursor.column))
            case .down(let count): return (item, cursor.column + min(count, columns.count - 1 - cursor.column))
            case .pageLeft: return (item, max(0, cursor.column - max(1, geometry.pageFieldCount)))
            case .pageRight: return (item, min(columns.count - 1, cursor.column + max(1, geometry.pageFieldCount)))
            default: break
            }
        }
        return geometry.item(from: item, motion).map { ($0, cursor.column) }
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
        let layout = layout
        let seen = layout.tiles.filter { !$0.isFixed && $0.isWhole }
        let item = outline.index(of: cursor.item)
        if let first = seen.first, let last = seen.last, !layout.tiles.contains(where: { $0.isFixed && $0.index == item }) {
            cursor.item = outline.item(at: item.clamped(to: first.index...last.index))
        }
        let scrolling = layout.fields.filter { !$0.isFixed }
        if let first = scrolling.first, let last = scrolling.last,
            !layout.fields.contains(where: { $0.isFixed && $0.index == cursor.column })
        {
            cursor.column = cursor.column.clamped(to: first.index...last.index)
        }
    }

    // MARK: The pointer

    /// Scrolls from where a drag began, by a step for each tile that the pointer has gone.
    mutating func panTiles(_ tiles: any TileGeometry, _ from: GridScroll, by distance: GridPoint) {
        scroll = tiles.scroll(from, pannedBy: distance)
        clampScroll(tiles)
    }

    /// Extends the selection to the tile nearest to the pointer.
    mutating func extendAmongTiles(to point: GridPoint) {
        let layout = layout
        guard let tile = layout.tile(nearest: point) else { return }
        cursor.item = tile.item
        if let field = layout.field(nearestY: point.y) { cursor.column = field.index }
        extendSelection()
        revealCursor()
    }

    /// Scrolls on while a column or rows are held at an edge of what scrolls.
    mutating func scrollOn(_ reordering: Reordering, _ tiles: any TileGeometry, _ layout: GridLayout) {
        func step(_ at: Int, first: Int?, end: Int) -> Int { at <= first ?? 0 ? -1 : at >= end - 1 ? 1 : 0 }
        let now = reordering.now
        let first = layout.tiles.first { !$0.isFixed }
        switch reordering.subject {
        case .column:
            let steps = step(now.y, first: layout.fields.first { !$0.isFixed }?.y, end: layout.pane.upperBound)
            scroll.x = tiles.firstField(scroll.x, scrolledBy: steps)
        case .rows where tiles.rowsGoAcross:
            scroll.top = tiles.top(scroll.top, scrolledBy: step(now.x, first: first?.x, end: tiles.paneColumns.upperBound))
        case .rows:
            scroll.top = tiles.top(scroll.top, scrolledBy: step(now.y, first: first?.y, end: layout.pane.upperBound))
        }
        clampScroll(tiles)
    }
}

extension GridLayout {
    /// Where what stands at the end of a card is drawn, a blank before it: in its last terminal cell, half-way down, which may be out of
    /// sight; `nil` when no room is kept for that.
    public func accessoryPlace(ofCard tile: TileSpan) -> GridPoint? {
        guard hasCardAccessories, tile.width >= 3 * ColumnGeometry.accessoryWidth else { return nil }
        return GridPoint(x: tile.x + tile.width - 1, y: tile.y + (tile.fullHeight - 1) / 2)
    }

    /// The tile in sight nearest to a point.
    func tile(nearest point: GridPoint) -> TileSpan? { tiles.min { $0.distance(to: point) < $1.distance(to: point) } }

    /// The line of a column in sight nearest to line `y`.
    func field(nearestY y: Int) -> FieldSpan? { fields.min { abs($0.y - y) < abs($1.y - y) } }

    /// What is at a point among tiles.
    func tileHit(_ point: GridPoint) -> GridHit {
        if point.x == scrollBarX { return .scrollBar(scrollPart(atY: point.y)) }
        if strips.contains(where: { $0.contains(point) }) { return .nothing }
        let field = fields.first { $0.range.contains(point.y) }
        if point.x < titleWidth { return field.map { .header($0.index) } ?? .corner }
        guard let tile = tiles.first(where: { $0.contains(point) }) else { return .nothing }
        switch tile.item {
        case .header(let section): return .sectionHeader(section, onToggle: point.x - tile.x - toggleX(of: section) <= 1)
        case .row(let row):
            if point.y == accessoryY { return .accessory(row) }
            if presentation == .transposed { return field.map { .cell(row: row, column: $0.index) } ?? .rowHeader(tile.item) }
            // All of the card's height is easier to hit than the line on which it stands.
            if let place = accessoryPlace(ofCard: tile), point.x >= place.x - 1 { return .accessory(row) }
            return .cell(row: row, column: cardColumn)
        }
    }
}
