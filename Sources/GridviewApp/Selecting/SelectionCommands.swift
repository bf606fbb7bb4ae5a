extension Command {
    static let selecting: [Command] = [
        Command(.selectCells, .selecting, ["v"], "select cells", "Start selecting cells; press again to stop."),
        Command(.selectRows, .selecting, ["V"], "select rows", "Start selecting whole rows; press again to stop."),
        Command(.selectColumns, .selecting, ["C-Space"], "select columns", "Start selecting whole columns; press again to stop."),
        Command(.selectAll, .selecting, ["C-a"], "select all", "Select all cells."),
        Command(.addRange, .selecting, ["z+"], "add range", "Keep this range and start another."),
        Command(.invertSelection, .selecting, ["z~"], "invert selection", "Select everything that is not selected."),
        Command(.otherEnd, .selecting, ["o"], "other end", "Go to the other end of the selection."),
        Command(
            .selectionMode, .selecting, ["zv"], "selection mode",
            "Choose what can be selected: nothing, one cell, cells, one row, rows."),
        Command(.extendUp, .selecting, ["S-Up"], "extend up", "Extend the selection up."),
        Command(.extendDown, .selecting, ["S-Down"], "extend down", "Extend the selection down."),
        Command(.extendLeft, .selecting, ["S-Left"], "extend left", "Extend the selection left."),
        Command(.extendRight, .selecting, ["S-Right"], "extend right", "Extend the selection right."),
        Command(.copy, .selecting, ["y"], "copy", "Copy the selection or this cell."),
        Command(.copyWithHeader, .selecting, ["Y"], "copy with header", "Copy the selection with the column names."),
        Command(.copyAs, .selecting, ["zy"], "copy as", "Copy the selection as TSV, CSV, JSON or Markdown."),
    ]
}
