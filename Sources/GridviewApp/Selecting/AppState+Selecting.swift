import DataGrid

extension AppState {
    mutating func cycleSelectionMode() -> [AppEffect] {
        let modes = SelectionMode.allCases
        let next = modes[(modes.firstIndex(of: grid.selectionMode)! + 1) % modes.count]
        say(.selectionMode(next))
        return change(.setSelectionMode(next))
    }
}
