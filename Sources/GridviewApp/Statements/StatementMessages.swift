import TerminalSurface

extension Message {
    /// The table is not on a server.
    static let noStatements = Message(
        .noStatements, "No SQL to show: only tables on servers and results of --sql have SQL.",
        short: "No SQL here.", isError: true)
}
