extension Command {
    static let columns: [Command] = [
        Command(.freezeColumns, .columns, ["f"], "freeze columns", "Freezes the columns up to this one; again: none."),
        Command(.freezeRows, .columns, ["zf"], "freeze rows", "Freezes the rows up to this one; again: none."),
        Command(.freezeBoth, .columns, ["zF"], "freeze both", "Freezes columns and rows up to this cell; again: none."),
        Command(.pinLeft, .columns, ["!"], "pin left", "Puts this column to the frozen ones at the left; again: back."),
        Command(.pinRight, .columns, ["z!"], "pin right", "Puts this column to the frozen ones at the right; again: back."),
        Command(.narrower, .columns, ["<"], "narrower", "Makes this column narrower."),
        Command(.wider, .columns, [">"], "wider", "Makes this column wider."),
        Command(
            .fitColumn, .columns, ["_"], "fit column", "Fits this column to what is in sight; with a number before it, makes it that wide."),
        Command(.fitAll, .columns, ["="], "fit all", "Fits all columns to what is in sight."),
        Command(.hideColumn, .columns, ["-"], "hide column", "Hides this column."),
        Command(.showColumns, .columns, ["+"], "show columns", "Shows a list of all columns, to show and hide them."),
        Command(.moveColumnLeft, .columns, ["H", "M-Left"], "move column left", "Moves this column to the left."),
        Command(.moveColumnRight, .columns, ["L", "M-Right"], "move column right", "Moves this column to the right."),
        Command(
            .duplicateColumn, .columns, [], "duplicate column",
            "Shows this column once more at its right, to be read as another type, say."),
        Command(.renameColumn, .columns, [], "rename column", "Gives this column another title."),
        Command(
            .columnType, .columns, ["t"], "column type", "Reads this column as another type: text, whole number, decimal, date, time, flag."
        ),
        Command(
            .deriveColumn, .columns, ["z="], "derive column",
            "Adds a column that is computed from others, such as total = price * quantity."),
    ]
}
