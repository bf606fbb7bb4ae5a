import DataGrid
import DataGridTerminal

/// Rows moved by hand: an order of the view, of which the file knows nothing.
extension AppState {
    /// Moves the row under the cursor, or the selected ones around it.
    mutating func moveRows(by count: Int) -> [AppEffect] {
        guard let row = grid.cursor.row, row < grid.rows.count else {
            return say(.noRowToMove)
        }
        guard grid.canMoveRows else {
            say(.movesWhenRead)
            guard sheet.isReadingStopped else { return [] }
            sheet.isReadingStopped = false
            return [.startIndex]
        }
        let before = grid.rows
        let effects = change(.moveCurrentRows(by: count))
        if grid.rows == before { say(.alreadyAtEdge(isTop: count < 0, isGrouped: grid.outline.tree != nil)) }
        return effects
    }

    /// Rows stand elsewhere now. Says so the first time.
    mutating func rowsMoved() -> [AppEffect] {
        if !isToldOfMovedRows {
            isToldOfMovedRows = true
            say(.rowMoved(reset: key(.reset)))
        }
        // What was found so far counts positions that are no more; the number of matches is the same.
        search?.current = nil
        guard let search, !search.isCounted else { return [.cancel(.find)] }
        return [.cancel(.find), .countMatches(search)]
    }

    mutating func toggleRowDragging() {
        controller.configure { $0.interaction.allowsRowReordering.toggle() }
        say(.rowDragging(grid.interaction.allowsRowReordering))
    }
}
