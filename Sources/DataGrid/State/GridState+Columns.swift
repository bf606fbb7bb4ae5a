extension GridState {
    mutating func replace(_ new: [Column]) {
        let current = currentColumn?.id
        let old = Set(columns.all.map(\.id))
        columns = ColumnList(new)
        removeReferences(to: old.subtracting(new.map(\.id)))
        followColumn(current)
    }

    mutating func update(_ column: Column) {
        if columns[column.id]?.isHidden != column.isHidden { setHidden(column.id, column.isHidden) }
        let current = currentColumn?.id
        columns.update(column.id) {
            let (isHidden, delegated) = ($0.isHidden, column.delegatedWidth ?? $0.delegatedWidth)
            $0 = column
            ($0.isHidden, $0.delegatedWidth) = (isHidden, delegated)
        }
        followColumn(current)
    }

    func currentWidth(of id: ColumnID) -> Int {
        guard let index = columns.index(of: id) else { return 0 }
        return ColumnGeometry(self).widths[index]
    }

    /// Resizes a column by hand, within its minimum and maximum width.
    mutating func resizeByHand(_ id: ColumnID, to width: Int) -> [GridEvent] {
        let maximum = columns[id]?.maximumWidth ?? .max
        return setWidth(id, .fixed(max(min(width, maximum), columns[id]?.minimumWidth ?? metrics.minimumColumnWidth)))
    }

    mutating func setMeasuredWidths(_ widths: [ColumnID: Int]) {
        _ = changeWidths { column in widths[column.id].map { column.measuredWidth = max(0, $0) } }
    }

    /// Replaces all widths from the delegate; a width of 0 is ignored.
    mutating func setDelegatedWidths(_ widths: [ColumnID: Int]) {
        _ = changeWidths { column in
            column.delegatedWidth = column.width.followsContent ? widths[column.id].flatMap { $0 > 0 ? $0 : nil } : nil
        }
    }

    /// Changes widths of columns and keeps the first visible column in place, if the cursor stays visible.
    ///
    /// Only a table adjusts its horizontal scroll position.
    /// - Returns: the widths before the change.
    private mutating func changeWidths(_ change: (inout Column) -> Void) -> [Int] {
        let before = ColumnGeometry(self)
        let first = before.scrolling.first { before.starts[$0] + before.widths[$0] > scroll.x }
        columns.updateAll(change)
        if let first, scroll.x > 0, effectivePresentation == .table {
            let after = ColumnGeometry(self)
            scroll.x = after.clampedX(scroll.x + after.starts[first] - before.starts[first])
        }
        revealCursor()
        return before.widths
    }

    mutating func fitColumns(to widths: [ColumnID: Int]) -> [GridEvent] {
        let before = changeWidths { column in
            guard column.isResizable, let width = widths[column.id] else { return }
            (column.width, column.measuredWidth, column.delegatedWidth) = (.automatic, max(0, width), nil)
        }
        let after = ColumnGeometry(self).widths
        return after.indices.filter { widths[columns[$0].id] != nil && after[$0] != before[$0] }
            .map { .columnResized(columns[$0].id, width: after[$0]) }
    }

    mutating func setWidth(_ id: ColumnID, _ rule: WidthRule) -> [GridEvent] {
        guard let column = columns[id], column.isResizable else { return [] }
        columns.update(id) { $0.width = rule }
        // During a drag, only the edge under the pointer may move.
        if drag == nil { revealCursor() } else { clampScroll() }
        return [.columnResized(id, width: currentWidth(of: id))]
    }

    mutating func setHidden(_ id: ColumnID, _ isHidden: Bool) {
        // At least one column must be visible.
        if isHidden, columns.count <= 1 { return }
        let current = currentColumn?.id
        columns.update(id) { $0.isHidden = isHidden }
        followColumn(current)
    }

    mutating func moveColumn(_ id: ColumnID, toIndex target: Int) -> [GridEvent] {
        guard let from = columns.index(of: id), let column = columns[id], column.isReorderable else { return [] }
        let current = currentColumn?.id
        columns.move(id, toIndex: target)
        followColumn(current)
        let to = columns.index(of: id) ?? from
        return to == from ? [] : [.columnMoved(id, from: from, to: to)]
    }

    /// Freezes columns and rows; scrolling rows stay in place on the screen.
    mutating func freeze(_ panes: FrozenPanes) {
        let before = tileGeometry == nil ? LineGeometry(self) : nil
        freezeColumns(panes)
        frozenRows = panes.rows.clamped(to: 0...outline.itemCount)
        frozenBottom = panes.bottom.clamped(to: 0...outline.itemCount - frozenRows)
        if let before {
            let lines = LineGeometry(self)
            scroll.top = lines.top(scroll.top, scrolledBy: lines.pane.lowerBound - before.pane.lowerBound)
        }
        revealCursor()
    }

    /// Freezes the first `panes.leading` and the last `panes.trailing` visible columns. Hidden columns within these two groups and at their
    /// outer sides are frozen too. If the number of visible columns in a group does not change, the group keeps its hidden columns.
    private mutating func freezeColumns(_ panes: FrozenPanes) {
        let leading = panes.leading.clamped(to: 0...max(0, columns.count - 1))
        let trailing = panes.trailing.clamped(to: 0...max(0, columns.count - 1 - leading))
        guard leading != columns.leadingCount || trailing != columns.trailingCount else { return }
        let isLeadingKept = columns.visible.count { $0.frozenSide == .leading } == leading
        let isTrailingKept = columns.visible.count { $0.frozenSide == .trailing } == trailing
        let end = leading == 0 ? 0 : columns.visiblePlaces[leading - 1] + 1
        let start = trailing == 0 ? columns.all.count : columns.visiblePlaces[columns.count - trailing]
        var place = 0
        columns.updateAll { column in
            let isLeading = isLeadingKept ? column.frozenSide == .leading : place < end
            let isTrailing = isTrailingKept ? column.frozenSide == .trailing : place >= start
            column.frozenSide = isLeading ? .leading : isTrailing ? .trailing : nil
            place += 1
        }
    }

    /// Pins a column to one side, or unpins it if it is pinned there. At least one other column must scroll.
    mutating func pin(_ id: ColumnID, _ side: ColumnSide) {
        guard let column = columns[id], !column.isHidden else { return }
        let isPinned = column.frozenSide == side
        guard isPinned || columns.visible.contains(where: { $0.id != id && $0.frozenSide == nil }) else { return }
        let current = currentColumn?.id
        columns.update(id) { $0.frozenSide = isPinned ? nil : side }
        followColumn(current)
    }

    /// Moves the cursor to the new index of its column.
    mutating func followColumn(_ id: ColumnID?) {
        if let id, let index = columns.index(of: id) { cursor.column = index }
        cursor.column = cursor.column.clampedIndex(columns.count)
        revealCursor()
    }
}
