/// What can be read down the grid: a row, or the header of a section.
public enum GridItem: Hashable, Sendable, Codable {
    /// The row at this position.
    case row(Int)
    /// The header of this section.
    case header(Int)

    /// Reads an item by its number from 0 to 2⁴⁰.
    public init(from decoder: any Decoder) throws {
        let decoded = try DecodedCase(from: decoder)
        switch decoded.name {
        case "row": self = .row(try decoded.value(within: DecodingLimits.rows))
        case "header": self = .header(try decoded.value(within: DecodingLimits.rows))
        default: throw decoded.unknown
        }
    }

    /// Whether it is a section's header.
    public var isHeader: Bool {
        if case .header = self { return true }
        return false
    }
}

/// The list of items that can be scrolled through: all rows, or headers and the rows of the sections that are expanded.
///
/// Items are numbered from 0. Item to row and back is O(1) without sections, O(log sections) with them. Takes a byte for each section, and what
/// says which of them are shown: little, while few sections differ from those beside them.
public struct Outline: Equatable, Sendable {
    /// The number of rows, shown or not.
    public private(set) var rowCount: Int
    /// The sections; `nil`: rows only, and items are positions.
    public private(set) var tree: SectionTree?
    /// For every section, whether it is collapsed.
    public private(set) var collapsed: [Bool]
    /// The sections whose headers are items: those within no collapsed one; `nil` without sections.
    private var shown: SectionRuns?

    /// The number of items.
    public var itemCount: Int { shown?.total.items ?? rowCount }

    /// Whether some row is an item, and not only headers. O(1).
    public var showsRows: Bool { shownRowCount > 0 }

    var shownSections: some Sequence<Int> { shown.map { AnySequence($0.sections) } ?? AnySequence([]) }

    /// The number of rows among the items: those of expanded sections.
    var shownRowCount: Int { itemCount - (shown?.total.headers ?? 0) }

    /// All of `rowCount` rows in the sections of `tree`, expanded unless `collapsed` has an entry for every section.
    ///
    /// O(sections) when it has; else as long as it takes to set a byte for each section.
    public init(rowCount: Int, tree: SectionTree? = nil, collapsed: [Bool]? = nil) {
        self.rowCount = rowCount
        self.tree = tree
        let known = collapsed.flatMap { $0.count == tree?.count ?? 0 ? $0 : nil }
        self.collapsed = known ?? Array(repeating: false, count: tree?.count ?? 0)
        shown = tree.map { SectionRuns($0, collapsed: known) }
    }

    /// Whether the same is shown of the same rows and sections. O(1) for the same sections collapsed as before, else O(sections).
    public static func == (a: Outline, b: Outline) -> Bool {
        a.rowCount == b.rowCount && a.tree == b.tree && a.collapsed == b.collapsed
    }

    // MARK: Looking up

    /// How many of the items before item `index` are headers, and the positions of those that are rows. O(log sections), and to go through the
    /// rows as many steps as there are stretches of sections that are all expanded.
    func items(before index: Int) -> (headers: Int, rows: AnySequence<Range<Int>>) {
        guard let shown, index > 0 else { return (0, AnySequence([0..<index])) }
        return (shown.count(beforeItem: index).headers, AnySequence(shown.rows(beforeItem: index)))
    }

    /// What stands at item `index`, in `0 ..< itemCount`. O(1) without sections, O(log sections) with them.
    public func item(at index: Int) -> GridItem {
        guard let tree, let shown else { return .row(index) }
        let (section, item) = shown.section(atItem: index)
        return index == item ? .header(section) : .row(tree.firstRow(of: section) + index - item - 1)
    }

    /// The item of the row at `position`, or of the header under which it is hidden. O(1) without sections, O(log sections) with them.
    public func index(ofRow position: Int) -> Int {
        guard let tree, let shown else { return position }
        // Rows that came after the sections were made are in none: the last item is the nearest.
        guard let leaf = tree.leaf(containing: position) else { return max(0, itemCount - 1) }
        let (section, item) = shown.shown(leaf)
        guard section == leaf, !collapsed[section] else { return item }
        return item + 1 + position - tree.firstRow(of: leaf)
    }

    /// The item of a section's header, or of the header under which it is hidden.
    public func index(ofHeader section: Int) -> Int { shown?.shown(section).item ?? 0 }

    /// The item at which `item` stands, or the header under which it is hidden.
    public func index(of item: GridItem) -> Int {
        switch item {
        case .row(let position): index(ofRow: position)
        case .header(let section): index(ofHeader: section)
        }
    }

    /// The innermost section around an item: the header's own section, or the one that holds the row; `nil` without sections.
    public func section(of item: GridItem) -> Int? {
        switch item {
        case .row(let position): tree?.leaf(containing: position)
        case .header(let section): section
        }
    }

    /// The header to be seen above an item at `level`: what sticks to the top while the item is read.
    public func header(above item: GridItem, level: Int) -> Int? {
        guard let tree, let section = section(of: item), level <= tree.level(of: section) else { return nil }
        return tree.ancestor(of: section, level: level)
    }

    /// The level of a header, or the number of levels around a row: how many headers may stick above the item.
    public func depth(of item: GridItem) -> Int {
        guard let tree, let section = section(of: item) else { return 0 }
        let level = tree.level(of: section)
        if case .header = item { return level }
        return level + 1
    }

    /// The headers to be seen above an item, from the outermost on; those before item `first` are frozen and so in sight anyway.
    func headers(above item: GridItem, from first: Int) -> [Int] {
        (0..<depth(of: item)).compactMap { header(above: item, level: $0) }.filter { index(ofHeader: $0) >= first }
    }

    // MARK: Changing

    /// Collapses or expands one section. O(sections nested in it), and where collapsed and expanded ones alternate O(sections).
    public mutating func setCollapsed(_ isCollapsed: Bool, section: Int) {
        guard collapsed.indices.contains(section), collapsed[section] != isCollapsed else { return }
        collapsed[section] = isCollapsed
        shown?.update(section, collapsed)
    }

    /// Collapses or expands all sections: as long as it takes to set a byte for each.
    public mutating func setAllCollapsed(_ isCollapsed: Bool) {
        guard let tree else { return }
        collapsed = Array(repeating: isCollapsed, count: tree.count)
        shown = isCollapsed ? SectionRuns(allCollapsed: tree) : SectionRuns(tree)
    }

    /// Collapses the sections for which `isCollapsed` holds, and expands the others. O(sections).
    public mutating func setCollapsed(where isCollapsed: (Int) -> Bool) {
        for section in collapsed.indices { collapsed[section] = isCollapsed(section) }
        shown = tree.map { SectionRuns($0, collapsed: collapsed) }
    }

    /// Expands whatever hides the row at `position`. O(log sections + levels) where nothing does, otherwise as
    /// ``setCollapsed(_:section:)`` for the outermost section that did.
    public mutating func reveal(row position: Int) {
        guard let tree, let leaf = tree.leaf(containing: position) else { return }
        var outermost: Int?
        for section in sequence(first: leaf, next: tree.parent(of:)) where collapsed[section] {
            collapsed[section] = false
            outermost = section
        }
        if let outermost { shown?.update(outermost, collapsed) }
    }
}
