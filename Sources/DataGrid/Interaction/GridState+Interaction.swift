extension GridState {
    // MARK: Cells

    /// Performs the effects that ``GridState/interaction`` assigns to an input on the current cell.
    mutating func performTrigger(_ trigger: CellTrigger) -> [GridEvent] {
        guard currentRow != nil, let column = currentColumn else { return [] }
        let effects = interaction.effects(for: trigger)
        if effects.contains(.toggle) || effects.contains(.select) && trigger == .space {
            toggleSelection()
        } else if effects.contains(.select) {
            selectOnly(wholeRows: selectionMode.isRowwise)
        }
        return effects.contains(.edit) ? requestEdit(of: column, typed: nil) : []
    }

    /// Requests an editor for the current cell or, if its column is not editable, activates the cell.
    /// - Parameter typed: the text that the user has typed, which replaces the text of the cell in the editor; `nil` keeps the text of
    ///   the cell.
    mutating func requestEdit(typed: String?) -> [GridEvent] {
        currentColumn.map { requestEdit(of: $0, typed: typed) } ?? []
    }

    private func requestEdit(of column: Column, typed: String?) -> [GridEvent] {
        guard let row = currentRow else { return [] }
        if column.isEditable { return [.editRequested(row, column.id, typed: typed)] }
        return typed == nil ? [.cellActivated(row, column.id)] : []
    }

    // MARK: Selecting

    private mutating func selectOnly(wholeRows: Bool) {
        clearSelection()
        beginSelection(wholeRows ? .rows : .cells)
        // The next cursor motions only move the cursor, unless the user extends the selection.
        selectionAnchor?.extendsOnMotion = false
        if !selectionMode.allowsMany { selectionAnchor = nil }
    }

    /// Selects the current cell or row; deselects it if it is selected.
    mutating func toggleSelection(wholeRows: Bool? = nil) {
        guard selectionMode != .none, let row = cursor.row, row < self.rows.count, let column = currentColumn else { return }
        let isRowwise = wholeRows == true || selectionMode.isRowwise
        let all = columns.all.map(\.id)
        let isSelected =
            isRowwise
            ? all.allSatisfy { selection.contains(row: row, column: $0) } : selection.contains(row: row, column: column.id)
        guard selectionMode.allowsMany else { return isSelected ? clearSelection() : selectOnly(wholeRows: isRowwise) }
        guard isSelected else {
            keepsRanges = !selection.isEmpty || !selection.absentRows.isEmpty
            selectionAnchor = nil
            beginSelection(isRowwise ? .rows : .cells)
            selectionAnchor?.extendsOnMotion = false
            return
        }
        selection.subtract(
            SelectionBlock(rows: row..<row + 1, columns: isRowwise ? nil : [column.id]), rowCount: self.rows.count, columns: all)
        selectionAnchor = nil
        // If clicks toggle cells, extending the selection later must keep the ranges that are selected now.
        keepsRanges = interaction.singleClick.contains(.toggle) && !selection.isEmpty
    }

    /// Handles a click on an item: selects only the clicked cell or row.
    ///
    /// With Ctrl, or if `effects` contains ``CellEffects/toggle``, the cell or row is selected or deselected, and the rest of the
    /// selection stays. With Shift, the selection is extended to the cell or row.
    mutating func selectByClick(_ item: GridItem, column: Int, wholeRows: Bool, _ press: PointerPress, _ effects: CellEffects) {
        if press.isExtending, selectionMode.allowsMany {
            select(item, column: column, wholeRows: wholeRows, press)
        } else {
            cursor = GridCursor(item: item, column: column)
            if press.isAdding || effects.contains(.toggle) {
                toggleSelection(wholeRows: wholeRows)
            } else {
                selectOnly(wholeRows: wholeRows)
            }
        }
    }
}
