import FieldValues

/// The vertical positions of the rows and section headers of a table, computed from the state of the grid.
///
/// Finding the line of an item takes O(1) for equal heights, and O(log rows) for heights that were set for single rows. If heights depend
/// on text or on a delegate, lines are counted item by item from the end of the pane. The same applies to sections with items taller than
/// one line.
struct LineGeometry {
    let outline: Outline
    let heights: ItemHeights
    let lineIndex: LineIndex
    let header: HeaderLines
    let frozenSpans: [ItemSpan]
    let bottomSpans: [ItemSpan]
    let strips: [GridStrip]
    /// The sides at which some frozen rows do not fit. These rows scroll.
    let overflowingSides: FrozenSides
    let items: Range<Int>
    let pane: Range<Int>
    /// The lines in which items scroll, if the first item is scrolled out of view.
    let scrolledPane: Range<Int>
    /// The lines in which items scroll, if the first item is visible. These lines are below the header that scrolls and below the pull
    /// strip.
    let firstPane: Range<Int>
    let pageSize: Int?
    let loaderLines: Int
    /// The maximum number of lines that stuck headers can take, so that a row remains visible; 0 if headers do not stick. No pull strip
    /// is visible while headers stick.
    private let maximumStuckLines: Int

    /// The visible items and the loader at one scroll position.
    struct Page {
        var lines: [ItemSpan] = []
        var loader: GridStrip?
        /// The number of fully visible items. Items covered by stuck headers are counted.
        var wholeCount = 0
        /// The number of section headers that are stuck to the top.
        var stuckCount = 0
        /// The line after the last visible item.
        var endY = 0

        var showsRow: Bool { lines.contains { !$0.item.isHeader } }
    }

    init(_ state: GridState) {
        outline = state.outline
        let size = state.size
        let header = HeaderLines(state.metrics, frameHeight: size.height)
        var budget = FrozenBudget(size.height - header.count)
        loaderLines = state.loader == nil ? 0 : 1

        // Assign room first to the totals, then to rows frozen at the top, then to rows frozen at the bottom. Frozen rows that do not fit
        // scroll.
        let hasTotals = budget.reserveTotals(state.metrics, 1)
        let hasEdge = budget.reserveEdge(state.frozen.bottom > 0 && outline.itemCount > 0 || hasTotals)
        let free = budget.total - (hasTotals ? 1 : 0) - (hasEdge ? 1 : 0) - loaderLines
        let heights = ItemHeights(state, frameHeight: budget.total, itemLines: free)
        self.heights = heights
        lineIndex = state.heights.lineIndex

        let count = outline.itemCount
        func height(_ index: Int) -> Int { heights.height(of: state.outline.item(at: index)) }
        let top = budget.reserve(min(state.frozen.rows, count), at: .top, height)
        let low = budget.reserve(min(state.frozen.bottom, count - top.count), at: .bottom) { height(count - 1 - $0) }
        overflowingSides = budget.overflowingSides
        items = top.count..<outline.itemCount - low.count

        let isFirst = state.scroll.top <= top.count
        let showsHeader = state.metrics.hasStickyColumnHeaders || isFirst
        self.header = showsHeader ? header : HeaderLines(state.metrics, frameHeight: 0)
        frozenSpans = Self.spans(outline, from: 0, heights: top, y: self.header.count, .frozenTop)
        let topLines = top.reduce(0, +)
        let edge = low.isEmpty && !hasTotals || !hasEdge ? 0 : 1
        let end = max(0, size.height - low.reduce(0, +) - (hasTotals ? 1 : 0))
        bottomSpans = Self.spans(outline, from: items.upperBound, heights: low.reversed(), y: end, .frozenBottom)

        let upper = max(0, end - edge)
        let firstLine = min(header.count + topLines, upper)
        let pullLines = state.pull?.lines(in: upper - firstLine) ?? 0
        firstPane = firstLine + pullLines..<upper
        scrolledPane = min(firstLine, (state.metrics.hasStickyColumnHeaders ? header.count : 0) + topLines)..<upper
        pane = isFirst ? firstPane : scrolledPane
        maximumStuckLines = state.metrics.hasStickySectionHeaders ? max(0, upper - firstLine - heights.rowHeight) : 0
        let isUniform = outline.tree == nil && heights.isUniform
        pageSize = state.metrics.isPaged && isUniform ? max(1, (upper - firstLine - loaderLines) / heights.rowHeight) : nil

        var strips: [GridStrip] = []
        if isFirst, pullLines > 0 { strips.append(GridStrip(kind: .pull, y: firstLine, height: pullLines)) }
        if edge > 0 { strips.append(GridStrip(kind: .bottomEdge, y: upper, height: 1)) }
        if hasTotals { strips.append(GridStrip(kind: .totals, y: size.height - 1, height: 1)) }
        self.strips = strips
    }

    private static func spans(_ outline: Outline, from first: Int, heights: [Int], y: Int, _ pane: ItemSpan.Pane) -> [ItemSpan] {
        var y = y
        return heights.enumerated().map { offset, height in
            defer { y += height }
            let index = first + offset
            return ItemSpan(item: outline.item(at: index), index: index, y: y, height: height, fullHeight: height, pane: pane)
        }
    }

    /// The lines in which items scroll if item `top` is the first item in them.
    func pane(from top: Int) -> Range<Int> { top <= items.lowerBound ? firstPane : scrolledPane }

    // MARK: Heights

    /// The height of the item at `index` in lines. For a row, it includes the rule below the row. O(1), or O(log sections) with sections.
    func height(of index: Int) -> Int { heights.height(of: outline.item(at: index)) }

    /// True if the number of lines above a row can be computed without adding the heights of all rows above it.
    var canCountLinesDirectly: Bool {
        heights.areHeightsKnown && (outline.tree == nil || heights.rowHeight == 1 && heights.headerHeight == 1 && heights.isUniform)
    }

    /// The number of lines above the item at `index`, which is in `0 ..< itemCount`. `nil` if heights depend on a delegate or on text,
    /// because such heights are read only near the pane.
    ///
    /// O(log rows); in a grid with sections, O(log rows) for each sequence of expanded sections.
    func lines(above index: Int) -> Int? {
        guard heights.areHeightsKnown else { return nil }
        guard outline.tree != nil else { return lineIndex.lines(before: index, heights.defaultHeight) }
        let (headers, rows) = outline.items(before: index)
        let lines = headers * heights.headerHeight
        if heights.isUniform { return lines + (index - headers) * heights.rowHeight }
        return rows.reduce(lines) { lines, rows in
            lines + lineIndex.lines(before: rows.upperBound, heights.defaultHeight)
                - lineIndex.lines(before: rows.lowerBound, heights.defaultHeight)
        }
    }

    /// The index of the item at a line, counted from the first item. After the last row, lines count as rows of the default height. `nil`
    /// if heights depend on a delegate or on text, because such heights are read only near the pane.
    ///
    /// O(log rows); in a grid with sections, O(log items) calls of ``lines(above:)``.
    func item(atLine line: Int) -> Int? {
        guard heights.areHeightsKnown else { return nil }
        guard outline.tree != nil else { return lineIndex.position(atLine: line, heights.defaultHeight) }
        return max(0, (0..<outline.itemCount).partitioningIndex { lines(above: $0)! > line } - 1)
    }

    /// The number of items after or before `index` that fit completely in `room` lines, at least 1. Beyond the first or last item, lines
    /// are counted as rows of the default height.
    func itemCount(from index: Int, isForward: Bool, room: Int) -> Int {
        var count = 0
        var used = 0
        while true {
            let next = isForward ? index + count : index - count - 1
            guard next >= 0, next < outline.itemCount else { return max(1, count + (room - used) / heights.rowHeight) }
            used += height(of: next)
            guard used <= room else { return max(1, count) }
            count += 1
        }
    }

    // MARK: Pages

    /// The visible part of the table if the pane starts with item `top`. O(visible items · log sections).
    ///
    /// In a small pane, the stuck headers and the next header that moves up could take all lines. Then fewer headers stick, if this makes a
    /// row visible and does not clip more lines of the first item.
    func page(from top: Int) -> Page {
        let full = page(from: top, sticking: .max)
        guard full.stuckCount > 0, !full.showsRow, let first = full.lines.first(where: { $0.pane == .scrolling }) else { return full }
        for count in (0..<full.stuckCount).reversed() {
            let page = page(from: top, sticking: count)
            if page.showsRow, page.lines.contains(where: { $0.index == first.index && $0.height >= first.height }) { return page }
        }
        return full
    }

    /// The visible part of the table if at most `count` headers stick. The headers of the outermost sections stick.
    private func page(from top: Int, sticking count: Int) -> Page {
        var page = Page()
        let pane = pane(from: top)
        var y = pane.lowerBound
        var index = top
        var level = 0
        var isSticking = outline.tree != nil
        while y < pane.upperBound, index < items.upperBound {
            let item = outline.item(at: index)
            // The headers of the sections that contain the first item cover the first lines, outermost first. These headers scroll out when
            // the header of the next section reaches them.
            if isSticking, page.stuckCount < count,
                let header = stickyHeader(over: item, room: maximumStuckLines - (y - pane.lowerBound), level: &level)
            {
                let height = heights.height(ofHeader: header)
                page.lines.append(
                    ItemSpan(
                        item: .header(header), index: outline.index(ofHeader: header), y: y, height: height, fullHeight: height,
                        pane: .stuck))
                page.stuckCount += 1
                page.wholeCount += 1
                level += 1
                y += height
            } else {
                isSticking = false
                let height = height(of: index)
                page.lines.append(
                    ItemSpan(
                        item: item, index: index, y: y, height: min(height, pane.upperBound - y), fullHeight: height, pane: .scrolling))
                y += height
                if y <= pane.upperBound { page.wholeCount += 1 }
            }
            index += 1
        }
        page.endY = y
        if loaderLines > 0, index == items.upperBound, y < pane.upperBound {
            page.loader = GridStrip(kind: .loader, y: y, height: loaderLines)
        }
        return page
    }

    /// The number of items that fit completely in the pane. Empty lines below the last item are counted as rows of the default height.
    func itemCapacity(of page: Page) -> Int { page.wholeCount + max(0, pane.upperBound - page.endY) / heights.rowHeight }

    // MARK: Sticky headers

    /// The header of the section at `level` that contains an item. If that header is frozen, the header at the next inner level. `nil` if
    /// there is no such header, or if it has more than `room` lines.
    private func stickyHeader(over item: GridItem, room: Int, level: inout Int) -> Int? {
        guard room > 0 else { return nil }
        while level < outline.depth(of: item), let header = outline.header(above: item, level: level) {
            if outline.index(ofHeader: header) >= items.lowerBound { return heights.height(ofHeader: header) <= room ? header : nil }
            level += 1
        }
        return nil
    }

    /// The number of headers that can stick above item `index`, and the number of lines that they take. Each header covers one item.
    func stickyHeaders(above index: Int) -> (count: Int, lines: Int) {
        let item = outline.item(at: index)
        var level = 0
        var cover = (count: 0, lines: 0)
        while let header = stickyHeader(over: item, room: maximumStuckLines - cover.lines, level: &level) {
            cover.count += 1
            cover.lines += heights.height(ofHeader: header)
            level += 1
        }
        return cover
    }
}
