/// The shape of a selection that starts at an anchor and extends to the cursor.
public enum SelectionShape: String, Hashable, Sendable, Codable {
    /// The rectangle of cells between anchor and cursor.
    case cells
    /// All cells of the rows between anchor and cursor.
    case rows
    /// All cells of the columns between anchor and cursor.
    case columns
}

/// The fixed end of a selection that is being extended.
public struct SelectionAnchor: Hashable, Sendable {
    /// The shape of the selected block between anchor and cursor.
    public var shape: SelectionShape
    /// The position of the anchor's row.
    public var row: Int
    /// The column of the anchor, by identity, so that it stays the same when columns move.
    public var column: ColumnID
    /// True if every cursor motion extends the selection; false if only motions with `extending` do so.
    public var extendsOnMotion: Bool

    /// Creates an anchor at one cell.
    public init(shape: SelectionShape, row: Int, column: ColumnID, extendsOnMotion: Bool = false) {
        self.shape = shape
        self.row = row
        self.column = column
        self.extendsOnMotion = extendsOnMotion
    }
}

extension GridState {
    /// The position of the row at which a selection starts or ends: the row of the cursor. On a section header, it is the first row of
    /// the section or, if the section is empty, the next row.
    private var selectionRow: Int {
        switch cursor.item {
        case .row(let row): row
        case .header(let section): outline.tree!.rows(of: section).lowerBound.clampedIndex(count: rows.count)
        }
    }

    /// The rows to select at an end of a selection: the row at this position or, if it is in a collapsed section, all rows of that
    /// section.
    private func rowsAtSelectionEnd(_ row: Int) -> Range<Int> {
        guard let tree = outline.tree, outline.itemCount > 0, case .header(let section) = outline.item(at: outline.index(ofRow: row)) else {
            return row..<row + 1
        }
        let hidden = tree.rows(of: section)
        // A row that was added after the sections were computed is not in a section.
        return hidden.contains(row) ? hidden : row..<row + 1
    }

    /// Returns `shape` or, if the selection mode does not allow it, the shape to use instead.
    private func allowed(_ shape: SelectionShape) -> SelectionShape {
        if selectionMode.isRowwise { return .rows }
        return selectionMode == .cell ? .cells : shape
    }

    /// Starts a selection at the cursor. Every motion then extends this selection. If such a selection of the same shape exists, clears it
    /// instead.
    mutating func beginSelection(_ shape: SelectionShape) {
        guard selectionMode != .none, rows.count > 0, let column = currentColumn else { return }
        let shape = allowed(shape)
        if let anchor = selectionAnchor, anchor.extendsOnMotion {
            if anchor.shape == shape { return clearSelection() }
            // Keep the anchor, and change only the shape of the selection.
            selectionAnchor?.shape = shape
            return extendSelection()
        }
        selectionAnchor = SelectionAnchor(shape: shape, row: selectionRow, column: column.id, extendsOnMotion: selectionMode.allowsMany)
        beginBlock()
    }

    /// Starts a new selection with one block. If ``keepsRanges`` is true, adds the block to the selected ranges instead.
    private mutating func beginBlock() {
        if keepsRanges { append(currentBlock()) } else { selection = Selection(blocks: [currentBlock()]) }
        keepsRanges = false
    }

    /// Adds a block of selected cells, even to an inverted selection.
    private mutating func append(_ block: SelectionBlock) {
        selection = selection.uninverted(rowCount: rows.count, columns: columns.all.map(\.id))
        selection.blocks.append(block)
    }

    mutating func setSelectedRows(_ ids: [RowID]) {
        let positions = Set(rows.positions(of: ids).map(\.position)).sorted()
        clearSelection()
        selection.blocks = positions.runs.map { SelectionBlock(rows: $0, columns: nil) }
    }

    /// Selects a row or a cell or, if `isSelected` is false, deselects it. No effect if the grid does not contain the row.
    ///
    /// O(blocks), and O(rows) to find a row in an order other than the source's.
    mutating func setSelected(_ row: RowID, column: ColumnID?, _ isSelected: Bool) {
        guard let position = rows.position(of: row) else {
            if !isSelected, column == nil { selection.renumberAbsentRows { $0 == row ? nil : $0 } }
            return
        }
        let block = SelectionBlock(rows: position..<position + 1, columns: column.map { [$0] })
        let all = columns.all.map(\.id)
        if isSelected {
            selection.add(block, rowCount: rows.count, columns: all)
        } else {
            selection.subtract(block, rowCount: rows.count, columns: all)
        }
        selectionAnchor = nil
    }

    mutating func beginExtending() {
        guard selectionMode.allowsMany, selectionAnchor == nil, rows.count > 0, let column = currentColumn else { return }
        selectionAnchor = SelectionAnchor(shape: allowed(.cells), row: selectionRow, column: column.id)
        beginBlock()
    }

    mutating func extendSelection() {
        guard selectionAnchor != nil, selectionMode.allowsMany else { return }
        if selection.blocks.isEmpty { selection.blocks.append(currentBlock()) }
        selection.blocks[selection.blocks.count - 1] = currentBlock()
    }

    func currentBlock() -> SelectionBlock {
        guard let anchor = selectionAnchor else { return SelectionBlock(rows: nil, columns: nil) }
        let (start, end) = (rowsAtSelectionEnd(anchor.row), rowsAtSelectionEnd(selectionRow))
        let span = min(start.lowerBound, end.lowerBound)..<max(start.upperBound, end.upperBound)
        let from = anchorIndex(anchor)
        let range = min(from, cursor.column)...max(from, cursor.column)
        // On cards, exclude columns that are not shown in a slot.
        let slots = slotColumns
        let ids = Set(range.filter { slots.isEmpty || slots.contains($0) }.map { columns[$0].id })
        switch anchor.shape {
        case .cells: return SelectionBlock(rows: span, columns: ids)
        case .rows: return SelectionBlock(rows: span, columns: nil)
        case .columns: return SelectionBlock(rows: nil, columns: ids)
        }
    }

    /// The index of the anchor's column among the visible columns. If this column is hidden, the index of the next visible column.
    private func anchorIndex(_ anchor: SelectionAnchor) -> Int {
        if let index = columns.index(of: anchor.column) { return index }
        guard let place = columns.place(of: anchor.column) else { return cursor.column }
        return columns.visiblePlaces.firstIndex { $0 > place } ?? columns.count - 1
    }

    /// Keeps the selected ranges and stops extending the selection. The next selection adds a range.
    mutating func keepRanges() {
        guard selectionMode.allowsMany else { return beginSelection(.cells) }
        guard !selection.isEmpty else { return addRange() }
        selectionAnchor = nil
        keepsRanges = true
    }

    mutating func addRange() {
        guard selectionMode.allowsMany else { return beginSelection(.cells) }
        guard rows.count > 0, let column = currentColumn else { return }
        let shape = selectionAnchor?.shape ?? allowed(.cells)
        selectionAnchor = SelectionAnchor(
            shape: shape, row: selectionRow, column: column.id, extendsOnMotion: selectionAnchor?.extendsOnMotion ?? true)
        append(currentBlock())
    }

    mutating func swapSelectionEnds() {
        guard let anchor = selectionAnchor, let column = currentColumn else { return }
        selectionAnchor = SelectionAnchor(
            shape: anchor.shape, row: selectionRow, column: column.id, extendsOnMotion: anchor.extendsOnMotion)
        cursor.item = outline.item(at: outline.index(ofRow: anchor.row.clampedIndex(count: rows.count)))
        cursor.column = anchorIndex(anchor)
        revealCursor()
    }

    mutating func selectAll() {
        guard selectionMode.allowsMany else { return }
        selection = .all
        selectionAnchor = nil
    }

    mutating func invertSelection() {
        guard selectionMode.allowsMany else { return }
        selection = Selection(blocks: selection.blocks, isInverted: !selection.isInverted)
        selectionAnchor = nil
    }

    mutating func clearSelection() {
        selection = .empty
        keepsRanges = false
        selectionAnchor = nil
    }

    mutating func set(selectionMode mode: SelectionMode) {
        selectionMode = mode
        clearSelection()
    }
}
