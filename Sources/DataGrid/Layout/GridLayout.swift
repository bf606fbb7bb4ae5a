import FieldValues

/// The horizontal pane of the grid, or the vertical pane of a transposed grid.
public enum GridPane: Hashable, Sendable {
    /// Frozen at the left or at the top.
    case leading
    /// Between the frozen panes.
    case scrolling
    /// Frozen at the right or at the bottom.
    case trailing
}

/// The screen position of a visible column.
public struct ColumnSpan: Hashable, Sendable {
    /// The index of the column among the visible columns.
    public var index: Int
    /// The identity of the column.
    public var id: ColumnID
    /// The first visible terminal cell.
    public var x: Int
    /// The visible width in terminal cells.
    public var width: Int
    /// The number of terminal cells clipped at the left.
    public var clippedLeading: Int
    /// The full width in terminal cells.
    public var fullWidth: Int
    /// The pane of the column; only scrolling columns can be clipped at the left.
    public var pane: GridPane

    /// The visible terminal cells, without the spacing after the column.
    public var range: Range<Int> { x..<x + width }
    /// True if the end of the column is clipped.
    public var isClippedTrailing: Bool { clippedLeading + width < fullWidth }
}

/// The screen position of a visible item.
public struct ItemSpan: Hashable, Sendable {
    /// The pane of an item.
    public enum Pane: Hashable, Sendable {
        /// Frozen at the top; in a transposed grid, at the left.
        case frozenTop
        /// Frozen at the bottom; in a transposed grid, at the right.
        case frozenBottom
        /// A section header that sticks to the top of the pane.
        case stuck
        /// Scrolls with the other items.
        case scrolling
    }

    /// The row or header.
    public var item: GridItem
    /// The index in the outline, which counts all items, including frozen ones.
    public var index: Int
    /// The first line, counted from the top of the frame.
    public var y: Int
    /// The number of visible lines; the last item can be clipped at the bottom.
    public var height: Int
    /// The full height in lines.
    public var fullHeight: Int
    /// The pane: frozen, stuck or scrolling.
    public var pane: Pane

    /// The visible lines.
    public var range: Range<Int> { y..<y + height }
    /// True if no part of the item is clipped.
    public var isWhole: Bool { height == fullHeight }
}

/// The positions of all parts of the grid: a pure function of the state. It is used for drawing, hit tests, cursor motion and scrolling.
///
/// All coordinates are terminal cells relative to the upper left corner of the grid's frame.
public struct GridLayout: Sendable {
    /// The size of the frame, in terminal cells.
    public let size: GridSize
    /// The layout of rows: table, transposed or cards.
    public let presentation: GridPresentation
    /// The widths and starts of all columns that are not hidden.
    public let geometry: ColumnGeometry
    /// The visible height of the header in lines; 0 if it is scrolled out. In a transposed grid, the height of section titles and row
    /// headers.
    public let headerHeight: Int
    /// The number of lines with titles of sections above the row headers of a transposed grid.
    public let sectionLines: Int
    /// The line of the row headers of a transposed grid; `nil` without them.
    public var rowHeaderY: Int? { presentation == .transposed && headerHeight > sectionLines ? sectionLines : nil }
    /// The number of header lines with column names; types and a rule follow.
    public let titleLines: Int
    /// The visible width of the row header in terminal cells.
    public let rowHeaderWidth: Int
    /// The x coordinate of the scroll bar; `nil` without one.
    public let scrollBarX: Int?
    /// The x coordinate of accessories, with a blank before them; `nil` without accessories.
    public let accessoryX: Int?
    /// The y coordinate of accessories in a transposed grid; `nil` without accessories.
    public let accessoryY: Int?
    /// The x coordinate at which rows end: the scroll bar or the end of the frame.
    public var rowEnd: Int { scrollBarX ?? size.width }
    /// The visible columns, from left to right.
    public let columns: [ColumnSpan]
    /// The visible items, from top to bottom.
    public let itemSpans: [ItemSpan]
    /// The visible strips, mostly across the full width, from top to bottom.
    public let strips: [GridStrip]
    /// The number of items that are frozen at the top and fit there.
    public let frozenItemCount: Int
    /// The number of items that are frozen at the bottom and fit there.
    public let bottomItemCount: Int
    /// The sides without room for all frozen rows or columns, because at least a third of the frame scrolls. The excess rows and columns
    /// scroll too. A mark (◂ ▴ ▸ ▾) points to each side.
    public let overflowingSides: FrozenSides
    /// The lines in which items scroll; in a transposed grid, the lines in which columns scroll.
    public let pane: Range<Int>
    /// The number of whole items that fit in the scrolling pane.
    public let pageItemCount: Int
    /// The number of items on a page; `nil` if the grid is not paged.
    public let pageSize: Int?
    /// The number of headers that are stuck.
    public let stickyCount: Int
    /// The visible cards, or rows of a transposed grid; empty for a table.
    public let tiles: [TileSpan]
    /// The visible columns of a transposed grid, each with its lines.
    public let fields: [FieldSpan]
    /// The width of the column names of a transposed grid, in terminal cells; 0 if they are scrolled out.
    public let titleWidth: Int
    /// The terminal cells in which rows of a transposed grid scroll.
    package let paneColumns: Range<Int>
    /// The slots of a card; `nil` for other layouts.
    let cardSlots: CardSlots?
    /// The source that knows which slots of a card are empty; `nil` if empty slots do not collapse.
    let cardContent: (any CardContent)?
    /// The cursor. A click on a card outside its slots does not change the cursor's column.
    let cursor: GridCursor
    let rows: RowOrder
    let hasCardAccessories: Bool
    let cardEdge: CardEdge
    let tree: SectionTree?

    /// Computes the layout of `state`. O(columns + visible items · log sections).
    public init(_ state: GridState) {
        size = state.size
        presentation = state.effectivePresentation
        geometry = ColumnGeometry(state)
        tree = state.outline.tree
        cursor = state.cursor
        rows = state.rows
        cardContent = state.metrics.cards.collapsesEmptySlots ? state.cardContent : nil
        let tiles = state.tileGeometry
        cardEdge = state.metrics.cards.edge
        let cardWidth = presentation == .cards ? tiles?.itemWidth : nil
        hasCardAccessories = state.metrics.showsAccessories && cardWidth ?? 0 >= 3 * ColumnGeometry.accessoryWidth
        cardSlots = cardWidth.map { [geometry, hasCardAccessories] in
            CardSlots(
                state.columns, width: $0, metrics: state.metrics.cards, hasAccessories: hasCardAccessories,
                widths: geometry.slotWidths(state))
        }
        if let tiles {
            let isVisible = state.size.width > 0 && state.size.height > 0
            self.tiles = isVisible ? tiles.tiles : []
            strips = isVisible ? tiles.strips : []
            (fields, titleWidth, headerHeight, pane) = (tiles.fields, tiles.titleWidth, tiles.headerHeight, tiles.pane)
            (accessoryY, paneColumns, sectionLines) = (tiles.accessoryY, tiles.paneColumns, tiles.sectionLines)
            (columns, itemSpans, rowHeaderWidth, accessoryX) = ([], [], 0, nil)
            scrollBarX = geometry.hasScrollBar && !tiles.isTransposed ? size.width - 1 : nil
            (titleLines, stickyCount) = (0, 0)
            (frozenItemCount, bottomItemCount) = (tiles.items.lowerBound, state.outline.itemCount - tiles.items.upperBound)
            overflowingSides = tiles.overflowingSides
            (pageItemCount, pageSize) = (tiles.pageItemCount, tiles.pageSize)
            return
        }
        (self.tiles, fields, titleWidth, accessoryY, paneColumns, sectionLines) = ([], [], 0, nil, 0..<0, 0)
        rowHeaderWidth = geometry.rowHeaderWidth
        scrollBarX = geometry.hasScrollBar ? size.width - 1 : nil
        accessoryX = geometry.hasAccessories ? size.width - (geometry.hasScrollBar ? 2 : 1) : nil
        columns = Self.spans(state, geometry)

        let vertical = LineGeometry(state)
        let page = vertical.page(from: max(state.scroll.top, vertical.frozen.count))
        headerHeight = vertical.header.count
        titleLines = vertical.header.titles
        frozenItemCount = vertical.frozen.count
        bottomItemCount = vertical.bottom.count
        overflowingSides = geometry.overflowingSides.union(vertical.overflowingSides)
        itemSpans = vertical.frozen + page.lines + vertical.bottom
        strips = (vertical.strips + [page.loader].compactMap(\.self)).sorted { $0.y < $1.y }
        pane = vertical.pane
        pageSize = vertical.pageSize
        stickyCount = page.stuckCount
        pageItemCount = vertical.itemCapacity(of: page)
    }

    /// The slots of a card in reading order, before empty slots collapse; the list is empty for other layouts.
    public var slots: [SlotSpan] { cardSlots?.spans ?? [] }

    /// The visible rows and headers, from first to last, without items covered by a stuck header.
    public var items: [GridItem] { tiles.isEmpty ? itemSpans.map(\.item) : tiles.map(\.item) }

    /// The positions of the visible rows, from top to bottom, without rows covered by a stuck header.
    public var positions: [Int] {
        items.compactMap { item in
            if case .row(let position) = item { return position }
            return nil
        }
    }

    /// True if a side does not have room for all frozen rows or columns.
    public var isOverflowing: Bool { !overflowingSides.isEmpty }

    static func spans(_ state: GridState, _ geometry: ColumnGeometry) -> [ColumnSpan] {
        var spans: [ColumnSpan] = []
        func add(_ index: Int, x: Int, clipped: Int, width: Int, pane: GridPane) {
            guard width > 0 else { return }
            let id = state.columns.all[state.columns.visiblePlaces[index]].id
            let full = geometry.widths[index]
            spans.append(ColumnSpan(index: index, id: id, x: x, width: width, clippedLeading: clipped, fullWidth: full, pane: pane))
        }
        let right = geometry.pane.upperBound
        for index in 0..<geometry.leading {
            let start = geometry.starts[index]
            add(index, x: start, clipped: 0, width: min(geometry.widths[index], max(0, right - start)), pane: .leading)
        }
        // The first column with a visible part in the pane.
        var index = geometry.scrolling.partitioningIndex { geometry.starts[$0] + geometry.widths[$0] > state.scroll.x }
        while index < geometry.scrolling.upperBound {
            let offset = geometry.starts[index] - state.scroll.x
            guard geometry.pane.lowerBound + offset < right else { break }
            let clipped = max(0, -offset)
            let x = geometry.pane.lowerBound + max(0, offset)
            add(index, x: x, clipped: clipped, width: min(geometry.widths[index] - clipped, right - x), pane: .scrolling)
            index += 1
        }
        for index in geometry.widths.count - geometry.trailing..<geometry.widths.count {
            add(index, x: geometry.starts[index], clipped: 0, width: geometry.widths[index], pane: .trailing)
        }
        return spans
    }
}
