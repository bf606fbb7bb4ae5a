/// A row or cell that became selected or deselected.
public struct SelectionChange: Hashable, Sendable {
    /// The position of the row.
    public var row: Int
    /// The column of the cell; `nil` if the whole row changed.
    public var column: ColumnID?
    /// True if the row or cell became selected, false if it became deselected.
    public var isSelected: Bool

    /// The row or cell as a block.
    public var block: SelectionBlock { SelectionBlock(rows: row..<row + 1, columns: column.map { [$0] }) }
}

extension Selection {
    /// The changes of rows and cells from this selection to `new`; `nil` if there are more than `limit`.
    ///
    /// A row is one change if all its cells became selected or all became deselected. In other rows, each changed cell is one change.
    /// O(blocks² + changes).
    /// - Parameters:
    ///   - new: the new selection.
    ///   - rowCount: the number of rows in the grid.
    ///   - columns: all columns, including hidden ones.
    ///   - limit: the maximum number of changes.
    public func changes(to new: Selection, rowCount: Int, columns: [ColumnID], limit: Int) -> [SelectionChange]? {
        var changes: [SelectionChange] = []
        for range in Self.uniformRowRanges(of: blocks + new.blocks, rowCount: rowCount) {
            let (before, after) = (self.columns(ofRow: range.lowerBound), new.columns(ofRow: range.lowerBound))
            guard before != after else { continue }
            if before.isUniform, after.isUniform {
                guard changes.count + range.count <= limit else { return nil }
                changes += range.map { SelectionChange(row: $0, column: nil, isSelected: after.isInverted) }
                continue
            }
            let others = columns.filter { before.contains($0) != after.contains($0) }
            guard others.count <= limit, range.count * others.count <= limit - changes.count else { return nil }
            for row in range {
                changes += others.map { SelectionChange(row: row, column: $0, isSelected: after.contains($0)) }
            }
        }
        return changes
    }

    /// A set of columns or, if it is inverted, all columns that are not in the set.
    private struct ColumnSet: Equatable {
        var ids: Set<ColumnID> = []
        var isInverted: Bool

        var isUniform: Bool { ids.isEmpty }
        func contains(_ id: ColumnID) -> Bool { ids.contains(id) != isInverted }
    }

    /// The columns whose cells are selected in the row at position `row`. O(blocks + selected columns).
    private func columns(ofRow row: Int) -> ColumnSet {
        var ids: Set<ColumnID> = []
        for block in blocks where block.rows?.contains(row) ?? true {
            guard let columns = block.columns else { return ColumnSet(isInverted: !isInverted) }
            ids.formUnion(columns)
        }
        return ColumnSet(ids: ids, isInverted: isInverted)
    }
}
