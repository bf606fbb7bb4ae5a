extension GridState {
    mutating func replaceColumns(with newColumns: [Column]) {
        let current = currentColumn?.id
        let old = Set(columns.all.map(\.id))
        columns = ColumnList(newColumns)
        removeReferences(to: old.subtracting(newColumns.map(\.id)))
        moveCursor(toColumn: current)
    }

    mutating func update(_ column: Column) {
        if columns[column.id]?.isHidden != column.isHidden { setHidden(column.id, column.isHidden) }
        let current = currentColumn?.id
        columns.update(column.id) {
            let (isHidden, delegated) = ($0.isHidden, column.delegatedWidth ?? $0.delegatedWidth)
            $0 = column
            ($0.isHidden, $0.delegatedWidth) = (isHidden, delegated)
        }
        moveCursor(toColumn: current)
    }

    func currentWidth(of id: ColumnID) -> Int {
        guard let index = columns.index(of: id) else { return 0 }
        return ColumnGeometry(self).widths[index]
    }

    /// Sets the width of a column after a user has dragged its edge. `width` is limited by the column's minimum and maximum.
    mutating func resizeByHand(_ id: ColumnID, to width: Int) -> [GridEvent] {
        let maximum = columns[id]?.maximumWidth ?? .max
        return setWidth(id, .fixed(max(min(width, maximum), columns[id]?.minimumWidth ?? metrics.minimumColumnWidth)))
    }

    mutating func setMeasuredWidths(_ widths: [ColumnID: Int]) {
        _ = changeWidths { column in widths[column.id].map { column.measuredWidth = max(0, $0) } }
    }

    /// Replaces the widths that the delegate returns, in terminal cells. A width of 0 counts as no width.
    mutating func setDelegatedWidths(_ widths: [ColumnID: Int]) {
        _ = changeWidths { column in
            column.delegatedWidth = column.width.followsContent ? widths[column.id].flatMap { $0 > 0 ? $0 : nil } : nil
        }
    }

    /// Changes the widths of columns. In a table, the first visible column keeps its place on the screen if the cursor then stays
    /// visible.
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
        // During a drag, do not scroll to the cursor. Only the edge under the pointer may move.
        if drag == nil { revealCursor() } else { clampScroll() }
        return [.columnResized(id, width: currentWidth(of: id))]
    }

    mutating func setHidden(_ id: ColumnID, _ isHidden: Bool) {
        // Do not hide the last visible column.
        if isHidden, columns.count <= 1 { return }
        let current = currentColumn?.id
        columns.update(id) { $0.isHidden = isHidden }
        moveCursor(toColumn: current)
    }

    mutating func moveColumn(_ id: ColumnID, toIndex target: Int) -> [GridEvent] {
        guard let from = columns.index(of: id), let column = columns[id], column.isReorderable else { return [] }
        let current = currentColumn?.id
        columns.move(id, toIndex: target)
        moveCursor(toColumn: current)
        let to = columns.index(of: id) ?? from
        return to == from ? [] : [.columnMoved(id, from: from, to: to)]
    }

    /// Freezes these numbers of columns and rows. Scrolling rows keep their places on the screen.
    mutating func freeze(_ panes: FrozenPanes) {
        let before = tileGeometry == nil ? LineGeometry(self) : nil
        freezeColumns(panes)
        frozenRows = panes.rows.clamped(to: 0...outline.itemCount)
        frozenBottom = panes.bottom.clamped(to: 0...outline.itemCount - frozenRows)
        if let before {
            let lines = LineGeometry(self)
            scroll.top = lines.topItem(from: scroll.top, scrolledBy: lines.pane.lowerBound - before.pane.lowerBound)
        }
        revealCursor()
    }

    /// Freezes the first `panes.leading` and the last `panes.trailing` visible columns, and the hidden columns between them and the edges
    /// of the grid. If the number of frozen columns at a side stays the same, the hidden columns at that side stay frozen or scrolling.
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

    /// Freezes a column at one side or, if it is frozen there, lets it scroll again. No effect if no other column would scroll.
    mutating func pin(_ id: ColumnID, _ side: ColumnSide) {
        guard let column = columns[id], !column.isHidden else { return }
        let isPinned = column.frozenSide == side
        guard isPinned || columns.visible.contains(where: { $0.id != id && $0.frozenSide == nil }) else { return }
        let current = currentColumn?.id
        columns.update(id) { $0.frozenSide = isPinned ? nil : side }
        moveCursor(toColumn: current)
    }

    /// Moves the cursor to the column with this id, whose index may have changed.
    mutating func moveCursor(toColumn id: ColumnID?) {
        if let id, let index = columns.index(of: id) { cursor.column = index }
        cursor.column = cursor.column.clampedIndex(count: columns.count)
        revealCursor()
    }
}
