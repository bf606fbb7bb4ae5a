/// Cards side by side, line by line; headers of sections take a line of their own.
///
/// Everything is found from the sections around: O(log sections) a line, O(lines in sight) a page.
struct CardFlow: TileGeometry {
    private let outline: Outline
    let pane: Range<Int>
    /// The first terminal cell of each card of a line.
    private let starts: [Int]
    /// Terminal cells of a card.
    let cardWidth: Int
    /// Lines of a card.
    private let cardHeight: Int
    private let gap: Int
    private let width: Int
    /// Lines behind the last line of cards.
    private let loaderLines: Int
    /// The line of the totals.
    private let totalsY: Int?
    /// Lines of cards that a page has: what stands behind the last one has room on each, where pages are turned.
    private let pageLines: Int
    let pageSize: Int?

    init(_ state: GridState, right: Int) {
        outline = state.outline
        let metrics = state.metrics.cards
        width = right
        let padding = max(0, min(metrics.padding.width, (right - 1) / 2))
        let room = max(1, right - 2 * padding)
        cardWidth = min(room, max(1, metrics.width ?? room))
        let step = cardWidth + max(0, metrics.spacing.width)
        starts = (0..<max(1, (room + step - cardWidth) / step)).map { padding + $0 * step }
        cardHeight = CardBinding(state.columns).lineCount
        gap = max(0, metrics.spacing.height)
        let above = min(max(0, metrics.padding.height), max(0, state.size.height - 1) / 2)
        let hasTotals = state.metrics.showsTotals && state.size.height - 2 * above > 1
        totalsY = hasTotals ? state.size.height - 1 : nil
        pane = above..<max(above, state.size.height - above - (hasTotals ? 1 : 0))
        loaderLines = state.loader == nil ? 0 : 1
        let isPaged = state.metrics.isPaged && state.outline.tree == nil
        // The last line of a page needs no gap below it.
        let free = isPaged ? loaderLines == 0 ? pane.count + gap : pane.count - loaderLines : pane.count
        pageLines = max(1, free / (cardHeight + gap))
        pageSize = isPaged ? pageLines * starts.count : nil
    }

    // MARK: Lines

    /// The items of the line that holds item `index`.
    func line(of index: Int) -> Range<Int> {
        guard case .row(let position) = outline.item(at: index) else { return index..<index + 1 }
        var first = 0
        var end = outline.itemCount
        if let tree = outline.tree, let leaf = tree.leaf(containing: position) {
            first = outline.index(ofHeader: leaf) + 1
            end = first + tree.sections[leaf].rows.count
        }
        let start = first + (index - first) / starts.count * starts.count
        return start..<min(start + starts.count, end)
    }

    /// Lines of the screen that a line of cards takes, the gap below it included.
    private func height(of line: Range<Int>) -> Int { outline.item(at: line.lowerBound).isHeader ? 1 : cardHeight + gap }

    /// Cards of a line, and the lines of the screen that one takes.
    var lineSize: GridSize { GridSize(width: starts.count, height: cardHeight + gap) }

    // MARK: Pages

    func tiles(from top: Int) -> [TileSpan] { page(from: top).tiles }

    func strips(from top: Int) -> [GridStrip] {
        var strips: [GridStrip] = []
        if loaderLines > 0, let end = page(from: top).end, end < pane.upperBound {
            strips.append(GridStrip(kind: .loader, y: end, height: loaderLines))
        }
        if let totalsY { strips.append(GridStrip(kind: .totals, y: totalsY, height: 1)) }
        return strips
    }

    /// What the pane shows, and the line behind the last item when all up to that are above it.
    private func page(from top: Int) -> (tiles: [TileSpan], end: Int?) {
        var tiles: [TileSpan] = []
        var y = pane.lowerBound
        guard top < outline.itemCount else { return ([], y) }
        // What is read stands under the headers around it.
        for header in stuckHeaders(over: top) {
            tiles.append(tile(outline.index(ofHeader: header), x: 0, y: y, width: width, height: 1, isFixed: true))
            y += 1
        }
        var index = top
        while index < outline.itemCount, y < pane.upperBound {
            let line = line(of: index)
            if outline.item(at: index).isHeader {
                tiles.append(tile(index, x: 0, y: y, width: width, height: 1))
            } else {
                for (item, x) in zip(line, starts) { tiles.append(tile(item, x: x, y: y, width: cardWidth, height: cardHeight)) }
            }
            y += height(of: line)
            index = line.upperBound
        }
        return (tiles, index < outline.itemCount ? nil : y)
    }

    private func tile(_ index: Int, x: Int, y: Int, width: Int, height: Int, isFixed: Bool = false) -> TileSpan {
        TileSpan(
            item: outline.item(at: index), index: index, x: x, y: y, width: width, height: min(height, pane.upperBound - y),
            fullWidth: width, fullHeight: height, isFixed: isFixed)
    }

    /// The headers to be seen above item `top`, from the outermost on, as long as a card has room below them.
    private func stuckHeaders(over top: Int) -> [Int] {
        let item = outline.item(at: top)
        let most = max(0, pane.count - cardHeight)
        return (0..<outline.depth(of: item)).compactMap { outline.header(above: item, level: $0) }.prefix(most).map { $0 }
    }

    var pageItemCount: Int { pageLines * starts.count }

    // MARK: Scrolling

    func clampedTop(_ top: Int) -> Int {
        guard outline.itemCount > 0 else { return 0 }
        if let pageSize { return top.clampedIndex(outline.itemCount) / pageSize * pageSize }
        let start = line(of: top.clampedIndex(outline.itemCount)).lowerBound
        return min(start, self.top(start, endingWith: outline.itemCount - 1))
    }

    func top(_ top: Int, showing index: Int) -> Int {
        if pageSize != nil { return clampedTop(index) }
        let line = line(of: index)
        if line.lowerBound <= top { return line.lowerBound }
        return max(top, self.top(top, endingWith: index))
    }

    /// The least scroll position at which the line of item `index` is seen whole, the last one with what stands behind it.
    private func top(_ top: Int, endingWith index: Int) -> Int {
        var line = line(of: index)
        var used = outline.item(at: line.lowerBound).isHeader ? 1 : cardHeight
        let behind = height(of: line) - used + loaderLines
        // As far as there is room for that.
        if loaderLines > 0, line.upperBound == outline.itemCount, used + behind + stuckHeaders(over: line.lowerBound).count <= pane.count {
            used += behind
        }
        while line.lowerBound > 0 {
            let before = self.line(of: line.lowerBound - 1)
            let stuck = stuckHeaders(over: before.lowerBound).count
            guard used + height(of: before) + stuck <= pane.count else { break }
            used += height(of: before)
            line = before
        }
        return line.lowerBound
    }

    /// The scroll position at which item `index` stands as near as can be to `line` lines below the upper edge of the pane.
    func top(placing index: Int, atLine line: Int) -> Int {
        var top = self.line(of: index).lowerBound
        var above = 0
        /// How far it is from there, headers that stick counted.
        func distance() -> Int { abs(above + stuckHeaders(over: top).count - line) }
        var best = (top: top, distance: distance())
        while top > 0, above < line {
            let before = self.line(of: top - 1)
            above += height(of: before)
            top = before.lowerBound
            if distance() < best.distance { best = (top, distance()) }
        }
        return best.top
    }

    func top(_ top: Int, scrolledBy steps: Int) -> Int {
        if pageSize != nil { return clampedTop(top + Self.steps(steps, pages: pageLines) * starts.count) }
        var top = top
        for _ in 0..<abs(steps) {
            let next = step(from: top, forward: steps > 0)
            if next == top { break }
            top = next
        }
        return clampedTop(top)
    }

    private func step(from top: Int, forward: Bool) -> Int {
        guard outline.itemCount > 0 else { return 0 }
        let line = line(of: top.clampedIndex(outline.itemCount))
        if forward { return line.upperBound < outline.itemCount ? line.upperBound : line.lowerBound }
        return line.lowerBound > 0 ? self.line(of: line.lowerBound - 1).lowerBound : 0
    }

    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll {
        var scroll = scroll
        let lines = distance.y / (cardHeight + gap)
        scroll.top = top(scroll.top, scrolledBy: Self.steps(lines, nearestOf: pageSize.map { $0 / starts.count }))
        return scroll
    }

    // MARK: Moving

    func item(from index: Int, _ motion: GridMotion) -> Int? {
        switch motion {
        case .left(let count): return max(0, index - count)
        case .right(let count): return min(outline.itemCount - 1, index + count)
        case .up(let count): return vertical(index, by: -count)
        case .down(let count): return vertical(index, by: count)
        case .pageUp: return vertical(index, by: -pageLines)
        case .pageDown: return vertical(index, by: pageLines)
        case .halfPageUp: return vertical(index, by: -max(1, pageLines / 2))
        case .halfPageDown: return vertical(index, by: max(1, pageLines / 2))
        case .firstColumn: return line(of: index).lowerBound
        case .lastColumn: return line(of: index).upperBound - 1
        default: return nil
        }
    }

    /// The item `count` lines further down at the same place of its line, or the last one there.
    private func vertical(_ index: Int, by count: Int) -> Int {
        var line = line(of: index)
        let place = index - line.lowerBound
        for _ in 0..<min(abs(count), outline.itemCount) {
            let next = step(from: line.lowerBound, forward: count > 0)
            if next == line.lowerBound { return count < 0 ? index : max(index, line.lowerBound + min(place, line.count - 1)) }
            line = self.line(of: next)
        }
        return line.lowerBound + min(place, line.count - 1)
    }
}
