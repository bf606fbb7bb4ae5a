import DataGrid
import DataGridTerminal

/// Rows moved by hand: an order of the view only, not of the file.
extension AppState {
    /// Moves the row under the cursor, or the selected rows around it.
    mutating func moveRows(by count: Int) -> [AppEffect] {
        guard let row = grid.cursor.row, row < grid.rows.count else {
            return say("There is no row under the cursor to move.", short: "No row here.")
        }
        guard grid.canMoveRows else {
            say(
                "Rows can be moved as soon as the whole file is read: where the last ones belong is not known yet.",
                short: "Not all is read.")
            guard sheet.isReadingStopped else { return [] }
            sheet.isReadingStopped = false
            return [.startIndex]
        }
        let before = grid.rows
        let effects = change(.moveCurrentRows(by: count))
        if grid.rows == before {
            let place = count < 0 ? "at the top" : "at the bottom"
            say(
                grid.outline.tree == nil ? "This stands \(place)." : "This stands \(place) of its section, which no row leaves.",
                short: count < 0 ? "At the top." : "At the bottom.")
        }
        return effects
    }

    /// Updates the search after rows were moved. Shows a message the first time.
    mutating func rowsMoved() -> [AppEffect] {
        if !isToldOfMovedRows {
            isToldOfMovedRows = true
            say("Moved in the view, not in the file. r takes it back, a sort replaces it.", short: "Moved, r undoes.")
        }
        // Match positions are no longer valid; the number of matches is.
        search?.current = nil
        guard let search, !search.isCounted else { return [.cancel(.find)] }
        return [.cancel(.find), .countMatches(search)]
    }

    mutating func toggleRowDragging() {
        controller.configure { $0.interaction.allowsRowReordering.toggle() }
        say(
            grid.interaction.allowsRowReordering
                ? "Drag the number of the cursor's row, or of a selected one, to move it." : "Dragging row numbers selects rows.",
            short: grid.interaction.allowsRowReordering ? "Drag row numbers." : "Drags select.")
    }
}
