import FieldValues

/// Objects that come, go and change.
extension ObjectSource {
    /// As many rows as are brought in or taken out one by one; more are cheaper all at once.
    private var fewRows: Int { 8 }

    /// Inserts objects before the one at `index` of ``objects``, or at the end; in a sorted grid, where they belong. An object replaces one
    /// with the same id. Scroll position, cursor and selection stay with their rows. O(objects); sorts for many, or among sections.
    public func insert(_ objects: [Object], at index: Int? = nil) {
        var new: [UInt32] = []
        for object in objects {
            if let number = store(object) { new.append(number) } else if let number = numbers[id(object)] { touch(number) }
        }
        guard !new.isEmpty else { return }
        let index = (index ?? order.count).clamped(to: 0...order.count)
        let isLast = index == order.count
        order.insert(contentsOf: new, at: index)
        if isPlain {
            shown = order
            host?.perform(.insertRows(RowInsertion(rows(new), at: index)))
        } else if groupings.isEmpty, isLast, new.count <= fewRows {
            for number in new {
                let position = place(of: number)
                shown.insert(number, at: position)
                host?.perform(.insertRows(RowInsertion(rows([number]), at: position)))
            }
        } else {
            arrange(keeping: .all)
        }
        host?.note(new.map { CellChange(.inserted, row: RowID(Int($0))) })
    }

    /// Takes out the objects with these ids. Scroll position, cursor and selection stay with the other rows. O(objects); among sections it
    /// sorts, too.
    public func remove(_ ids: [ID]) {
        let gone = Set(ids.compactMap { numbers.removeValue(forKey: $0) })
        guard !gone.isEmpty else { return }
        for number in gone { put(nil, at: number) }
        free += gone
        order.removeAll { gone.contains($0) }
        let runs = shown.indices.filter { gone.contains(shown[$0]) }.runs
        // What closes the gaps: the row behind each or, where none follows, the last one.
        let last = shown.last { !gone.contains($0) }
        let seams = runs.compactMap { $0.upperBound < shown.count ? shown[$0.upperBound] : last }
        if groupings.isEmpty, runs.count <= fewRows {
            shown.removeAll { gone.contains($0) }
            for run in runs.reversed() { host?.perform(.removeRows(run, renumbering: false)) }
        } else if groupings.isEmpty {
            shown.removeAll { gone.contains($0) }
            host?.perform(.setRows(.permuted(RowPermutation(shown)), keeping: .all))
            noteClosed(seams)
        } else {
            arrange(keeping: .all)
            noteClosed(seams)
        }
        host?.perform(.forgetRows(gone.map { RowID(Int($0)) }))
    }

    /// Lights up the rows that close gaps, as far as they are in sight, where the grid was given all rows at once.
    private func noteClosed(_ numbers: [UInt32]) {
        guard let host, case let seen = Set(host.state.visibleRows) else { return }
        let closed = rows(numbers).filter(seen.contains)
        if !closed.isEmpty { host.note(closed.map { CellChange(.closedUp, row: $0) }) }
    }

    /// Takes other objects in place of all. Those whose id was there keep their rows: what is selected stays so. O(objects · log).
    public func replaceAll(_ objects: [Object]) {
        let kept = Set(objects.map(id))
        let gone = numbers.filter { !kept.contains($0.key) }
        for (id, number) in gone {
            numbers[id] = nil
            slots[Int(number)] = nil
        }
        // All of them are added up anew, when somebody asks.
        willReload()
        var seen: Set<UInt32> = []
        order = []
        for object in objects {
            _ = store(object)
            if let number = numbers[id(object)], seen.insert(number).inserted { order.append(number) }
        }
        // Only now, so that no row of these is called as one that has gone.
        free += gone.values
        arrange(keeping: .all)
        host?.perform(.forgetRows(gone.values.map { RowID(Int($0)) }))
        host?.reloadRows(nil)
    }

    /// Changes an object, which must keep its id, and tells the grid which of its values rose and which fell; of an object of a class, only
    /// that it has changed. The row stays where it is until ``sortAgain()``. O(columns), and O(log objects) for each with an aggregate.
    /// - Returns: whether the object is there.
    @discardableResult
    public func update(_ id: ID, _ change: (inout Object) -> Void) -> Bool {
        guard let number = numbers[id], let old = slots[Int(number)] else { return false }
        var new = old
        change(&new)
        precondition(self.id(new) == id, "an object keeps its id")
        put(new, at: number)
        note(number, old, new)
        return true
    }

    /// Has the column's hook take what was typed (``ObjectColumn/edited(_:)``), and tells the grid what else of the object follows from it. The
    /// row stays where it is until ``sortAgain()``. O(columns).
    public func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
        guard columns.indices.contains(column.rawValue), let edit = columns[column.rawValue].edit, let old = object(row) else {
            return .rejected("This cannot be changed.")
        }
        var new = old
        if let reason = edit(&new, text) { return .rejected(reason) }
        precondition(id(new) == id(old), "an object keeps its id")
        put(new, at: UInt32(row.rawValue))
        note(UInt32(row.rawValue), old, new)
        return .accepted
    }

    /// Says that an object of a class has changed by itself; totals and aggregates follow. As ``update(_:_:)``.
    /// - Parameters:
    ///   - id: which object; nothing happens when there is none.
    ///   - column: the value; `nil`: all of them.
    ///   - kind: what has become of it.
    public func didChange(_ id: ID, column: ColumnID? = nil, _ kind: CellChange.Kind = .changed) {
        guard let row = row(of: id) else { return }
        updateAggregates(UInt32(row.rawValue))
        host?.note([CellChange(kind, row: row, column: column)])
    }

    private func touch(_ number: UInt32) { host?.note([CellChange(.changed, row: RowID(Int(number)))]) }

    /// Whether totals or headers say what hooks make of objects, which may be of what no column shows.
    private var hasHooks: Bool {
        groupings.contains { $0.movingTitle != nil } || columns.contains { if case .made = $0.total { true } else { false } }
    }

    private func note(_ number: UInt32, _ old: Object, _ new: Object) {
        guard let host else { return }
        // An object of a class is the same before and after: what of it has changed is not known.
        guard !(type(of: new as Any) is AnyObject.Type) else { return touch(number) }
        var changes: [CellChange] = []
        for (index, column) in columns.enumerated() {
            let order = column.compare(old, new, false)
            var kind: CellChange.Kind?
            if column.number(old) != nil, column.number(new) != nil, order != 0 {
                kind = order < 0 ? .risen : .fallen
            } else if order != 0 || column.content(of: old) != column.content(of: new) {
                kind = .changed
            }
            if let kind { changes.append(CellChange(kind, row: RowID(Int(number)), column: ColumnID(index))) }
        }
        if accessory(old) != accessory(new) || rowHeaderText(old) != rowHeaderText(new) || styleClass(old) != styleClass(new) {
            host.reloadRows([RowID(Int(number))])
        }
        guard !changes.isEmpty else {
            if hasHooks { host.note([]) }
            return
        }
        if lightsRows { changes.insert(CellChange(.changed, row: RowID(Int(number))), at: 0) }
        host.note(changes)
    }

    /// Where an object belongs in the sorted rows: behind those that are equal and come before it. O(log objects) comparisons.
    private func place(of number: UInt32) -> Int {
        let object = slots[Int(number)]!
        return shown.indices.partitioningIndex { comes(object, before: slots[Int(shown[$0])]!) }
    }

    private func comes(_ a: Object, before b: Object) -> Bool {
        for key in sortKeys {
            let order = columns[key.column.rawValue].compare(a, b, key.isDescending)
            if order != 0 { return order < 0 }
        }
        return false
    }

    private func rows(_ numbers: [UInt32]) -> [RowID] { numbers.map { RowID(Int($0)) } }
}

/// What is selected, as objects.
extension ObjectSource {
    /// The objects with a selected cell, in the order shown. Set it to select rows whole; the grid's selection mode does not matter then.
    /// O(rows selected) to read, O(objects) to set.
    public var selectedObjects: [Object] {
        get { (host?.state.selectedRows(limit: .max) ?? []).compactMap { object($0) } }
        set { select(newValue.map(id)) }
    }

    /// Selects the rows of these objects whole, and nothing else. O(objects).
    public func select(_ ids: [ID]) {
        guard let host else { return }
        let rows = ids.compactMap { row(of: $0) }
        let positions = Set(host.state.rows.positions(of: rows).map(\.position)).sorted()
        host.perform(.setSelection(Selection(blocks: positions.runs.map { SelectionBlock(rows: $0, columns: nil) })))
    }
}
