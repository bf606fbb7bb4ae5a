import DataGrid

extension AppState {
    /// Starts or stops a selection of this shape.
    mutating func select(_ shape: SelectionShape) -> [AppEffect] {
        guard grid.selectionMode != .none else {
            return say(.selectionOff(change: key(.selectionMode)))
        }
        return change(.beginSelection(shape))
    }

    /// Runs `body` if several cells can be selected; otherwise names the selection mode.
    mutating func withSelecting(_ body: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        guard grid.selectionMode.allowsMany else {
            return say(.selectionModeForbids(grid.selectionMode, change: key(.selectionMode)))
        }
        return body(&self)
    }

    mutating func cycleSelectionMode() -> [AppEffect] {
        let modes = SelectionMode.allCases
        let next = modes[(modes.firstIndex(of: grid.selectionMode)! + 1) % modes.count]
        say(.selectionMode(next))
        return change(.setSelectionMode(next))
    }
}
