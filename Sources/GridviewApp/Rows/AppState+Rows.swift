import DataGrid
import DataGridTerminal

/// Moving rows by hand, which changes their order in the view, not in the file.
extension AppState {
    /// Moves the row at the cursor or, if it is selected, all selected rows around it. Moves up if `count` is negative.
    mutating func moveRows(by count: Int) -> [AppEffect] {
        guard let row = grid.cursor.row, row < grid.rows.count else {
            return show(.noRowToMove)
        }
        guard !isUncounted else { return show(.cannotMoveRowsYet) }
        guard grid.canMoveRows else {
            show(.cannotMoveRowsYet)
            return resumeReading()
        }
        let before = grid.rows
        let effects = changeGrid(.moveCurrentRows(by: count))
        if grid.rows == before { show(.alreadyAtEdge(isTop: count < 0, isGrouped: grid.outline.tree != nil)) }
        return effects
    }

    /// Undoes a drag of rows while not all rows are counted, because rows that arrive later would have no position among moved rows.
    mutating func refuseMove() -> [AppEffect] {
        controller.perform(.setRows(grid.rows.unmoved, tree: grid.outline.tree, keeping: .all))
        return show(.cannotMoveRowsYet)
    }

    /// Updates the positions of search matches after rows were moved. The first move also shows a message that the file does not change.
    mutating func updateSearchAfterMove() -> [AppEffect] {
        if !hasShownMoveNotice {
            hasShownMoveNotice = true
            show(.rowMoved(undoKey: key(.undo)))
        }
        return updateSearchPositions()
    }

    /// Restores an order of rows that the user has made by moving rows by hand.
    ///
    /// `runs` lists ranges of positions in the order of the query. The ranges are shown in the order of this list. Does nothing if the
    /// ranges do not match the current rows of the query.
    mutating func restoreMoves(_ runs: [Range<Int>]) -> [AppEffect] {
        var runs = runs
        if case .natural(let count) = grid.rows.unmoved, let end = runs.map(\.upperBound).max(), end < count { runs.append(end..<count) }
        guard runs != grid.rows.movedRuns, let rows = grid.rows(movedTo: runs) else { return [] }
        controller.perform(.setRows(rows, tree: grid.outline.tree, keeping: .all))
        return updateSearchPositions()
    }

    private mutating func updateSearchPositions() -> [AppEffect] {
        // The number of matches is still right, but the rank of the current match is not.
        search?.currentRank = nil
        guard let search, !search.isCounted else { return [.cancel(.find)] }
        return [.cancel(.find), .countMatches(search)]
    }

    mutating func toggleRowDragging() -> [AppEffect] {
        controller.interaction.allowsRowReordering.toggle()
        return show(.rowDragging(grid.interaction.allowsRowReordering))
    }
}
