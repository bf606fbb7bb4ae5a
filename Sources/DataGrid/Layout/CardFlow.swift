/// A layout with cards side by side, in lines from top to bottom. Each section header has a separate line.
///
/// Placing a line of cards takes O(log sections). Placing a page takes O(visible lines · log sections). Heights from a delegate are read
/// only for items near the pane and near the end.
struct CardFlow: TileGeometry {
    private let outline: Outline
    let items: Range<Int>
    let overflowingSides: FrozenSides
    let pane: Range<Int>
    /// The index of the first item of the pane, the area in which cards scroll.
    private let top: Int
    /// The x coordinate of each card in a line of cards.
    private let starts: [Int]
    let itemWidth: Int
    private let heights: CardHeights
    private let gap: Int
    private let hasStickyHeaders: Bool
    private let width: Int
    /// The y coordinate of the items frozen at the top.
    private let frozenY: Int
    /// The y coordinate of the items frozen at the bottom.
    private let bottomY: Int
    /// The height of the pane in lines while the pull strip is hidden.
    private let paneLines: Int
    /// The number of lines of the pull strip that are shown.
    private let pullLines: Int
    /// The lines reserved after the last card for the loader: 0 or 1.
    private let loaderLines: Int
    /// The y coordinate of the rule above the items frozen at the bottom and the totals; `nil` without a rule.
    private let edgeY: Int?
    /// The y coordinate of the row of totals; `nil` without totals.
    private let totalsY: Int?
    /// The number of lines of cards on a page. If a paged grid has a loader, every page has room for it.
    private let pageLines: Int
    let pageSize: Int?

    init(_ state: GridState, right: Int) {
        let outline = state.outline
        self.outline = outline
        let metrics = state.metrics.cards
        let frame = state.size.height
        width = right
        let padding = max(0, min(metrics.padding.width, (right - 1) / 2))
        let room = max(1, right - 2 * padding)
        let (itemWidth, count) = metrics.fitted(to: room)
        self.itemWidth = itemWidth
        starts = (0..<count).map { padding + $0 * (itemWidth + max(0, metrics.spacing.width)) }
        let heights = CardHeights(state)
        self.heights = heights
        hasStickyHeaders = state.metrics.hasStickySectionHeaders
        let gap = max(0, metrics.spacing.height)
        self.gap = gap
        let above = min(max(0, metrics.padding.height), max(0, frame - 1) / 2)

        // Assign room first to the totals, then to items frozen at the top, then to items frozen at the bottom.
        var budget = FrozenBudget(frame - 2 * above, keeping: heights.defaultHeight)
        let hasTotals = budget.reserveTotals(state.metrics, 1)
        let hasEdge = budget.reserveEdge(state.frozen.bottom > 0 && outline.itemCount > 0 || hasTotals)
        func height(of line: Range<Int>) -> Int { heights.height(of: line) + (outline.item(at: line.lowerBound).isHeader ? 0 : gap) }
        // Examine only as many frozen items as could fit in the frame.
        let maximum = (budget.total + 1) * starts.count
        let first = Self.lines(of: outline, in: 0..<min(state.frozen.rows, outline.itemCount, maximum), starts.count)
        let frozen = first.prefix(budget.reserve(first.count, at: .top) { height(of: first[$0]) }.count)
        let start = frozen.last?.upperBound ?? 0
        let end = outline.itemCount
        let last = Self.lines(of: outline, in: end - min(state.frozen.bottom, end - start, maximum)..<end, starts.count)
        let bottom = last.suffix(budget.reserve(last.count, at: .bottom) { height(of: last[last.count - 1 - $0]) }.count)
        items = start..<(bottom.first?.lowerBound ?? end)
        overflowingSides = budget.overflowingSides
        top = max(state.scroll.top, start)

        totalsY = hasTotals ? frame - 1 : nil
        frozenY = above
        // No gap is needed below the last line of cards.
        let lastGap = bottom.last.map { outline.item(at: $0.lowerBound).isHeader } ?? true ? 0 : gap
        let bottomLines = bottom.reduce(0) { $0 + height(of: $1) } - lastGap
        bottomY = max(above, frame - above - (hasTotals ? 1 : 0) - bottomLines)
        edgeY = hasEdge && (hasTotals || !bottom.isEmpty) ? bottomY - 1 : nil
        let upper = edgeY ?? bottomY
        let firstLine = min(frozen.reduce(above) { $0 + height(of: $1) }, upper)
        paneLines = upper - firstLine
        pullLines = top == start ? state.pull?.lines(in: paneLines) ?? 0 : 0
        pane = firstLine + pullLines..<upper

        loaderLines = state.loader == nil ? 0 : 1
        let isPaged = state.metrics.isPaged && outline.tree == nil && heights.isUniform
        // A page needs no gap below its last line of cards.
        let free = isPaged ? loaderLines == 0 ? paneLines + gap : paneLines - loaderLines : paneLines
        pageLines = max(1, free / (heights.defaultHeight + gap))
        pageSize = isPaged ? pageLines * starts.count : nil
    }

    // MARK: Lines

    /// The items in the same line of cards as item `index`. Frozen items have separate lines.
    func line(of index: Int) -> Range<Int> {
        Self.line(of: outline, at: index, in: zone(of: index), starts.count)
    }

    /// The items in the same line as item `index`, if only the items in `zone` are laid out, with `count` cards in each line.
    private static func line(of outline: Outline, at index: Int, in zone: Range<Int>, _ count: Int) -> Range<Int> {
        let run = run(of: outline, at: index, in: zone)
        let start = index - (index - run.lowerBound) % count
        return start..<min(start + count, run.upperBound)
    }

    /// The consecutive items around `index` whose cards fill lines together: the rows of one section, or a single header.
    private static func run(of outline: Outline, at index: Int, in zone: Range<Int>) -> Range<Int> {
        guard case .row(let position) = outline.item(at: index) else { return index..<index + 1 }
        guard let tree = outline.tree, let leaf = tree.innermostSection(containing: position) else { return zone }
        let first = outline.index(ofHeader: leaf) + 1
        return (first..<first + tree.rows(of: leaf).count).clamped(to: zone)
    }

    /// The items of the area that contains item `index`: all items frozen at the top, all scrolling items, or all items frozen at the
    /// bottom.
    private func zone(of index: Int) -> Range<Int> {
        index < items.lowerBound ? 0..<items.lowerBound : index < items.upperBound ? items : items.upperBound..<outline.itemCount
    }

    /// The items of the line that is `count` lines below (or above, if negative) the line of item `index`. If there are fewer lines, the
    /// items of the last or first line. O(sections in between · log sections).
    private func line(of index: Int, movedBy count: Int) -> Range<Int> {
        var index = index
        var remaining = count.clamped(to: -outline.itemCount...outline.itemCount)
        while true {
            let run = Self.run(of: outline, at: index, in: zone(of: index))
            let last = (run.count - 1) / starts.count
            let lineNumber = (index - run.lowerBound) / starts.count + remaining
            let isBefore = lineNumber < 0 && run.lowerBound > 0
            guard isBefore || lineNumber > last && run.upperBound < outline.itemCount else {
                let start = run.lowerBound + lineNumber.clamped(to: 0...last) * starts.count
                return start..<min(start + starts.count, run.upperBound)
            }
            // Continue with the first line of the next section or, going back, with the last line of the previous section.
            (index, remaining) = isBefore ? (run.lowerBound - 1, lineNumber + 1) : (run.upperBound, lineNumber - last - 1)
        }
    }

    private static func lines(of outline: Outline, in zone: Range<Int>, _ count: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var index = zone.lowerBound
        while index < zone.upperBound {
            lines.append(line(of: outline, at: index, in: zone, count))
            index = lines[lines.count - 1].upperBound
        }
        return lines
    }

    /// The number of screen lines that a line of cards takes, including the gap below it.
    private func height(of line: Range<Int>) -> Int {
        heights.height(of: line) + (outline.item(at: line.lowerBound).isHeader ? 0 : gap)
    }

    var lineSize: GridSize? { GridSize(width: starts.count, height: heights.defaultHeight + gap) }

    // MARK: Visible parts

    var tiles: [TileSpan] {
        var tiles: [TileSpan] = []
        addLines(from: 0, to: items.lowerBound, y: frozenY, end: pane.lowerBound - pullLines, .frozenTop, &tiles)
        addPage(&tiles)
        addLines(from: items.upperBound, to: outline.itemCount, y: bottomY, end: totalsY ?? .max, .frozenBottom, &tiles)
        return tiles
    }

    var strips: [GridStrip] {
        var strips: [GridStrip] = []
        if pullLines > 0 { strips.append(GridStrip(kind: .pull, y: pane.lowerBound - pullLines, height: pullLines)) }
        var page: [TileSpan] = []
        if loaderLines > 0, let end = addPage(&page), end < pane.upperBound {
            strips.append(GridStrip(kind: .loader, y: end, height: loaderLines))
        }
        if let edgeY { strips.append(GridStrip(kind: .bottomEdge, y: edgeY, height: 1)) }
        if let totalsY { strips.append(GridStrip(kind: .totals, y: totalsY, height: 1)) }
        return strips
    }

    /// Adds the cards and headers in the pane to `tiles`.
    /// - Returns: the screen line after the last item; `nil` if some items do not fit.
    @discardableResult
    private func addPage(_ tiles: inout [TileSpan]) -> Int? {
        var y = pane.lowerBound
        guard top < items.upperBound else { return y }
        // The headers of the sections that contain the first item stick to the top of the pane.
        for header in stickyHeaders(over: top) {
            let (index, height) = (outline.index(ofHeader: header), heights.height(of: outline.index(ofHeader: header)))
            add(index, x: 0, y: y, width: width, height: height, end: pane.upperBound, .stuck, &tiles)
            y += height
        }
        return addLines(from: top, to: items.upperBound, y: y, end: pane.upperBound, .scrolling, &tiles)
    }

    /// Adds the cards and headers of the items `first ..< last`, down to screen line `end`.
    /// - Returns: the screen line after the last item; `nil` if some items do not fit.
    @discardableResult
    private func addLines(
        from first: Int, to last: Int, y: Int, end: Int, _ pane: ItemSpan.Pane, _ tiles: inout [TileSpan]
    ) -> Int? {
        var (index, y) = (first, y)
        while index < last, y < end {
            let line = line(of: index)
            if outline.item(at: index).isHeader {
                add(index, x: 0, y: y, width: width, height: heights.height(of: index), end: end, pane, &tiles)
            } else {
                for (item, x) in zip(line, starts) {
                    add(item, x: x, y: y, width: itemWidth, height: heights.height(of: item), end: end, pane, &tiles)
                }
            }
            y += height(of: line)
            index = line.upperBound
        }
        return index < last ? nil : y
    }

    private func add(
        _ index: Int, x: Int, y: Int, width: Int, height: Int, end: Int, _ pane: ItemSpan.Pane, _ tiles: inout [TileSpan]
    ) {
        tiles.append(
            TileSpan(
                item: outline.item(at: index), index: index, x: x, y: y, width: width, height: min(height, end - y),
                fullWidth: width, fullHeight: height, pane: pane))
    }

    /// The section headers that stick to the top of the pane if item `top` is the first item. Headers that leave no room for the line of
    /// the item are omitted.
    private func stickyHeaders(over top: Int) -> ArraySlice<Int> {
        guard hasStickyHeaders else { return [] }
        let headers = outline.headers(above: outline.item(at: top), from: items.lowerBound)
        guard !headers.isEmpty else { return [] }
        var free = paneLines - max(heights.defaultHeight, heights.height(of: line(of: top)))
        return headers.prefix { header in
            free -= heights.height(of: outline.index(ofHeader: header))
            return free >= 0
        }
    }

    /// The number of screen lines of the headers that stick above item `top`.
    private func stuckLines(over top: Int) -> Int {
        stickyHeaders(over: top).reduce(0) { $0 + heights.height(of: outline.index(ofHeader: $1)) }
    }

    var pageItemCount: Int {
        guard items.contains(top) else { return pageLines * starts.count }
        var page: [TileSpan] = []
        let end = addPage(&page)
        let wholeCount = page.count { $0.pane == .scrolling && $0.isWhole }
        // Count the cards that would fit in the empty lines of the pane. The last line of cards needs no gap below it.
        let free = end.map { max(0, pane.upperBound + gap - $0) / (heights.defaultHeight + gap) * starts.count } ?? 0
        return wholeCount == 0 ? line(of: top).count : wholeCount + free
    }

    // MARK: Scrolling

    func isAtTop(_ scroll: GridScroll) -> Bool { scroll.top <= items.lowerBound }

    func clampedTop(_ top: Int) -> Int {
        guard !items.isEmpty else { return items.lowerBound }
        let top = top.clamped(to: items.lowerBound...items.upperBound - 1)
        if let pageSize { return top - (top - items.lowerBound) % pageSize }
        let start = line(of: top).lowerBound
        // A line of cards takes at least one screen line. Therefore only items near the end need their heights to be computed.
        if items.upperBound - start > paneLines * starts.count { return start }
        return min(start, self.topItem(from: start, endingWith: items.upperBound - 1))
    }

    func topItem(from top: Int, showing index: Int) -> Int {
        guard items.contains(index) else { return top }
        if pageSize != nil { return clampedTop(index) }
        let line = line(of: index)
        if line.lowerBound <= top { return line.lowerBound }
        return max(top, self.topItem(from: top, endingWith: index))
    }

    /// The smallest scroll position at which the line of item `index` is fully visible. For the last item, the gap below it and the
    /// loader are visible too.
    private func topItem(from top: Int, endingWith index: Int) -> Int {
        var line = line(of: index)
        var used = heights.height(of: line)
        let below = height(of: line) - used + loaderLines
        // Include the gap and the loader only if they fit.
        if loaderLines > 0, line.upperBound == items.upperBound, used + below + stuckLines(over: line.lowerBound) <= paneLines {
            used += below
        }
        while line.lowerBound > items.lowerBound {
            let before = self.line(of: line.lowerBound - 1)
            let stuck = stuckLines(over: before.lowerBound)
            guard used + height(of: before) + stuck <= paneLines else { break }
            used += height(of: before)
            line = before
        }
        return line.lowerBound
    }

    func topItem(placing index: Int, atLine line: Int) -> Int? {
        guard items.contains(index) else { return nil }
        var top = self.line(of: index).lowerBound
        var above = 0
        /// The distance from `line` to the item at scroll position `top`, counting sticky headers.
        func distance() -> Int { abs(above + stuckLines(over: top) - line) }
        var best = (top: top, distance: distance())
        while top > items.lowerBound, above < line {
            let before = self.line(of: top - 1)
            above += height(of: before)
            top = before.lowerBound
            if distance() < best.distance { best = (top, distance()) }
        }
        return best.top
    }

    func topItem(from top: Int, scrolledBy steps: Int) -> Int {
        if pageSize != nil { return clampedTop(top + Self.roundedUp(steps, toPagesOf: pageLines) * starts.count) }
        guard outline.itemCount > 0 else { return 0 }
        return clampedTop(line(of: top.clampedIndex(count: outline.itemCount), movedBy: steps).lowerBound)
    }

    func pagedTop(_ top: Int, isForward: Bool, isHalf: Bool) -> (top: Int, steps: Int) {
        if let pageSize { return (clampedTop(isForward ? top + pageSize : top - pageSize), isForward ? pageLines : -pageLines) }
        guard items.contains(top) else { return (clampedTop(top), 0) }
        let lineCount = isForward ? wholeLineCount(from: top) : wholeLineCount(before: top)
        let steps = max(1, isHalf ? lineCount / 2 : lineCount) * (isForward ? 1 : -1)
        return (self.topItem(from: top, scrolledBy: steps), steps)
    }

    /// The number of lines of cards that are fully visible if the line of item `top` is the first line.
    private func wholeLineCount(from top: Int) -> Int {
        var (index, count, y) = (top, 0, stuckLines(over: top))
        while index < items.upperBound {
            let line = line(of: index)
            guard y + heights.height(of: line) <= paneLines else { break }
            y += height(of: line)
            count += 1
            index = line.upperBound
        }
        return count
    }

    /// The number of lines of cards that are fully visible on the page that ends just before the line of item `top`.
    private func wholeLineCount(before top: Int) -> Int {
        guard top > items.lowerBound else { return 0 }
        var (index, count) = (self.topItem(from: top, endingWith: top - 1), 0)
        while index < top {
            index = line(of: index).upperBound
            count += 1
        }
        return count
    }

    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll {
        var scroll = scroll
        let lines = heights.isUniform ? distance.y / (heights.defaultHeight + gap) : linesPassed(from: scroll.top, by: distance.y)
        scroll.top = topItem(from: scroll.top, scrolledBy: Self.rounded(lines, toNearestPageOf: pageSize.map { $0 / starts.count }))
        return scroll
    }

    /// The number of lines of cards to scroll for a distance of `distance` screen lines. The result and `distance` are negative when
    /// scrolling back. O(distance).
    private func linesPassed(from top: Int, by distance: Int) -> Int {
        guard items.contains(top) else { return 0 }
        var (line, count, remaining) = (line(of: top), 0, abs(distance))
        while distance > 0 ? line.upperBound < items.upperBound : line.lowerBound > items.lowerBound {
            let next = self.line(of: distance > 0 ? line.upperBound : line.lowerBound - 1)
            remaining -= height(of: distance > 0 ? line : next)
            guard remaining >= 0 else { break }
            line = next
            count += distance.signum()
        }
        return count
    }

    // MARK: Moving

    func item(from index: Int, _ motion: GridMotion) -> Int? {
        switch motion {
        case .left(let count): return index - min(count, index)
        case .right(let count): return index + min(count, outline.itemCount - 1 - index)
        case .up(let count): return item(verticallyFrom: index, by: -count)
        case .down(let count): return item(verticallyFrom: index, by: count)
        case .firstColumn: return line(of: index).lowerBound
        case .lastColumn: return line(of: index).upperBound - 1
        default: return nil
        }
    }

    /// The item in the line `count` lines below the line of item `index`, at the same position in the line. If that line is too short, its
    /// last item.
    private func item(verticallyFrom index: Int, by count: Int) -> Int {
        let line = line(of: index, movedBy: count)
        return line.lowerBound + min(index - self.line(of: index).lowerBound, line.count - 1)
    }
}
