/// The widths of the items of a transposed grid, in terminal cells.
///
/// The title of a section is above its rows; each nesting level has its own line of titles. Between the rows, only a narrow band marks
/// the start of a section. A section that begins at the same row as its parent has the same band as its parent. A section without visible
/// rows has a wider band, for its title and its aggregates.
struct TransposedItems {
    let outline: Outline
    let rowWidth: Int
    let spacing: Int
    /// The number of nesting levels that have a line of titles above the rows. Headers of inner levels are between the rows and as tall
    /// as rows.
    let levelCount: Int
    /// The index after the last item that has its own width. An element at this index or later, such as the loader, is as wide as a row.
    var end = Int.max

    init(outline: Outline, rowWidth: Int, spacing: Int, levelCount: Int) {
        (self.outline, self.rowWidth, self.spacing, self.levelCount) = (outline, rowWidth, spacing, levelCount)
        titleWidth = min(rowWidth, 16)
    }

    /// Makes the headers as wide as rows, for a grid without visible rows. If all headers then fit in `room` and `fills` is true, they are
    /// widened further to fill `room`. O(`room`).
    mutating func widenTitles(in room: Int, fillsRoom fills: Bool) {
        titleWidth = rowWidth
        guard fills, outline.itemCount <= room else { return }
        let advances = (0..<outline.itemCount).map { advance(of: $0, isFirst: $0 == 0) }
        let bands = advances.count { $0 > 0 }
        if bands > 0 { titleWidth += max(0, room + spacing - advances.reduce(0, +)) / bands }
    }

    /// The distance in terminal cells from the start of a row to the start of the next row.
    var step: Int { rowWidth + spacing }
    /// The width of the header of a section without visible rows, or of a section whose level has no line of titles.
    private var titleWidth: Int
    /// The width of the band that marks the start of a section's rows.
    static let bandWidth = 1

    /// The nesting level of a section, from 0.
    func level(of section: Int) -> Int { outline.tree?.level(of: section) ?? 0 }

    /// True if the title of the section is in a line above the rows, because its level has such a line.
    func hasTitleLine(_ section: Int) -> Bool { level(of: section) < levelCount }

    /// True if item `index` is a section header in the same band as the previous header.
    private func sharesBand(_ index: Int) -> Bool {
        guard index > 0, index < outline.itemCount, case .header(let section) = outline.item(at: index), hasTitleLine(section),
            case .header(let before) = outline.item(at: index - 1)
        else { return false }
        return outline.tree?.parent(of: section) == before
    }

    /// True if rows of the section are visible, or headers that are as tall as rows. `index` is the item of the section's header.
    /// O(levels · log sections).
    func showsContent(_ index: Int) -> Bool {
        var last = index
        while sharesBand(last + 1) { last += 1 }
        guard last + 1 < outline.itemCount, case .header(let section) = outline.item(at: last) else { return false }
        guard case .header(let next) = outline.item(at: last + 1) else { return true }
        return outline.tree?.parent(of: next) == section
    }

    /// The width of item `index`. It is 0 for a header in the band of the previous header, unless the item is the first visible item.
    func width(of index: Int, isFirst: Bool) -> Int {
        guard index < min(end, outline.itemCount), case .header(let section) = outline.item(at: index) else { return rowWidth }
        guard hasTitleLine(section) else { return titleWidth }
        if !isFirst, sharesBand(index) { return 0 }
        return showsContent(index) ? min(Self.bandWidth, rowWidth) : titleWidth
    }

    /// The width of item `index` and the spacing after it; 0 for a header in the band of the previous header.
    func advance(of index: Int, isFirst: Bool) -> Int {
        let width = width(of: index, isFirst: isFirst)
        return width == 0 ? 0 : width + spacing
    }

    /// The number of items that are fully visible in `room` terminal cells if item `first` is the first visible item.
    func wholeItemCount(from first: Int, in room: Int) -> Int {
        var (index, x) = (first, 0)
        while x + width(of: index, isFirst: index == first) <= room {
            x += advance(of: index, isFirst: index == first)
            index += 1
        }
        return index - first
    }

    /// The smallest scroll position, not before `start`, at which item `last` is fully visible in `room` terminal cells. A scroll position
    /// is the index of the first visible item.
    func first(showing last: Int, from start: Int, in room: Int) -> Int {
        var first = last
        var used = width(of: last, isFirst: true)
        while first > start {
            // The width of a band does not change when another of its headers becomes the first visible item.
            if !sharesBand(first) { used += advance(of: first - 1, isFirst: true) }
            guard used <= room else { break }
            first -= 1
        }
        return first
    }
}
