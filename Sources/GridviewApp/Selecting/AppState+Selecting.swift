import DataGrid

extension AppState {
    /// The maximum number of selected rows that stay selected in another order. Drawing looks up each of them, so more rows would make
    /// frames too slow.
    nonisolated static let maximumSelectedRows = 10_000

    /// True if the selection has more rows than can be found in another order. A selection of all rows or of whole columns is never too
    /// large, because its rows are not looked up.
    var hasLargeSelection: Bool { !grid.selection.isEmpty && grid.selectedRowCount > Self.maximumSelectedRows }

    /// The state that the grid keeps when rows are shown in another order.
    var stateToKeep: PreservedState { hasLargeSelection ? [] : .selection }

    /// The state that the grid keeps when it shows the result of the running query. If rows were added or the file was reloaded, the cursor
    /// also stays on its row.
    var stateToKeepForQuery: PreservedState {
        query.isStale || sheet.reloadAnchor?.placedCursor == grid.cursor ? stateToKeep.union(.cursor) : stateToKeep
    }

    /// Starts a selection of this shape, such as rows. If one of this shape is being extended, clears it instead.
    mutating func select(_ shape: SelectionShape) -> [AppEffect] {
        guard grid.selectionMode != .none else {
            return show(.selectionOff(changeKey: key(.selectionMode)))
        }
        guard grid.rows.count > 0 else { return show(.noRows) }
        return changeGrid(.beginSelection(shape))
    }

    /// Runs `body` if several cells can be selected. Otherwise, shows a message about the selection mode.
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
        return changeGrid(.setSelectionMode(next))
    }
}
