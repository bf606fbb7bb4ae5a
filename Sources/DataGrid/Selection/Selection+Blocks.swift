extension Selection {
    /// Deselects the cells of a block. O(blocks).
    ///
    /// If all cells were selected, the selection becomes inverted, and rows added later are selected. If `block` splits a block of all
    /// rows, rows added later are not selected.
    /// - Parameters:
    ///   - block: the cells to deselect.
    ///   - rowCount: the number of rows in the grid.
    ///   - columns: all columns, including hidden ones.
    public mutating func subtract(_ block: SelectionBlock, rowCount: Int, columns: [ColumnID]) {
        if isInverted {
            include(block)
        } else if blocks.contains(where: { $0.rows == nil && $0.columns == nil }) {
            self = Selection(blocks: [block], isInverted: true)
        } else {
            exclude(block, rowCount, columns)
        }
    }

    /// Selects the cells of a block. O(blocks).
    /// - Parameters: the same as for ``subtract(_:rowCount:columns:)``.
    public mutating func add(_ block: SelectionBlock, rowCount: Int, columns: [ColumnID]) {
        // The blocks of an inverted selection are the deselected cells.
        if isInverted { exclude(block, rowCount, columns) } else { include(block) }
    }

    /// Adds a block, unless an existing block contains all its cells.
    private mutating func include(_ block: SelectionBlock) {
        if !blocks.contains(where: { $0.covers(block) }) { blocks.append(block) }
    }

    private mutating func exclude(_ block: SelectionBlock, _ rowCount: Int, _ columns: [ColumnID]) {
        blocks = blocks.flatMap { $0.subtracting(block, rowCount: rowCount, columns: columns) }
    }
}

extension SelectionBlock {
    fileprivate func covers(_ other: SelectionBlock) -> Bool {
        let hasRows = rows.map { own in other.rows.map { $0.clamped(to: own) == $0 } ?? false } ?? true
        let hasColumns = columns.map { own in other.columns.map { $0.isSubset(of: own) } ?? false } ?? true
        return hasRows && hasColumns
    }

    /// The cells of this block that are not in `other`, as blocks: the cells above, beside and below `other`.
    fileprivate func subtracting(_ other: SelectionBlock, rowCount: Int, columns all: [ColumnID]) -> [SelectionBlock] {
        let ownRows = rows ?? 0..<rowCount
        let shared = ownRows.clamped(to: other.rows ?? 0..<Int.max)
        let remainingColumns = other.columns.map { (columns ?? Set(all)).subtracting($0) } ?? []
        let areColumnsDisjoint = columns.map { own in other.columns.map { own.isDisjoint(with: $0) } ?? own.isEmpty } ?? false
        if shared.isEmpty || areColumnsDisjoint { return [self] }
        let beside = remainingColumns.isEmpty ? nil : remainingColumns
        if shared == ownRows, rows == nil { return beside.map { [SelectionBlock(rows: nil, columns: $0)] } ?? [] }
        var remaining: [SelectionBlock] = []
        if ownRows.lowerBound < shared.lowerBound {
            remaining.append(SelectionBlock(rows: ownRows.lowerBound..<shared.lowerBound, columns: columns))
        }
        if let beside { remaining.append(SelectionBlock(rows: shared, columns: beside)) }
        if shared.upperBound < ownRows.upperBound {
            remaining.append(SelectionBlock(rows: shared.upperBound..<ownRows.upperBound, columns: columns))
        }
        return remaining
    }
}
