import FieldValues

/// The widths and horizontal positions of the visible columns. They depend only on the state of the grid.
///
/// Starts of scrolling columns are relative to the first scrolling column. Starts of frozen columns are x coordinates on the screen.
public struct ColumnGeometry: Sendable {
    /// The width of each visible column in terminal cells, without the spacing after it.
    public private(set) var widths: [Int]
    /// The start of each visible column in terminal cells.
    public private(set) var starts: [Int]
    /// The number of visible columns that are frozen at the left and fit there.
    public private(set) var leading: Int
    /// The number of visible columns that are frozen at the right and fit there.
    public private(set) var trailing: Int
    /// The sides at which some frozen columns do not fit. These columns scroll.
    public private(set) var overflowingSides: FrozenSides
    /// The visible width of the row header in terminal cells; 0 if less than a third of the frame would remain for columns.
    public private(set) var rowHeaderWidth: Int
    /// True if a scroll bar is enabled and there is room for it.
    public private(set) var hasScrollBar: Bool
    /// True if symbols at the ends of rows are enabled and there is room for them.
    public private(set) var hasAccessories: Bool
    /// The terminal cells of the frame in which columns scroll, as x coordinates.
    public private(set) var pane: Range<Int>
    /// The x coordinate of the first column frozen at the right.
    public private(set) var trailingX: Int
    /// The maximum horizontal scroll position, at which the last column is fully visible.
    public private(set) var maximumX = 0
    /// The total width of the content that scrolls, in terminal cells: columns, spacing, and the row header if it scrolls.
    public private(set) var contentWidth = 0
    /// The horizontal scroll positions at which pages start, ascending; `nil` if the grid does not scroll by pages.
    public private(set) var pageStarts: [Int]?

    /// The maximum width in terminal cells of a column that is fitted to its content. If the column has its own maximum, that maximum
    /// applies instead. A column can be wider if the frame has spare room.
    public let fittedLimit: Int

    /// The width of the symbol at the end of a row in terminal cells: a blank and a glyph.
    static let accessoryWidth = 2

    /// The indices of the visible columns that scroll.
    public var scrolling: Range<Int> { leading..<widths.count - trailing }
    /// The width in terminal cells of the area in which columns scroll.
    public var paneWidth: Int { pane.count }

    /// Computes the geometry of `state`. O(columns).
    public init(_ state: GridState) {
        let columns = state.columns
        let spacing = state.metrics.columnSpacing
        let left = max(0, state.metrics.rowHeaderWidth * 3 > state.size.width * 2 ? 0 : state.metrics.rowHeaderWidth)
        rowHeaderWidth = left
        hasScrollBar = state.metrics.showsScrollBar && state.size.width > left + 1
        let end = state.size.width - (hasScrollBar ? 1 : 0)
        hasAccessories = state.metrics.showsAccessories && end - left >= 3 * Self.accessoryWidth
        let right = end - (hasAccessories ? Self.accessoryWidth : 0)
        let frameWidth = right - left
        let count = columns.count
        let limit = state.metrics.maximumColumnWidth ?? Int(Double(frameWidth) * state.metrics.maximumColumnFraction)
        fittedLimit = max(state.metrics.minimumColumnWidth, limit)
        widths = Self.widths(columns, metrics: state.metrics, frameWidth: frameWidth, widthLimit: fittedLimit)
        starts = Array(repeating: 0, count: count)

        // Frozen columns can take two thirds of the frame. Frozen columns that do not fit scroll.
        var budget = FrozenBudget(frameWidth)
        let widths = widths
        let leading = budget.reserve(columns.leadingCount, at: .leading) { widths[$0] + spacing }.count
        let trailing = budget.reserve(columns.trailingCount, at: .trailing) {
            widths[count - 1 - $0] + spacing
        }.count
        self.leading = leading
        self.trailing = trailing
        overflowingSides = budget.overflowingSides

        // The row header does not scroll if columns are frozen to the right of it.
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
            // At the maximum scroll position, the last column is fully visible, and the first visible column is not clipped.
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

    /// The start of the first scrolling column that starts at or after `x`; the start of the last column if there is no such column.
    /// O(log columns).
    func firstStart(from x: Int) -> Int {
        let index = scrolling.partitioningIndex { starts[$0] >= x }
        return index < scrolling.upperBound ? starts[index] : (scrolling.last.map { starts[$0] } ?? 0)
    }

    /// The horizontal scroll position after scrolling `count` columns from `x`. A column wider than the pane takes several steps.
    func x(afterScrollingFrom x: Int, by count: Int) -> Int {
        if let pageStarts { return page(of: x, pageStarts, movedBy: count) }
        var x = x
        for _ in 0..<count.magnitude {
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

    /// The indices of the scrolling columns that are fully visible at scroll position `x`. If none is fully visible, the column with the
    /// largest visible part.
    func wholeColumns(at x: Int) -> ClosedRange<Int>? {
        func visibleWidth(_ index: Int) -> Int { min(starts[index] + widths[index], x + paneWidth) - max(starts[index], x) }
        let fullyVisible = scrolling.filter { visibleWidth($0) == widths[$0] }
        if let first = fullyVisible.first, let last = fullyVisible.last { return first...last }
        return scrolling.max { visibleWidth($0) < visibleWidth($1) }.map { $0...$0 }
    }

    // MARK: Widths

    /// The widths of columns for their slots on cards. They are the widths in a table, but standard columns are as wide as their content,
    /// because there is no frame to fill.
    func slotWidths(_ state: GridState) -> [Int] {
        guard state.metrics.defaultColumnWidth == nil else { return widths }
        return widths.indices.map { index in
            let column = state.columns[index]
            guard column.width == .standard, column.contentWidth > 0 else { return widths[index] }
            return Self.contentWidth(of: column, metrics: state.metrics, widthLimit: fittedLimit)
        }
    }

    /// The width of a column's content, within the limits of the column and of the grid. Without a maximum for the column,
    /// `widthLimit` is the maximum.
    static func contentWidth(of column: Column, metrics: GridMetrics, widthLimit: Int) -> Int {
        let minimum = column.minimumWidth ?? metrics.minimumColumnWidth
        return min(max(minimum, column.contentWidth), max(minimum, column.maximumWidth ?? widthLimit))
    }

    private static func widths(_ columns: ColumnList, metrics: GridMetrics, frameWidth: Int, widthLimit: Int) -> [Int] {
        let count = columns.count
        var widths = [Int](repeating: 0, count: count)
        var fitted: [Int] = []
        var sharing: [Int] = []
        var used = max(0, count - 1) * metrics.columnSpacing
        for index in 0..<count {
            let place = columns.visiblePlaces[index]
            let minimum = columns.all[place].minimumWidth ?? metrics.minimumColumnWidth
            switch columns.all[place].width {
            case .fixed(let width): widths[index] = max(1, width)
            case .fraction(let fraction):
                // NaN is not greater than 0.
                let share = fraction > 0 ? Int(Double(frameWidth) * min(fraction, 1)) : 0
                widths[index] = min(max(minimum, share), max(minimum, columns.all[place].maximumWidth ?? .max))
            case .standard where columns.all[place].dependsOnSpareWidth(metrics): fitted.append(index)
            case .flexible,
                .automatic where columns.all[place].dependsOnSpareWidth(metrics):
                sharing.append(index)
            case .standard where columns.all[place].delegatedWidth != nil, .automatic where columns.all[place].contentWidth > 0:
                widths[index] = contentWidth(of: columns.all[place], metrics: metrics, widthLimit: widthLimit)
            case .standard, .automatic:
                // The default width of the grid is treated like a width that is set for this column: only the column's own limits apply,
                // not the limits of the grid.
                let minimumWidth = max(1, columns.all[place].minimumWidth ?? 1)
                widths[index] = min(
                    max(minimumWidth, metrics.defaultColumnWidth ?? 0), max(minimumWidth, columns.all[place].maximumWidth ?? .max))
            }
            used += widths[index]
        }
        if !fitted.isEmpty {
            // Flexible columns get at least their minimum width, and also the room that standard columns do not need.
            let reserved = sharing.reduce(0) { $0 + max(0, columns[$1].minimumWidth ?? metrics.minimumColumnWidth) }
            let fitting = ColumnFitting(
                fitted.map { columns[$0] }, room: frameWidth - used - reserved,
                unmeasuredWidth: max(0, frameWidth - used) / (fitted.count + sharing.count),
                metrics: metrics, widthLimit: widthLimit, fillsRoom: sharing.isEmpty)
            for (index, width) in zip(fitted, fitting.widths) {
                widths[index] = width
                used += width
            }
        }
        let shares = ColumnFitting(sharing: sharing.map { columns[$0] }, room: frameWidth - used, metrics: metrics)
        for (index, width) in zip(sharing, shares.widths) { widths[index] = width }
        reassignClippedWidth(&widths, of: columns, growing: fitted, metrics: metrics, frameWidth: frameWidth)
        distributeSpareWidth(&widths, to: columns, metrics: metrics, frameWidth: frameWidth)
        return widths
    }

    /// Widens automatic columns that are narrower than their content because of ``fittedLimit``, if the frame has unused room.
    private static func distributeSpareWidth(_ widths: inout [Int], to columns: ColumnList, metrics: GridMetrics, frameWidth: Int) {
        guard metrics.maximumColumnWidth == nil, !widths.isEmpty else { return }
        var spare = frameWidth - (widths.count - 1) * metrics.columnSpacing
        for width in widths where spare > 0 { spare -= width }
        guard spare > 0 else { return }
        for index in widths.indices {
            let column = columns[index]
            guard column.width == .automatic, column.maximumWidth == nil, column.contentWidth > widths[index] else { continue }
            let addition = min(spare, column.contentWidth - widths[index])
            widths[index] += addition
            spare -= addition
        }
    }

    /// The minimum visible width, in terminal cells, of a column that is clipped at the edge of the frame.
    package static let minimumVisibleWidth = 4

    /// If fewer than ``minimumVisibleWidth`` cells of a column are visible at the edge of the frame, gives these cells to the columns
    /// before it.
    ///
    /// The result does not depend on the scroll position, so that scrolling does not change widths.
    /// - Parameter growing: the indices of the columns that are fitted to the frame, which can grow up to their maximum.
    private static func reassignClippedWidth(
        _ widths: inout [Int], of columns: ColumnList, growing: [Int], metrics: GridMetrics, frameWidth: Int
    ) {
        let spacing = metrics.columnSpacing
        // At first the room without the columns frozen at the right; after the loop, the visible width of the clipped column.
        var room = frameWidth
        let end = widths.count - columns.trailingCount
        for index in end..<widths.count where room > 0 { room -= min(room, widths[index]) + spacing }
        var cut = 0
        while cut < end, widths[cut] <= room {
            room -= widths[cut] + spacing
            cut += 1
        }
        guard cut < end, (1..<minimumVisibleWidth).contains(room) else { return }
        var grown = widths
        for _ in 0..<room + spacing {
            let wider = growing.filter { index in
                guard index < cut else { return false }
                let limit = columns[index].measuredWidth > 0 ? metrics.maximumColumnWidth : nil
                return grown[index] < columns[index].maximumWidth ?? limit ?? .max
            }
            // Widen the column that lacks the most cells for its content; among equal columns, the last one.
            guard
                let index = wider.max(by: {
                    (columns[$0].measuredWidth - grown[$0], $0) < (columns[$1].measuredWidth - grown[$1], $1)
                })
            else { return }
            grown[index] += 1
        }
        widths = grown
    }
}
