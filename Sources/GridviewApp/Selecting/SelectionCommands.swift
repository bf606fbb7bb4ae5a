import DataGrid

extension Command {
    static let selecting: [Command] = [
        Command(.selectCells, .selecting, ["v"], "select cells", "Start selecting cells; press again to stop.") { state, _ in
            state.select(.cells)
        },
        Command(.selectRows, .selecting, ["V"], "select rows", "Start selecting whole rows; press again to stop.") { state, _ in
            state.select(.rows)
        },
        Command(
            .selectColumns, .selecting, ["C-Space"], "select columns",
            "Start selecting whole columns; press again to stop."
        ) { state, _ in state.select(.columns) },
        Command(.selectAll, .selecting, ["C-a"], "select all", "Select all cells.") { state, _ in
            state.withSelecting { $0.change(.selectAll) }
        },
        Command(.addRange, .selecting, ["z+"], "add range", "Keep this range and start another.") { state, _ in
            state.withSelecting { $0.change(.keepRanges) }
        },
        Command(.invertSelection, .selecting, ["z~"], "invert selection", "Select everything that is not selected.") { state, _ in
            state.withSelecting { $0.change(.invertSelection) }
        },
        Command(.otherEnd, .selecting, ["o"], "other end", "Go to the other end of the selection.") { state, _ in
            state.change(.swapSelectionEnds)
        },
        Command(
            .selectionMode, .selecting, ["zv"], "selection mode",
            "Choose what can be selected: nothing, one cell, cells, one row, rows."
        ) { state, _ in state.cycleSelectionMode() },
        Command(.extendUp, .selecting, ["S-Up"], "extend up", "Extend the selection up.") { state, count in
            state.change(.move(.up(count.times), extending: true))
        },
        Command(.extendDown, .selecting, ["S-Down"], "extend down", "Extend the selection down.") { state, count in
            state.change(.move(.down(count.times), extending: true))
        },
        Command(.extendLeft, .selecting, ["S-Left"], "extend left", "Extend the selection left.") { state, count in
            state.change(.move(.left(count.times), extending: true))
        },
        Command(.extendRight, .selecting, ["S-Right"], "extend right", "Extend the selection right.") { state, count in
            state.change(.move(.right(count.times), extending: true))
        },
    ]
}

extension CommandID {
    static let selectCells = CommandID("selectCells")
    static let selectRows = CommandID("selectRows")
    static let selectColumns = CommandID("selectColumns")
    static let selectAll = CommandID("selectAll")
    static let addRange = CommandID("addRange")
    static let invertSelection = CommandID("invertSelection")
    static let otherEnd = CommandID("otherEnd")
    static let selectionMode = CommandID("selectionMode")
    static let extendUp = CommandID("extendUp")
    static let extendDown = CommandID("extendDown")
    static let extendLeft = CommandID("extendLeft")
    static let extendRight = CommandID("extendRight")
}

extension Command.Chapter {
    static let selecting = Self("Selecting and copying")
}
