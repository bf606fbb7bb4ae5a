extension GridState {
    /// More lines than any screen has.
    static let greatestHeight = 10_000

    mutating func setHeight(_ height: Int?, of row: RowID) {
        heights.set(height.map { $0.clamped(to: 1...Self.greatestHeight) }, of: row, in: rows)
        revealCursor()
    }

    /// Takes another source of heights, as after content has changed; the top row stays in place. O(columns + visible items).
    public mutating func updateHeights(from source: (any RowHeightSource)?) {
        let wasInSight = showsCursor
        rowHeightSource = source
        if wasInSight, drag == nil { revealCursor() } else { clampScroll() }
    }

    /// Runs `body` with the heights known so far: after rows came or went, the source must not be asked by their old ids.
    func recalling<Found>(_ body: (GridState) -> Found) -> Found {
        var recalled = self
        recalled.rowHeightSource = rowHeightSource?.recalled()
        return body(recalled)
    }

    // MARK: Laying out anew

    /// A row that stays where it is on the screen while others become higher or lower, or cards are dealt out to other lines.
    struct HeldRow {
        var item: GridItem
        /// Lines below the upper edge of the pane.
        var line: Int
        fileprivate var spread: Spread
    }

    /// What decides how far rows are from each other, beside the rows themselves.
    fileprivate enum Spread: Equatable {
        case lines(AutomaticHeights.Wrapping?)
        /// Cards of a line; `nil` across.
        case tiles(GridSize?)
    }

    private var spread: Spread {
        tileGeometry.map { .tiles($0.lineSize) } ?? .lines(LineGeometry(self).heights.wrapping)
    }

    /// The cursor's row, when it is in sight and `action` may change how far rows are from each other.
    func heldRow(through action: GridAction) -> HeldRow? {
        switch action {
        // These say themselves what is seen afterwards.
        case .restore, .setRows, .growRows, .pointerDown, .pointerMoved, .pointerUp, .cancelDrag, .dragTick: return nil
        case .set, .present, .resize: break
        default: guard metrics.hasAutomaticRowHeights || shownPresentation == .cards else { return nil }
        }
        return cursorLine.map { HeldRow(item: cursor.item, line: $0, spread: spread) }
    }

    /// Whether some of the cell or header that the cursor is on can be seen.
    var showsCursor: Bool {
        let layout = layout
        guard layout.items.contains(cursor.item) else { return false }
        switch layout.presentation {
        case .table, .adaptive: return layout.columns.contains { $0.index == cursor.column }
        case .transposed: return layout.fields.contains { $0.index == cursor.column }
        // A card is seen whole, or as much of it as there is room for.
        case .cards: return true
        }
    }

    /// Lines of the cursor's row below the upper edge of the pane; `nil` when it is out of sight, and where rows stand beside each other.
    var cursorLine: Int? {
        guard let tiles = tileGeometry else {
            let lines = LineGeometry(self)
            let line = lines.page(from: scroll.top).lines.first { $0.item == cursor.item && $0.pane == .scrolling }
            return line.map { $0.y - lines.pane.lowerBound } ?? (lines.frozen.contains { $0.item == cursor.item } ? 0 : nil)
        }
        guard !tiles.rowsGoAcross else { return nil }
        let tile = tiles.tiles.first { $0.item == cursor.item && ($0.pane == .scrolling || $0.pane == .frozen) }
        return tile.map { max(0, $0.y - tiles.pane.lowerBound) }
    }

    /// Puts the row back to where it was if rows have other places now and the cursor is still on it.
    mutating func hold(_ held: HeldRow) {
        guard cursor.item == held.item, spread != held.spread, outline.itemCount > 0 else { return }
        scroll(placing: outline.index(of: cursor.item), atLine: held.line)
        revealCursor()
    }

    /// Scrolls so that an item stands nearest to a line below the upper edge of the pane, where items scroll vertically.
    mutating func scroll(placing index: Int, atLine line: Int) {
        if let tiles = tileGeometry {
            if let top = tiles.top(placing: index, atLine: line) { scroll.top = top }
        } else if case let lines = LineGeometry(self), lines.items.contains(index) {
            scroll.top = lines.top(placing: index, atLine: line)
        }
    }
}
