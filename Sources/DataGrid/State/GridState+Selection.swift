/// What a selection is made of while it grows.
public enum SelectionShape: String, Hashable, Sendable, Codable {
    /// A rectangle of cells.
    case cells
    /// Rows as a whole.
    case rows
    /// Columns as a whole.
    case columns
}

/// The fixed end of a selection that is being extended.
public struct SelectionAnchor: Hashable, Sendable {
    /// What grows between anchor and cursor.
    public var shape: SelectionShape
    /// The position of its row.
    public var row: Int
    /// Its column, by identity: it stays the same one when columns move.
    public var column: ColumnID
    /// Whether every movement extends the selection, not only those that ask for it.
    public var isSticky: Bool

    /// An anchor at one cell.
    public init(shape: SelectionShape, row: Int, column: ColumnID, isSticky: Bool = false) {
        self.shape = shape
        self.row = row
        self.column = column
        self.isSticky = isSticky
    }
}

extension GridState {
    /// The row that stands for the cursor in selections: on a header, the section's first or, where it has none, the next.
    private var selectionRow: Int {
        switch cursor.item {
        case .row(let row): row
        case .header(let section): outline.tree!.rows(of: section).lowerBound.clampedIndex(rows.count)
        }
    }

    /// What of `shape` the mode lets be selected by hand.
    private func allowed(_ shape: SelectionShape) -> SelectionShape {
        if selectionMode.isRowwise { return .rows }
        return selectionMode == .cell ? .cells : shape
    }

    /// Starts to select from the cursor on; every movement extends it until the selection is cleared. The same shape again ends it.
    mutating func beginSelection(_ shape: SelectionShape) {
        guard selectionMode != .none, rows.count > 0, let column = currentColumn else { return }
        let shape = allowed(shape)
        if let anchor = selectionAnchor, anchor.isSticky {
            if anchor.shape == shape { return clearSelection() }
            // Another shape over the same range.
            selectionAnchor?.shape = shape
            return extendSelection()
        }
        selectionAnchor = SelectionAnchor(shape: shape, row: selectionRow, column: column.id, isSticky: selectionMode.allowsMany)
        beginBlock()
    }

    /// The first block of a selection, or one more when those there are were to be kept.
    private mutating func beginBlock() {
        if keepsRanges { append(currentBlock()) } else { selection = Selection(blocks: [currentBlock()]) }
        keepsRanges = false
    }

    /// One range more. What an inverted selection leaves out becomes less by it: the range is selected, whatever is already.
    private mutating func append(_ block: SelectionBlock) {
        selection = selection.uninverted(rowCount: rows.count, columns: columns.all.map(\.id))
        selection.blocks.append(block)
    }

    /// Selects a row or a cell from code; nothing when the grid does not have the row. O(blocks), O(rows) to find the row in an order of its
    /// own.
    mutating func setSelected(_ row: RowID, column: ColumnID?, _ isSelected: Bool) {
        guard let position = rows.position(of: row) else { return }
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
        let row = selectionRow
        let span = min(anchor.row, row)..<max(anchor.row, row) + 1
        let from = anchorIndex(anchor)
        let range = min(from, cursor.column)...max(from, cursor.column)
        // What a card does not show is not selected with what it does.
        let slots = slotColumns
        let ids = Set(range.filter { slots.isEmpty || slots.contains($0) }.map { columns[$0].id })
        switch anchor.shape {
        case .cells: return SelectionBlock(rows: span, columns: ids)
        case .rows: return SelectionBlock(rows: span, columns: nil)
        case .columns: return SelectionBlock(rows: nil, columns: ids)
        }
    }

    /// The anchor's column or, when that is hidden, the next one in sight.
    private func anchorIndex(_ anchor: SelectionAnchor) -> Int {
        if let index = columns.index(of: anchor.column) { return index }
        guard let place = columns.place(of: anchor.column) else { return cursor.column }
        return columns.visiblePlaces.firstIndex { $0 > place } ?? columns.count - 1
    }

    /// Keeps the ranges there are: the cursor moves freely, and the next selection begins one more.
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
        outline.reveal(row: anchor.row.clampedIndex(rows.count))
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
        selection.isInverted.toggle()
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
