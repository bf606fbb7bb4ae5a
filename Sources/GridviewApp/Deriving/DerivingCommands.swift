extension Command {
    static let deriving: [Command] = [
        Command(
            .deriveColumn, .columns, ["z="], "derive column",
            "Adds a column that is computed from others, such as total = price * quantity.")
    ]
}
