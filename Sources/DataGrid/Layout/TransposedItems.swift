/// The widths of the items of a transposed grid, in terminal cells.
///
/// The title of a section is above its rows, in the line of titles of its level. Between the rows, only a narrow band marks the start of a
/// section. A section that begins at the same row as its enclosing section shares its band. A section without visible rows has a wider
/// band, for its title and its aggregates.
struct TransposedItems {
    let outline: Outline
    let rowWidth: Int
    let spacing: Int
    /// The number of levels with a line of titles above the rows. Headers of inner levels are drawn between the rows and are as tall as
    /// rows.
    let levels: Int
    /// The first item that is not laid out. This item and all later ones are treated as rows.
    var end = Int.max

    init(outline: Outline, rowWidth: Int, spacing: Int, levels: Int) {
        (self.outline, self.rowWidth, self.spacing, self.levels) = (outline, rowWidth, spacing, levels)
        titleWidth = min(rowWidth, 16)
    }

    /// Widens the headers of a grid that shows no rows: to the width of rows and, if all items fit in `room`, to equal parts of it.
    /// O(`room`).
    mutating func widenTitles(in room: Int, toFill fills: Bool) {
        titleWidth = rowWidth
        guard fills, outline.itemCount <= room else { return }
        let advances = (0..<outline.itemCount).map { advance(of: $0, isFirst: $0 == 0) }
        let bands = advances.count { $0 > 0 }
        if bands > 0 { titleWidth += max(0, room + spacing - advances.reduce(0, +)) / bands }
    }

    /// The distance between rows.
    var step: Int { rowWidth + spacing }
    /// The width of the header of a section without visible rows, or without a line for its title.
    private var titleWidth: Int
    /// The width of the band before the rows of a section.
    static let bandWidth = 1

    /// The level of a header.
    func level(of section: Int) -> Int { outline.tree?.level(of: section) ?? 0 }

    /// True if the title of the section has a separate line, above the rows.
    func hasLine(_ section: Int) -> Bool { level(of: section) < levels }

    /// True if item `index` is a header that shares the band of the previous header.
    private func sharesBand(_ index: Int) -> Bool {
        guard index > 0, index < outline.itemCount, case .header(let section) = outline.item(at: index), hasLine(section),
            case .header(let before) = outline.item(at: index - 1)
        else { return false }
        return outline.tree?.parent(of: section) == before
    }

    /// True if a section shows rows, or headers that are as tall as rows. O(levels · log sections).
    func isOpen(_ index: Int) -> Bool {
        var last = index
        while sharesBand(last + 1) { last += 1 }
        guard last + 1 < outline.itemCount, case .header(let section) = outline.item(at: last) else { return false }
        guard case .header(let next) = outline.item(at: last + 1) else { return true }
        return outline.tree?.parent(of: next) == section
    }

    /// The width of an item; 0 for a header that shares the band of the previous header, unless it is the first visible item.
    func width(of index: Int, isFirst: Bool) -> Int {
        guard index < min(end, outline.itemCount), case .header(let section) = outline.item(at: index) else { return rowWidth }
        guard hasLine(section) else { return titleWidth }
        if !isFirst, sharesBand(index) { return 0 }
        return isOpen(index) ? min(Self.bandWidth, rowWidth) : titleWidth
    }

    /// The distance from an item to the next.
    func advance(of index: Int, isFirst: Bool) -> Int {
        let width = width(of: index, isFirst: isFirst)
        return width == 0 ? 0 : width + spacing
    }

    /// The number of items, starting with `first`, that are fully visible in `room` terminal cells.
    func count(from first: Int, in room: Int) -> Int {
        var (index, x) = (first, 0)
        while x + width(of: index, isFirst: index == first) <= room {
            x += advance(of: index, isFirst: index == first)
            index += 1
        }
        return index - first
    }

    /// The smallest first item, not before `start`, with which item `last` is fully visible in `room` terminal cells.
    func first(showing last: Int, from start: Int, in room: Int) -> Int {
        var first = last
        var used = width(of: last, isFirst: true)
        while first > start {
            // A shared band keeps its width when its first header becomes visible.
            if !sharesBand(first) { used += advance(of: first - 1, isFirst: true) }
            guard used <= room else { break }
            first -= 1
        }
        return first
    }
}
