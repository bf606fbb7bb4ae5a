/// Which pane of the grid something is in.
public enum GridPane: Hashable, Sendable {
    /// Frozen at the left or at the top.
    case leading
    case scrolling
    /// Frozen at the right.
    case trailing
}

/// Where a visible column stands on the screen.
public struct ColumnSpan: Hashable, Sendable {
    /// Counted among the columns that are not hidden.
    public var index: Int
    public var id: ColumnID
    /// The first terminal cell in sight.
    public var x: Int
    /// Terminal cells in sight.
    public var width: Int
    /// Terminal cells out of sight at the left.
    public var clippedLeading: Int
    /// Terminal cells of the whole column.
    public var fullWidth: Int
    public var pane: GridPane

    public var range: Range<Int> { x..<x + width }
    /// Whether the end of the column is out of sight.
    public var isClippedTrailing: Bool { clippedLeading + width < fullWidth }
}

/// Where a visible item stands on the screen.
public struct LineSpan: Hashable, Sendable {
    public enum Pane: Hashable, Sendable {
        /// Frozen at the top.
        case frozen
        /// A section's header that sticks to the top of the pane, over what lies beneath it.
        case stuck
        case scrolling
    }

    public var item: GridItem
    /// Counted among the items that can be scrolled to.
    public var index: Int
    public var y: Int
    public var height: Int
    public var pane: Pane

    public var range: Range<Int> { y..<y + height }
}

/// Where everything is: a pure function of the state, used alike by motion, hit test, reveal and painting.
///
/// All coordinates are terminal cells from the upper left corner of the grid's frame.
public struct GridLayout: Sendable {
    public let size: GridSize
    public let geometry: ColumnGeometry
    /// Lines of the header, at the top.
    public let headerHeight: Int
    /// Terminal cells of the row header, at the left.
    public let rowHeaderWidth: Int
    /// The column of the scroll bar; `nil` when there is none.
    public let scrollBarX: Int?
    /// The columns in sight, from left to right.
    public let columns: [ColumnSpan]
    /// The items in sight, from top to bottom.
    public let lines: [LineSpan]
    /// Items frozen at the top, as far as there is room.
    public let frozenItemCount: Int
    /// Whether there was no room for all rows or columns that should be frozen.
    public let isYielding: Bool
    /// The lines in which items scroll.
    public let pane: Range<Int>
    /// Items that fit the scrolling pane whole.
    public let pageItemCount: Int
    /// Headers that stick now.
    public let stickyCount: Int

    public init(_ state: GridState) {
        size = state.size
        geometry = ColumnGeometry(state)
        headerHeight = Self.headerHeight(state)
        rowHeaderWidth = min(state.metrics.rowHeaderWidth, size.width)
        scrollBarX = state.metrics.showsScrollBar && size.width > rowHeaderWidth + 1 ? size.width - 1 : nil
        columns = Self.spans(state, geometry)

        let rowHeight = max(1, state.metrics.rowHeight + (state.metrics.gridLines == .both ? 1 : 0))
        let outline = state.outline
        func height(_ item: GridItem) -> Int {
            if case .header = item { return 1 }
            return rowHeight
        }

        // Frozen rows may take two thirds of what is below the header.
        let room = max(0, size.height - headerHeight)
        var frozen = 0
        var y = headerHeight
        var lines: [LineSpan] = []
        while frozen < min(state.frozen.rows, outline.itemCount) {
            let item = outline.item(at: frozen)
            guard y - headerHeight + height(item) <= room * 2 / 3 else { break }
            lines.append(LineSpan(item: item, index: frozen, y: y, height: height(item), pane: .frozen))
            y += height(item)
            frozen += 1
        }
        frozenItemCount = frozen
        isYielding = geometry.isYielding || frozen < min(state.frozen.rows, outline.itemCount)

        let paneTop = y
        var index = max(state.scroll.top, frozen)
        var whole = 0
        var stuck = 0
        var isSticking = outline.tree != nil
        while y < size.height, index < outline.itemCount {
            var item = outline.item(at: index)
            var pane = LineSpan.Pane.scrolling
            var here = index
            if isSticking {
                // The line of level n holds the header of that level around what would stand there, unless a header of that level or a
                // higher one comes there by itself: then it pushes the stuck ones out.
                if outline.depth(of: item) > stuck, let header = outline.header(above: item, level: stuck), item != .header(header) {
                    item = .header(header)
                    here = outline.index(ofHeader: header)
                    pane = .stuck
                    stuck += 1
                } else {
                    isSticking = false
                }
            }
            let tall = pane == .stuck ? height(outline.item(at: index)) : height(item)
            if pane == .stuck, tall > 1 {
                // A taller row shows its remaining lines below the stuck header.
                lines.append(LineSpan(item: item, index: here, y: y, height: 1, pane: .stuck))
                y += 1
                index += 1
                whole += 1
                continue
            }
            lines.append(LineSpan(item: item, index: here, y: y, height: min(tall, size.height - y), pane: pane))
            y += tall
            if y <= size.height { whole += 1 }
            index += 1
        }
        self.lines = lines
        pane = min(paneTop, size.height)..<size.height
        stickyCount = stuck
        // What is not filled counts as rows.
        pageItemCount = whole + max(0, size.height - y) / rowHeight
    }

    /// Lines of the header: on a low frame fewer, so that there is a grid to see.
    private static func headerHeight(_ state: GridState) -> Int {
        let wanted = state.metrics.headerHeight
        switch state.size.height {
        case ..<2: return 0
        case ..<8: return min(wanted, 1)
        case ..<21: return min(wanted, 2) == 2 ? 1 : min(wanted, 1)
        default: return wanted
        }
    }

    private static func spans(_ state: GridState, _ geometry: ColumnGeometry) -> [ColumnSpan] {
        var spans: [ColumnSpan] = []
        func add(_ index: Int, x: Int, clipped: Int, width: Int, pane: GridPane) {
            guard width > 0 else { return }
            let id = state.columns.all[state.columns.visiblePlaces[index]].id
            spans.append(
                ColumnSpan(index: index, id: id, x: x, width: width, clippedLeading: clipped, fullWidth: geometry.widths[index], pane: pane))
        }
        let right = geometry.pane.upperBound
        for index in 0..<geometry.leading {
            add(index, x: geometry.starts[index], clipped: 0, width: min(geometry.widths[index], max(0, right - geometry.starts[index])), pane: .leading)
        }
        // The first column that reaches into the pane, by its start.
        var low = geometry.scrolling.lowerBound
        var high = geometry.scrolling.upperBound
        while low < high {
            let middle = (low + high) / 2
            if geometry.starts[middle] + geometry.widths[middle] <= state.scroll.x { low = middle + 1 } else { high = middle }
        }
        var index = low
        while index < geometry.scrolling.upperBound {
            let offset = geometry.starts[index] - state.scroll.x
            guard geometry.pane.lowerBound + offset < right else { break }
            let clipped = max(0, -offset)
            let x = geometry.pane.lowerBound + max(0, offset)
            // Too little of a column tells nothing.
            if right - x < 4, right - x < geometry.widths[index], clipped == 0, !spans.isEmpty { break }
            add(index, x: x, clipped: clipped, width: min(geometry.widths[index] - clipped, right - x), pane: .scrolling)
            index += 1
        }
        for index in geometry.widths.count - geometry.trailing..<geometry.widths.count {
            add(index, x: geometry.starts[index], clipped: 0, width: geometry.widths[index], pane: .trailing)
        }
        return spans
    }
}
