import TerminalSurface

extension Message {
    /// The table is not on a server.
    static let noStatements = Message(
        .noStatements, "No SQL: gridview reads this file itself. SQL is for server tables and --sql.",
        short: "No SQL here.", isError: true)
}
