/// Vertical scroll positions. A scroll position is the index of the first item of the pane.
extension LineGeometry {
    /// The maximum distance in lines for which a scroll measures each item separately.
    private static let maximumMeasuredLines = 256

    /// The maximum scroll position, at which the last item is fully visible at the end of the pane.
    var lastTop: Int { max(items.lowerBound, firstTop(showing: items.upperBound - 1)) }

    /// The valid scroll position nearest to `top`. Reads the heights of at most one pane of rows.
    func clampedTop(_ top: Int) -> Int {
        let first = items.lowerBound
        if let pageSize { return pageTop(of: top.clamped(to: first...max(first, items.upperBound - 1)), pageSize) }
        // Each item has at least one line. Therefore only items near the end need their heights to be read.
        if top >= first, top <= items.upperBound - scrolledPane.count { return top }
        return top.clamped(to: first...lastTop)
    }

    private func pageTop(of index: Int, _ size: Int) -> Int { index - (index - items.lowerBound) % size }

    /// The scroll position at which item `index` is as near as possible to `line` lines below the top of the pane.
    func topItem(placing index: Int, atLine line: Int) -> Int {
        var top = index
        var used = 0
        while top > items.lowerBound {
            let extended = used + height(of: top - 1)
            guard abs(extended - line) < abs(used - line) else { break }
            used = extended
            top -= 1
        }
        return top
    }

    /// The scroll position after scrolling by `lines` lines from `top`, down if positive. The distance is shortened to whole items. If
    /// the grid scrolls by pages, it is rounded to the nearest page.
    func topItem(from top: Int, scrolledBy lines: Int) -> Int {
        guard lines != 0 else { return top }
        if let pageSize {
            return clampedTop(top + Int((Double(lines) / Double(pageSize * heights.rowHeight)).rounded()) * pageSize)
        }
        if canCountLinesDirectly, heights.isUniform { return clampedTop(top + lines / heights.rowHeight) }
        // With sections, measure short distances item by item. Counting all lines above an item is slower if expanded and collapsed
        // sections alternate often.
        if outline.tree == nil || abs(lines) > Self.maximumMeasuredLines, let above = self.lines(above: top),
            let item = item(atLine: max(0, above + lines))
        {
            // Scrolling back, do not scroll by more than `lines`.
            return clampedTop(lines < 0 && self.lines(above: item)! < above + lines ? item + 1 : item)
        }
        var top = top
        var remaining = abs(lines)
        while lines > 0 ? top < items.upperBound - 1 : top > items.lowerBound {
            remaining -= height(of: lines > 0 ? top : top - 1)
            guard remaining >= 0 else { break }
            top += lines > 0 ? 1 : -1
        }
        return clampedTop(top)
    }

    /// The scroll position for paging back from `top` to `target`. It is one item after `target` if an item would otherwise be skipped.
    ///
    /// Items would be skipped if a header or pull strip becomes visible at the top and leaves fewer lines for items.
    func topItem(from top: Int, pagedBackTo target: Int) -> Int {
        let first = items.lowerBound
        guard target == first, top > first, firstPane != scrolledPane, page(from: first).wholeCount < top - first else { return target }
        return first + 1
    }

    /// The scroll position for paging from `top` to `target`. It is usually `target`. If sticky headers would cover an item at both
    /// positions, the result is nearer to `top`, so that this item is not skipped.
    func topItem(from top: Int, pagedTo target: Int) -> Int {
        var target = target
        guard heights.hasDelegatedHeaders || heights.headerHeight > 1, let oldItems = visibleItems(from: top) else { return target }
        while target > top + 1, let newItems = visibleItems(from: target), newItems.lowerBound > oldItems.upperBound + 1 { target -= 1 }
        while target < top - 1, let newItems = visibleItems(from: target), newItems.upperBound < oldItems.lowerBound - 1 { target += 1 }
        return target
    }

    /// The fully visible items below the sticky headers if the pane starts with item `top`. If no item is fully visible, the first
    /// visible item.
    func visibleItems(from top: Int) -> ClosedRange<Int>? {
        let lines = page(from: top).lines.filter { $0.pane == .scrolling }
        return lines.first.map { first in first.index...max(first.index, lines.last { $0.isWhole }?.index ?? first.index) }
    }

    /// The smallest scroll position at which item `index` is fully visible. For the last item, the loader after it is visible, too.
    func firstTop(showing index: Int) -> Int {
        let first = items.lowerBound
        guard items.contains(index) else { return first }
        if let pageSize { return pageTop(of: index, pageSize) }
        // Include the loader only if it fits.
        let below = index == items.upperBound - 1 ? loaderLines : 0
        let rest = min(below, max(0, scrolledPane.count - height(of: index) - stickyHeaders(above: index).lines))
        let top = firstTop(showing: index, in: scrolledPane.count - rest, followedBy: rest)
        // A header that scrolls, or a pull strip, takes lines only at the first scroll position. Scrolling by one item frees these lines,
        // unless sticky headers would then cover the item.
        guard firstPane != scrolledPane, top == first, index - stickyHeaders(above: index).count > first,
            !shows(index, from: first, followedBy: rest)
        else {
            return top
        }
        return first + 1
    }

    private func firstTop(showing index: Int, in room: Int, followedBy rest: Int) -> Int {
        let first = items.lowerBound
        if canCountLinesDirectly {
            // Find the first row that starts at most `room` lines before the end of item `index`. This row and the rows after it fit in
            // the pane.
            let minimum = lineIndex.lines(before: index + 1, heights.defaultHeight) - room
            guard minimum > 0 else { return first }
            let row = lineIndex.position(atLine: minimum, heights.defaultHeight)
            let isTruncated = lineIndex.lines(before: row, heights.defaultHeight) < minimum
            return max(first, min(index, isTruncated ? row + 1 : row))
        }
        var top = index
        var used = height(of: index)
        while top > first, used + height(of: top - 1) <= room {
            top -= 1
            used += height(of: top)
        }
        // Stuck headers may be shorter or taller than the rows that they cover. Correct the result in both directions.
        let nearest = max(first, index - stickyHeaders(above: index).count)
        top = min(top, nearest)
        while top < nearest, !shows(index, from: top, followedBy: rest) { top += 1 }
        while top > first, shows(index, from: top - 1, followedBy: rest) { top -= 1 }
        return top
    }

    /// True if item `index` is fully visible and followed by at least `rest` lines, when the pane starts with item `top`.
    func shows(_ index: Int, from top: Int, followedBy rest: Int = 0) -> Bool {
        let end = pane(from: top).upperBound - rest
        return page(from: top).lines.contains { $0.index == index && $0.pane == .scrolling && $0.isWhole && $0.range.upperBound <= end }
    }

    /// The number `items` or, if the grid scrolls by pages, the number rounded up to whole pages.
    func roundedUpToPages(_ items: Int) -> Int {
        guard let pageSize else { return items }
        return (abs(items) + pageSize - 1) / pageSize * pageSize * items.signum()
    }
}
