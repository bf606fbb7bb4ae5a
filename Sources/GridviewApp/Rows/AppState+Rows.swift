import DataGrid
import DataGridTerminal

/// Moves rows by hand. This changes their order in the view, not in the file.
extension AppState {
    /// Moves the row under the cursor, or the selected rows around it.
    mutating func moveRows(by count: Int) -> [AppEffect] {
        guard let row = grid.cursor.row, row < grid.rows.count else {
            return show(.noRowToMove)
        }
        guard !isUncounted else { return show(.movesWhenRead) }
        guard grid.canMoveRows else {
            show(.movesWhenRead)
            return resumeReading()
        }
        let before = grid.rows
        let effects = change(.moveCurrentRows(by: count))
        if grid.rows == before { show(.alreadyAtEdge(isTop: count < 0, isGrouped: grid.outline.tree != nil)) }
        return effects
    }

    /// Reverses a drag of rows whose count is unknown: rows that are fetched later have no place among moved rows.
    mutating func refuseMove() -> [AppEffect] {
        controller.perform(.setRows(grid.rows.unmoved, tree: grid.outline.tree, keeping: .all))
        return show(.movesWhenRead)
    }

    /// Updates the search after rows were moved. Shows a message the first time.
    mutating func updateSearchAfterMove() -> [AppEffect] {
        if !hasShownMoveNotice {
            hasShownMoveNotice = true
            show(.rowMoved(undo: key(.undo)))
        }
        return updateSearchPositions()
    }

    /// Restores rows that were moved by hand. `runs` lists ranges of positions in the query's order, in the order in which to show them.
    /// Does nothing if the query now has other rows than when they were moved.
    mutating func restoreMoves(_ runs: [Range<Int>]) -> [AppEffect] {
        var runs = runs
        if case .natural(let count) = grid.rows.unmoved, let end = runs.map(\.upperBound).max(), end < count { runs.append(end..<count) }
        guard runs != grid.rows.movedRuns, let rows = grid.rows(movedTo: runs) else { return [] }
        controller.perform(.setRows(rows, tree: grid.outline.tree, keeping: .all))
        return updateSearchPositions()
    }

    private mutating func updateSearchPositions() -> [AppEffect] {
        // The positions of matches are no longer valid, but their number is.
        search?.current = nil
        guard let search, !search.isCounted else { return [.cancel(.find)] }
        return [.cancel(.find), .countMatches(search)]
    }

    mutating func toggleRowDragging() -> [AppEffect] {
        controller.interaction.allowsRowReordering.toggle()
        return show(.rowDragging(grid.interaction.allowsRowReordering))
    }
}
