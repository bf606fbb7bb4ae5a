import DataGrid
import DataGridTerminal

extension Command {
    static let selecting: [Command] = [
        Command(.selectCells, .selecting, ["v"], "select cells", "Start selecting cells; press again to stop.") { state, _ in
            state.select(.cells)
        },
        Command(.selectRows, .selecting, like: .selectRow) { state, _ in state.select(.rows) },
        Command(
            .selectColumns, .selecting, like: .selectColumn,
            summary: "Start selecting whole columns; press again to stop. Column commands then act on all selected columns."
        ) { state, _ in state.select(.columns) },
        Command(.selectAll, .selecting, like: .selectAll) { state, _ in state.withSelecting { $0.changeGrid(.selectAll) } },
        Command(.addRange, .selecting, ["z+"], "add range", short: "range", "Keep this range and start another.") { state, _ in
            state.withSelecting { $0.changeGrid(.keepRanges) }
        },
        Command(.invertSelection, .selecting, like: .invertSelection, short: "invert") { state, _ in
            state.withSelecting { $0.changeGrid(.invertSelection) }
        },
        Command(.swapSelectionEnds, .selecting, ["o"], "other end", "Go to the other end of the selection.") { state, _ in
            if state.grid.selection.isEmpty, state.grid.selectionAnchor == nil {
                return state.show(.filesOpenAtStart(filesKey: state.key(.sheets)))
            }
            return state.changeGrid(.swapSelectionEnds)
        },
        Command(
            .selectionMode, .selecting, ["zv"], "selection mode", short: "mode",
            "Choose what can be selected: nothing, one cell, cells, one row, rows."
        ) { state, _ in state.cycleSelectionMode() },
        Command(.extendUp, .selecting, like: .extendUp),
        Command(.extendDown, .selecting, like: .extendDown),
        Command(.extendLeft, .selecting, like: .extendLeft),
        Command(.extendRight, .selecting, like: .extendRight),
    ]
}

extension CommandID {
    static let selectCells = CommandID("selectCells")
    static let selectRows = CommandID("selectRows")
    static let selectColumns = CommandID("selectColumns")
    static let selectAll = CommandID("selectAll")
    static let addRange = CommandID("addRange")
    static let invertSelection = CommandID("invertSelection")
    static let swapSelectionEnds = CommandID("otherEnd")
    static let selectionMode = CommandID("selectionMode")
    static let extendUp = CommandID("extendUp")
    static let extendDown = CommandID("extendDown")
    static let extendLeft = CommandID("extendLeft")
    static let extendRight = CommandID("extendRight")
}

extension Command.Chapter {
    static let selecting = Self("Selecting and copying")
}
