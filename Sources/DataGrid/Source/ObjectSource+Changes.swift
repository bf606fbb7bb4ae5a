import FieldValues

/// Inserting, removing and changing objects.
extension ObjectSource {
    /// The maximum number of insertions or removals that are passed to the grid one by one. For more insertions or removals, giving the
    /// grid a new order of all rows is faster.
    private var spliceLimit: Int { 8 }

    /// Inserts objects into ``objects`` before the object at `index`, or at the end. In a sorted grid, the new rows get their positions
    /// in the sort order. A new object replaces an existing object with the same id. Scroll position, cursor and selection stay with
    /// their rows.
    ///
    /// O(objects). All rows are sorted again if there are sections. They are also sorted again in a sorted grid if more than 8 objects
    /// are inserted, or if `index` is before the end.
    public func insert(_ objects: [Object], at index: Int? = nil) {
        var new: [UInt32] = []
        for object in objects {
            if let number = store(object) { new.append(number) } else if let number = rowNumbers[id(object)] { reportChange(number) }
        }
        updateFormats()
        guard !new.isEmpty else { return }
        let index = (index ?? objectOrder.count).clamped(to: 0...objectOrder.count)
        let isLast = index == objectOrder.count
        objectOrder.insert(contentsOf: new, at: index)
        if isInObjectOrder {
            displayOrder = objectOrder
            host?.perform(.insertRows(RowInsertion(rows(new), at: index)))
        } else if groupings.isEmpty, isLast, new.count <= spliceLimit {
            for number in new {
                let position = insertionPosition(of: number)
                displayOrder.insert(number, at: position)
                host?.perform(.insertRows(RowInsertion(rows([number]), at: position)))
            }
        } else {
            arrange(keeping: .all)
        }
        host?.reportChanges(new.map { CellChange(.inserted, row: RowID(Int($0))) })
    }

    /// Removes the objects with these ids; ignores unknown ids. Scroll position, cursor and selection stay with the remaining rows.
    /// O(objects). If there are sections, all rows are sorted again.
    public func remove(_ ids: [ID]) {
        let removed = Set(ids.compactMap { rowNumbers.removeValue(forKey: $0) })
        guard !removed.isEmpty else { return }
        for number in removed { setObject(nil, at: number) }
        freeNumbers += removed
        objectOrder.removeAll { removed.contains($0) }
        let runs = displayOrder.indices.filter { removed.contains(displayOrder[$0]) }.runs
        // Find the rows that moved up to close the gaps: for each gap, the row after it or, for a gap at the end, the last row.
        let last = displayOrder.last { !removed.contains($0) }
        let closing = runs.compactMap { $0.upperBound < displayOrder.count ? displayOrder[$0.upperBound] : last }
        if groupings.isEmpty, runs.count <= spliceLimit {
            displayOrder.removeAll { removed.contains($0) }
            for run in runs.reversed() { host?.perform(.removeRows(run, renumbering: false)) }
        } else if groupings.isEmpty {
            displayOrder.removeAll { removed.contains($0) }
            host?.perform(.setRows(.permuted(RowPermutation(displayOrder)), keeping: .all))
            highlightMovedUpRows(closing)
        } else {
            arrange(keeping: .all)
            highlightMovedUpRows(closing)
        }
        host?.perform(.discardRowState(removed.map { RowID(Int($0)) }))
    }

    /// Highlights the visible rows that moved up to fill the gaps of removed rows. The grid cannot notice removed rows when it gets a new
    /// order of all rows.
    private func highlightMovedUpRows(_ numbers: [UInt32]) {
        guard let host, case let visible = Set(host.state.visibleRows) else { return }
        let closed = rows(numbers).filter(visible.contains)
        if !closed.isEmpty { host.reportChanges(closed.map { CellChange(.movedUp, row: $0) }) }
    }

    /// Replaces all objects. An object whose id is already in the source keeps its row and selection. O(objects · log objects).
    public func replaceAll(_ objects: [Object]) {
        let newIDs = Set(objects.map(id))
        let removed = rowNumbers.filter { !newIDs.contains($0.key) }
        for (id, number) in removed {
            rowNumbers[id] = nil
            storedObjects[Int(number)] = nil
        }
        // Discard the aggregates. They are computed again when they are requested.
        willReload()
        var added: Set<UInt32> = []
        objectOrder = []
        for object in objects {
            _ = store(object)
            if let number = rowNumbers[id(object)], added.insert(number).inserted { objectOrder.append(number) }
        }
        // Make the numbers of removed rows available only after the new rows were added, so that no new row gets one of them.
        freeNumbers += removed.values
        arrange(keeping: .all)
        updateFormats()
        host?.perform(.discardRowState(removed.values.map { RowID(Int($0)) }))
        host?.reloadRows(nil)
    }

    /// Changes an object with a closure, which must not change its id. Reports to the grid which values rose or fell. For an instance of
    /// a class, reports only that the object changed. The row keeps its position until ``sortAgain()``. O(columns), and O(log objects)
    /// for each column with an aggregate.
    /// - Returns: true if the source contains an object with this id.
    @discardableResult
    public func update(_ id: ID, _ change: (inout Object) -> Void) -> Bool {
        guard let number = rowNumbers[id], let old = storedObjects[Int(number)] else { return false }
        var new = old
        change(&new)
        precondition(self.id(new) == id, "the id of an object must not change")
        setObject(new, at: number)
        reportDifferences(number, old, new)
        return true
    }

    /// Passes the text that the user entered to the edit closure of the column (``ObjectColumn/editable(_:)``). If the closure accepts the
    /// text, the changed values are reported to the grid, and ``didEdit`` is called. The row keeps its position until ``sortAgain()``.
    /// O(columns).
    public func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
        guard columns.indices.contains(column.rawValue), let edit = columns[column.rawValue].edit, let old = object(row) else {
            return .rejected("This cell cannot be edited.")
        }
        var new = old
        let oldText = columns[column.rawValue].content(of: old).text
        if let reason = edit(&new, text) { return .rejected(reason) }
        precondition(id(new) == id(old), "the id of an object must not change")
        setObject(new, at: UInt32(row.rawValue))
        reportDifferences(UInt32(row.rawValue), old, new)
        didEdit(
            ObjectEdit(
                row: row, column: column, oldText: oldText, newText: columns[column.rawValue].content(of: new).text, oldObject: old,
                newObject: new))
        return .accepted
    }

    /// Reports to the grid that an object has changed, if it is an instance of a class. Totals and aggregates are updated. For other
    /// types, use ``update(_:_:)``.
    /// - Parameters:
    ///   - id: the id of the object; an unknown id is ignored.
    ///   - column: the column of the changed value; `nil` means all columns.
    ///   - kind: the kind of change.
    public func didChange(_ id: ID, column: ColumnID? = nil, _ kind: CellChange.Kind = .changed) {
        guard let row = row(of: id) else { return }
        updateAggregates(UInt32(row.rawValue))
        if let object = object(row) { fitDigits(to: object) }
        updateFormats()
        host?.reportChanges([CellChange(kind, row: row, column: column)])
    }

    private func reportChange(_ number: UInt32) { host?.reportChanges([CellChange(.changed, row: RowID(Int(number)))]) }

    /// True if totals or section headers are computed by closures. Such closures can depend on properties that no column shows.
    private var hasClosures: Bool {
        groupings.contains { $0.scrollingTitle != nil } || columns.contains { if case .computed = $0.total { true } else { false } }
    }

    private func reportDifferences(_ number: UInt32, _ old: Object, _ new: Object) {
        guard let host else { return fitDigits(to: new) }
        // For a class, `old` and `new` are the same instance, so it is unknown which of its properties changed.
        guard !(type(of: new as Any) is AnyObject.Type) else {
            fitDigits(to: new)
            updateFormats()
            return reportChange(number)
        }
        let row = RowID(Int(number))
        var changes = cellChanges(of: row, old, new)
        if accessory(old) != accessory(new) || rowHeaderText(old) != rowHeaderText(new) || styleClass(old) != styleClass(new) {
            host.reloadRows([row])
        }
        guard !changes.isEmpty else {
            if hasClosures { host.reportChanges([]) }
            return
        }
        updateFormats()
        if highlightsRows { changes.insert(CellChange(.updated, row: row), at: 0) }
        host.reportChanges(changes)
    }

    /// The changed cells of a row. A cell whose content comes from a closure is usually reported as changed without a comparison. The
    /// next frame reads it if it is visible.
    ///
    /// Such a cell is compared only if its column highlights or marks changes, or if no other cell of the row has changed.
    private func cellChanges(of row: RowID, _ old: Object, _ new: Object) -> [CellChange] {
        var changes: [CellChange] = []
        var possiblyChanged: [Int] = []
        for (index, column) in columns.enumerated() {
            let order = column.compare(old, new, false)
            let kind: CellChange.Kind
            if order != 0 {
                let newNumber = column.number(new)
                if let newNumber { fitDigits(ofColumn: index, to: newNumber) }
                kind = newNumber == nil || column.number(old) == nil ? .changed : order < 0 ? .risen : .fallen
            } else if column.hasClosures, !column.column.highlightsChanges, !column.column.keepsChangeMarks {
                possiblyChanged.append(index)
                continue
            } else if column.showsDifference(old, new) {
                kind = .changed
            } else {
                continue
            }
            changes.append(CellChange(kind, row: row, column: ColumnID(index)))
        }
        if changes.isEmpty { possiblyChanged.removeAll { !columns[$0].showsDifference(old, new) } }
        return changes + possiblyChanged.map { CellChange(.changed, row: row, column: ColumnID($0)) }
    }

    /// The position at which a new object is inserted in the sorted rows: after all objects that compare equal. O(log objects)
    /// comparisons.
    private func insertionPosition(of number: UInt32) -> Int {
        let object = storedObjects[Int(number)]!
        return displayOrder.indices.partitioningIndex { precedes(object, storedObjects[Int(displayOrder[$0])]!) }
    }

    private func precedes(_ a: Object, _ b: Object) -> Bool {
        for key in sortKeys {
            let order = columns[key.column.rawValue].compare(a, b, key.isDescending)
            if order != 0 { return order < 0 }
        }
        return false
    }

    private func rows(_ numbers: [UInt32]) -> [RowID] { numbers.map { RowID(Int($0)) } }
}

/// The objects whose cells are selected.
extension ObjectSource {
    /// The objects with a selected cell, in the order in which they are shown. Setting this property selects whole rows, in any selection
    /// mode. O(selected rows) to get, O(objects) to set.
    public var selectedObjects: [Object] {
        get { (host?.state.selectedRows() ?? []).compactMap { object($0) } }
        set { select(newValue.map(id)) }
    }

    /// Selects the whole rows of the objects with these ids, and deselects everything else. O(objects).
    public func select(_ ids: [ID]) {
        host?.perform(.setSelectedRows(ids.compactMap { row(of: $0) }))
    }
}
