/// Where the items stand from top to bottom: a pure function of the state.
///
/// Items of one height are placed in O(1), rows some of which have a height of their own in O(log rows). Rows of several lines among
/// headers of one, and rows as high as their content needs, are counted back from where they shall end: a pane's worth at most.
struct LineGeometry {
    let outline: Outline
    private let heights: ItemHeights
    private let index: LineIndex
    /// Lines of the header in sight, at the top.
    let header: HeaderLines
    /// The items frozen at the top, as far as there is room.
    let frozen: [LineSpan]
    /// The items frozen at the bottom, as far as there is room.
    let bottom: [LineSpan]
    /// What else stands still.
    let strips: [GridStrip]
    /// Where there was no room for all that should be frozen.
    let yielding: FrozenSides
    /// The items that scroll.
    let items: Range<Int>
    /// The lines in which items scroll.
    let pane: Range<Int>
    /// The same when the first item is scrolled out, and when it is not: a header that scrolls and a strip that is pulled out stand above
    /// that.
    private let scrolledPane: Range<Int>
    private let firstPane: Range<Int>
    /// Items of a page when the grid is turned by whole pages.
    let pageSize: Int?
    /// Lines behind the last item.
    private let loaderLines: Int

    /// What the pane shows.
    struct Page {
        var lines: [LineSpan] = []
        /// What stands behind the last item.
        var loader: GridStrip?
        /// Items that are seen whole, those under stuck headers included.
        var whole = 0
        /// Headers that stick.
        var stuck = 0
        /// The line behind the last item.
        var end = 0
    }

    init(_ state: GridState) {
        outline = state.outline
        let size = state.size
        let header = HeaderLines(state.metrics, frame: size.height)
        var budget = FrozenBudget(lines: max(0, size.height - header.count))
        loaderLines = state.loader == nil ? 0 : 1

        // From the edges of the frame: totals, then rows at the top, then rows at the bottom; what does not fit scrolls.
        let hasTotals = state.metrics.showsTotals && budget.take(1)
        let wantsBottom = state.frozen.bottom > 0 && outline.itemCount > 0 || hasTotals
        // A rule of its own only where lines are not scarce.
        let hasEdge = wantsBottom && budget.total >= 10 && budget.take(1)
        let free = budget.total - (hasTotals ? 1 : 0) - (hasEdge ? 1 : 0) - loaderLines
        let heights = ItemHeights(state, frame: budget.total, free: free)
        self.heights = heights
        index = state.heights.index

        var yielding: FrozenSides = state.metrics.showsTotals && !hasTotals ? .bottom : []
        var top: [Int] = []
        let topWanted = min(state.frozen.rows, outline.itemCount)
        while top.count < topWanted {
            let height = heights.height(of: state.outline.item(at: top.count))
            guard budget.take(height) else { break }
            top.append(height)
        }
        if top.count < topWanted { yielding.insert(.top) }
        var low: [Int] = []
        let lowWanted = min(state.frozen.bottom, outline.itemCount - top.count)
        while low.count < lowWanted {
            let height = heights.height(of: state.outline.item(at: outline.itemCount - 1 - low.count))
            guard budget.take(height) else { break }
            low.append(height)
        }
        if low.count < lowWanted { yielding.insert(.bottom) }
        self.yielding = yielding
        items = top.count..<outline.itemCount - low.count

        let isFirst = state.scroll.top <= top.count
        let showsHeader = state.metrics.hasStickyColumnHeaders || isFirst
        self.header = showsHeader ? header : HeaderLines(state.metrics, frame: 0)
        frozen = Self.spans(outline, from: 0, heights: top, y: self.header.count, .frozen)
        let topLines = top.reduce(0, +)
        let edge = low.isEmpty && !hasTotals || !hasEdge ? 0 : 1
        let end = max(0, size.height - low.reduce(0, +) - (hasTotals ? 1 : 0))
        bottom = Self.spans(outline, from: items.upperBound, heights: low.reversed(), y: end, .bottom)

        let upper = max(0, end - edge)
        let firstLine = min(header.count + topLines, upper)
        // However far it is pulled, half of the pane stays.
        let pulled = min(state.pull?.uncovered ?? 0, (upper - firstLine) / 2)
        firstPane = firstLine + pulled..<upper
        scrolledPane = min(firstLine, (state.metrics.hasStickyColumnHeaders ? header.count : 0) + topLines)..<upper
        pane = isFirst ? firstPane : scrolledPane
        let isUniform = outline.tree == nil && heights.isUniform
        pageSize = state.metrics.isPaged && isUniform ? max(1, (upper - firstLine - loaderLines) / heights.rowHeight) : nil

        var strips: [GridStrip] = []
        if isFirst, pulled > 0 { strips.append(GridStrip(kind: .pull, y: firstLine, height: pulled)) }
        if edge > 0 { strips.append(GridStrip(kind: .bottomEdge, y: upper, height: 1)) }
        if hasTotals { strips.append(GridStrip(kind: .totals, y: size.height - 1, height: 1)) }
        self.strips = strips
    }

    private static func spans(_ outline: Outline, from first: Int, heights: [Int], y: Int, _ pane: LineSpan.Pane) -> [LineSpan] {
        var y = y
        return heights.enumerated().map { offset, height in
            defer { y += height }
            let index = first + offset
            return LineSpan(item: outline.item(at: index), index: index, y: y, height: height, fullHeight: height, pane: pane)
        }
    }

    /// The lines in which items scroll when `top` is the first of them.
    private func pane(from top: Int) -> Range<Int> { top <= items.lowerBound ? firstPane : scrolledPane }

    // MARK: Heights

    /// What automatic heights depend on; `nil` when there are none.
    var wrapping: AutomaticHeights.Wrapping? { heights.wrapping }

    /// Lines of an item, the rule below a row included. O(1), O(log sections) with sections.
    func height(of index: Int) -> Int { heights.height(of: outline.item(at: index)) }

    /// Whether the lines above a row are known without looking at each.
    private var isIndexed: Bool { heights.isIndexed && (outline.tree == nil || heights.rowHeight == 1 && heights.isUniform) }

    /// The lines above the row at `position`; `nil` when nobody has counted them.
    func lines(above position: Int) -> Int? {
        isIndexed && outline.tree == nil ? index.lines(before: position, heights.common) : nil
    }

    /// The position of the row at a line; `nil` when nobody has counted them.
    func row(atLine line: Int) -> Int? { isIndexed && outline.tree == nil ? index.position(atLine: line, heights.common) : nil }

    /// How many items from `index` on, or before it, go into `room` lines whole; 1 when not even the first does. Lines beyond the first
    /// and the last item count as rows.
    func itemCount(from index: Int, forward: Bool, room: Int) -> Int {
        var count = 0
        var used = 0
        while true {
            let next = forward ? index + count : index - count - 1
            guard next >= 0, next < outline.itemCount else { return max(1, count + (room - used) / heights.rowHeight) }
            used += height(of: next)
            guard used <= room else { return max(1, count) }
            count += 1
        }
    }

    // MARK: Pages

    /// What is seen when the pane begins with item `top`. O(visible items · log sections).
    func page(from top: Int) -> Page {
        var page = Page()
        let pane = pane(from: top)
        var y = pane.lowerBound
        var index = top
        var level = 0
        var isSticking = outline.tree != nil
        while y < pane.upperBound, index < items.upperBound {
            let item = outline.item(at: index)
            // The first lines hold the headers around what would stand there, the outermost first, until a header comes there by
            // itself: that pushes the stuck ones out.
            if isSticking, page.stuck < mostStuck, let header = stickyHeader(over: item, level: &level) {
                page.lines.append(
                    LineSpan(
                        item: .header(header), index: outline.index(ofHeader: header), y: y, height: 1, fullHeight: 1, pane: .stuck))
                page.stuck += 1
                page.whole += 1
                level += 1
                y += 1
            } else {
                isSticking = false
                let height = height(of: index)
                page.lines.append(
                    LineSpan(
                        item: item, index: index, y: y, height: min(height, pane.upperBound - y), fullHeight: height, pane: .scrolling))
                y += height
                if y <= pane.upperBound { page.whole += 1 }
            }
            index += 1
        }
        page.end = y
        if loaderLines > 0, index == items.upperBound, y < pane.upperBound {
            page.loader = GridStrip(kind: .loader, y: y, height: loaderLines)
        }
        return page
    }

    /// Items that fit the pane whole when it shows `page`; what is not filled counts as rows.
    func itemCount(of page: Page) -> Int { page.whole + max(0, pane.upperBound - page.end) / heights.rowHeight }

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

    /// Where the page begins that item `index` is on.
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
        var top = top
        var rest = abs(lines)
        while lines > 0 ? top < items.upperBound - 1 : top > items.lowerBound {
            rest -= height(of: lines > 0 ? top : top - 1)
            guard rest >= 0 else { break }
            top += lines > 0 ? 1 : -1
        }
        return clampedTop(top)
    }

    /// The scroll position after turning back from `top` to `target`: what stands above the first item must not hide items that have not
    /// been seen from `top`.
    func top(_ top: Int, turnedBackTo target: Int) -> Int {
        let first = items.lowerBound
        guard target == first, top > first, firstPane != scrolledPane, page(from: first).whole < top - first else { return target }
        return first + 1
    }

    /// The least scroll position at which item `index` is seen whole; the last one with what stands behind it.
    func firstTop(showing index: Int) -> Int {
        let first = items.lowerBound
        guard items.contains(index) else { return first }
        if let pageSize { return pageTop(of: index, pageSize) }
        // As far as there is room for that.
        let behind = index == items.upperBound - 1 ? loaderLines : 0
        let rest = min(behind, max(0, scrolledPane.count - height(of: index) - cover(of: index)))
        let top = firstTop(showing: index, in: scrolledPane.count - rest, rest)
        // What stands above the first item alone takes its lines from the pane; headers that stick would take as many.
        guard firstPane != scrolledPane, top == first, index - cover(of: index) > first, !shows(index, from: first, rest) else {
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
        // Stuck headers are lower than the rows that they cover: there may be room for some more.
        top = min(top, index - cover(of: index))
        while top > first, shows(index, from: top - 1, rest) { top -= 1 }
        return top
    }

    /// Whether an item is seen whole, with `rest` lines behind it, when the pane begins with item `top`.
    private func shows(_ index: Int, from top: Int, _ rest: Int) -> Bool {
        let end = pane(from: top).upperBound - rest
        return page(from: top).lines.contains { $0.index == index && $0.pane == .scrolling && $0.isWhole && $0.range.upperBound <= end }
    }

    // MARK: Headers that stick

    /// The most headers that may stick: a row is always seen below them.
    private var mostStuck: Int { max(0, firstPane.count - heights.rowHeight) }

    /// The header of `level` around an item, or the next further in when that one is frozen and so in sight anyway.
    private func stickyHeader(over item: GridItem, level: inout Int) -> Int? {
        while level < outline.depth(of: item), let header = outline.header(above: item, level: level) {
            if outline.index(ofHeader: header) >= items.lowerBound { return header }
            level += 1
        }
        return nil
    }

    /// How many headers may stick above item `index`: so many lines from the top it must stand to be seen.
    func cover(of index: Int) -> Int {
        let item = outline.item(at: index)
        var level = 0
        var count = 0
        while count < mostStuck, stickyHeader(over: item, level: &level) != nil {
            count += 1
            level += 1
        }
        return count
    }
}
