extension GridState {
    mutating func revealCursor() {
        if let tiles = tileGeometry { return revealAmongTiles(tiles) }
        let geometry = ColumnGeometry(self)
        clampColumns(geometry)
        let isEmpty = outline.itemCount == 0 || columns.count == 0 || size.width == 0 || size.height == 0
        if !isEmpty { revealColumn(cursor.column, geometry) }
        // Which columns are in sight may decide how high rows are.
        let lines = LineGeometry(self)
        scroll.top = lines.clampedTop(scroll.top)
        if !isEmpty { revealItem(outline.index(of: cursor.item), lines) }
    }

    private mutating func revealItem(_ index: Int, _ lines: LineGeometry) {
        guard lines.items.contains(index) else { return }
        // Headers that stick cover the first lines of the pane; the cursor must come out below them.
        scroll.top = lines.pageSize == nil ? min(scroll.top, index - lines.cover(of: index).count) : lines.items.lowerBound
        scroll.top = max(scroll.top, lines.firstTop(showing: index))
        guard let pull, pull.uncovered > 0, !lines.shows(index, from: scroll.top) else { return }
        // There is no room for both.
        self.pull?.uncovered = 0
        revealItem(index, LineGeometry(self))
    }

    private mutating func revealColumn(_ index: Int, _ geometry: ColumnGeometry) {
        guard geometry.scrolling.contains(index), geometry.paneWidth > 0 else { return }
        let start = geometry.starts[index]
        let width = geometry.widths[index]
        if geometry.pageStarts != nil {
            // The page it begins on, unless part of it is being read already.
            let isWhole = start >= scroll.x && start + width <= scroll.x + geometry.paneWidth
            let isRead = width > geometry.paneWidth && start <= scroll.x && start + width > scroll.x
            if !isWhole, !isRead { scroll.x = geometry.clampedX(start) }
            return
        }
        // The row header comes into sight with the first column, where it scrolls.
        if start > 0, index == geometry.scrolling.lowerBound, start + width <= geometry.paneWidth { scroll.x = 0 }
        if width >= geometry.paneWidth {
            // Wider than the pane: its beginning, unless part of it is being read already.
            if start > scroll.x || start + width <= scroll.x { scroll.x = start }
        } else if start < scroll.x {
            scroll.x = start
        } else if start + width > scroll.x + geometry.paneWidth {
            // The first column that stays in sight stays whole.
            scroll.x = geometry.firstStart(from: start + width - geometry.paneWidth)
        }
        scroll.x = min(scroll.x, geometry.maximumX)
    }

    /// Scrolls; the cursor is left where it is unless it would leave the pane, then it stays at the pane's edge.
    mutating func scroll(items: Int, columns count: Int) {
        guard outline.itemCount > 0, columns.count > 0 else { return }
        if let tiles = tileGeometry { return scrollTiles(items, columns: count, tiles) }
        if items != 0 {
            let lines = LineGeometry(self)
            scrollTop(to: scroll.top + lines.wholePages(items), lines)
        }
        if count != 0 {
            let geometry = ColumnGeometry(self)
            scroll.x = geometry.x(afterScrollingFrom: scroll.x, by: count)
            let sight = geometry.wholeColumns(at: scroll.x)
            if geometry.scrolling.contains(cursor.column), let sight { cursor.column = cursor.column.clamped(to: sight) }
        }
    }

    /// Scrolls up or down by lines, as far as items go into them.
    mutating func scroll(lines count: Int) {
        guard outline.itemCount > 0, columns.count > 0, count != 0 else { return }
        if let tiles = tileGeometry { return scrollTiles(count.signum(), columns: 0, tiles) }
        let lines = LineGeometry(self)
        if lines.pageSize != nil { return scroll(items: count.signum(), columns: 0) }
        let top = lines.top(scroll.top, scrolledBy: count)
        // An item with more lines than that is still one step.
        scrollTop(to: top == scroll.top ? top + count.signum() : top, lines)
    }

    /// Scrolls to an item; the cursor stays whole and below the headers that stick.
    private mutating func scrollTop(to top: Int, _ lines: LineGeometry) {
        scroll.top = lines.clampedTop(top)
        let index = outline.index(of: cursor.item)
        let seen = lines.page(from: scroll.top).lines.filter { $0.pane == .scrolling && $0.isWhole }
        if lines.items.contains(index), let first = seen.first, let last = seen.last {
            cursor.item = outline.item(at: index.clamped(to: first.index...last.index))
        }
    }

    mutating func clampScroll() {
        if let tiles = tileGeometry { return clampScroll(tiles) }
        clampColumns(ColumnGeometry(self))
        scroll.top = LineGeometry(self).clampedTop(scroll.top)
    }

    private mutating func clampColumns(_ geometry: ColumnGeometry) { scroll.x = geometry.clampedX(scroll.x) }
}
