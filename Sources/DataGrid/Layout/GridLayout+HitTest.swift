/// The part of the grid under a point, such as the mouse pointer.
public enum GridHit: Hashable, Sendable {
    /// The header of the column with this index among the visible columns.
    case header(Int)
    /// The space after a column in the header, where dragging resizes the column. Without column spacing, it is the last terminal cell of
    /// the column's header. The value is the index of the column.
    case separator(Int)
    /// The space after a row's header in a transposed grid, where dragging resizes all rows. The value is the position of the row.
    case rowSeparator(Int)
    /// The corner above the row header.
    case corner
    /// The row header: the area with the row number, at the left of a row or of a section header.
    case rowHeader(GridItem)
    /// The header of the section with this index. `onToggle` is true for ▸ or ▾ and the terminal cells next to it, where a click
    /// collapses or expands the section.
    case sectionHeader(Int, onToggle: Bool)
    /// The cell in the row at a position and in the column at an index among the visible columns.
    case cell(row: Int, column: Int)
    /// The symbol at the end of the row at this position, including the blank before it. The data source decides if the row has a symbol.
    case accessory(Int)
    /// The scroll bar. The value is the vertical position on the bar, from 0 at the top to 1 at the bottom.
    case scrollBar(Double)
    /// An area without cells and headers: outside rows and columns, or on a strip (``GridLayout/strips``).
    case nothing
}

extension GridLayout {
    /// Returns the part of the grid that contains `point`. O(visible columns + visible lines).
    public func hit(_ point: GridPoint) -> GridHit {
        guard (0..<size.width).contains(point.x), (0..<size.height).contains(point.y) else { return .nothing }
        if presentation != .table { return tileHit(point) }
        if point.y < headerHeight { return headerHit(point.x) }
        if point.x == scrollBarX { return .scrollBar(scrollFraction(atY: point.y)) }
        guard let line = itemSpans.first(where: { $0.range.contains(point.y) }) else { return .nothing }
        switch line.item {
        case .header(let section):
            return .sectionHeader(section, onToggle: abs(point.x - toggleX(of: section)) <= 1)
        case .row(let row):
            if point.x < rowHeaderWidth { return .rowHeader(line.item) }
            if let accessoryX, point.x >= accessoryX - 1 { return .accessory(row) }
            guard let column = columnIndex(atX: point.x) else { return .nothing }
            return .cell(row: row, column: column)
        }
    }

    /// The vertical position of line `y` on the scroll bar: 0 at the top of the pane, 1 at its bottom.
    func scrollFraction(atY y: Int) -> Double {
        let fraction = Double(y - pane.lowerBound) / Double(max(1, pane.count - 1))
        return fraction.clamped(to: 0...1)
    }

    /// The x coordinate of ▸ or ▾ in a section header. The symbol is indented by two cells for each nesting level, but at most by a quarter
    /// of the frame.
    public func toggleX(of section: Int) -> Int { min(2 * (tree?.level(of: section) ?? 0), max(0, size.width / 4)) }

    private func headerHit(_ x: Int) -> GridHit {
        if x < rowHeaderWidth { return .corner }
        for (span, next) in zip(columns, columns.dropFirst().map(Optional.some) + [nil]) {
            if !span.isClippedTrailing, Self.isEdge(x, of: span.range, before: next?.x) { return .separator(span.index) }
            if span.range.contains(x) { return .header(span.index) }
        }
        return .nothing
    }

    /// True if a column whose cells are `range` can be resized at `x`: in the space after the column or, without spacing, in the last cell
    /// of a column with several cells.
    static func isEdge(_ x: Int, of range: Range<Int>, before next: Int?) -> Bool {
        let end = range.upperBound
        return next == end && range.count > 1 ? x == end - 1 : x >= end && x < next ?? end + 2
    }

    /// The index of the visible column at `x`; `nil` if there is no column. The space after a column belongs to the column.
    public func columnIndex(atX x: Int) -> Int? {
        guard let spanIndex = columns.lastIndex(where: { $0.x <= x }) else { return nil }
        let isLast = spanIndex == columns.count - 1
        return isLast && x >= columns[spanIndex].range.upperBound + 2 ? nil : columns[spanIndex].index
    }

    /// The index, among visible columns, at which a column dropped at `x` is inserted. After the last column, it is the number of
    /// columns.
    public func insertionIndex(atX x: Int) -> Int? {
        guard let first = columns.first, let last = columns.last else { return nil }
        if x < first.x { return first.index }
        for span in columns where x < span.range.upperBound { return x < span.x + span.width / 2 ? span.index : span.index + 1 }
        return last.index + 1
    }

    /// The index of the visible item at line `y`, or of the visible item nearest to this line.
    public func itemIndex(atY y: Int) -> Int? {
        guard let first = itemSpans.first, let last = itemSpans.last else { return nil }
        if y < first.y { return first.index }
        return (itemSpans.last { $0.y <= y } ?? last).index
    }

    func itemIndex(nearest point: GridPoint) -> Int? { tile(nearest: point)?.index ?? itemIndex(atY: point.y) }
}
