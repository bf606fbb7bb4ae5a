/// Sections that have gone and are expected to come again, with the rows that were in them.
struct ExpectedSections: Equatable, Sendable {
    var rows: RowOrder
    var outline: Outline
    var current: Int?
}

/// Finds sections again among others that have taken their place: those whose titles, from the outermost on, are the same.
struct SectionMatching {
    /// Of so many sections every title is looked at; of more there would be a wait.
    private static let mostCompared = 65_536
    /// The rows of a section that are looked for among those of many.
    private static let mostRows = 16

    private let old: SectionTree
    private let oldRows: RowOrder
    private let new: SectionTree
    private let newRows: RowOrder

    /// The sections `old` of the rows `oldRows` came to be `new` of `newRows`.
    init(_ old: SectionTree, _ oldRows: RowOrder, to new: SectionTree, _ newRows: RowOrder) {
        (self.old, self.oldRows, self.new, self.newRows) = (old, oldRows, new, newRows)
    }

    /// Where these of the old sections are among the new; those that are not there are left out.
    ///
    /// O(sections given) when they are where they were. Otherwise O(new sections), and where these are more than 65,536, O(rows): then a section
    /// is found by its first rows, and not at all if none of those is in it any more.
    func places(of sections: [Int]) -> [Int: Int] {
        var places: [Int: Int] = [:]
        var moved: [Int] = []
        for section in sections { if isSame(section, section) { places[section] = section } else { moved.append(section) } }
        guard !moved.isEmpty else { return places }
        return places.merging(new.count <= Self.mostCompared ? comparing(moved) : following(moved)) { first, _ in first }
    }

    func place(of section: Int) -> Int? { places(of: [section])[section] }

    private func isSame(_ section: Int, _ place: Int) -> Bool {
        place < new.count && new.level(of: place) == old.level(of: section) && new.title(of: place) == old.title(of: section)
            && new.path(of: place) == old.path(of: section)
    }

    private func comparing(_ sections: [Int]) -> [Int: Int] {
        let paths = Dictionary(sections.map { (old.path(of: $0), $0) }) { first, _ in first }
        let titles = Set(sections.map { old.title(of: $0) })
        var places: [Int: Int] = [:]
        for place in 0..<new.count where titles.contains(new.title(of: place)) {
            if let section = paths[new.path(of: place)], places[section] == nil { places[section] = place }
        }
        return places
    }

    private func following(_ sections: [Int]) -> [Int: Int] {
        var rows: [RowID] = []
        var sectionsOfRows: [Int] = []
        for section in sections {
            for position in old.rows(of: section).prefix(Self.mostRows) {
                rows.append(oldRows[position])
                sectionsOfRows.append(section)
            }
        }
        var places: [Int: Int] = [:]
        for (position, index) in newRows.positions(of: rows) {
            let section = sectionsOfRows[index]
            guard places[section] == nil, let leaf = new.leaf(containing: position) else { continue }
            let place = new.ancestor(of: leaf, level: old.level(of: section))
            if isSame(section, place) { places[section] = place }
        }
        return places
    }
}
