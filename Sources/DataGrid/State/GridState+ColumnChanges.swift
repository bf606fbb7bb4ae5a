/// Insertion and removal of columns.
extension GridState {
    /// Inserts columns before the column at `place` among all columns. Ignores columns whose ids already exist. O(columns).
    mutating func insert(_ newColumns: [Column], atPlace place: Int) {
        var existingIDs = Set(columns.all.map(\.id))
        let newColumns = newColumns.filter { existingIDs.insert($0.id).inserted }
        guard !newColumns.isEmpty else { return }
        let current = currentColumn?.id
        columns.insert(contentsOf: newColumns, at: place)
        moveCursor(toColumn: current)
    }

    /// Removes columns together with their sort keys and selected cells. The cursor moves to the next column that remains. O(columns).
    mutating func removeColumns(_ ids: [ColumnID]) -> [GridEvent] {
        let removed = Set(ids)
        let remaining = columns.all.filter { !removed.contains($0.id) }
        guard remaining.count < columns.all.count else { return [] }
        let visible = columns.visible.map(\.id)
        let isRemoved = visible.map { removed.contains($0) }
        let next = zip(visible, isRemoved).dropFirst(cursor.column).first { !$0.1 }?.0
        let previous = zip(visible, isRemoved).reversed().dropFirst(visible.count - min(cursor.column, visible.count)).first { !$0.1 }?.0
        columns = ColumnList(remaining)
        // Show a column if only hidden columns remain, because at least one column must be visible.
        let shown = columns.count == 0 ? remaining.first?.id : nil
        if let shown { columns.update(shown) { $0.isHidden = false } }
        removeReferences(to: removed)
        moveCursor(toColumn: next ?? previous)
        return shown.map { [.columnShown($0)] } ?? []
    }

    /// Removes the sort keys and selected cells of removed columns. O(sort keys + blocks · columns).
    mutating func removeReferences(to removed: Set<ColumnID>) {
        guard !removed.isEmpty else { return }
        sort.removeAll { removed.contains($0.column) }
        selection.blocks = selection.blocks.compactMap { block in
            guard let blockColumns = block.columns, !blockColumns.isDisjoint(with: removed) else { return block }
            let remaining = blockColumns.subtracting(removed)
            return remaining.isEmpty ? nil : SelectionBlock(rows: block.rows, columns: remaining)
        }
        if let anchor = selectionAnchor, removed.contains(anchor.column) { selectionAnchor = nil }
        switch drag {
        case .reorder(let reordering):
            if case .column(let id) = reordering.subject, removed.contains(id) { drag = nil }
        case .separator(let edge) where removed.contains(edge.column): drag = nil
        default: break
        }
        if drag == nil { dragOrigin = nil }
    }
}
