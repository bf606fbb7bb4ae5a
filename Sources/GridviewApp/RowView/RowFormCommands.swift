extension Command {
    static let rowForm: [Command] = [
        Command(
            .record, .appearance, ["Enter"], "row view",
            "Show this row with full cell contents; on a group, collapse or expand it."
        ) { state, _ in state.openRecord() }
    ]

    static let form: [Command] = [
        Command(.nextRow, in: .record, ["n"], "next row", "Show the next row."),
        Command(.previousRow, in: .record, ["p"], "previous row", "Show the previous row."),
        Command(.nextColumn, in: .record, ["Tab"], "next field", "Go to the next field."),
        Command(.previousColumn, in: .record, ["S-Tab"], "previous field", "Go to the previous field."),
        Command(.copy, in: .record, ["y"], "copy field", "Copy the current field, or the first visible field."),
        Command(.close, in: .record, ["Escape", "q", "Enter", "C-c"], "back", "Go back to the table."),
    ]
}

extension CommandID {
    static let record = CommandID("record")
    static let nextRow = CommandID("nextRow")
    static let previousRow = CommandID("previousRow")
}

extension KeyContext {
    static let record = Self("record", title: "Row view")
}
