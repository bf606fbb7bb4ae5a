import FieldValues

/// Which pane of the grid something is in.
public enum GridPane: Hashable, Sendable {
    /// Frozen at the left or at the top.
    case leading
    /// Between what is frozen.
    case scrolling
    /// Frozen at the right.
    case trailing
}

/// Where a visible column stands on the screen.
public struct ColumnSpan: Hashable, Sendable {
    /// Counted among the columns that are not hidden.
    public var index: Int
    /// Which column it is.
    public var id: ColumnID
    /// The first terminal cell in sight.
    public var x: Int
    /// Terminal cells in sight.
    public var width: Int
    /// Terminal cells out of sight at the left.
    public var clippedLeading: Int
    /// Terminal cells of the whole column.
    public var fullWidth: Int
    /// The pane it stands in; only in the scrolling one can it be cut at the left.
    public var pane: GridPane

    /// The terminal cells of a line that it takes, without the spacing behind it.
    public var range: Range<Int> { x..<x + width }
    /// Whether the end of the column is out of sight.
    public var isClippedTrailing: Bool { clippedLeading + width < fullWidth }
}

/// Where a visible item stands on the screen.
public struct LineSpan: Hashable, Sendable {
    /// Why an item is where it is.
    public enum Pane: Hashable, Sendable {
        /// Frozen at the top.
        case frozen
        /// Frozen at the bottom.
        case bottom
        /// A section's header that sticks to the top of the pane, over what lies beneath it.
        case stuck
        /// Where its place among the others puts it.
        case scrolling
    }

    /// Which row or header it is.
    public var item: GridItem
    /// Counted among the items that can be scrolled to.
    public var index: Int
    /// The first line, from the upper edge of the frame.
    public var y: Int
    /// Lines in sight; the last item may be cut below.
    public var height: Int
    /// Lines of the whole item.
    public var fullHeight: Int
    /// Whether it is frozen, stuck or scrolls.
    public var pane: Pane

    /// The lines it takes.
    public var range: Range<Int> { y..<y + height }
    /// Whether no part of it is out of sight.
    public var isWhole: Bool { height == fullHeight }
}

/// Where everything is: a pure function of the state, used alike by motion, hit test, reveal and painting.
///
/// All coordinates are terminal cells from the upper left corner of the grid's frame.
public struct GridLayout: Sendable {
    /// The frame, in terminal cells.
    public let size: GridSize
    /// How rows are laid out in it: as a table, transposed or as cards.
    public let presentation: GridPresentation
    /// Widths and starts of all visible columns, in sight or not.
    public let geometry: ColumnGeometry
    /// Lines of the header, at the top, that of rows where these stand beside each other; 0 when it has been scrolled away.
    public let headerHeight: Int
    /// How many of them the titles have; types and a rule follow.
    public let titleLines: Int
    /// Terminal cells of the row header in sight, at the left.
    public let rowHeaderWidth: Int
    /// The column of the scroll bar; `nil` when there is none.
    public let scrollBarX: Int?
    /// Where what stands at the ends of rows is drawn, a blank before it; `nil` when no room is kept for that.
    public let accessoryX: Int?
    /// The same below rows that stand beside each other: the line.
    public let accessoryY: Int?
    /// Where rows end: at the scroll bar, or with the frame.
    public var rowEnd: Int { scrollBarX ?? size.width }
    /// The columns in sight, from left to right.
    public let columns: [ColumnSpan]
    /// The items in sight, from top to bottom.
    public let lines: [LineSpan]
    /// What else is in sight, mostly across the whole width, from top to bottom.
    public let strips: [GridStrip]
    /// Items frozen at the top, as far as there is room.
    public let frozenItemCount: Int
    /// Items frozen at the bottom, as far as there is room.
    public let bottomItemCount: Int
    /// The sides at which there was no room for all that should be frozen: it would leave fewer than a third of the frame. What has none scrolls
    /// as the rest, and a mark points to the side (◂ ▴ ▸ ▾).
    public let yielding: FrozenSides
    /// The lines in which items scroll or, where rows stand beside each other, columns.
    public let pane: Range<Int>
    /// Items that fit the scrolling pane whole.
    public let pageItemCount: Int
    /// Items of a page where the grid is turned by whole pages; `nil` elsewhere.
    public let pageSize: Int?
    /// Headers that stick now.
    public let stickyCount: Int
    /// Cards, or the rows of a transposed grid, in sight; none in a table.
    public let tiles: [TileSpan]
    /// The lines of the columns of a transposed grid in sight.
    public let fields: [FieldSpan]
    /// Terminal cells of the titles of a transposed grid, at the left; 0 when they have been scrolled away.
    public let titleWidth: Int
    /// The terminal cells in which rows that stand beside each other scroll.
    package let paneColumns: Range<Int>
    /// Where columns stand on each card; `nil` elsewhere than among cards.
    let cardSlots: CardSlots?
    /// The column under the cursor, which a click on a card beside its slots leaves as it is.
    let cardColumn: Int
    let hasCardAccessories: Bool
    let tree: SectionTree?

    /// Lays `state` out in its frame. O(columns + visible items · log sections).
    public init(_ state: GridState) {
        size = state.size
        presentation = state.shownPresentation
        geometry = ColumnGeometry(state)
        tree = state.outline.tree
        cardColumn = state.cursor.column
        let tiles = state.tileGeometry
        let cardWidth = presentation == .cards ? tiles?.itemWidth : nil
        hasCardAccessories = state.metrics.showsAccessories && cardWidth ?? 0 >= 3 * ColumnGeometry.accessoryWidth
        cardSlots = cardWidth.map { [geometry, hasCardAccessories] in
            CardSlots(state.columns, width: $0, hasAccessories: hasCardAccessories, widths: geometry.slotWidths(state))
        }
        if let tiles {
            let isVisible = state.size.width > 0 && state.size.height > 0
            self.tiles = isVisible ? tiles.tiles : []
            strips = isVisible ? tiles.strips : []
            (fields, titleWidth, headerHeight, pane) = (tiles.fields, tiles.titleWidth, tiles.headerHeight, tiles.pane)
            (accessoryY, paneColumns) = (tiles.accessoryY, tiles.paneColumns)
            (columns, lines, rowHeaderWidth, accessoryX) = ([], [], 0, nil)
            scrollBarX = geometry.hasScrollBar && !tiles.rowsGoAcross ? size.width - 1 : nil
            (titleLines, stickyCount) = (0, 0)
            (frozenItemCount, bottomItemCount) = (tiles.items.lowerBound, state.outline.itemCount - tiles.items.upperBound)
            yielding = tiles.yielding
            (pageItemCount, pageSize) = (tiles.pageItemCount, tiles.pageSize)
            return
        }
        (self.tiles, fields, titleWidth, accessoryY, paneColumns) = ([], [], 0, nil, 0..<0)
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
        yielding = geometry.yielding.union(vertical.yielding)
        lines = vertical.frozen + page.lines + vertical.bottom
        strips = (vertical.strips + [page.loader].compactMap(\.self)).sorted { $0.y < $1.y }
        pane = vertical.pane
        pageSize = vertical.pageSize
        stickyCount = page.stuck
        pageItemCount = vertical.itemCount(of: page)
    }

    /// Where columns stand on each card, in the order in which they are read; empty elsewhere than among cards.
    public var slots: [SlotSpan] { cardSlots?.spans ?? [] }

    /// The rows and headers in sight, from the first to the last; those under a header that sticks are not.
    public var items: [GridItem] { tiles.isEmpty ? lines.map(\.item) : tiles.map(\.item) }

    /// The positions of the rows in sight, from top to bottom; those under a header that sticks are not.
    public var positions: [Int] {
        items.compactMap { item in
            if case .row(let position) = item { return position }
            return nil
        }
    }

    /// Whether there was no room for all rows or columns that should be frozen.
    public var isYielding: Bool { !yielding.isEmpty }

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
        // The first column that reaches into the pane, by its start.
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
