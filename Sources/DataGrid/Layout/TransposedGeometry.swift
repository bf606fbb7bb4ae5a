/// A layout with a line for each column and rows side by side. The top of a table is at the left, its bottom at the right.
struct TransposedGeometry: TileGeometry {
    private let outline: Outline
    let rowsGoAcross = true
    let headerHeight: Int
    let titleWidth: Int
    let accessoryY: Int?
    let items: Range<Int>
    let overflowingSides: FrozenSides
    let pane: Range<Int>
    let paneColumns: Range<Int>
    let fields: [FieldSpan]
    /// The first visible scrolling item.
    private let top: Int
    /// The width of a row in terminal cells, and the distance between rows.
    let itemWidth: Int
    private let step: Int
    /// The width of a sticky header, and the distance between headers.
    private let headerWidth: Int
    private let headerStep: Int
    /// The sections with stuck headers.
    private let stuck: [Int]
    let pageItemCount: Int
    private let size: GridSize
    /// The height of the pull strip in lines.
    private let pulled: Int
    /// The y coordinate of the rule above the columns frozen at the bottom.
    private let edgeY: Int?
    /// The x coordinate of the rule left of the rows frozen at the right.
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

        // Across: column names, frozen rows, scrolling rows, rows frozen at the end, totals.
        let titles = Self.titleWidth(state)
        let room = max(1, size.width - titles)
        let spacing = max(0, metrics.columnSpacing)
        itemWidth = Self.rowWidth(state, room: room)
        let step = itemWidth + spacing
        self.step = step
        var across = FrozenBudget(room, keeping: itemWidth)
        hasTotals = across.reserveTotals(metrics, step)
        let frozen = across.reserve(min(state.frozen.rows, outline.itemCount), at: .top) { _ in step }.count
        let bottom = across.reserve(min(state.frozen.bottom, outline.itemCount - frozen), at: .bottom) { _ in step }.count
        items = frozen..<outline.itemCount - bottom
        top = max(state.scroll.top, frozen)
        titleWidth = metrics.hasStickyColumnHeaders || top == frozen ? titles : 0
        let fixed = bottom + (hasTotals ? 1 : 0)
        let end = size.width - fixed * step
        paneColumns = min(titleWidth + frozen * step, end)..<end
        edgeX = fixed > 0 && spacing > 0 ? end + spacing - 1 - (spacing - 1) / 2 : nil

        // The headers around the first scrolling row stick to its left while a row fits beside them. They are narrower than rows.
        headerWidth = min(itemWidth, 16)
        let headerStep = headerWidth + spacing
        self.headerStep = headerStep
        let outline = outline
        let most = metrics.hasStickySectionHeaders ? max(0, end - titles - frozen * step - itemWidth) / headerStep : 0
        func headers(over index: Int) -> ArraySlice<Int> {
            index < outline.itemCount ? outline.headers(above: outline.item(at: index), from: frozen).prefix(most) : []
        }
        stuck = Array(headers(over: top))
        let scrolledTitles = metrics.hasStickyColumnHeaders ? titles : 0
        func whole(behind titles: Int, _ headers: Int) -> Int { (end - titles - frozen * step - headers * headerStep + spacing) / step }
        rows = TileTrack(
            count: items.count, behind: state.loader == nil ? 0 : 1, room: whole(behind: scrolledTitles, 0),
            isPaged: metrics.isPaged && outline.tree == nil
        ) { whole(behind: $0 == 0 ? titles : scrolledTitles, headers(over: frozen + $0).count) }
        pageItemCount = max(1, whole(behind: titles, min(most, outline.tree?.depth ?? 0)))

        // Down: row headers, frozen columns, scrolling columns, columns frozen at the end, accessories.
        let header = metrics.rowHeaderWidth > 0 && size.height > 2 ? 1 : 0
        let hasAccessories = metrics.showsAccessories && size.height - header > 2
        let last = size.height - (hasAccessories ? 1 : 0)
        accessoryY = hasAccessories ? last : nil
        let count = state.columns.count
        let lines = metrics.gridLines.hasColumnRules ? 2 : 1
        var down = FrozenBudget(last - header)
        let hasEdge = down.reserveEdge(state.columns.trailingCount > 0)
        let leading = down.reserve(state.columns.leadingCount, at: .leading) { _ in lines }.count
        let trailing = down.reserve(state.columns.trailingCount, at: .trailing) { _ in lines }.count
        self.leading = leading
        overflowingSides = across.overflowingSides.union(down.overflowingSides)
        let isSticky = metrics.hasStickyRowHeaders || leading > 0
        headerHeight = isSticky || state.scroll.x == 0 ? header : 0
        // The last line of a page needs no rule below it.
        let trailingY = trailing > 0 ? last - trailing * lines + lines - 1 : last
        edgeY = hasEdge && trailing > 0 ? trailingY - 1 : nil
        let upper = max(0, edgeY ?? trailingY)
        let firstLine = min(headerHeight + leading * lines, upper)
        pulled = state.scroll.x == 0 ? state.pull?.lines(in: upper - firstLine) ?? 0 : 0
        pane = firstLine + pulled..<upper
        func whole(below header: Int) -> Int { (upper - header - leading * lines + lines - 1) / lines }
        let scrolledHeader = isSticky ? header : 0
        columns = TileTrack(count: count - leading - trailing, room: whole(below: scrolledHeader), isPaged: metrics.isPaged) {
            whole(below: $0 == 0 ? header : scrolledHeader)
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
        func add(_ index: Int, x: Int, width: Int, end: Int, _ pane: ItemSpan.Pane) {
            guard x < end else { return }
            tiles.append(
                TileSpan(
                    item: outline.item(at: index), index: index, x: x, y: 0, width: min(width, end - x), height: size.height,
                    fullWidth: width, fullHeight: size.height, pane: pane))
        }
        for index in 0..<items.lowerBound { add(index, x: titleWidth + index * step, width: itemWidth, end: size.width, .frozen) }
        let (first, end) = (paneColumns.lowerBound, paneColumns.upperBound)
        for (place, header) in stuck.enumerated() {
            add(outline.index(ofHeader: header), x: first + place * headerStep, width: headerWidth, end: end, .stuck)
        }
        for (index, x) in zip(top..<max(top, items.upperBound), stride(from: rowX, to: end, by: step)) {
            add(index, x: x, width: itemWidth, end: end, .scrolling)
        }
        for (place, index) in (items.upperBound..<outline.itemCount).enumerated() {
            add(index, x: end + step - itemWidth + place * step, width: itemWidth, end: size.width, .bottom)
        }
        return tiles
    }

    /// The x coordinate of the first scrolling row.
    private var rowX: Int { paneColumns.lowerBound + stuck.count * headerStep }

    var strips: [GridStrip] {
        var strips: [GridStrip] = []
        if pulled > 0 { strips.append(GridStrip(kind: .pull, y: pane.lowerBound - pulled, height: pulled)) }
        let x = rowX + (items.upperBound - top) * step
        if rows.behind > 0, top <= items.upperBound, x < paneColumns.upperBound, !pane.isEmpty {
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

    var pageSize: Int? { rows.page }

    func isAtTop(_ scroll: GridScroll) -> Bool { scroll.x <= 0 }

    func clampedTop(_ top: Int) -> Int { items.lowerBound + rows.clamped(top - items.lowerBound) }

    func top(_ top: Int, showing index: Int) -> Int {
        guard items.contains(index) else { return top }
        return items.lowerBound + rows.first(top - items.lowerBound, showing: index - items.lowerBound)
    }

    func top(_ top: Int, scrolledBy steps: Int) -> Int {
        clampedTop(top + Self.steps(steps.clamped(to: -outline.itemCount...outline.itemCount), pages: rows.page))
    }

    func turned(_ top: Int, forward: Bool, isHalf: Bool) -> (top: Int, steps: Int) {
        let steps = rows.turn(from: top - items.lowerBound, forward: forward, isHalf: isHalf)
        return (clampedTop(top + steps), steps)
    }

    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll {
        var scroll = scroll
        scroll.x += Self.steps(distance.y, nearestOf: columns.page)
        scroll.top = top(scroll.top, scrolledBy: Self.steps(distance.x / step, nearestOf: rows.page))
        return scroll
    }

    func item(from index: Int, _ motion: GridMotion) -> Int? {
        switch motion {
        case .left(let count): return max(0, index - min(count, index))
        case .right(let count): return index + min(count, outline.itemCount - 1 - index)
        default: return nil
        }
    }

    func clampedField(_ first: Int) -> Int { columns.clamped(first) }

    func firstField(_ first: Int, showing index: Int) -> Int {
        guard (0..<columns.count).contains(index - leading) else { return clampedField(first) }
        return columns.first(first, showing: index - leading)
    }

    func firstField(_ first: Int, scrolledBy steps: Int) -> Int { clampedField(first + Self.steps(steps, pages: columns.page)) }

    func pagedFields(_ first: Int, forward: Bool) -> (first: Int, steps: Int) {
        let steps = columns.turn(from: first, forward: forward)
        return (clampedField(first + steps), steps)
    }
}
