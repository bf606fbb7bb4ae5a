extension Command {
    static let rowForm: [Command] = [
        Command(
            .record, .looks, ["Enter"], "record", "Shows this row as a form, every cell whole; on a section's header, opens or closes it.")
    ]

    static let form: [Command] = [
        Command(.nextRow, in: .record, ["n"], "next row", "Show the next row."),
        Command(.previousRow, in: .record, ["p"], "previous row", "Show the previous row."),
        Command(.nextColumn, in: .record, ["Tab"], "next column", "Go to the next column."),
        Command(.previousColumn, in: .record, ["S-Tab"], "previous column", "Go to the previous column."),
        Command(.copy, in: .record, ["y"], "copy the cell", "Copy the cell under the cursor, or the one on top of the page."),
        Command(.close, in: .record, ["Escape", "q", "Enter", "C-c"], "back", "Return to the grid."),
    ]
}
