/// At which item the pane should begin.
extension LineGeometry {
    /// So many lines are gone through item by item.
    private static let near = 256

    /// The greatest useful scroll position: the last item is seen whole, and nothing is wasted below it.
    var lastTop: Int { max(items.lowerBound, firstTop(showing: items.upperBound - 1)) }

    /// A scroll position, or the nearest at which there is something to see. At most as many rows are measured as a pane shows.
    func clampedTop(_ top: Int) -> Int {
        let first = items.lowerBound
        if let pageSize { return pageTop(of: top.clamped(to: first...max(first, items.upperBound - 1)), pageSize) }
        // Items are a line high at least: only near the end it matters how high they are.
        if top >= first, top <= items.upperBound - scrolledPane.count { return top }
        return top.clamped(to: first...lastTop)
    }

    private func pageTop(of index: Int, _ size: Int) -> Int { index - (index - items.lowerBound) % size }

    /// The scroll position at which item `index` stands as near as can be to `line` lines below the upper edge of the pane.
    func top(placing index: Int, atLine line: Int) -> Int {
        var top = index
        var used = 0
        while top > items.lowerBound {
            let more = used + height(of: top - 1)
            guard abs(more - line) < abs(used - line) else { break }
            used = more
            top -= 1
        }
        return top
    }

    /// The scroll position that is `lines` lines further than `top`, or less by a part of an item; the nearest page when turned by pages.
    func top(_ top: Int, scrolledBy lines: Int) -> Int {
        guard lines != 0 else { return top }
        if let pageSize {
            return clampedTop(top + Int((Double(lines) / Double(pageSize * heights.rowHeight)).rounded()) * pageSize)
        }
        if isIndexed, heights.isUniform { return clampedTop(top + lines / heights.rowHeight) }
        // Among sections what is near is found by steps: there may be many stretches of them to be counted.
        if outline.tree == nil || abs(lines) > Self.near, let above = self.lines(above: top), let item = item(atLine: max(0, above + lines))
        {
            // Going back, an item that would begin further up than that is left out.
            return clampedTop(lines < 0 && self.lines(above: item)! < above + lines ? item + 1 : item)
        }
        var top = top
        var rest = abs(lines)
        while lines > 0 ? top < items.upperBound - 1 : top > items.lowerBound {
            rest -= height(of: lines > 0 ? top : top - 1)
            guard rest >= 0 else { break }
            top += lines > 0 ? 1 : -1
        }
        return clampedTop(top)
    }

    /// The scroll position after turning back from `top` to `target`; what stands above the first item hides no item not seen yet.
    func top(_ top: Int, turnedBackTo target: Int) -> Int {
        let first = items.lowerBound
        guard target == first, top > first, firstPane != scrolledPane, page(from: first).whole < top - first else { return target }
        return first + 1
    }

    /// The scroll position after turning a page from `top` to `target`: nearer where sticky headers would hide items at both positions.
    func top(_ top: Int, turnedTo target: Int) -> Int {
        var target = target
        guard heights.hasDelegatedHeaders || heights.headerHeight > 1, let here = itemsSeen(from: top) else { return target }
        while target > top + 1, let there = itemsSeen(from: target), there.lowerBound > here.upperBound + 1 { target -= 1 }
        while target < top - 1, let there = itemsSeen(from: target), there.upperBound < here.lowerBound - 1 { target += 1 }
        return target
    }

    /// The items that are seen whole below what sticks when the pane begins with item `top`, or the only one that is seen.
    func itemsSeen(from top: Int) -> ClosedRange<Int>? {
        let lines = page(from: top).lines.filter { $0.pane == .scrolling }
        return lines.first.map { first in first.index...max(first.index, lines.last { $0.isWhole }?.index ?? first.index) }
    }

    /// The least scroll position at which item `index` is seen whole; the last one with what stands behind it.
    func firstTop(showing index: Int) -> Int {
        let first = items.lowerBound
        guard items.contains(index) else { return first }
        if let pageSize { return pageTop(of: index, pageSize) }
        // As far as there is room for that.
        let behind = index == items.upperBound - 1 ? loaderLines : 0
        let rest = min(behind, max(0, scrolledPane.count - height(of: index) - cover(of: index).lines))
        let top = firstTop(showing: index, in: scrolledPane.count - rest, rest)
        // What stands above the first item alone takes its lines from the pane; headers that stick would take as many.
        guard firstPane != scrolledPane, top == first, index - cover(of: index).count > first, !shows(index, from: first, rest) else {
            return top
        }
        return first + 1
    }

    private func firstTop(showing index: Int, in room: Int, _ rest: Int) -> Int {
        let first = items.lowerBound
        if isIndexed {
            // The first row that begins late enough.
            let least = self.index.lines(before: index + 1, heights.common) - room
            guard least > 0 else { return first }
            let row = self.index.position(atLine: least, heights.common)
            let isCut = self.index.lines(before: row, heights.common) < least
            return max(first, min(index, isCut ? row + 1 : row))
        }
        var top = index
        var used = height(of: index)
        while top > first, used + height(of: top - 1) <= room {
            top -= 1
            used += height(of: top)
        }
        // Stuck headers may be lower or higher than the rows that they cover: there may be room for some more, or for some less.
        let nearest = max(first, index - cover(of: index).count)
        top = min(top, nearest)
        while top < nearest, !shows(index, from: top, rest) { top += 1 }
        while top > first, shows(index, from: top - 1, rest) { top -= 1 }
        return top
    }

    /// Whether an item is seen whole, with `rest` lines behind it, when the pane begins with item `top`.
    func shows(_ index: Int, from top: Int, _ rest: Int = 0) -> Bool {
        let end = pane(from: top).upperBound - rest
        return page(from: top).lines.contains { $0.index == index && $0.pane == .scrolling && $0.isWhole && $0.range.upperBound <= end }
    }

    /// So many items or, when the grid is turned by pages, so many whole pages that hold them.
    func wholePages(_ items: Int) -> Int {
        guard let pageSize else { return items }
        return (abs(items) + pageSize - 1) / pageSize * pageSize * items.signum()
    }
}
