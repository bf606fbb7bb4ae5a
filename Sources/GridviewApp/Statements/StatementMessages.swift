import TerminalSurface

extension Message {
    /// The table is not on a server.
    static let noStatements = Message(
        .noStatements, "No SQL: this table is a file. Only tables on servers are read with SQL.", short: "No SQL here.",
        isError: true)
}
