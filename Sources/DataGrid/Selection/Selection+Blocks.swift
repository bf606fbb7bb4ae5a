extension Selection {
    /// Takes a block out of what is selected.
    ///
    /// Of what is selected whole, all but the block stays selected, also of rows that come later; of a block of all rows that reaches further
    /// than this one, rows that come later do not. O(blocks).
    /// - Parameters:
    ///   - block: the cells that are not to be selected any more.
    ///   - rowCount: rows of the grid.
    ///   - columns: all there are, hidden ones included.
    public mutating func subtract(_ block: SelectionBlock, rowCount: Int, columns: [ColumnID]) {
        if isInverted {
            include(block)
        } else if blocks.contains(where: { $0.rows == nil && $0.columns == nil }) {
            self = Selection(blocks: [block], isInverted: true)
        } else {
            exclude(block, rowCount, columns)
        }
    }

    /// Adds a block to what is selected. O(blocks).
    /// - Parameters: as for ``subtract(_:rowCount:columns:)``.
    public mutating func add(_ block: SelectionBlock, rowCount: Int, columns: [ColumnID]) {
        // In an inverted selection the blocks are what is left out.
        if isInverted { exclude(block, rowCount, columns) } else { include(block) }
    }

    /// Puts a block among the others, unless one of them has all of it.
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

    /// The block without another one: above it, below it, and beside it.
    fileprivate func subtracting(_ other: SelectionBlock, rowCount: Int, columns all: [ColumnID]) -> [SelectionBlock] {
        let mine = rows ?? 0..<rowCount
        let shared = mine.clamped(to: other.rows ?? 0..<Int.max)
        let rest = other.columns.map { (columns ?? Set(all)).subtracting($0) } ?? []
        let isApart = columns.map { own in other.columns.map { own.isDisjoint(with: $0) } ?? own.isEmpty } ?? false
        if shared.isEmpty || isApart { return [self] }
        let beside = rest.isEmpty ? nil : rest
        if shared == mine, rows == nil { return beside.map { [SelectionBlock(rows: nil, columns: $0)] } ?? [] }
        var pieces: [SelectionBlock] = []
        if mine.lowerBound < shared.lowerBound {
            pieces.append(SelectionBlock(rows: mine.lowerBound..<shared.lowerBound, columns: columns))
        }
        if let beside { pieces.append(SelectionBlock(rows: shared, columns: beside)) }
        if shared.upperBound < mine.upperBound {
            pieces.append(SelectionBlock(rows: shared.upperBound..<mine.upperBound, columns: columns))
        }
        return pieces
    }
}
