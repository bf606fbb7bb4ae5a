/// Where the items stand from top to bottom: a pure function of the state.
///
/// Items of one height are placed in O(1). Rows of several lines among headers of one are counted back from where they shall end.
struct LineGeometry {
    let outline: Outline
    /// Lines of a row, the rule below it included.
    let rowHeight: Int
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
        rowHeight = max(1, state.metrics.rowHeight + (state.metrics.gridLines == .both ? 1 : 0))
        headerHeight = Self.headerHeight(state)
        let size = state.size

        // Frozen items may take two thirds of what is below the header; what does not fit scrolls.
        let budget = max(0, size.height - headerHeight) * 2 / 3
        let wanted = min(state.frozen.rows, outline.itemCount)
        var frozen: [LineSpan] = []
        var y = headerHeight
        while frozen.count < wanted {
            let item = outline.item(at: frozen.count)
            let height = item.isHeader ? 1 : rowHeight
            guard y - headerHeight + height <= budget else { break }
            frozen.append(LineSpan(item: item, index: frozen.count, y: y, height: height, pane: .frozen))
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

    func height(of index: Int) -> Int { outline.item(at: index).isHeader ? 1 : rowHeight }

    /// Whether all items have one height.
    private var isUniform: Bool { rowHeight == 1 || outline.tree == nil }

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
                page.lines.append(LineSpan(item: .header(header), index: outline.index(ofHeader: header), y: y, height: 1, pane: .stuck))
                page.stuck += 1
                page.whole += 1
                level += 1
                y += 1
            } else {
                isSticking = false
                let height = item.isHeader ? 1 : rowHeight
                page.lines.append(LineSpan(item: item, index: index, y: y, height: min(height, pane.upperBound - y), pane: .scrolling))
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

    /// The least scroll position at which item `index` is seen whole.
    func firstTop(showing index: Int) -> Int {
        guard index >= frozen.count else { return frozen.count }
        if isUniform { return max(frozen.count, index + 1 - max(1, pane.count / rowHeight)) }
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
        page(from: top).lines.contains { $0.index == index && $0.pane == .scrolling && $0.height == height(of: index) }
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
