/// Copies of a tree after rows or sections were inserted or removed. O(sections) each.
///
/// The aggregates of the sections that contain the change become unknown.
extension SectionTree {
    /// The section that receives rows inserted at `position`; `nil` if there are no sections.
    ///
    /// If `section` is `nil`, this is the section of the row at `position`. Otherwise, the candidates are `section` and the sections nested
    /// in it, except sections that have nested sections but no rows outside of them. The result is the first candidate whose own rows
    /// contain `position` or end there, otherwise the last candidate.
    func sectionReceiving(rowsAt position: Int, in section: Int?) -> Int? {
        if let section, sections.indices.contains(section) {
            let inner = (section..<end(of: section)).filter { end(of: $0) == $0 + 1 || !ownRows(of: $0).isEmpty }
            return inner.first { ownRows(of: $0).lowerBound <= position && position <= ownRows(of: $0).upperBound } ?? inner.last
        }
        // The last section has no nested sections, so it can receive rows.
        return innermostSection(containing: position) ?? (count > 0 ? count - 1 : nil)
    }

    /// The tree with `count` rows inserted into the section `leaf`. O(sections). The title of every section is requested.
    public func inserting(_ count: Int, in leaf: Int) -> SectionTree {
        let enclosingSections = Set(sequence(first: leaf, next: parent(of:)))
        return rebuilt(sections(insertingRows: count, in: enclosingSections, before: leaf + 1)) {
            enclosingSections.contains($0) ? nil : $0
        }
    }

    /// The sections after `count` rows were inserted. The sections in `enclosingSections` contain the new rows. The rows of other sections
    /// from `index` onward move down.
    private func sections(insertingRows count: Int, in enclosingSections: Set<Int>, before index: Int) -> [Section] {
        sections.enumerated().map { number, section in
            let low = section.rows.lowerBound + (number >= index && !enclosingSections.contains(number) ? count : 0)
            let high = section.rows.upperBound + (number >= index || enclosingSections.contains(number) ? count : 0)
            return Section(level: section.level, title: section.title, rows: low..<high)
        }
    }

    /// The tree after the rows at these positions were removed. Sections that have no rows left are kept.
    func removing(_ range: Range<Int>) -> SectionTree {
        func position(_ old: Int) -> Int { old - max(0, min(old, range.upperBound) - range.lowerBound) }
        let changed = sections.map { section in
            var section = section
            section.rows = position(section.rows.lowerBound)..<position(section.rows.upperBound)
            return section
        }
        return rebuilt(changed) { sections[$0].rows.overlaps(range) ? nil : $0 }
    }

    /// The tree without the rows from position `count` onward; this tree if it has no such rows.
    func limited(toRows count: Int) -> SectionTree {
        let end = firstRow(of: self.count)
        return end > count ? removing(count..<end) : self
    }

    /// The valid nesting level nearest to `level` for a section inserted at `index`.
    ///
    /// A valid level does not put existing sections inside the new section, and is at most one greater than the level of the previous
    /// section.
    func validLevel(ofSectionInsertedAt index: Int, nearest level: Int) -> Int {
        let minimum = index < sections.count ? sections[index].level : 0
        return level.clamped(to: minimum...(index == 0 ? 0 : sections[index - 1].level + 1))
    }

    /// The tree after a section was inserted before the section at `index`, or at the end.
    ///
    /// The rows of the new section begin at the first row of the section at `index`. If the new section is the first one of its parent,
    /// it also receives the rows of its parent that are in no nested section.
    func inserting(_ section: Section, at index: Int) -> SectionTree {
        let count = section.rows.count
        let end = firstRow(of: index) + count
        var new = section
        let isFirstInside = index > 0 && sections[index - 1].level < new.level
        new.rows = (isFirstInside ? sections[index - 1].rows.lowerBound : end - count)..<end
        var enclosingSections: Set<Int> = []
        // Find the ancestors of the new section: the nearest previous section of each lower level.
        var level = new.level
        for before in sections[..<index].indices.reversed() where sections[before].level < level {
            enclosingSections.insert(before)
            level = sections[before].level
        }
        var changed = sections(insertingRows: count, in: enclosingSections, before: index)
        changed.insert(new, at: index)
        return rebuilt(changed) { $0 == index || enclosingSections.contains($0) ? nil : $0 < index ? $0 : $0 - 1 }
    }

    func removing(section: Int) -> SectionTree {
        let removed = section..<end(of: section)
        let without = removing(sections[section].rows)
        var changed = Array(without.sections)
        changed.removeSubrange(removed)
        let enclosingSections = Set(sequence(first: section, next: parent(of:)))
        return rebuilt(changed) { index in
            let old = index < section ? index : index + removed.count
            return enclosingSections.contains(old) ? nil : old
        }
    }

    /// The tree after sections were added at the end. O(sections). The title of every section is requested.
    public func appending(_ newSections: [Section]) -> SectionTree { rebuilt(sections + newSections) { $0 < sections.count ? $0 : nil } }

    /// A tree of the sections `changedSections`. The section at `index` keeps the aggregates that section `oldIndex(index)` has in this
    /// tree; `nil` means unknown aggregates.
    func rebuilt(_ changedSections: [Section], oldIndex: (Int) -> Int?) -> SectionTree {
        var values: [Double] = []
        var exact = ExactValues()
        for index in changedSections.indices where !aggregates.isEmpty {
            for aggregate in aggregates.indices {
                let before = oldIndex(index).map { $0 * aggregates.count + aggregate }
                if let number = before.flatMap({ exactValues[$0] }) { exact.append(number, at: values.count) }
                values.append(before.map { aggregateValues[$0] } ?? .nan)
            }
        }
        return SectionTree(
            changedSections, columns: columns, aggregates: aggregates, aggregateValues: values, exactValues: exact, omission: omission,
            leftOutValues: leftOutValues)
    }
}
