extension GridState {
    /// The maximum number of lines of a row, which is more than any screen has.
    static let maximumHeight = 10_000

    mutating func setHeight(_ height: Int?, of row: RowID) {
        heights.set(height.map { $0.clamped(to: 1...Self.maximumHeight) }, of: row, in: rows)
        revealCursor()
    }

    /// Sets another object that computes row heights, such as after a content change. The top row stays at the top of the pane. O(columns
    /// + visible items).
    public mutating func updateHeights(from source: (any RowHeightSource)?) {
        let wasVisible = showsCursor
        rowHeightSource = source
        if wasVisible, drag == nil { revealCursor() } else { clampScroll() }
    }

    /// Runs `body` on a copy of the state that uses cached heights only. After rows were inserted or removed, the source of heights no
    /// longer knows the old row ids.
    func withCachedHeights<Found>(_ body: (GridState) -> Found) -> Found {
        var cached = self
        cached.rowHeightSource = rowHeightSource?.cachedOnly()
        return body(cached)
    }

    // MARK: Layout changes

    /// The row under the cursor, which keeps its line on the screen while row heights or the arrangement of cards change.
    struct AnchoredRow {
        var item: GridItem
        /// The line of the row, counted from the top of the pane.
        var line: Int
        fileprivate var rowSpacing: RowSpacing
    }

    /// The values that determine the distance between rows. If they change, the cursor's row has to be scrolled back to its line.
    fileprivate enum RowSpacing: Equatable {
        case lines(AutomaticHeights.Wrapping?)
        /// The number of cards in a line, and the number of screen lines that a line of cards takes; `nil` in a transposed grid.
        case tiles(GridSize?)
    }

    private var rowSpacing: RowSpacing {
        tileGeometry.map { .tiles($0.lineSize) } ?? .lines(LineGeometry(self).heights.wrapping)
    }

    /// The row under the cursor with its line. `nil` if it is not visible, or if `action` cannot change the distance between rows.
    func anchoredRow(for action: GridAction) -> AnchoredRow? {
        switch action {
        // These actions determine the scroll position in another way.
        case .restore, .setRows, .growRows, .pointerDown, .pointerMoved, .pointerUp, .cancelDrag, .dragTick: return nil
        case .setMetrics, .setPresentation, .resize: break
        default: guard metrics.hasAutomaticRowHeights || effectivePresentation == .cards else { return nil }
        }
        return cursorLine.map { AnchoredRow(item: cursor.item, line: $0, rowSpacing: rowSpacing) }
    }

    /// True if a part of the current cell, or of the section header under the cursor, is visible.
    var showsCursor: Bool {
        let layout = layout
        guard layout.items.contains(cursor.item) else { return false }
        switch layout.presentation {
        case .table, .adaptive: return layout.columns.contains { $0.index == cursor.column }
        case .transposed: return layout.fields.contains { $0.index == cursor.column }
        // A visible card is completely visible, unless it is taller than the pane.
        case .cards: return true
        }
    }

    /// The line of the cursor's row, counted from the top of the pane; `nil` if the row is not visible, and always in a transposed grid.
    var cursorLine: Int? {
        guard let tiles = tileGeometry else {
            let lines = LineGeometry(self)
            let line = lines.page(from: scroll.top).lines.first { $0.item == cursor.item && $0.pane == .scrolling }
            return line.map { $0.y - lines.pane.lowerBound } ?? (lines.frozenSpans.contains { $0.item == cursor.item } ? 0 : nil)
        }
        guard !tiles.isTransposed else { return nil }
        let tile = tiles.tiles.first { $0.item == cursor.item && ($0.pane == .scrolling || $0.pane == .frozenTop) }
        return tile.map { max(0, $0.y - tiles.pane.lowerBound) }
    }

    /// Scrolls the row under the cursor back to its line, if the distance between rows has changed and the cursor is still on the row.
    mutating func keepInPlace(_ anchoredRow: AnchoredRow) {
        guard cursor.item == anchoredRow.item, rowSpacing != anchoredRow.rowSpacing, outline.itemCount > 0 else { return }
        scroll(placing: outline.index(of: cursor.item), atLine: anchoredRow.line)
        revealCursor()
    }

    /// Scrolls so that item `index` is as close as possible to a line, counted from the top of the pane. No effect in a transposed grid.
    mutating func scroll(placing index: Int, atLine line: Int) {
        if let tiles = tileGeometry {
            if let top = tiles.topItem(placing: index, atLine: line) { scroll.top = top }
        } else if case let lines = LineGeometry(self), lines.items.contains(index) {
            scroll.top = lines.topItem(placing: index, atLine: line)
        }
    }
}
