import DataGrid

extension Message {
    static func selectionMode(_ mode: SelectionMode) -> Message {
        let words =
            switch mode {
            case .none: "nothing"
            case .cell: "one cell"
            case .cells: "cells"
            case .row: "one row"
            case .rows: "rows"
            }
        return Message(.selectionMode, "Selection mode: \(words).", short: "Mode: \(words).")
    }

    static func selectionModeForbids(_ mode: SelectionMode, change: String) -> Message {
        Message(
            .selectionModeForbids, "Not in selection mode “\(mode.rawValue)”. \(change) changes the mode.",
            short: "Mode “\(mode.rawValue)”: \(change).")
    }

    static func selectionOff(change: String) -> Message {
        Message(.selectionOff, "Selecting is off. \(change) changes the selection mode.", short: "Off: \(change).")
    }
}
