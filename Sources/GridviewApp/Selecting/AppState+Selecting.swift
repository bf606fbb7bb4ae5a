import DataGrid

extension AppState {
    mutating func cycleSelectionMode() -> [AppEffect] {
        let modes = SelectionMode.allCases
        let next = modes[(modes.firstIndex(of: grid.selectionMode)! + 1) % modes.count]
        let words: [SelectionMode: String] = [
            .none: "nothing", .cell: "one cell at a time", .cells: "cells", .row: "one row at a time", .rows: "rows",
        ]
        say("What can be selected: \(words[next]!).", short: "Selects: \(next.rawValue).")
        return change(.setSelectionMode(next))
    }
}
