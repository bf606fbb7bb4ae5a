/// What is under a point of the screen.
public enum GridHit: Hashable, Sendable {
    /// The title of a column, by index.
    case header(Int)
    /// The space behind a column in the header, by which it is resized; where columns have none between them, the last cell of the title.
    case separator(Int)
    /// The space behind the header of the row at this position where rows stand beside each other: all of them are resized by it.
    case rowSeparator(Int)
    /// The corner above the row header.
    case corner
    /// The row header of a row, or of a section.
    case rowHeader(GridItem)
    /// A section's header; on its ▸ or ▾, with a cell of grace at either side, or elsewhere.
    case sectionHeader(Int, onToggle: Bool)
    /// A cell: a position, and the index of a column.
    case cell(row: Int, column: Int)
    /// What stands at the end of the row at this position, with the blank before it. Whether anything does, the source knows.
    case accessory(Int)
    /// The scroll bar: which part of the way down, in `0 ... 1`.
    case scrollBar(Double)
    /// A part of the frame where there is nothing to be chosen: beyond rows and columns, or a strip (``GridLayout/strips``).
    case nothing
}

extension GridLayout {
    /// What is at `point`. O(visible columns + visible lines).
    public func hit(_ point: GridPoint) -> GridHit {
        guard (0..<size.width).contains(point.x), (0..<size.height).contains(point.y) else { return .nothing }
        if presentation != .table { return tileHit(point) }
        if point.y < headerHeight { return headerHit(point.x) }
        if point.x == scrollBarX { return .scrollBar(scrollPart(atY: point.y)) }
        guard let line = lines.first(where: { $0.range.contains(point.y) }) else { return .nothing }
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

    /// Which part of the way down the scroll bar line `y` is, in `0 ... 1`.
    func scrollPart(atY y: Int) -> Double {
        let part = Double(y - pane.lowerBound) / Double(max(1, pane.count - 1))
        return part.clamped(to: 0...1)
    }

    /// Where the header of a section shows whether it is collapsed: indented by its level, as far as the frame has room.
    public func toggleX(of section: Int) -> Int { min(2 * (tree?.level(of: section) ?? 0), max(0, size.width / 4)) }

    private func headerHit(_ x: Int) -> GridHit {
        if x < rowHeaderWidth { return .corner }
        for (span, next) in zip(columns, columns.dropFirst().map(Optional.some) + [nil]) {
            if !span.isClippedTrailing, Self.isEdge(x, of: span.range, before: next?.x) { return .separator(span.index) }
            if span.range.contains(x) { return .header(span.index) }
        }
        return .nothing
    }

    /// Whether something is resized by terminal cell `x`: by the space behind it or, where there is none, by its last cell, unless that is its only one.
    static func isEdge(_ x: Int, of range: Range<Int>, before next: Int?) -> Bool {
        let end = range.upperBound
        return next == end && range.count > 1 ? x == end - 1 : x >= end && x < next ?? end + 2
    }

    /// The visible column at `x`; the space behind a column counts as the column's.
    public func columnIndex(atX x: Int) -> Int? {
        guard let place = columns.lastIndex(where: { $0.x <= x }) else { return nil }
        let isLast = place == columns.count - 1
        return isLast && x >= columns[place].range.upperBound + 2 ? nil : columns[place].index
    }

    /// Before which visible column something dropped at `x` would be inserted; the number of columns for behind the last.
    public func insertionIndex(atX x: Int) -> Int? {
        guard let first = columns.first, let last = columns.last else { return nil }
        if x < first.x { return first.index }
        for span in columns where x < span.range.upperBound { return x < span.x + span.width / 2 ? span.index : span.index + 1 }
        return last.index + 1
    }

    /// The item at line `y`, or the nearest in sight.
    public func itemIndex(atY y: Int) -> Int? {
        guard let first = lines.first, let last = lines.last else { return nil }
        if y < first.y { return first.index }
        return (lines.last { $0.y <= y } ?? last).index
    }

    func itemIndex(nearest point: GridPoint) -> Int? { tile(nearest: point)?.index ?? itemIndex(atY: point.y) }
}
