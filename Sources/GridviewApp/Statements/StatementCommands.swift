extension Command {
    static let statements: [Command] = [
        Command(
            .statements, .program, ["M-s"], "SQL", "Show the SQL that the server runs for this view, with its plan.",
            also: "statement query explain plan postgres"
        ) { _, _ in [.findStatements] }
    ]
}

extension CommandID {
    static let statements = CommandID("statements")
}
