extension Command {
    static let deriving: [Command] = [
        Command(
            .deriveColumn, .columns, ["z=", "M-="], "add column", short: "add col",
            "Add a column computed from others: total = price * quantity.", also: "formula calculate computed"
        ) { state, _ in state.open(FormulaPrompt(purpose: .derivation)) }
    ]
}

extension CommandID {
    static let deriveColumn = CommandID("deriveColumn")
}
