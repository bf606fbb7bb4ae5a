/// Rows beside each other, a line for each column.
struct TransposedGeometry: TileGeometry {
    private let outline: Outline
    private let frozenItems: Int
    let rowsGoAcross = true
    let titleWidth: Int
    let accessoryY: Int?
    /// The lines of the columns; above the first there is one for the headers of rows, where they have any.
    let pane: Range<Int>
    /// Terminal cells of a row.
    private let rowWidth: Int
    private let spacing: Int
    private let right: Int
    private let height: Int
    let fields: [FieldSpan]
    private let frozenFields: Int
    /// Columns beside the frozen ones.
    private let scrollingFields: Int
    let pageFieldCount: Int
    /// Columns of a page where the grid is turned by whole pages.
    private let fieldPage: Int?
    /// Whether rows are turned by pages too.
    private let hasPages: Bool
    /// Places of rows behind the last item: the loader's.
    private let loaderPlaces: Int

    init(_ state: GridState) {
        outline = state.outline
        right = state.size.width
        height = state.size.height
        spacing = max(0, state.metrics.columnSpacing)
        // East Asian characters and pictures take two terminal cells.
        let titles = state.columns.visible.map { $0.title.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) } }
        titleWidth = min((titles.max() ?? 0) + 2, max(1, right / 3), max(0, right - 1))
        let headerHeight = state.metrics.rowHeaderWidth > 0 && height > 2 ? 1 : 0
        let hasAccessories = state.metrics.showsAccessories && height - headerHeight > 2
        accessoryY = hasAccessories ? height - 1 : nil
        pane = headerHeight..<max(headerHeight, height - (hasAccessories ? 1 : 0))
        let room = max(1, right - titleWidth)
        loaderPlaces = state.loader == nil ? 0 : 1
        // Only what nobody has set has bounds.
        let widths = state.columns.visible.map { column in
            if case .fixed(let width) = column.width { return width }
            return min(column.measuredWidth, 32)
        }
        rowWidth = min(room, max(8, widths.max() ?? 0))
        frozenItems = min(state.frozen.rows, outline.itemCount, max(0, room * 2 / 3 / (rowWidth + spacing)))

        frozenFields = min(state.frozen.leading, state.columns.count, pane.count * 2 / 3)
        pageFieldCount = max(0, pane.count - frozenFields)
        scrollingFields = state.columns.count - frozenFields
        fieldPage = state.metrics.isPaged ? max(1, pageFieldCount) : nil
        hasPages = state.metrics.isPaged && state.outline.tree == nil
        let scrolled = Self.clampedField(state.scroll.x, of: scrollingFields, in: pageFieldCount, fieldPage)
        let first = frozenFields + scrolled
        let indices = Array(0..<frozenFields) + Array(first..<min(first + pageFieldCount, max(first, state.columns.count)))
        fields = indices.enumerated().map { [frozenFields] line, index in
            FieldSpan(index: index, id: state.columns[index].id, y: headerHeight + line, isFixed: line < frozenFields)
        }
    }

    /// From one row to the next.
    private var step: Int { rowWidth + spacing }

    /// Where rows scroll.
    private var paneX: Int { titleWidth + frozenItems * step }

    var pageItemCount: Int { max(1, (right - paneX + spacing) / step) }

    var pageSize: Int? { hasPages ? max(1, pageItemCount - loaderPlaces) : nil }

    func tiles(from top: Int) -> [TileSpan] {
        var tiles: [TileSpan] = []
        for index in 0..<frozenItems { append(index, x: titleWidth + index * step, isFixed: true, to: &tiles) }
        var x = paneX
        for index in max(top, frozenItems)..<max(top, frozenItems, outline.itemCount) {
            guard x < right else { break }
            append(index, x: x, isFixed: false, to: &tiles)
            x += step
        }
        return tiles
    }

    func strips(from top: Int) -> [GridStrip] {
        let x = paneX + (outline.itemCount - max(top, frozenItems)) * step
        guard loaderPlaces > 0, x < right, !pane.isEmpty else { return [] }
        let columns = x..<min(x + rowWidth, right)
        return [GridStrip(kind: .loader, y: pane.lowerBound, height: pane.count, columns: columns)]
    }

    private func append(_ index: Int, x: Int, isFixed: Bool, to tiles: inout [TileSpan]) {
        let width = min(rowWidth, right - x)
        guard width > 0 else { return }
        tiles.append(
            TileSpan(
                item: outline.item(at: index), index: index, x: x, y: 0, width: width, height: height,
                fullWidth: rowWidth, fullHeight: height, isFixed: isFixed))
    }

    func clampedTop(_ top: Int) -> Int {
        if let pageSize {
            let place = top.clamped(to: frozenItems...max(frozenItems, outline.itemCount - 1)) - frozenItems
            return frozenItems + place / pageSize * pageSize
        }
        // The last row stays in sight.
        let last = min(outline.itemCount + loaderPlaces - pageItemCount, outline.itemCount - 1)
        return top.clamped(to: frozenItems...max(frozenItems, last))
    }

    func top(_ top: Int, showing index: Int) -> Int {
        guard index >= frozenItems else { return top }
        if pageSize != nil { return clampedTop(index) }
        let behind = index == outline.itemCount - 1 ? loaderPlaces : 0
        return clampedTop(min(index, max(top, index + behind - pageItemCount + 1)))
    }

    func top(_ top: Int, scrolledBy steps: Int) -> Int { clampedTop(top + Self.steps(steps, pages: pageSize)) }

    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll {
        var scroll = scroll
        scroll.x += Self.steps(distance.y, nearestOf: fieldPage)
        scroll.top = top(scroll.top, scrolledBy: Self.steps(distance.x / step, nearestOf: pageSize))
        return scroll
    }

    func item(from index: Int, _ motion: GridMotion) -> Int? {
        let last = outline.itemCount - 1
        switch motion {
        case .left(let count): return max(0, index - min(count, index))
        case .right(let count): return index + min(count, last - index)
        case .pageUp: return max(0, index - (pageSize ?? pageItemCount))
        case .pageDown: return min(last, index + (pageSize ?? pageItemCount))
        case .halfPageUp: return max(0, index - max(1, pageItemCount / 2))
        case .halfPageDown: return min(last, index + max(1, pageItemCount / 2))
        default: return nil
        }
    }

    // MARK: Columns

    func clampedField(_ first: Int) -> Int { Self.clampedField(first, of: scrollingFields, in: pageFieldCount, fieldPage) }

    private static func clampedField(_ first: Int, of count: Int, in room: Int, _ page: Int?) -> Int {
        guard let page else { return first.clamped(to: 0...max(0, count - room)) }
        return first.clamped(to: 0...max(0, count - 1)) / page * page
    }

    func firstField(_ first: Int, showing index: Int) -> Int {
        guard index >= frozenFields else { return clampedField(first) }
        let place = index - frozenFields
        return clampedField(fieldPage == nil ? min(place, max(first, place - max(1, pageFieldCount) + 1)) : place)
    }

    func firstField(_ first: Int, scrolledBy steps: Int) -> Int { clampedField(first + Self.steps(steps, pages: fieldPage)) }
}
