/// The shape of a selection that is being extended.
public enum SelectionShape: String, Hashable, Sendable, Codable {
    /// A rectangle of cells.
    case cells
    /// Whole rows.
    case rows
    /// Whole columns.
    case columns
}

/// The fixed end of a selection that is being extended.
public struct SelectionAnchor: Hashable, Sendable {
    /// The shape between anchor and cursor.
    public var shape: SelectionShape
    /// The position of the row.
    public var row: Int
    /// The column, by identity, so that it stays the same when columns move.
    public var column: ColumnID
    /// True if every motion extends the selection, not only motions that request it.
    public var isSticky: Bool

    /// Creates an anchor at one cell.
    public init(shape: SelectionShape, row: Int, column: ColumnID, isSticky: Bool = false) {
        self.shape = shape
        self.row = row
        self.column = column
        self.isSticky = isSticky
    }
}

extension GridState {
    /// The row of the cursor in a selection: on a header, the section's first row or, in an empty section, the next row.
    private var selectionRow: Int {
        switch cursor.item {
        case .row(let row): row
        case .header(let section): outline.tree!.rows(of: section).lowerBound.clampedIndex(rows.count)
        }
    }

    /// The rows at an end of a selection: all rows of a collapsed section, otherwise the row at this position.
    private func rowsAtSelectionEnd(_ row: Int) -> Range<Int> {
        guard let tree = outline.tree, outline.itemCount > 0, case .header(let section) = outline.item(at: outline.index(ofRow: row)) else {
            return row..<row + 1
        }
        let hidden = tree.rows(of: section)
        // A row that was added after the sections were computed is in no section.
        return hidden.contains(row) ? hidden : row..<row + 1
    }

    /// Returns `shape` or, if the selection mode does not allow it, the shape to use instead.
    private func allowed(_ shape: SelectionShape) -> SelectionShape {
        if selectionMode.isRowwise { return .rows }
        return selectionMode == .cell ? .cells : shape
    }

    /// Starts a selection at the cursor that every motion extends. If a selection of this shape is being extended, ends the extension.
    mutating func beginSelection(_ shape: SelectionShape) {
        guard selectionMode != .none, rows.count > 0, let column = currentColumn else { return }
        let shape = allowed(shape)
        if let anchor = selectionAnchor, anchor.isSticky {
            if anchor.shape == shape { return clearSelection() }
            // Keep the anchor and change only the shape.
            selectionAnchor?.shape = shape
            return extendSelection()
        }
        selectionAnchor = SelectionAnchor(shape: shape, row: selectionRow, column: column.id, isSticky: selectionMode.allowsMany)
        beginBlock()
    }

    /// Starts a selection with one block, or adds a block to the kept blocks.
    private mutating func beginBlock() {
        if keepsRanges { append(currentBlock()) } else { selection = Selection(blocks: [currentBlock()]) }
        keepsRanges = false
    }

    /// Adds a selected range, even to an inverted selection.
    private mutating func append(_ block: SelectionBlock) {
        selection = selection.uninverted(rowCount: rows.count, columns: columns.all.map(\.id))
        selection.blocks.append(block)
    }

    mutating func setSelectedRows(_ ids: [RowID]) {
        let positions = Set(rows.positions(of: ids).map(\.position)).sorted()
        clearSelection()
        selection.blocks = positions.runs.map { SelectionBlock(rows: $0, columns: nil) }
    }

    /// Selects or deselects a row or a cell; no effect if the grid does not contain the row.
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
        // Exclude columns that have no slot on the card.
        let slots = slotColumns
        let ids = Set(range.filter { slots.isEmpty || slots.contains($0) }.map { columns[$0].id })
        switch anchor.shape {
        case .cells: return SelectionBlock(rows: span, columns: ids)
        case .rows: return SelectionBlock(rows: span, columns: nil)
        case .columns: return SelectionBlock(rows: nil, columns: ids)
        }
    }

    /// The index of the anchor's column or, if it is hidden, of the next visible column.
    private func anchorIndex(_ anchor: SelectionAnchor) -> Int {
        if let index = columns.index(of: anchor.column) { return index }
        guard let place = columns.place(of: anchor.column) else { return cursor.column }
        return columns.visiblePlaces.firstIndex { $0 > place } ?? columns.count - 1
    }

    /// Keeps the existing ranges: the cursor moves freely, and the next selection adds a range.
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
        selectionAnchor = SelectionAnchor(shape: shape, row: selectionRow, column: column.id, isSticky: selectionAnchor?.isSticky ?? true)
        append(currentBlock())
    }

    mutating func swapSelectionEnds() {
        guard let anchor = selectionAnchor, let column = currentColumn else { return }
        selectionAnchor = SelectionAnchor(shape: anchor.shape, row: selectionRow, column: column.id, isSticky: anchor.isSticky)
        cursor.item = outline.item(at: outline.index(ofRow: anchor.row.clampedIndex(rows.count)))
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
