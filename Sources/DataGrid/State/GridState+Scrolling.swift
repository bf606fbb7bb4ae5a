import FieldValues

extension GridState {
    mutating func revealCursor() {
        if let tiles = tileGeometry { return revealCursorAmongTiles(tiles) }
        let geometry = ColumnGeometry(self)
        clampColumns(geometry)
        let isVisible = columns.count > 0 && size.width > 0 && size.height > 0
        if isVisible { revealColumn(cursor.column, geometry) }
        // Scroll sideways first, because the visible columns may determine automatic row heights.
        let lines = LineGeometry(self)
        scroll.top = lines.clampedTop(scroll.top)
        if isVisible, outline.itemCount > 0 { revealItem(outline.index(of: cursor.item), lines) }
    }

    private mutating func revealItem(_ index: Int, _ lines: LineGeometry) {
        guard lines.items.contains(index) else { return }
        // Do not scroll if the item is visible. The code below could scroll in a pane with few lines, because fewer headers stick there
        // than ``LineGeometry/stickyHeaders(above:)`` counts.
        if outline.tree != nil, lines.shows(index, from: scroll.top) { return }
        // Scroll back far enough to show the item below the sticky headers, which cover the first lines of the pane.
        scroll.top = lines.pageSize == nil ? min(scroll.top, index - lines.stickyHeaders(above: index).count) : lines.items.lowerBound
        scroll.top = max(scroll.top, lines.firstTop(showing: index))
        guard let pull, pull.uncovered > 0, !lines.shows(index, from: scroll.top) else { return }
        // Cover the pull strip, because there is no room for both the cursor and the strip.
        self.pull?.uncovered = 0
        revealItem(index, LineGeometry(self))
    }

    private mutating func revealColumn(_ index: Int, _ geometry: ColumnGeometry) {
        guard geometry.scrolling.contains(index), geometry.paneWidth > 0 else { return }
        let start = geometry.starts[index]
        let width = geometry.widths[index]
        if geometry.pageStarts != nil {
            // Go to the page on which the column begins. Do not scroll if the pane is filled by a part of a wide column.
            let isWhole = start >= scroll.x && start + width <= scroll.x + geometry.paneWidth
            let isRead = width > geometry.paneWidth && start <= scroll.x && start + width > scroll.x
            if !isWhole, !isRead { scroll.x = geometry.clampedX(start) }
            return
        }
        // Show the row header together with the first column, if both scroll.
        if start > 0, index == geometry.scrolling.lowerBound, start + width <= geometry.paneWidth { scroll.x = 0 }
        if width >= geometry.paneWidth {
            // Show the beginning of a column wider than the pane, unless another part of the column is visible.
            if start > scroll.x || start + width <= scroll.x { scroll.x = start }
        } else if start < scroll.x {
            scroll.x = start
        } else if start + width > scroll.x + geometry.paneWidth {
            // Scroll right until the column is visible, and do not clip the first visible column.
            scroll.x = geometry.firstStart(from: start + width - geometry.paneWidth)
        }
        scroll.x = min(scroll.x, geometry.maximumX)
    }

    /// Scrolls by a number of items and a number of columns. The cursor moves only if it would leave the pane, and then stays at the
    /// edge.
    mutating func scroll(items: Int, columns count: Int) {
        guard outline.itemCount > 0, columns.count > 0 else { return }
        // In a transposed grid, the number counts columns.
        let limit = max(outline.itemCount, columns.count)
        let items = items.clamped(to: -limit...limit)
        if let tiles = tileGeometry { return scrollTiles(items, columns: count, tiles) }
        if items != 0 {
            let lines = LineGeometry(self)
            scrollTop(to: scroll.top + lines.roundedUpToPages(items), lines)
        }
        if count != 0 {
            let geometry = ColumnGeometry(self)
            scroll.x = geometry.x(afterScrollingFrom: scroll.x, by: count)
            let visible = geometry.wholeColumns(at: scroll.x)
            if geometry.scrolling.contains(cursor.column), let visible { cursor.column = cursor.column.clamped(to: visible) }
        }
    }

    /// The numbers of items and columns to pass to ``GridAction/scroll(items:columns:)``, so that it scrolls to `target`, or to the next
    /// possible position after `target`. O(columns · log distance).
    package func scrollCounts(to target: GridScroll) -> (items: Int, columns: Int) {
        let (items, fields) = (target.top - scroll.top, target.x - scroll.x)
        switch effectivePresentation {
        case .table, .adaptive:
            let columns = stepCount(covering: fields) { trial, steps in
                trial.scroll(items: 0, columns: steps)
                return trial.scroll.x - scroll.x
            }
            return (items, columns)
        case .cards:
            let lines = stepCount(covering: items) { trial, steps in
                trial.scroll(items: steps, columns: 0)
                return trial.scroll.top - scroll.top
            }
            return (lines, 0)
        case .transposed: return (fields, items)
        }
    }

    /// The smallest number of scroll steps whose distance is at least `distance`; negative for a negative distance. Each step has a
    /// distance of at least 1.
    /// - Parameter distanceAfter: scrolls `trial` by `steps` steps, and returns the distance from the current scroll position.
    private func stepCount(covering distance: Int, _ distanceAfter: (_ trial: inout GridState, _ steps: Int) -> Int) -> Int {
        let sign = distance.signum()
        return sign
            * (0..<abs(distance)).partitioningIndex { steps in
                var trial = self
                return abs(distanceAfter(&trial, sign * steps)) >= abs(distance)
            }
    }

    /// Scrolls vertically by `count` lines, down if positive. The distance is shortened to whole items, but is at least one. Cards,
    /// transposed grids and grids with pages scroll by one step.
    mutating func scroll(lines count: Int) {
        guard outline.itemCount > 0, columns.count > 0, count != 0 else { return }
        if let tiles = tileGeometry { return scrollTiles(count.signum(), columns: 0, tiles) }
        let lines = LineGeometry(self)
        if lines.pageSize != nil { return scroll(items: count.signum(), columns: 0) }
        let count = count.clamped(to: DecodingLimits.rowNumbers)
        let top = lines.topItem(from: scroll.top, scrolledBy: count)
        // Scroll by one item, even if it has more lines than `count`.
        scrollTop(to: top == scroll.top ? top + count.signum() : top, lines)
    }

    /// Scrolls to item `top`. The cursor moves if necessary, so that it stays fully visible and below sticky headers.
    private mutating func scrollTop(to top: Int, _ lines: LineGeometry) {
        scroll.top = lines.clampedTop(top)
        let index = outline.index(of: cursor.item)
        let whole = lines.page(from: scroll.top).lines.filter { $0.pane == .scrolling && $0.isWhole }
        if lines.items.contains(index), let first = whole.first, let last = whole.last {
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
