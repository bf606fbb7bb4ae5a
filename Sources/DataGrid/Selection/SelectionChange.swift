/// A row or a cell that one selection holds and the other does not.
public struct SelectionChange: Hashable, Sendable {
    /// The position of the row.
    public var row: Int
    /// The column of a cell; `nil`: the row as a whole.
    public var column: ColumnID?
    /// Whether it has become selected; otherwise it is no longer.
    public var isSelected: Bool

    /// The row or cell as a block.
    public var block: SelectionBlock { SelectionBlock(rows: row..<row + 1, columns: column.map { [$0] }) }
}

extension Selection {
    /// What becomes of rows and cells when this selection becomes `new`, as long as that is no more than `limit`; `nil` when it is more.
    ///
    /// Rows that were selected whole or not at all, and are the other now, count as rows; of others, each cell that changes.
    /// O(blocks² + changes).
    /// - Parameters:
    ///   - new: the other selection.
    ///   - rowCount: rows of the grid.
    ///   - columns: all there are, hidden ones included.
    ///   - limit: the most changes that are told.
    public func changes(to new: Selection, rowCount: Int, columns: [ColumnID], limit: Int) -> [SelectionChange]? {
        var changes: [SelectionChange] = []
        for band in Self.bands(of: blocks + new.blocks, rowCount: rowCount) {
            let (before, after) = (self.columns(ofRow: band.lowerBound), new.columns(ofRow: band.lowerBound))
            guard before != after else { continue }
            if before.isWhole, after.isWhole {
                guard changes.count + band.count <= limit else { return nil }
                changes += band.map { SelectionChange(row: $0, column: nil, isSelected: after.isInverted) }
                continue
            }
            let others = columns.filter { before.contains($0) != after.contains($0) }
            guard others.count <= limit, band.count * others.count <= limit - changes.count else { return nil }
            for row in band {
                changes += others.map { SelectionChange(row: row, column: $0, isSelected: after.contains($0)) }
            }
        }
        return changes
    }

    /// Some columns, or all but some.
    private struct ColumnPart: Equatable {
        var ids: Set<ColumnID> = []
        var isInverted: Bool

        var isWhole: Bool { ids.isEmpty }
        func contains(_ id: ColumnID) -> Bool { ids.contains(id) != isInverted }
    }

    /// The columns whose cells are selected in a row. O(blocks + selected columns).
    private func columns(ofRow row: Int) -> ColumnPart {
        var ids: Set<ColumnID> = []
        for block in blocks where block.rows?.contains(row) ?? true {
            guard let columns = block.columns else { return ColumnPart(isInverted: !isInverted) }
            ids.formUnion(columns)
        }
        return ColumnPart(ids: ids, isInverted: isInverted)
    }
}
