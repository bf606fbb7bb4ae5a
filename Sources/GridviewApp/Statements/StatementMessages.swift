import TerminalSurface

extension Message {
    /// The view has no SQL statements, because the table is not on a server.
    static let noStatements = Message(
        .noStatements, "No SQL to show: only tables on servers and results of --sql have SQL.",
        short: "No SQL here.", isError: true)
}
