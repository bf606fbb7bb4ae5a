extension Command {
    static let selecting: [Command] = [
        Command(.selectCells, .selecting, ["v"], "select cells", "Selects a block of cells from here on; again: ends it."),
        Command(.selectRows, .selecting, ["V"], "select rows", "Selects whole rows from here on; again: ends it."),
        Command(.selectColumns, .selecting, ["C-Space"], "select columns", "Selects whole columns from here on; again: ends it."),
        Command(.selectAll, .selecting, ["C-a"], "select all", "Selects everything."),
        Command(
            .addRange, .selecting, ["z+"], "add range", "Keeps what is selected: move on and select another range."),
        Command(.invertSelection, .selecting, ["z~"], "invert selection", "Selects what is not selected."),
        Command(.otherEnd, .selecting, ["o"], "other end", "Goes to the other end of the selection."),
        Command(
            .selectionMode, .selecting, ["zv"], "selection mode", "Changes what can be selected: nothing, one cell, cells, one row, rows."),
        Command(.extendUp, .selecting, ["S-Up"], "extend up", "Extends the selection upwards."),
        Command(.extendDown, .selecting, ["S-Down"], "extend down", "Extends the selection downwards."),
        Command(.extendLeft, .selecting, ["S-Left"], "extend left", "Extends the selection to the left."),
        Command(.extendRight, .selecting, ["S-Right"], "extend right", "Extends the selection to the right."),
        Command(.copy, .selecting, ["y"], "copy", "Copies the selection, or the cell, to the clipboard."),
        Command(.copyWithHeader, .selecting, ["Y"], "copy with titles", "Copies the selection with the titles of its columns."),
        Command(.copyAs, .selecting, ["zy"], "copy as", "Copies the selection, or the cell, as TSV, CSV, JSON or Markdown."),
    ]
}
