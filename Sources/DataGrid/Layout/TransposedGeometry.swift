/// The screen positions in a transposed grid: a line for each column, with rows side by side. Rows frozen at the top of a table are at
/// the left, and rows frozen at its bottom are at the right.
struct TransposedGeometry: TileGeometry {
    private let outline: Outline
    let isTransposed = true
    let sectionLineCount: Int
    let headerHeight: Int
    let titleWidth: Int
    let accessoryY: Int?
    let items: Range<Int>
    let overflowingSides: FrozenSides
    let pane: Range<Int>
    let paneColumns: Range<Int>
    let fields: [FieldSpan]
    /// The index of the first visible item that scrolls.
    private let top: Int
    /// The width of a row in terminal cells, which is the same for all rows.
    let itemWidth: Int
    /// The widths of rows and section headers.
    private let itemLayout: TransposedItems
    /// The x coordinate of the first item frozen at the right.
    private let bottomX: Int
    /// The sections whose headers are stuck at the left. Their titles are in lines above the rows.
    private let stickyHeaders: [Int]
    let pageItemCount: Int
    private let size: GridSize
    /// The number of uncovered lines of the pull strip.
    private let pullLines: Int
    /// The y coordinate of the rule above the columns frozen at the bottom; `nil` without a rule.
    private let edgeY: Int?
    /// The x coordinate of the rule to the left of the rows frozen at the right; `nil` without a rule.
    private let edgeX: Int?
    private let hasTotals: Bool
    private let rows: TileTrack
    private let columns: TileTrack
    /// The number of columns frozen at the top.
    private let leading: Int

    /// Computes the geometry of `state`. O(columns).
    init(_ state: GridState) {
        let metrics = state.metrics
        outline = state.outline
        size = state.size

        // From left to right: column names, frozen rows, scrolling rows, rows frozen at the right, totals.
        let titles = Self.titleWidth(state)
        let room = max(1, size.width - titles)
        let spacing = max(0, metrics.columnSpacing)
        itemWidth = Self.rowWidth(state, room: room)
        let header = metrics.rowHeaderWidth > 0 && size.height > 2 ? 1 : 0
        sectionLineCount = min(outline.tree?.depth ?? 0, max(0, size.height - header) / 2)
        var itemLayout = TransposedItems(outline: outline, rowWidth: itemWidth, spacing: spacing, levelCount: sectionLineCount)
        let step = itemLayout.step
        var across = FrozenBudget(room, keeping: itemWidth)
        hasTotals = across.reserveTotals(metrics, step)
        if outline.tree != nil, !outline.showsRows {
            // Do not widen frozen headers, so that other items have room to scroll.
            let fills = metrics.transposedRowWidth == nil && state.frozen.rows == 0 && state.frozen.bottom == 0
            let others = (hasTotals ? 1 : 0) + (state.loader == nil ? 0 : 1)
            itemLayout.widenTitles(in: room - others * step, fillsRoom: fills)
        }
        self.itemLayout = itemLayout
        let itemCount = outline.itemCount
        let frozenWidths = across.reserve(min(state.frozen.rows, itemCount), at: .top) { itemLayout.advance(of: $0, isFirst: $0 == 0) }
        let (frozen, frozenWidth) = (frozenWidths.count, frozenWidths.reduce(0, +))
        let bottomWidths = across.reserve(min(state.frozen.bottom, itemCount - frozen), at: .bottom) {
            itemLayout.advance(of: itemCount - 1 - $0, isFirst: true)
        }
        let items = frozen..<itemCount - bottomWidths.count
        self.items = items
        top = max(state.scroll.top, frozen)
        titleWidth = metrics.hasStickyColumnHeaders || top == frozen ? titles : 0
        let fixed = (items.upperBound..<itemCount).reduce(hasTotals ? step : 0) {
            $0 + itemLayout.advance(of: $1, isFirst: $1 == items.upperBound)
        }
        let end = size.width - fixed
        bottomX = end + spacing
        paneColumns = min(titleWidth + frozenWidth, end)..<end
        edgeX = fixed > 0 && spacing > 0 ? end + spacing - 1 - (spacing - 1) / 2 : nil

        // The titles of the sections that contain the first scrolling row stay visible, each in the line of its level.
        stickyHeaders =
            metrics.hasStickySectionHeaders && top < itemCount
            ? outline.headers(above: outline.item(at: top), from: frozen).filter { itemLayout.hasTitleLine($0) } : []
        let free = end - frozenWidth
        var scrolling = itemLayout
        scrolling.end = items.upperBound
        let scrolledTitles = metrics.hasStickyColumnHeaders ? titles : 0
        rows = TileTrack(count: items.count, trailingCount: state.loader == nil ? 0 : 1, isPaged: metrics.isPaged && outline.tree == nil) {
            scrolling.wholeItemCount(from: frozen + $0, in: free - ($0 == 0 ? titles : scrolledTitles))
        } earliestPosition: {
            scrolling.first(showing: frozen + $0, from: frozen, in: free - scrolledTitles) - frozen
        }
        pageItemCount = max(1, (free - titles + spacing) / step)

        // From top to bottom: section titles, row headers, frozen columns, scrolling columns, columns frozen at the bottom, symbols of
        // rows.
        let hasAccessories = metrics.showsAccessories && size.height - sectionLineCount - header > 2
        let last = size.height - (hasAccessories ? 1 : 0)
        accessoryY = hasAccessories ? last : nil
        let count = state.columns.count
        let lines = metrics.gridLines.hasColumnRules ? 2 : 1
        let above = sectionLineCount
        var down = FrozenBudget(last - above - header)
        let hasEdge = down.reserveEdge(state.columns.trailingCount > 0)
        let leading = down.reserve(state.columns.leadingCount, at: .leading) { _ in lines }.count
        let trailing = down.reserve(state.columns.trailingCount, at: .trailing) { _ in lines }.count
        self.leading = leading
        overflowingSides = across.overflowingSides.union(down.overflowingSides)
        let isSticky = metrics.hasStickyRowHeaders || leading > 0
        headerHeight = above + (isSticky || state.scroll.x == 0 ? header : 0)
        // The last column needs no rule below it.
        let trailingY = trailing > 0 ? last - trailing * lines + lines - 1 : last
        edgeY = hasEdge && trailing > 0 ? trailingY - 1 : nil
        let upper = max(0, edgeY ?? trailingY)
        let firstLine = min(headerHeight + leading * lines, upper)
        pullLines = state.scroll.x == 0 ? state.pull?.lines(in: upper - firstLine) ?? 0 : 0
        pane = firstLine + pullLines..<upper
        func wholeColumnCount(below header: Int) -> Int { (upper - above - header - leading * lines + lines - 1) / lines }
        let scrolledHeader = isSticky ? header : 0
        let wholeCount = max(1, wholeColumnCount(below: scrolledHeader))
        columns = TileTrack(count: count - leading - trailing, isPaged: metrics.isPaged) {
            wholeColumnCount(below: $0 == 0 ? header : scrolledHeader)
        } earliestPosition: {
            $0 - wholeCount + 1
        }

        var fields: [FieldSpan] = []
        func add(_ range: Range<Int>, y: Int, end: Int, _ pane: GridPane) {
            for (index, y) in zip(range, stride(from: y, to: end, by: lines)) {
                let id = state.columns[index].id
                fields.append(FieldSpan(index: index, id: id, y: y, height: min(lines, end - y), pane: pane))
            }
        }
        add(0..<leading, y: headerHeight, end: firstLine, .leading)
        add(leading + columns.clamped(state.scroll.x)..<count - trailing, y: pane.lowerBound, end: upper, .scrolling)
        add(count - trailing..<count, y: trailingY, end: last, .trailing)
        self.fields = fields
    }

    // MARK: Visible parts

    var tiles: [TileSpan] {
        var tiles: [TileSpan] = []
        add(0..<items.lowerBound, x: titleWidth, end: paneColumns.lowerBound, .frozenTop, &tiles)
        add(top..<max(top, items.upperBound), x: paneColumns.lowerBound, end: paneColumns.upperBound, .scrolling, &tiles)
        add(items.upperBound..<outline.itemCount, x: bottomX, end: size.width - (hasTotals ? itemLayout.step : 0), .frozenBottom, &tiles)
        return tiles
    }

    /// Adds the tiles of consecutive items. Before the scrolling items, adds the titles of the sections with stuck headers.
    private func add(_ range: Range<Int>, x: Int, end: Int, _ pane: ItemSpan.Pane, _ tiles: inout [TileSpan]) {
        var starts = pane == .scrolling ? stickyHeaders.map { (item: GridItem.header($0), index: outline.index(ofHeader: $0), x: x) } : []
        let stuckCount = starts.count
        var next = x
        for index in range {
            let advance = itemLayout.advance(of: index, isFirst: index == range.lowerBound)
            // A section header without its own band begins at the x coordinate of the previous header.
            let x = advance == 0 ? starts.last?.x ?? next : next
            guard x < end else { break }
            starts.append((outline.item(at: index), index, x))
            next += advance
        }
        for (number, (item, index, x)) in starts.enumerated() where x < end {
            let isStuck = number < stuckCount
            var (y, width, height) = (sectionLineCount, itemWidth, size.height - sectionLineCount)
            if case .header(let section) = item {
                width = itemLayout.width(of: index, isFirst: true)
                if itemLayout.hasTitleLine(section) {
                    y = itemLayout.level(of: section)
                    // The next header is in the line below and at the same x coordinate.
                    let sharesBand = number + 1 < starts.count && starts[number + 1].x == x
                    height = sharesBand ? 1 : size.height - y
                }
                if itemLayout.hasTitleLine(section), isStuck || itemLayout.showsContent(index) {
                    // The title spans the rows of its section, up to the next section of the same or an outer level.
                    let following = starts[(number + 1)...].first { next in
                        if case .header(let other) = next.item {
                            itemLayout.level(of: other) <= itemLayout.level(of: section)
                        } else {
                            false
                        }
                    }
                    let space = pane == .frozenTop ? end - itemLayout.spacing : end
                    width = max(width, (following.map { $0.x - itemLayout.spacing } ?? space) - x)
                    height = 1
                }
            }
            tiles.append(
                TileSpan(
                    item: item, index: index, x: x, y: y, width: min(width, end - x), height: height, fullWidth: width, fullHeight: height,
                    pane: isStuck ? .stuck : pane))
        }
    }

    /// The x coordinate after the last scrolling item; `nil` if the last item is not visible.
    private var endX: Int? {
        var x = paneColumns.lowerBound
        for index in top..<max(top, items.upperBound) {
            guard x < paneColumns.upperBound else { return nil }
            x += itemLayout.advance(of: index, isFirst: index == top)
        }
        return x
    }

    var strips: [GridStrip] {
        var strips: [GridStrip] = []
        if pullLines > 0 { strips.append(GridStrip(kind: .pull, y: pane.lowerBound - pullLines, height: pullLines)) }
        if rows.trailingCount > 0, top <= items.upperBound, let x = endX, x < paneColumns.upperBound, !pane.isEmpty {
            let columns = x..<min(x + itemWidth, paneColumns.upperBound)
            strips.append(GridStrip(kind: .loader, y: pane.lowerBound, height: pane.count, columns: columns))
        }
        if let edgeY { strips.append(GridStrip(kind: .bottomEdge, y: edgeY, height: 1)) }
        if let edgeX { strips.append(GridStrip(kind: .bottomEdge, y: 0, height: size.height, columns: edgeX..<edgeX + 1)) }
        if hasTotals {
            strips.append(GridStrip(kind: .totals, y: 0, height: size.height, columns: size.width - itemWidth..<size.width))
        }
        return strips
    }

    // MARK: Scrolling

    var pageSize: Int? { rows.pageSize }

    func isAtTop(_ scroll: GridScroll) -> Bool { scroll.x <= 0 }

    func clampedTop(_ top: Int) -> Int { items.lowerBound + rows.clamped(top - items.lowerBound) }

    func topItem(from top: Int, showing index: Int) -> Int {
        guard items.contains(index) else { return top }
        return items.lowerBound + rows.position(from: top - items.lowerBound, showing: index - items.lowerBound)
    }

    func topItem(from top: Int, scrolledBy steps: Int) -> Int {
        clampedTop(top + Self.roundedUp(steps.clamped(to: -outline.itemCount...outline.itemCount), toPagesOf: rows.pageSize))
    }

    func pagedTop(_ top: Int, isForward: Bool, isHalf: Bool) -> (top: Int, steps: Int) {
        let steps = rows.pageDistance(from: top - items.lowerBound, isForward: isForward, isHalf: isHalf)
        return (clampedTop(top + steps), steps)
    }

    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll {
        var scroll = scroll
        scroll.x += Self.rounded(distance.y, toNearestPageOf: columns.pageSize)
        scroll.top = topItem(from: scroll.top, scrolledBy: Self.rounded(distance.x / itemLayout.step, toNearestPageOf: rows.pageSize))
        return scroll
    }

    func item(from index: Int, _ motion: GridMotion) -> Int? {
        switch motion {
        case .left(let count): return max(0, index - min(count, index))
        case .right(let count): return index + min(count, outline.itemCount - 1 - index)
        default: return nil
        }
    }

    func clampedFirstField(_ first: Int) -> Int { columns.clamped(first) }

    func firstVisibleField(near first: Int, showing index: Int) -> Int {
        guard (0..<columns.count).contains(index - leading) else { return clampedFirstField(first) }
        return columns.position(from: first, showing: index - leading)
    }

    func firstVisibleField(from first: Int, scrolledBy steps: Int) -> Int {
        clampedFirstField(first + Self.roundedUp(steps, toPagesOf: columns.pageSize))
    }

    func pagedFields(_ first: Int, isForward: Bool) -> (first: Int, steps: Int) {
        let steps = columns.pageDistance(from: first, isForward: isForward)
        return (clampedFirstField(first + steps), steps)
    }
}
