extension GridState {
    mutating func replace(_ new: [Column]) {
        let current = currentColumn?.id
        columns = ColumnList(new)
        followColumn(current)
    }

    mutating func update(_ column: Column) {
        let current = currentColumn?.id
        columns.update(column.id) { $0 = column }
        followColumn(current)
    }

    /// The width a column has now, in terminal cells.
    func currentWidth(of id: ColumnID) -> Int {
        guard let index = columns.index(of: id) else { return 0 }
        return ColumnGeometry(self).widths[index]
    }

    mutating func setWidth(_ id: ColumnID, _ rule: WidthRule) -> [GridEvent] {
        guard let column = columns[id], column.isResizable else { return [] }
        var rule = rule
        if case .fixed(let width) = rule { rule = .fixed(max(width, column.minimumWidth ?? metrics.minimumColumnWidth)) }
        columns.update(id) { $0.width = rule }
        revealCursor()
        return [.columnResized(id, width: currentWidth(of: id))]
    }

    mutating func setHidden(_ id: ColumnID, _ isHidden: Bool) {
        // Something has to stay in sight.
        if isHidden, columns.count <= 1 { return }
        let current = currentColumn?.id
        let index = columns.index(of: id)
        columns.update(id) { $0.isHidden = isHidden }
        if let index, isHidden {
            if index < frozen.leading { frozen.leading -= 1 }
            if index >= columns.count + 1 - frozen.trailing { frozen.trailing -= 1 }
        }
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

    mutating func freeze(_ panes: FrozenPanes) {
        frozen.leading = panes.leading.clamped(to: 0...max(0, columns.count - 1))
        frozen.trailing = panes.trailing.clamped(to: 0...max(0, columns.count - 1 - frozen.leading))
        frozen.rows = panes.rows.clamped(to: 0...outline.itemCount)
        revealCursor()
    }

    /// Pins a column to one side, or, when it is pinned there, lets it scroll again.
    mutating func pin(_ id: ColumnID, isLeading: Bool) {
        guard let index = columns.index(of: id) else { return }
        let current = currentColumn?.id
        let firstTrailing = columns.count - frozen.trailing
        let wasLeading = index < frozen.leading
        let wasTrailing = index >= firstTrailing
        if wasLeading { frozen.leading -= 1 }
        if wasTrailing { frozen.trailing -= 1 }
        if wasLeading && isLeading {
            columns.move(id, toIndex: frozen.leading)
        } else if wasTrailing && !isLeading {
            columns.move(id, toIndex: columns.count - 1 - frozen.trailing)
        } else if frozen.leading + frozen.trailing < columns.count - 1 {
            columns.move(id, toIndex: isLeading ? frozen.leading : columns.count - 1 - frozen.trailing)
            if isLeading { frozen.leading += 1 } else { frozen.trailing += 1 }
        }
        followColumn(current)
    }

    /// Keeps the cursor on the column it was on, wherever that is now.
    private mutating func followColumn(_ id: ColumnID?) {
        if let id, let index = columns.index(of: id) { cursor.column = index }
        cursor.column = cursor.column.clampedIndex(columns.count)
        revealCursor()
    }
}
