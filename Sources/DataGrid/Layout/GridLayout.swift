import FieldValues

/// The area of the grid in which a column lies: frozen at one side, or scrolling between the frozen columns.
public enum GridPane: Hashable, Sendable {
    /// Frozen at the left or, in a transposed grid, at the top.
    case leading
    /// Scrolling, between the frozen columns.
    case scrolling
    /// Frozen at the right or, in a transposed grid, at the bottom.
    case trailing
}

/// The screen position of a visible column.
public struct ColumnSpan: Hashable, Sendable {
    /// The index of the column among the visible columns.
    public var index: Int
    /// The identity of the column.
    public var id: ColumnID
    /// The x coordinate of the first visible terminal cell.
    public var x: Int
    /// The visible width in terminal cells.
    public var width: Int
    /// The number of terminal cells clipped at the left.
    public var clippedLeading: Int
    /// The full width in terminal cells.
    public var fullWidth: Int
    /// The area in which the column lies. Only scrolling columns can be clipped at the left.
    public var pane: GridPane

    /// The visible terminal cells, without the spacing after the column.
    public var range: Range<Int> { x..<x + width }
    /// True if terminal cells at the right end of the column are clipped.
    public var isClippedTrailing: Bool { clippedLeading + width < fullWidth }
}

/// The screen position of a visible item: a row or a section header.
public struct ItemSpan: Hashable, Sendable {
    /// The area in which an item lies.
    public enum Pane: Hashable, Sendable {
        /// Frozen at the top; in a transposed grid, at the left.
        case frozenTop
        /// Frozen at the bottom; in a transposed grid, at the right.
        case frozenBottom
        /// A section header that sticks to the top of the pane.
        case stuck
        /// Scrolls; neither frozen nor stuck.
        case scrolling
    }

    /// The row or section header.
    public var item: GridItem
    /// The index among all items of the ``Outline``, including frozen items.
    public var index: Int
    /// The first line, counted from the top of the frame.
    public var y: Int
    /// The number of visible lines; the last item can be clipped at the bottom.
    public var height: Int
    /// The full height in lines.
    public var fullHeight: Int
    /// The area in which the item lies: frozen, stuck or scrolling.
    public var pane: Pane

    /// The visible lines.
    public var range: Range<Int> { y..<y + height }
    /// True if the whole item is visible.
    public var isWhole: Bool { height == fullHeight }
}

/// The screen positions of all parts of the grid, computed from its state. They are used for drawing, hit tests, cursor motion and
/// scrolling.
///
/// All coordinates are terminal cells relative to the upper left corner of the grid's frame.
public struct GridLayout: Sendable {
    /// The size of the frame, in terminal cells.
    public let size: GridSize
    /// The arrangement of the rows: as a table, transposed, or as cards.
    public let presentation: GridPresentation
    /// The widths and starts of all columns that are not hidden.
    public let geometry: ColumnGeometry
    /// The visible height of the header in lines; 0 if the header is scrolled out of view. In a transposed grid, the height of section
    /// titles and row headers.
    public let headerHeight: Int
    /// The number of lines that show section titles, above the row headers of a transposed grid.
    public let sectionLineCount: Int
    /// The y coordinate of the row headers of a transposed grid; `nil` without row headers.
    public var rowHeaderY: Int? { presentation == .transposed && headerHeight > sectionLineCount ? sectionLineCount : nil }
    /// The number of header lines with column names. A line of types can follow.
    public let titleLines: Int
    /// The visible width of the row header in terminal cells; 0 without a row header.
    public let rowHeaderWidth: Int
    /// The x coordinate of the scroll bar; `nil` without a scroll bar.
    public let scrollBarX: Int?
    /// The x coordinate of the symbols at the ends of rows, each with a blank before it; `nil` without symbols.
    public let accessoryX: Int?
    /// The y coordinate of the symbols at the ends of rows in a transposed grid; `nil` without symbols.
    public let accessoryY: Int?
    /// The x coordinate after the end of the rows: the scroll bar or the end of the frame.
    public var rowEnd: Int { scrollBarX ?? size.width }
    /// The visible columns, from left to right.
    public let columns: [ColumnSpan]
    /// The visible rows and section headers, from top to bottom.
    public let itemSpans: [ItemSpan]
    /// The visible strips, such as the row of totals, from top to bottom. Most strips span the full width.
    public let strips: [GridStrip]
    /// The number of items that are frozen at the top and fit in the frame.
    public let frozenItemCount: Int
    /// The number of items that are frozen at the bottom and fit in the frame.
    public let bottomItemCount: Int
    /// The sides at which some frozen rows or columns do not fit, because a third of the frame is left for scrolling. These rows and
    /// columns scroll. A mark (◂ ▴ ▸ ▾) points to each side.
    public let overflowingSides: FrozenSides
    /// The lines in which rows scroll; in a transposed grid, the lines in which columns scroll.
    public let pane: Range<Int>
    /// The number of items that fit completely in the area in which items scroll.
    public let pageItemCount: Int
    /// The number of items on a page; `nil` if the grid does not scroll by pages.
    public let pageSize: Int?
    /// The number of section headers that are stuck to the top.
    public let stickyCount: Int
    /// The visible cards, or the visible rows of a transposed grid; empty for a table.
    public let tiles: [TileSpan]
    /// The visible columns of a transposed grid with the lines that they take; empty for other layouts.
    public let fields: [FieldSpan]
    /// The width in terminal cells of the column names at the left of a transposed grid; 0 if the names are scrolled out of view.
    public let titleWidth: Int
    /// The x coordinates between which rows of a transposed grid scroll.
    package let paneColumns: Range<Int>
    /// The areas of the slots on a card; `nil` for other layouts.
    let cardSlots: CardSlots?
    /// The object that knows which slots of a card are empty; `nil` if empty slots keep their room.
    let cardContent: (any CardContent)?
    /// The cursor of the grid. A click on a card outside its slots keeps the column of the cursor.
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
            (accessoryY, paneColumns, sectionLineCount) = (tiles.accessoryY, tiles.paneColumns, tiles.sectionLineCount)
            (columns, itemSpans, rowHeaderWidth, accessoryX) = ([], [], 0, nil)
            scrollBarX = geometry.hasScrollBar && !tiles.isTransposed ? size.width - 1 : nil
            (titleLines, stickyCount) = (0, 0)
            (frozenItemCount, bottomItemCount) = (tiles.items.lowerBound, state.outline.itemCount - tiles.items.upperBound)
            overflowingSides = tiles.overflowingSides
            (pageItemCount, pageSize) = (tiles.pageItemCount, tiles.pageSize)
            return
        }
        (self.tiles, fields, titleWidth, accessoryY, paneColumns, sectionLineCount) = ([], [], 0, nil, 0..<0, 0)
        rowHeaderWidth = geometry.rowHeaderWidth
        scrollBarX = geometry.hasScrollBar ? size.width - 1 : nil
        accessoryX = geometry.hasAccessories ? size.width - (geometry.hasScrollBar ? 2 : 1) : nil
        columns = Self.spans(state, geometry)

        let vertical = LineGeometry(state)
        let page = vertical.page(from: max(state.scroll.top, vertical.frozenSpans.count))
        headerHeight = vertical.header.count
        titleLines = vertical.header.titleLines
        frozenItemCount = vertical.frozenSpans.count
        bottomItemCount = vertical.bottomSpans.count
        overflowingSides = geometry.overflowingSides.union(vertical.overflowingSides)
        itemSpans = vertical.frozenSpans + page.lines + vertical.bottomSpans
        strips = (vertical.strips + [page.loader].compactMap(\.self)).sorted { $0.y < $1.y }
        pane = vertical.pane
        pageSize = vertical.pageSize
        stickyCount = page.stuckCount
        pageItemCount = vertical.itemCapacity(of: page)
    }

    /// The areas of the slots on a card without empty slots, in reading order. The list is empty for other layouts.
    public var slots: [SlotSpan] { cardSlots?.spans ?? [] }

    /// The visible rows and section headers, from first to last. Items covered by a stuck header are omitted.
    public var items: [GridItem] { tiles.isEmpty ? itemSpans.map(\.item) : tiles.map(\.item) }

    /// The positions of the visible rows, from top to bottom. Rows covered by a stuck header are omitted.
    public var positions: [Int] {
        items.compactMap { item in
            if case .row(let position) = item { return position }
            return nil
        }
    }

    /// True if some frozen rows or columns do not fit, and therefore scroll.
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
        // The first scrolling column that is at least partly visible.
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
