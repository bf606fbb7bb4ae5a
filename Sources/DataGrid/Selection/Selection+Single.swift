extension Selection {
    /// Adds or takes away one row, or one cell of it; everything else stays as it is. O(blocks).
    /// - Parameters:
    ///   - position: where the row stands.
    ///   - rowCount: rows of the grid: a selection of all rows that loses one is then one of those there are.
    ///   - columns: all columns, for the same reason.
    mutating func set(_ isSelected: Bool, row position: Int, column: ColumnID?, rowCount: Int, columns: [ColumnID]) {
        // In an inverted selection the blocks are what is left out.
        if isSelected != isInverted {
            let isThere =
                column.map { column in blocks.contains { $0.contains(row: position, column: column) } }
                ?? blocks.contains { $0.columns == nil && ($0.rows?.contains(position) ?? true) }
            if !isThere { blocks.append(SelectionBlock(rows: position..<position + 1, columns: column.map { [$0] })) }
            return
        }
        blocks = blocks.flatMap { block -> [SelectionBlock] in
            let range = block.rows ?? 0..<rowCount
            guard range.contains(position), column.map({ block.contains(row: position, column: $0) }) ?? true else { return [block] }
            var parts = [range.lowerBound..<position, position + 1..<range.upperBound].map {
                SelectionBlock(rows: $0, columns: block.columns)
            }
            if let column {
                let rest = (block.columns ?? Set(columns)).subtracting([column])
                if !rest.isEmpty { parts.insert(SelectionBlock(rows: position..<position + 1, columns: rest), at: 1) }
            }
            return parts.filter { $0.rows?.isEmpty == false }
        }
    }
}

extension GridState {
    /// Selects a row or a cell from code; nothing when the grid does not have the row. O(1), O(rows) to find the row in an order of its own.
    mutating func setSelected(_ row: RowID, column: ColumnID?, _ isSelected: Bool) {
        guard let position = rows.position(of: row) else { return }
        selection.set(isSelected, row: position, column: column, rowCount: rows.count, columns: columns.all.map(\.id))
        selectionAnchor = nil
    }
}
