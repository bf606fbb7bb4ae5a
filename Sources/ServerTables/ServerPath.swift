import EngineClient

/// Connection URLs among paths.
public enum ServerPath {
    /// True if a path is a connection URL.
    public static func isServer(_ path: String) -> Bool { ConnectionTarget.isConnectionURL(path) }

    /// A short name for the tab of a table that is not open yet: the table, otherwise the database.
    public static func name(of path: String) -> String {
        guard let target = try? ConnectionTarget(parsing: path) else { return "server" }
        if let table = target.table.last { return table }
        return target["dbname"] ?? target["service"] ?? target["path"].flatMap { $0.split(separator: "/").last.map { String($0) } }
            ?? "server"
    }
}
