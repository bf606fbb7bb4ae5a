/// What can be read down the grid: a row, or the header of a section.
public enum GridItem: Hashable, Sendable, Codable {
    /// The row at this position.
    case row(Int)
    /// The header of this section.
    case header(Int)

    /// Whether it is a section's header.
    public var isHeader: Bool {
        if case .header = self { return true }
        return false
    }
}

/// The list of items that can be scrolled through: all rows, or headers and the rows of the sections that are expanded.
///
/// Items are numbered from 0. Item to row and back is O(1) without sections, O(log sections) with them.
public struct Outline: Equatable, Sendable {
    /// The number of rows, shown or not.
    public private(set) var rowCount: Int
    /// The sections; `nil`: rows only, and items are positions.
    public private(set) var tree: SectionTree?
    /// For every section, whether it is collapsed.
    public private(set) var collapsed: [Bool]
    /// The sections whose headers are items: those within no collapsed one, ascending.
    private var shown: [Int32] = []
    /// The item at which each shown section's header stands.
    private var starts: [Int] = []
    /// The number of items.
    public private(set) var itemCount: Int

    /// Whether some row is an item, and not only headers. O(1).
    public var showsRows: Bool { shownRowCount > 0 }

    /// The sections whose headers are items, ascending.
    var shownSections: some Sequence<Int> { shown.lazy.map(Int.init) }

    /// The number of rows among the items: those of expanded sections.
    var shownRowCount: Int { itemCount - shown.count }

    /// All of `rowCount` rows in the sections of `tree`, expanded unless `collapsed` has an entry for every section. O(sections).
    public init(rowCount: Int, tree: SectionTree? = nil, collapsed: [Bool]? = nil) {
        self.rowCount = rowCount
        self.tree = tree
        let sections = tree?.count ?? 0
        self.collapsed = collapsed?.count == sections ? collapsed! : Array(repeating: false, count: sections)
        itemCount = rowCount
        if tree != nil { arrange() }
    }

    /// Finds anew what is shown. O(sections).
    private mutating func arrange() {
        guard let tree else { return }
        shown.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        // Millions of sections are found anew while somebody waits: nothing grows then.
        shown.reserveCapacity(tree.count)
        starts.reserveCapacity(tree.count)
        var item = 0
        var index = 0
        while index < tree.count {
            shown.append(Int32(index))
            starts.append(item)
            item += 1
            let end = tree.end(of: index)
            if collapsed[index] {
                index = end
            } else {
                if end == index + 1 { item += tree.rows(of: index).count }
                index += 1
            }
        }
        itemCount = item
    }

    // MARK: Looking up

    /// What stands at item `index`, in `0 ..< itemCount`.
    public func item(at index: Int) -> GridItem {
        guard let tree else { return .row(index) }
        let slot = slot(ofItem: index)
        let section = Int(shown[slot])
        return index == starts[slot] ? .header(section) : .row(tree.rows(of: section).lowerBound + index - starts[slot] - 1)
    }

    /// The item of the row at `position`, or of the header under which it is hidden.
    public func index(ofRow position: Int) -> Int {
        guard let tree else { return position }
        // Rows that came after the sections were made are in none: the last item is the nearest.
        guard let leaf = tree.leaf(containing: position) else { return max(0, itemCount - 1) }
        let slot = slot(ofSection: leaf)
        let section = Int(shown[slot])
        guard section == leaf, !collapsed[section] else { return starts[slot] }
        return starts[slot] + 1 + position - tree.rows(of: leaf).lowerBound
    }

    /// The item of a section's header, or of the header under which it is hidden.
    public func index(ofHeader section: Int) -> Int { starts[slot(ofSection: section)] }

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

    /// The shown section with the greatest start that is not behind item `index`.
    private func slot(ofItem index: Int) -> Int { Self.last(starts.count) { starts[$0] <= index } }

    /// The shown section that is `section` or, when that is hidden, holds it.
    private func slot(ofSection section: Int) -> Int { Self.last(shown.count) { Int(shown[$0]) <= section } }

    /// The last of `0 ..< count` for which `holds`, which holds for a prefix; 0 when for none.
    private static func last(_ count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    // MARK: Changing

    /// Collapses or expands one section. O(sections).
    public mutating func setCollapsed(_ isCollapsed: Bool, section: Int) {
        guard collapsed.indices.contains(section), collapsed[section] != isCollapsed else { return }
        collapsed[section] = isCollapsed
        arrange()
    }

    /// Collapses or expands all sections. O(sections).
    public mutating func setAllCollapsed(_ isCollapsed: Bool) {
        for section in collapsed.indices { collapsed[section] = isCollapsed }
        arrange()
    }

    /// Collapses the sections for which `isCollapsed` holds, and expands the others. O(sections).
    public mutating func setCollapsed(where isCollapsed: (Int) -> Bool) {
        for section in collapsed.indices { collapsed[section] = isCollapsed(section) }
        arrange()
    }

    /// Expands whatever hides the row at `position`.
    public mutating func reveal(row position: Int) {
        guard let tree, let leaf = tree.leaf(containing: position) else { return }
        var isHidden = false
        for section in sequence(first: leaf, next: tree.parent(of:)) where collapsed[section] {
            collapsed[section] = false
            isHidden = true
        }
        if isHidden { arrange() }
    }
}
