/// Sorting, grouping, and rows moved by hand.
extension ObjectSource {
    /// Sorts by these keys; stable, objects without a value last, and in their own order without keys. What is selected stays selected, and
    /// the cursor where it is on the screen. O(objects · log · keys).
    public func sort(by keys: [SortDescriptor]) {
        let keys = known(keys)
        if let host, host.state.sort != keys {
            // A grid that takes the order asks for it here; one whose delegate refuses it keeps its own.
            guard host.perform(.setSort(keys)), sortKeys != keys else { return }
        }
        sortKeys = keys
        arrange(keeping: .selection)
    }

    /// Sorts, groups and aggregates again, after values have changed. The cursor and what is seen stay with their rows. O(objects · log).
    public func sortAgain() {
        willReload()
        arrange(keeping: .all)
        host?.reloadRows(nil)
    }

    /// Totals and aggregates are computed again when they are asked for next, O(objects) for each column that has one.
    public func willReload() { totals = ObjectAggregates() }

    func known(_ keys: [SortDescriptor]) -> [SortDescriptor] { keys.filter { columns.indices.contains($0.column.rawValue) } }

    /// Whether the rows shown are in the order of the objects.
    var isPlain: Bool { sortKeys.isEmpty && groupings.isEmpty }

    /// Brings the rows into the order that is asked for, and gives them to the grid.
    func arrange(keeping: RowKeeping) {
        if isPlain {
            shown = order
            tree = nil
        } else {
            let objects = order.map { slots[Int($0)]! }
            let levels = groupings.map { $0.comparator(objects) }
            let keys = levels + sortKeys.map { columns[$0.column.rawValue].comparator(objects, $0.isDescending) }
            let indices = objects.indices.sorted { a, b in
                for compare in keys {
                    let order = compare(a, b)
                    if order != 0 { return order < 0 }
                }
                return a < b
            }
            shown = indices.map { order[$0] }
            tree = groupings.isEmpty ? nil : sections(of: indices, objects, levels)
        }
        moveAggregates()
        host?.perform(.setRows(.permuted(RowPermutation(shown)), tree: tree, keeping: keeping))
    }

    /// The sections of objects that stand in the order of `indices`: a new one wherever a level's value is another.
    private func sections(of indices: [Int], _ objects: [Object], _ levels: [(Int, Int) -> Int]) -> SectionTree {
        var sections: [Section] = []
        /// The section of each level that is being filled.
        var open: [Int] = []
        for (position, index) in indices.enumerated() {
            let first = position == 0 ? 0 : levels.firstIndex { $0(indices[position - 1], index) != 0 } ?? levels.count
            open.removeSubrange(min(first, open.count)...)
            for level in first..<levels.count {
                open.append(sections.count)
                sections.append(Section(level: level, title: groupings[level].title(objects[index]), rows: position..<position))
            }
            for section in open { sections[section].rows = sections[section].rows.lowerBound..<position + 1 }
        }
        return SectionTree(sections, columns: groupColumns)
    }

    /// Groups as a view has it, if its groups or those there are now are columns; those that are there already keep their titles.
    /// O(columns) for each group.
    public func prepare(for view: SavedView) {
        let wanted = view.grouping.compactMap { name in gridColumns.firstIndex { $0.valueKey == name } }
        let current = groupings.map { $0.column(in: columns)?.rawValue }
        // What is made of no column no view knows of.
        guard current != wanted, !wanted.isEmpty || !current.contains(nil) else { return }
        groupings = wanted.map { index in
            current.firstIndex(of: index).map { groupings[$0] } ?? ObjectGrouping(by: columns[index], at: index)
        }
    }

    /// Takes over a move: as the order of the objects where nothing else decides it, otherwise until the rows are sorted again. O(objects).
    public func didMove(rows: Range<Int>, to target: Int) {
        let move = RowMove(rows, to: target)
        let old = shown
        for position in old.indices { shown[move.position(after: position)] = old[position] }
        if isPlain { order = shown }
        moveAggregates()
    }
}
