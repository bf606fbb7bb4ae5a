import FieldValues

/// The widths of the visible columns, and where they stand: a pure function of the state.
///
/// Starts of scrolling columns count from the first scrolling column's start; those of frozen ones are on the screen.
public struct ColumnGeometry: Sendable {
    /// Terminal cells of each visible column, without the spacing behind it.
    public private(set) var widths: [Int]
    /// Where each visible column starts.
    public private(set) var starts: [Int]
    /// Visible columns frozen at the left, as far as there is room.
    public private(set) var leading: Int
    /// Visible columns frozen at the right, as far as there is room.
    public private(set) var trailing: Int
    /// The sides at which there was no room for all that should be frozen.
    public private(set) var yielding: FrozenSides
    /// Terminal cells of the row header in sight, at the left; 0 where it would leave less than a third of the frame.
    public private(set) var rowHeaderWidth: Int
    /// Whether there is room for the scroll bar, and one is asked for.
    public private(set) var hasScrollBar: Bool
    /// Whether there is room at the ends of rows for what their source says stands there, and it is asked for.
    public private(set) var hasAccessories: Bool
    /// The frame's columns in which scrolling columns show.
    public private(set) var pane: Range<Int>
    /// Where the columns frozen at the right begin on the screen.
    public private(set) var trailingX: Int
    /// The greatest useful scroll position.
    public private(set) var maximumX = 0
    /// The terminal cells of all that scrolls: columns with their spacing, and the row header where that does.
    public private(set) var contentWidth = 0
    /// The scroll positions at which pages begin, ascending; `nil` when the grid is not turned by whole pages.
    public private(set) var pageStarts: [Int]?

    /// The most terminal cells of a column fitted to its content, unless it says otherwise itself.
    public let fittedLimit: Int

    /// Terminal cells of what stands at the ends of rows: a glyph, and a blank before it.
    static let accessoryWidth = 2

    /// The indices of the columns that scroll.
    public var scrolling: Range<Int> { leading..<widths.count - trailing }
    /// Terminal cells of the pane.
    public var paneWidth: Int { pane.count }

    /// O(columns).
    public init(_ state: GridState) {
        let columns = state.columns
        let spacing = state.metrics.columnSpacing
        let left = max(0, state.metrics.rowHeaderWidth * 3 > state.size.width * 2 ? 0 : state.metrics.rowHeaderWidth)
        rowHeaderWidth = left
        hasScrollBar = state.metrics.showsScrollBar && state.size.width > left + 1
        let end = state.size.width - (hasScrollBar ? 1 : 0)
        hasAccessories = state.metrics.showsAccessories && end - left >= 3 * Self.accessoryWidth
        let right = end - (hasAccessories ? Self.accessoryWidth : 0)
        let frame = right - left
        let count = columns.count
        let limit = state.metrics.maximumColumnWidth ?? Int(Double(frame) * state.metrics.maximumColumnFraction)
        fittedLimit = max(state.metrics.minimumColumnWidth, limit)
        widths = Self.widths(columns, metrics: state.metrics, frame: frame, cap: fittedLimit)
        starts = Array(repeating: 0, count: count)

        // What is frozen may take two thirds of the frame; what does not fit scrolls.
        var budget = FrozenBudget(frame)
        let widths = widths
        let leading = budget.reserve(min(state.frozen.leading, max(0, count - 1)), at: .leading) { widths[$0] + spacing }.count
        let trailing = budget.reserve(min(state.frozen.trailing, max(0, count - 1 - leading)), at: .trailing) {
            widths[count - 1 - $0] + spacing
        }.count
        self.leading = leading
        self.trailing = trailing
        yielding = budget.yielding

        // What stands left of frozen columns does not scroll.
        let scrollsHeader = !state.metrics.hasStickyRowHeaders && leading == 0
        var x = scrollsHeader ? 0 : left
        for index in 0..<leading {
            starts[index] = x
            x += widths[index] + spacing
        }
        var trailingX = right
        for index in (count - trailing..<count).reversed() {
            trailingX -= widths[index]
            starts[index] = trailingX
            trailingX -= spacing
        }
        self.trailingX = trailing > 0 ? trailingX + spacing : right
        pane = x..<max(x, trailing > 0 ? trailingX : right)

        var content = scrollsHeader ? left : 0
        for index in leading..<count - trailing {
            starts[index] = content
            content += widths[index] + spacing
        }
        contentWidth = max(0, content - spacing)
        if contentWidth > pane.count, let last = scrolling.last {
            // The last column is seen whole, and the first one in sight starts at the pane's edge.
            maximumX = min(starts[last], firstStart(from: contentWidth - pane.count))
            if widths[last] > pane.count { maximumX = max(starts[last], contentWidth - pane.count) }
        }
        if state.metrics.isPaged {
            let starts = findPages()
            pageStarts = starts
            maximumX = starts.last ?? 0
        }
        if scrollsHeader { rowHeaderWidth = max(0, left - clampedX(state.scroll.x)) }
    }

    /// The start of the first scrolling column that starts at or behind `x`. O(log columns).
    func firstStart(from x: Int) -> Int {
        let index = scrolling.partitioningIndex { starts[$0] >= x }
        return index < scrolling.upperBound ? starts[index] : (scrolling.last.map { starts[$0] } ?? 0)
    }

    /// Where to scroll to from `x` by `count` columns: to a column's start, or through a column wider than the pane.
    func x(afterScrollingFrom x: Int, by count: Int) -> Int {
        if let pageStarts { return page(of: x, pageStarts, turnedBy: count) }
        var x = x
        for _ in 0..<abs(count) {
            if count > 0 {
                guard x < maximumX else { break }
                x = min(maximumX, min(firstStart(from: x + 1) > x ? firstStart(from: x + 1) : maximumX, x + max(1, paneWidth)))
            } else {
                guard x > 0 else { break }
                let before = scrolling.last { starts[$0] < x }.map { starts[$0] } ?? 0
                x = max(before, x - max(1, paneWidth))
            }
        }
        return max(0, x)
    }

    /// The scrolling columns that are seen whole at scroll position `x`; the one of which most is seen when none is.
    func wholeColumns(at x: Int) -> ClosedRange<Int>? {
        func seen(_ index: Int) -> Int { min(starts[index] + widths[index], x + paneWidth) - max(starts[index], x) }
        let whole = scrolling.filter { seen($0) == widths[$0] }
        if let first = whole.first, let last = whole.last { return first...last }
        return scrolling.max { seen($0) < seen($1) }.map { $0...$0 }
    }

    // MARK: Widths

    /// The widths that columns have on cards, where there is no frame to be filled: of those that are fitted to it, as wide as their content.
    func slotWidths(_ state: GridState) -> [Int] {
        guard state.metrics.defaultColumnWidth == nil else { return widths }
        return widths.indices.map { index in
            let column = state.columns[index]
            guard column.width == .standard, column.contentWidth > 0 else { return widths[index] }
            return Self.contentWidth(of: column, metrics: state.metrics, cap: fittedLimit)
        }
    }

    /// As wide as was said or measured, within the limits.
    static func contentWidth(of column: Column, metrics: GridMetrics, cap: Int) -> Int {
        let least = column.minimumWidth ?? metrics.minimumColumnWidth
        return min(max(least, column.contentWidth), max(least, column.maximumWidth ?? cap))
    }

    private static func widths(_ columns: ColumnList, metrics: GridMetrics, frame: Int, cap: Int) -> [Int] {
        let count = columns.count
        var widths = [Int](repeating: 0, count: count)
        var fitted: [Int] = []
        var sharing: [Int] = []
        var used = max(0, count - 1) * metrics.columnSpacing
        for index in 0..<count {
            let place = columns.visiblePlaces[index]
            let least = columns.all[place].minimumWidth ?? metrics.minimumColumnWidth
            switch columns.all[place].width {
            case .fixed(let width): widths[index] = max(1, width)
            case .fraction(let part):
                let share = Int(Double(frame) * min(max(part, 0), 1))
                widths[index] = min(max(least, share), max(least, columns.all[place].maximumWidth ?? .max))
            case .standard where columns.all[place].sharesFrame(metrics): fitted.append(index)
            case .flexible,
                .automatic where columns.all[place].sharesFrame(metrics):
                sharing.append(index)
            case .standard where columns.all[place].delegatedWidth != nil, .automatic where columns.all[place].contentWidth > 0:
                widths[index] = contentWidth(of: columns.all[place], metrics: metrics, cap: cap)
            case .standard, .automatic:
                // Set directly, as the common height of rows is: only what the column itself says limits it.
                let own = max(1, columns.all[place].minimumWidth ?? 1)
                widths[index] = min(max(own, metrics.defaultColumnWidth ?? 0), max(own, columns.all[place].maximumWidth ?? .max))
            }
            used += widths[index]
        }
        if !fitted.isEmpty {
            // To flexible columns they leave their least, and what they do not need.
            let kept = sharing.reduce(0) { $0 + max(0, columns[$1].minimumWidth ?? metrics.minimumColumnWidth) }
            let fitting = ColumnFitting(
                fitted.map { columns[$0] }, room: frame - used - kept, part: max(0, frame - used) / (fitted.count + sharing.count),
                metrics: metrics, cap: cap, fillsRoom: sharing.isEmpty)
            for (index, width) in zip(fitted, fitting.widths) {
                widths[index] = width
                used += width
            }
        }
        let shares = ColumnFitting(sharing: sharing.map { columns[$0] }, room: frame - used, metrics: metrics)
        for (index, width) in zip(sharing, shares.widths) { widths[index] = width }
        return widths
    }
}
