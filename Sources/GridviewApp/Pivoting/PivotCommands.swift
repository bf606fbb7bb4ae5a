extension Command {
    static let pivoting: [Command] = [
        Command(
            .pivot, .sections, [], "pivot", "Show a pivot table: a row for each group, and a column for each value of this column.",
            also: "crosstab cross tabulation contingency subtotal"
        ) { state, _ in state.withColumn { $0.openPivotPrompt(by: $1) } }
    ]
}

extension CommandID {
    static let pivot = CommandID("pivot")
}

extension Message {
    static let pivotsWhenRead = Message(
        .pivotsWhenRead, "Cannot compute a pivot table yet: the file is still being read. Try again when all rows are counted.",
        short: "Still reading.", isError: true)
}
