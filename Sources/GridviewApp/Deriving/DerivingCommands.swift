extension Command {
    /// Columns computed from others.
    static let deriving: [Command] = [
        Command(.deriveColumn, .columns, ["z="], "add column", "Add a column computed from others: total = price * quantity.")
    ]
}
