/// Rows beside each other, a line for each column.
struct TransposedGeometry: TileGeometry {
    private let outline: Outline
    private let frozenItems: Int
    let rowsGoAcross = true
    let titleWidth: Int
    /// The lines of the columns; above the first there is one for the headers of rows, where they have any.
    let pane: Range<Int>
    /// Terminal cells of a row.
    private let rowWidth: Int
    private let spacing: Int
    private let right: Int
    private let height: Int
    let fields: [FieldSpan]
    let maximumField: Int
    private let frozenFields: Int
    private let pageFields: Int
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
        pane = headerHeight..<max(headerHeight, height)
        let room = max(1, right - titleWidth)
        loaderPlaces = state.loader == nil ? 0 : 1
        let measured = state.columns.visible.map { column in
            if case .fixed(let width) = column.width { return width }
            return column.measuredWidth
        }
        rowWidth = min(room, max(8, min(measured.max() ?? 0, 32)))
        frozenItems = min(state.frozen.rows, outline.itemCount, max(0, room * 2 / 3 / (rowWidth + spacing)))

        frozenFields = min(state.frozen.leading, state.columns.count, pane.count * 2 / 3)
        pageFields = max(0, pane.count - frozenFields)
        maximumField = max(0, state.columns.count - frozenFields - pageFields)
        let first = frozenFields + state.scroll.x.clamped(to: 0...maximumField)
        let indices = Array(0..<frozenFields) + Array(first..<min(first + pageFields, max(first, state.columns.count)))
        fields = indices.enumerated().map { [frozenFields] line, index in
            FieldSpan(index: index, id: state.columns[index].id, y: headerHeight + line, isFixed: line < frozenFields)
        }
    }

    /// From one row to the next.
    private var step: Int { rowWidth + spacing }

    /// Where rows scroll.
    private var paneX: Int { titleWidth + frozenItems * step }

    var pageItemCount: Int { max(1, (right - paneX + spacing) / step) }

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
        // The last row stays in sight.
        let last = min(outline.itemCount + loaderPlaces - pageItemCount, outline.itemCount - 1)
        return top.clamped(to: frozenItems...max(frozenItems, last))
    }

    func top(_ top: Int, showing index: Int) -> Int {
        guard index >= frozenItems else { return top }
        let behind = index == outline.itemCount - 1 ? loaderPlaces : 0
        return clampedTop(min(index, max(top, index + behind - pageItemCount + 1)))
    }

    func top(_ top: Int, scrolledBy steps: Int) -> Int { clampedTop(top + steps) }

    func scroll(_ scroll: GridScroll, pannedBy distance: GridPoint) -> GridScroll {
        var scroll = scroll
        scroll.x += distance.y
        scroll.top = top(scroll.top, scrolledBy: distance.x / step)
        return scroll
    }

    func item(from index: Int, _ motion: GridMotion) -> Int? {
        let last = outline.itemCount - 1
        switch motion {
        case .left(let count): return max(0, index - min(count, index))
        case .right(let count): return index + min(count, last - index)
        case .pageUp: return max(0, index - pageItemCount)
        case .pageDown: return min(last, index + pageItemCount)
        case .halfPageUp: return max(0, index - max(1, pageItemCount / 2))
        case .halfPageDown: return min(last, index + max(1, pageItemCount / 2))
        default: return nil
        }
    }

    /// The first scrolling column at which column `index` is seen, nearest to `first`.
    func firstField(_ first: Int, showing index: Int) -> Int {
        guard index >= frozenFields else { return min(first, maximumField) }
        let place = index - frozenFields
        return min(place, max(first, place - max(1, pageFields) + 1)).clamped(to: 0...maximumField)
    }
}
