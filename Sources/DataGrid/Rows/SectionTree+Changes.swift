/// What becomes of the sections when rows or sections come and go. The trees are others each time; O(sections) to make one.
///
/// Aggregates that came with the tree are not known any more for the sections around what has changed.
extension SectionTree {
    /// The section among whose own rows those come that come at `position`: within `section` if there is one that reaches there, else where
    /// the rows there are; `nil` when there is none at all. A section that holds others has rows of its own when it has some already.
    func leaf(forRowsAt position: Int, in section: Int?) -> Int? {
        if let section, sections.indices.contains(section) {
            let inner = (section..<end(of: section)).filter { end(of: $0) == $0 + 1 || !ownRows(of: $0).isEmpty }
            return inner.first { ownRows(of: $0).lowerBound <= position && position <= ownRows(of: $0).upperBound } ?? inner.last
        }
        // The last section holds no others.
        return leaf(containing: position) ?? (count > 0 ? count - 1 : nil)
    }

    /// With `count` rows more at the end of, or within, the section `leaf`. O(sections), of which each is made with its title.
    public func inserting(_ count: Int, in leaf: Int) -> SectionTree {
        let around = Set(sequence(first: leaf, next: parent(of:)))
        return remade(sections(with: count, around: around, before: leaf + 1)) { around.contains($0) ? nil : $0 }
    }

    /// The sections when `count` rows have come into those of `around`, and all from `index` on stand behind them.
    private func sections(with count: Int, around: Set<Int>, before index: Int) -> [Section] {
        sections.enumerated().map { place, section in
            let low = section.rows.lowerBound + (place >= index && !around.contains(place) ? count : 0)
            let high = section.rows.upperBound + (place >= index || around.contains(place) ? count : 0)
            return Section(level: section.level, title: section.title, rows: low..<high)
        }
    }

    /// Without the rows at these positions. Sections stay, also when nothing is left in them.
    func removing(_ range: Range<Int>) -> SectionTree {
        func position(_ old: Int) -> Int { old - max(0, min(old, range.upperBound) - range.lowerBound) }
        let changed = sections.map { section in
            var section = section
            section.rows = position(section.rows.lowerBound)..<position(section.rows.upperBound)
            return section
        }
        return remade(changed) { sections[$0].rows.overlaps(range) ? nil : $0 }
    }

    /// The level of such a section that is nearest to `level`: no section that is there gets into it, and it is one deeper than the one before
    /// it at most.
    func level(ofSectionAt index: Int, nearest level: Int) -> Int {
        let least = index < sections.count ? sections[index].level : 0
        return level.clamped(to: least...(index == 0 ? 0 : sections[index - 1].level + 1))
    }

    /// With a section before the one at `index`, or behind the last one. Its rows begin where those of that section did; what it comes into
    /// gives it the rows that were in no section within.
    func inserting(_ section: Section, at index: Int) -> SectionTree {
        let count = section.rows.count
        let end = firstRow(of: index) + count
        var new = section
        let isFirstInside = index > 0 && sections[index - 1].level < new.level
        new.rows = (isFirstInside ? sections[index - 1].rows.lowerBound : end - count)..<end
        var around: Set<Int> = []
        // What it comes into: the sections before it that are further out, the nearest of each level.
        var level = new.level
        for before in sections[..<index].indices.reversed() where sections[before].level < level {
            around.insert(before)
            level = sections[before].level
        }
        var changed = sections(with: count, around: around, before: index)
        changed.insert(new, at: index)
        return remade(changed) { $0 == index || around.contains($0) ? nil : $0 < index ? $0 : $0 - 1 }
    }

    func removing(section: Int) -> SectionTree {
        let gone = section..<end(of: section)
        let without = removing(sections[section].rows)
        var changed = Array(without.sections)
        changed.removeSubrange(gone)
        let around = Set(sequence(first: section, next: parent(of:)))
        return remade(changed) { index in
            let old = index < section ? index : index + gone.count
            return around.contains(old) ? nil : old
        }
    }

    /// With sections more at the end. O(sections), those there were included, each made with its title.
    public func appending(_ more: [Section]) -> SectionTree { remade(sections + more) { $0 < sections.count ? $0 : nil } }

    /// These sections, with the aggregates of those that were `old(index)` before.
    func remade(_ changed: [Section], old: (Int) -> Int?) -> SectionTree {
        var known: [Double] = []
        var exact = ExactValues()
        for index in changed.indices where !aggregates.isEmpty {
            for place in aggregates.indices {
                let before = old(index).map { $0 * aggregates.count + place }
                if let number = before.flatMap({ exactValues[$0] }) { exact.append(number, at: known.count) }
                known.append(before.map { aggregateValues[$0] } ?? .nan)
            }
        }
        return SectionTree(changed, columns: columns, aggregates: aggregates, aggregateValues: known, exactValues: exact)
    }
}
