import DataGrid

extension AppState {
    /// The maximum number of selected rows that stay selected in another order. With more rows, frames would take too long, because each
    /// frame looks up scattered rows.
    nonisolated static let maximumSelectedRows = 10_000

    /// True if the selection has too many rows to find them in another order. Selections of all rows or of whole columns are never too
    /// large.
    var hasLargeSelection: Bool { !grid.selection.isEmpty && grid.selectedRowCount > Self.maximumSelectedRows }

    /// The properties that stay with their rows in another order.
    var keptState: PreservedState { hasLargeSelection ? [] : .selection }

    /// The properties that stay with their rows in the result of the running query. When rows are added or the file is reloaded, the cursor
    /// also stays on its row.
    var keptByQuery: PreservedState {
        query.isStale || sheet.reloadAnchor?.placed == grid.cursor ? keptState.union(.cursor) : keptState
    }

    /// Starts or stops a selection of this shape.
    mutating func select(_ shape: SelectionShape) -> [AppEffect] {
        guard grid.selectionMode != .none else {
            return show(.selectionOff(changeKey: key(.selectionMode)))
        }
        guard grid.rows.count > 0 else { return show(.noRows) }
        return change(.beginSelection(shape))
    }

    /// Runs `body` if several cells can be selected; otherwise names the selection mode.
    mutating func withSelecting(_ body: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        guard grid.selectionMode.allowsMany else {
            return show(.selectionModeForbids(grid.selectionMode, changeKey: key(.selectionMode)))
        }
        return body(&self)
    }

    mutating func cycleSelectionMode() -> [AppEffect] {
        let modes = SelectionMode.allCases
        let next = modes[(modes.firstIndex(of: grid.selectionMode)! + 1) % modes.count]
        show(.selectionMode(next))
        return change(.setSelectionMode(next))
    }
}
