import EngineClient

/// Paths that are connection URLs.
public enum ServerPath {
    /// True if a path is a connection URL.
    public static func isServer(_ path: String) -> Bool { ConnectionTarget.isConnectionURL(path) }

    /// True if a path is a connection URL with the name of a table.
    public static func namesTable(_ path: String) -> Bool {
        isServer(path) && (try? ConnectionTarget(parsing: path))?.table.isEmpty == false
    }

    /// A short name for the tab of a table that is not open yet: the table, otherwise the database.
    public static func name(of path: String) -> String {
        guard let target = try? ConnectionTarget(parsing: path) else { return "server" }
        if let table = target.table.last { return table }
        return target["dbname"] ?? target["service"] ?? target["path"].flatMap { $0.split(separator: "/").last.map { String($0) } }
            ?? "server"
    }
}

extension ConnectionTarget {
    /// The server in words for messages: its host, otherwise the service or the database.
    var place: String {
        let hosts = (self["host"] ?? self["hostaddr"] ?? "").split(separator: ",").map(String.init)
        // A host that starts with a slash is the folder of a local server's socket.
        if let first = hosts.first, !first.hasPrefix("/") { return Self.printable(hosts.count > 1 ? "\(first), …" : first) }
        if let service = self["service"] { return Self.printable("service \(service)") }
        guard driver == "postgresql" else { return Self.printable(self["driver"] ?? driver) }
        return hosts.isEmpty ? Self.printable(self["dbname"].map { "database \($0)" } ?? "PostgreSQL") : "localhost"
    }

    /// The user and the server in words, such as `ann@db.example.com`.
    var account: String { (self["user"].map { Self.printable($0) + "@" } ?? "") + place }

    private static func printable(_ text: String) -> String { ServerError(text).message }
}
