extension Command {
    static let deriving: [Command] = [
        Command(
            .deriveColumn, .columns, ["z=", "M-="], "add column", short: "add col",
            "Add a column computed from others: total = price * quantity.", also: "formula calculate computed"
        ) { state, _ in state.open(FormulaPrompt(purpose: .derivation)) },
        Command(
            .expandColumn, .columns, ["("], "expand JSON", short: "expand",
            "Replace this column of JSON text with a column for each key or element.", also: "unnest flatten object array struct list"
        ) { state, _ in state.withColumn { $0.expand($1) } },
        Command(
            .expandRows, .columns, ["M-("], "array to rows", short: "to rows",
            "Show a row for each element of the JSON arrays in this column, in a new sheet.", also: "unfurl explode unnest lateral child"
        ) { state, _ in state.withColumn { _, column in [.expandRows(column)] } },
        Command(
            .collapseColumn, .columns, [")"], "collapse JSON", short: "collapse",
            "Replace the columns of a JSON object or array with the column that they come from.", also: "contract nest"
        ) { state, _ in state.withColumn { $0.collapse($1) } },
    ]
}

extension CommandID {
    static let deriveColumn = CommandID("deriveColumn")
    static let expandColumn = CommandID("expandColumn")
    static let expandRows = CommandID("expandRows")
    static let collapseColumn = CommandID("collapseColumn")
}
