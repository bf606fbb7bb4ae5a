/// Sections that a grid remembers while its rows have no sections, to collapse the same sections later.
struct ExpectedSections: Equatable, Sendable {
    var rows: RowOrder
    var outline: Outline
    /// The section that contains the cursor; `nil` if there is no such section.
    var cursorSection: Int?
}

/// Finds the sections of one tree in another tree. Sections match if their titles and the titles of all their ancestors are equal.
struct SectionMatching {
    /// The maximum number of sections in the new tree for which all titles are compared. In larger trees, sections are found by their rows.
    private static let maximumComparedSections = 65_536
    /// The number of rows at the start of an old section that are looked up to find the section in a larger new tree.
    private static let sampledRows = 16

    private let oldTree: SectionTree
    private let oldRows: RowOrder
    private let newTree: SectionTree
    private let newRows: RowOrder

    /// Creates a matching of the sections of an old tree to the sections of a new tree. Each tree is followed by the order of its rows.
    init(_ oldTree: SectionTree, _ oldRows: RowOrder, to newTree: SectionTree, _ newRows: RowOrder) {
        (self.oldTree, self.oldRows, self.newTree, self.newRows) = (oldTree, oldRows, newTree, newRows)
    }

    /// Finds sections of the old tree, given by their indices, in the new tree. Returns the new index of each section by its old index.
    /// Sections that are not in the new tree are omitted.
    ///
    /// O(given sections) if their indices are unchanged, otherwise O(new sections). With more than 65,536 new sections, each section is
    /// found by its first 16 rows, in O(rows). A section is omitted if none of these rows is in a new section with the same titles.
    func newIndices(of sections: [Int]) -> [Int: Int] {
        var newIndices: [Int: Int] = [:]
        var moved: [Int] = []
        for section in sections { if isSame(section, section) { newIndices[section] = section } else { moved.append(section) } }
        guard !moved.isEmpty else { return newIndices }
        let found = newTree.count <= Self.maximumComparedSections ? newIndicesByTitle(moved) : newIndicesByRow(moved)
        return newIndices.merging(found) { first, _ in first }
    }

    func newIndex(of section: Int) -> Int? { newIndices(of: [section])[section] }

    private func isSame(_ section: Int, _ newIndex: Int) -> Bool {
        newIndex < newTree.count && newTree.level(of: newIndex) == oldTree.level(of: section)
            && newTree.title(of: newIndex) == oldTree.title(of: section)
            && newTree.path(of: newIndex) == oldTree.path(of: section)
    }

    private func newIndicesByTitle(_ sections: [Int]) -> [Int: Int] {
        let paths = Dictionary(sections.map { (oldTree.path(of: $0), $0) }) { first, _ in first }
        let titles = Set(sections.map { oldTree.title(of: $0) })
        var newIndices: [Int: Int] = [:]
        for newIndex in 0..<newTree.count where titles.contains(newTree.title(of: newIndex)) {
            if let section = paths[newTree.path(of: newIndex)], newIndices[section] == nil { newIndices[section] = newIndex }
        }
        return newIndices
    }

    private func newIndicesByRow(_ sections: [Int]) -> [Int: Int] {
        var rows: [RowID] = []
        var sectionsOfRows: [Int] = []
        for section in sections {
            for position in oldTree.rows(of: section).prefix(Self.sampledRows) {
                rows.append(oldRows[position])
                sectionsOfRows.append(section)
            }
        }
        var newIndices: [Int: Int] = [:]
        for (position, index) in newRows.positions(of: rows) {
            let section = sectionsOfRows[index]
            guard newIndices[section] == nil, let leaf = newTree.innermostSection(containing: position) else { continue }
            let newIndex = newTree.ancestor(of: leaf, level: oldTree.level(of: section))
            if isSame(section, newIndex) { newIndices[section] = newIndex }
        }
        return newIndices
    }
}
