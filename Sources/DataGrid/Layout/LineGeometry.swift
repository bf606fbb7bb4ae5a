/// Where the items stand from top to bottom: a pure function of the state.
///
/// Items of one height are placed in O(1), rows some of which have a height of their own in O(log rows). Rows of several lines among
/// headers of one, and rows as high as their content needs, are counted back from where they shall end: a pane's worth at most.
struct LineGeometry {
    let outline: Outline
    private let rows: RowOrder
    private let heights: RowHeights
    /// What finds heights from content; `nil`: nothing does.
    private let automatic: AutomaticHeights?
    /// Of rows that neither have a height of their own nor get one from their content.
    private let common: LineIndex.Common
    /// Lines of the header, at the top.
    let headerHeight: Int
    /// The items frozen at the top, as far as there is room.
    let frozen: [LineSpan]
    /// Whether there was no room for all that should be frozen.
    let isYielding: Bool
    /// The lines in which items scroll.
    let pane: Range<Int>

    /// What the pane shows.
    struct Page {
        var lines: [LineSpan] = []
        /// Items that are seen whole, those under stuck headers included.
        var whole = 0
        /// Headers that stick.
        var stuck = 0
        /// The line behind the last item.
        var end = 0
    }

    init(_ state: GridState) {
        outline = state.outline
        rows = state.rows
        heights = state.heights
        common = LineIndex.Common(height: max(1, state.metrics.rowHeight), gap: state.metrics.gridLines.areBetweenRows ? 1 : 0)
        headerHeight = Self.headerHeight(state)
        let size = state.size
        automatic = AutomaticHeights(state, frame: max(0, size.height - headerHeight))

        // Frozen items may take two thirds of what is below the header; what does not fit scrolls.
        let budget = max(0, size.height - headerHeight) * 2 / 3
        let wanted = min(state.frozen.rows, outline.itemCount)
        var frozen: [LineSpan] = []
        var y = headerHeight
        while frozen.count < wanted {
            let item = outline.item(at: frozen.count)
            let height = Self.height(of: item, rows, heights, automatic, common)
            guard y - headerHeight + height <= budget else { break }
            frozen.append(LineSpan(item: item, index: frozen.count, y: y, height: height, fullHeight: height, pane: .frozen))
            y += height
        }
        self.frozen = frozen
        isYielding = frozen.count < wanted
        pane = min(y, size.height)..<size.height
    }

    /// Lines of the header: on a low frame fewer, so that there is a grid to see.
    private static func headerHeight(_ state: GridState) -> Int {
        let wanted = max(0, state.metrics.headerHeight)
        switch state.size.height {
        case ..<2: return 0
        case ..<21: return min(wanted, 1)
        default: return wanted
        }
    }

    // MARK: Heights

    /// What automatic heights depend on; `nil` when there are none.
    var wrapping: AutomaticHeights.Wrapping? { automatic?.wrapping }

    /// Lines of an item, the rule below a row included. O(1), O(log sections) with sections.
    func height(of index: Int) -> Int { height(of: outline.item(at: index)) }

    private func height(of item: GridItem) -> Int { Self.height(of: item, rows, heights, automatic, common) }

    private static func height(
        of item: GridItem, _ rows: RowOrder, _ heights: RowHeights, _ automatic: AutomaticHeights?, _ common: LineIndex.Common
    ) -> Int {
        guard case .row(let position) = item else { return 1 }
        if heights.isEmpty, automatic == nil { return common.height + common.gap }
        let row = rows[position]
        return (heights[row] ?? automatic?.height(of: row) ?? common.height) + common.gap
    }

    /// Lines of a row that has no height of its own, the rule below it included.
    private var rowHeight: Int { common.height + common.gap }

    /// Whether the lines above a row are known without looking at each.
    private var isIndexed: Bool { automatic == nil && (outline.tree == nil || rowHeight == 1 && heights.isEmpty) }

    /// The lines above the row at `position`; `nil` when nobody has counted them.
    func lines(above position: Int) -> Int? {
        isIndexed && outline.tree == nil ? heights.index.lines(before: position, common) : nil
    }

    /// The position of the row at a line; `nil` when nobody has counted them.
    func row(atLine line: Int) -> Int? { isIndexed && outline.tree == nil ? heights.index.position(atLine: line, common) : nil }

    /// How many items from `index` on, or before it, go into `room` lines whole; 1 when not even the first does. Lines beyond the first
    /// and the last item count as rows.
    func itemCount(from index: Int, forward: Bool, room: Int) -> Int {
        var count = 0
        var used = 0
        while true {
            let next = forward ? index + count : index - count - 1
            guard next >= 0, next < outline.itemCount else { return max(1, count + (room - used) / rowHeight) }
            used += height(of: next)
            guard used <= room else { return max(1, count) }
            count += 1
        }
    }

    // MARK: Pages

    /// What is seen when the pane begins with item `top`. O(visible items · log sections).
    func page(from top: Int) -> Page {
        var page = Page()
        var y = pane.lowerBound
        var index = top
        var level = 0
        var isSticking = outline.tree != nil
        while y < pane.upperBound, index < outline.itemCount {
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
                let height = height(of: item)
                page.lines.append(
                    LineSpan(
                        item: item, index: index, y: y, height: min(height, pane.upperBound - y), fullHeight: height, pane: .scrolling))
                y += height
                if y <= pane.upperBound { page.whole += 1 }
            }
            index += 1
        }
        page.end = y
        return page
    }

    /// Items that fit the pane whole when it begins with item `top`; what is not filled counts as rows.
    func itemCount(of page: Page) -> Int { page.whole + max(0, pane.upperBound - page.end) / rowHeight }

    /// The greatest useful scroll position: the last item is seen whole, and nothing is wasted below it.
    var lastTop: Int { max(frozen.count, firstTop(showing: outline.itemCount - 1)) }

    /// A scroll position, or the nearest at which there is something to see. At most as many rows are measured as a pane shows.
    func clampedTop(_ top: Int) -> Int {
        // Items are a line high at least: only near the end it matters how high they are.
        if top >= frozen.count, top <= outline.itemCount - pane.count { return top }
        return top.clamped(to: frozen.count...lastTop)
    }

    /// The scroll position at which item `index` stands as near as can be to `line` lines below the upper edge of the pane.
    func top(placing index: Int, atLine line: Int) -> Int {
        var top = index
        var used = 0
        while top > frozen.count {
            let more = used + height(of: top - 1)
            guard abs(more - line) < abs(used - line) else { break }
            used = more
            top -= 1
        }
        return top
    }

    /// The scroll position that is `lines` lines further than `top`, or less by a part of an item.
    func top(_ top: Int, scrolledBy lines: Int) -> Int {
        guard lines != 0 else { return top }
        if isIndexed, heights.isEmpty { return clampedTop(top + lines / rowHeight) }
        var top = top
        var rest = abs(lines)
        while lines > 0 ? top < outline.itemCount - 1 : top > frozen.count {
            rest -= height(of: lines > 0 ? top : top - 1)
            guard rest >= 0 else { break }
            top += lines > 0 ? 1 : -1
        }
        return clampedTop(top)
    }

    /// The least scroll position at which item `index` is seen whole.
    func firstTop(showing index: Int) -> Int {
        guard index >= frozen.count else { return frozen.count }
        if isIndexed {
            // The first row that begins late enough.
            let least = heights.index.lines(before: index + 1, common) - pane.count
            guard least > 0 else { return frozen.count }
            let row = heights.index.position(atLine: least, common)
            let isCut = heights.index.lines(before: row, common) < least
            return max(frozen.count, min(index, isCut ? row + 1 : row))
        }
        var top = index
        var used = height(of: index)
        while top > frozen.count, used + height(of: top - 1) <= pane.count {
            top -= 1
            used += height(of: top)
        }
        // Stuck headers are lower than the rows that they cover: there may be room for some more.
        top = min(top, index - cover(of: index))
        while top > frozen.count, shows(index, from: top - 1) { top -= 1 }
        return top
    }

    private func shows(_ index: Int, from top: Int) -> Bool {
        page(from: top).lines.contains { $0.index == index && $0.pane == .scrolling && $0.isWhole }
    }

    // MARK: Headers that stick

    /// The most headers that may stick: a row is always seen below them.
    private var mostStuck: Int { max(0, pane.count - rowHeight) }

    /// The header of `level` around an item, or the next further in when that one is frozen and so in sight anyway.
    private func stickyHeader(over item: GridItem, level: inout Int) -> Int? {
        while level < outline.depth(of: item), let header = outline.header(above: item, level: level) {
            if outline.index(ofHeader: header) >= frozen.count { return header }
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
