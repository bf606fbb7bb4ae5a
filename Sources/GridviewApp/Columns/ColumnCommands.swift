extension Command {
    static let columns: [Command] = [
        Command(.freezeColumns, .columns, ["f"], "freeze columns", "Freeze columns up to this one; press again to unfreeze."),
        Command(.freezeRows, .columns, ["zf"], "freeze rows", "Freeze rows up to this one; press again to unfreeze."),
        Command(.freezeBoth, .columns, ["zF"], "freeze both", "Freeze columns and rows up to this cell; press again to unfreeze."),
        Command(.pinLeft, .columns, ["!"], "pin left", "Pin this column on the left; press again to unpin."),
        Command(.pinRight, .columns, ["z!"], "pin right", "Pin this column on the right; press again to unpin."),
        Command(.narrower, .columns, ["<"], "narrower", "Make this column narrower."),
        Command(.wider, .columns, [">"], "wider", "Make this column wider."),
        Command(.fitColumn, .columns, ["_"], "fit column", "Fit this column to the visible rows; 30_ sets its width to 30."),
        Command(.fitAll, .columns, ["="], "fit all columns", "Fit all columns to the visible rows."),
        Command(.hideColumn, .columns, ["-"], "hide column", "Hide this column."),
        Command(.showColumns, .columns, ["+"], "show columns", "Choose the columns to show and hide."),
        Command(.moveColumnLeft, .columns, ["H", "M-Left"], "move column left", "Move this column left."),
        Command(.moveColumnRight, .columns, ["L", "M-Right"], "move column right", "Move this column right."),
        Command(.duplicateColumn, .columns, [], "duplicate column", "Show this column a second time, for example as another type."),
        Command(.renameColumn, .columns, [], "rename column", "Rename this column (in the view)."),
        Command(
            .columnType, .columns, ["t"], "column type",
            "Change the type of this column: text, integer, decimal, date, datetime, time, flag."),
        Command(.deriveColumn, .columns, ["z="], "add column", "Add a column computed from others: total = price * quantity."),
    ]
}
