/// Sorting, grouping and moving rows.
extension ObjectSource {
    /// Sorts the rows by these keys. Rows with equal values keep the order of ``objects``, and objects without a value are last. Without
    /// keys, all rows have the order of ``objects``. The key of a grouping column sets the direction of its sections; the other keys sort
    /// the rows within each section. The selection is kept, and the cursor stays at its line on the screen. O(objects · log objects ·
    /// keys).
    public func sort(by keys: [ColumnSort]) {
        let keys = validKeys(keys)
        if let host, host.state.sort != keys {
            // The grid calls this method again if it accepts the order. If the delegate refuses the order, do not change anything.
            guard host.perform(.setSort(keys)), sortKeys != keys else { return }
        }
        sortKeys = keys
        arrange(keeping: .selection)
    }

    /// Sorts, groups and aggregates all rows again. Call it after values have changed. The cursor and the top row keep their places on
    /// the screen. O(objects · log objects).
    public func sortAgain() {
        willReload()
        for object in objects { fitDigits(to: object) }
        updateFormats()
        arrange(keeping: .all)
        host?.reloadRows(nil)
    }

    /// Discards totals and aggregates. Each of them is computed again when it is requested, in O(objects).
    public func willReload() { aggregateCache = ObjectAggregates() }

    func validKeys(_ keys: [ColumnSort]) -> [ColumnSort] { keys.filter { columns.indices.contains($0.column.rawValue) } }

    /// True if the rows are neither sorted nor grouped, and therefore have the order of ``objects``.
    var isInObjectOrder: Bool { sortKeys.isEmpty && groupings.isEmpty }

    /// Sorts and groups the rows, and passes the new order and sections to the grid. `keeping` is the state that the grid keeps.
    func arrange(keeping: PreservedState) {
        if isInObjectOrder {
            displayOrder = objectOrder
            tree = nil
        } else {
            let objects = objectOrder.map { storedObjects[Int($0)]! }
            let levels = groupings.map { grouping in
                grouping.comparator(objects, grouping.column(in: columns).map(sortKeys.isDescending) ?? false)
            }
            let keys = levels + sortKeys.map { columns[$0.column.rawValue].comparator(objects, $0.isDescending) }
            let indices = objects.indices.sorted { a, b in
                for compare in keys {
                    let order = compare(a, b)
                    if order != 0 { return order < 0 }
                }
                return a < b
            }
            displayOrder = indices.map { objectOrder[$0] }
            tree = groupings.isEmpty ? nil : sections(of: indices, objects, levels)
        }
        reorderAggregates()
        host?.perform(.setRows(.permuted(RowPermutation(displayOrder)), tree: tree, keeping: keeping))
    }

    /// The sections of the objects in the order of `indices`. A section of a level starts where the value of this level differs from the
    /// value of the previous object.
    private func sections(of indices: [Int], _ objects: [Object], _ levels: [(Int, Int) -> Int]) -> SectionTree {
        var sections: [Section] = []
        /// The current section of each level, to which the next row is added.
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

    /// Applies the groups of a saved view. If the view has no groups, the current groups are removed only if all of them group by
    /// columns. Groups that do not change keep their titles. O(columns) for each group.
    public func prepare(for view: SavedView) {
        let requested = view.grouping.compactMap { name in gridColumns.firstIndex { $0.valueKey == name } }
        let current = groupings.map { $0.column(in: columns)?.rawValue }
        // A saved view contains only groups by columns. Keep other groups if it has no groups.
        guard current != requested, !requested.isEmpty || !current.contains(nil) else { return }
        groupings = requested.map { index in
            current.firstIndex(of: index).map { groupings[$0] } ?? ObjectGrouping(by: columns[index], at: index)
        }
    }

    /// Applies a move of rows. If the rows are neither sorted nor grouped, the order of ``objects`` also changes. Otherwise the move has
    /// effect only until the rows are sorted again. O(objects).
    public func didMove(rows: Range<Int>, to target: Int) {
        let move = RowMove(rows, to: target)
        let old = displayOrder
        for position in old.indices { displayOrder[move.newPosition(ofRowAt: position)] = old[position] }
        if isInObjectOrder { objectOrder = displayOrder }
        reorderAggregates()
    }
}
