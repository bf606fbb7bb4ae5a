/// A row or a section header: anything that the grid can scroll to.
public enum GridItem: Hashable, Sendable, Codable {
    /// The row at this position.
    case row(Int)
    /// The header of this section.
    case header(Int)

    /// Decodes an item with a number from 0 to 2⁴⁰.
    public init(from decoder: any Decoder) throws {
        let decoded = try DecodedCase(from: decoder)
        switch decoded.name {
        case "row": self = .row(try decoded.value(within: DecodingLimits.rows))
        case "header": self = .header(try decoded.value(within: DecodingLimits.rows))
        default: throw decoded.unknownCaseError
        }
    }

    /// True if the item is a section header.
    public var isHeader: Bool {
        if case .header = self { return true }
        return false
    }
}

/// The list of items that the grid can scroll to: all rows or, in a grid with sections, the headers and the rows of expanded sections.
///
/// Items are numbered from 0. Converting between item and row is O(1) without sections, O(log sections) with them.
///
/// Memory: one byte for each section, plus a few bytes for each sequence of sections that are all expanded or all collapsed.
public struct Outline: Equatable, Sendable {
    /// The number of rows, including rows in collapsed sections.
    public private(set) var rowCount: Int
    /// The sections of the rows; `nil` if the grid has no sections. Without sections, the index of an item is the position of its row.
    public private(set) var tree: SectionTree?
    /// For each section, true if it is collapsed.
    public private(set) var collapsed: [Bool]
    /// The sections whose headers are items. A header inside a collapsed section is not an item. `nil` without sections.
    private var shownRuns: SectionRuns?

    /// The number of items: section headers, and rows that are not in a collapsed section.
    public var itemCount: Int { shownRuns?.total.items ?? rowCount }

    /// True if at least one row is not in a collapsed section. O(1).
    public var showsRows: Bool { shownRowCount > 0 }

    var shownSections: some Sequence<Int> { shownRuns.map { AnySequence($0.sections) } ?? AnySequence([]) }

    /// The number of rows that are not in a collapsed section.
    var shownRowCount: Int { itemCount - (shownRuns?.total.headers ?? 0) }

    /// Creates an outline of `rowCount` rows in the sections of `tree`.
    ///
    /// If `collapsed` does not have an entry for every section, all sections are expanded.
    ///
    /// O(sections) with `collapsed`; otherwise writes one byte for each section.
    public init(rowCount: Int, tree: SectionTree? = nil, collapsed: [Bool]? = nil) {
        self.rowCount = rowCount
        self.tree = tree
        let validFlags = collapsed.flatMap { $0.count == tree?.count ?? 0 ? $0 : nil }
        self.collapsed = validFlags ?? Array(repeating: false, count: tree?.count ?? 0)
        shownRuns = tree.map { SectionRuns($0, collapsed: validFlags) }
    }

    /// Compares the number of rows, the sections, and which sections are collapsed. O(1) if one outline is a copy of the other, otherwise
    /// O(sections).
    public static func == (a: Outline, b: Outline) -> Bool {
        a.rowCount == b.rowCount && a.tree == b.tree && a.collapsed == b.collapsed
    }

    // MARK: Lookup

    /// The items before item `index`: the number of section headers, and the positions of the rows as ascending ranges.
    ///
    /// O(log sections). The result has one range for each sequence of expanded sections.
    func items(before index: Int) -> (headers: Int, rows: AnySequence<Range<Int>>) {
        guard let shownRuns, index > 0 else { return (0, AnySequence([0..<index])) }
        return (shownRuns.count(beforeItem: index).headers, AnySequence(shownRuns.rows(beforeItem: index)))
    }

    /// The item at an index, which is in `0 ..< itemCount`. O(1) without sections, O(log sections) with sections.
    public func item(at index: Int) -> GridItem {
        guard let tree, let shownRuns else { return .row(index) }
        let (section, item) = shownRuns.section(atItem: index)
        return index == item ? .header(section) : .row(tree.firstRow(of: section) + index - item - 1)
    }

    /// The item index of a row. If the row is in a collapsed section, the item index of that section's header. O(1) without sections, O(log
    /// sections) with sections.
    public func index(ofRow position: Int) -> Int {
        guard let tree, let shownRuns else { return position }
        // A row that was added after the sections were computed is not in a section. Return the last item for it.
        guard let leaf = tree.innermostSection(containing: position) else { return max(0, itemCount - 1) }
        let (section, item) = shownRuns.visibleHeader(of: leaf)
        guard section == leaf, !collapsed[section] else { return item }
        return item + 1 + position - tree.firstRow(of: leaf)
    }

    /// The item index of a section header. If the header is inside a collapsed section, the item index of that section's header.
    public func index(ofHeader section: Int) -> Int { shownRuns?.visibleHeader(of: section).item ?? 0 }

    /// The index of an item. If the item is inside a collapsed section, the index of that section's header.
    public func index(of item: GridItem) -> Int {
        switch item {
        case .row(let position): index(ofRow: position)
        case .header(let section): index(ofHeader: section)
        }
    }

    /// The section of a header, or the innermost section that contains a row; `nil` without sections.
    public func section(of item: GridItem) -> Int? {
        switch item {
        case .row(let position): tree?.innermostSection(containing: position)
        case .header(let section): section
        }
    }

    /// The section at nesting level `level` (from 0) that contains an item. Its header can stick to the top above the item. `nil` if this
    /// level has no such section.
    public func header(above item: GridItem, level: Int) -> Int? {
        guard let tree, let section = section(of: item), level <= tree.level(of: section) else { return nil }
        return tree.ancestor(of: section, level: level)
    }

    /// The number of headers that can stick to the top above an item: for a header, its nesting level; for a row, the number of sections
    /// that contain it.
    public func depth(of item: GridItem) -> Int {
        guard let tree, let section = section(of: item) else { return 0 }
        let level = tree.level(of: section)
        if case .header = item { return level }
        return level + 1
    }

    /// The headers that can stick to the top above an item, outermost first. Headers before item `first` are omitted, because they are
    /// frozen.
    func headers(above item: GridItem, from first: Int) -> [Int] {
        (0..<depth(of: item)).compactMap { header(above: item, level: $0) }.filter { index(ofHeader: $0) >= first }
    }

    // MARK: Collapsing

    /// Collapses or expands a section. O(sections nested in it), and O(sections) if collapsed and expanded sections alternate.
    public mutating func setCollapsed(_ isCollapsed: Bool, section: Int) {
        guard collapsed.indices.contains(section), collapsed[section] != isCollapsed else { return }
        collapsed[section] = isCollapsed
        shownRuns?.update(section, collapsed)
    }

    /// Collapses or expands all sections. Writes one byte for each section.
    public mutating func setAllCollapsed(_ isCollapsed: Bool) {
        guard let tree else { return }
        collapsed = Array(repeating: isCollapsed, count: tree.count)
        shownRuns = isCollapsed ? SectionRuns(allCollapsed: tree) : SectionRuns(tree)
    }

    /// Collapses the sections for which `isCollapsed` returns true, and expands the other sections. O(sections).
    public mutating func setCollapsed(where isCollapsed: (Int) -> Bool) {
        for section in collapsed.indices { collapsed[section] = isCollapsed(section) }
        shownRuns = tree.map { SectionRuns($0, collapsed: collapsed) }
    }

    /// Expands all sections that hide the row at `position`.
    ///
    /// O(log sections + levels) if the row is already visible. Otherwise the cost is that of ``setCollapsed(_:section:)`` for the
    /// outermost collapsed section that contains the row.
    public mutating func reveal(row position: Int) {
        guard let tree, let leaf = tree.innermostSection(containing: position) else { return }
        var outermost: Int?
        for section in sequence(first: leaf, next: tree.parent(of:)) where collapsed[section] {
            collapsed[section] = false
            outermost = section
        }
        if let outermost { shownRuns?.update(outermost, collapsed) }
    }
}
