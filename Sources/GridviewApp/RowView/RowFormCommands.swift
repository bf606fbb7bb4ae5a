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
        Command(.up, in: .record, ["Up", "k"], "field above", "Go to the field above, or up one line in a long field."),
        Command(.down, in: .record, ["Down", "j"], "field below", "Go to the field below, or down one line in a long field."),
        Command(.copy, in: .record, ["y"], "copy field", "Copy the current field."),
        Command(.filterByCell, in: .record, ["@", ","], "filter by field", "Show only rows that have this value in this field."),
        Command(.filterExcludingCell, in: .record, ["~"], "exclude field", "Hide rows that have this value in this field."),
        Command(.filter, in: .record, ["&"], "edit filter", "Edit a new filter for the value of this field."),
        Command(.search, in: .record, ["/"], "find field", "Find text in the names and values of this row."),
        Command(.hideColumn, in: .record, ["-"], "hide column", "Hide the column of this field."),
        Command(
            .undo, in: .record, ["U"], "undo", "Undo the last change to the view. Undoing a filter or a sort goes back to the table."),
        Command(.redo, in: .record, ["C-r"], "redo", "Redo the last undone change."),
        Command(.editField, in: .record, ["e", "F2"], "edit field", "Edit this field (not supported: gridview only reads tables)."),
        Command(.close, in: .record, ["Escape", "q", "Enter", "C-c"], "back", "Go back to the table."),
        Command(.searchNext, in: .recordSearch, ["n"], "next match", "Go to the next field that contains the search text."),
        Command(.searchPrevious, in: .recordSearch, ["N"], "previous match", "Go to the previous field that contains the search text."),
        Command(.escape, in: .recordSearch, ["Escape"], "end search", "End the search; n then shows the next row, not the next match."),
    ]
}

extension CommandID {
    static let editField = CommandID("editField")
    static let record = CommandID("record")
    static let nextRow = CommandID("nextRow")
    static let previousRow = CommandID("previousRow")
}

extension KeyContext {
    static let record = Self("row-view", title: "Row view")
    /// The context of the row view after the user has searched in it.
    static let recordSearch = Self("row-view-search", title: "Search in the row view")
}
