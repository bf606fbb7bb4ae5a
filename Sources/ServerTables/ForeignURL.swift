import EngineClient

/// URLs that are neither connection URLs nor paths. A message about such a URL never repeats it, because it can contain a password.
public enum ForeignURL {
    /// The path of a `file:` URL on this computer, with its `%XX` escapes decoded; any other path unchanged.
    public static func localPath(_ path: String) -> String {
        guard scheme(of: path) == "file", var rest = text(after: "file:", in: path) else { return path }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else { return path }
            rest = rest.dropFirst(host.count)
        }
        return rest.hasPrefix("/") ? PercentEncoding.decoded(rest) ?? path : path
    }

    /// One sentence about a URL that cannot be opened: the name of the system, and a way to open its tables. `nil` for paths.
    public static func advice(for path: String) -> String? {
        guard let scheme = scheme(of: path) else { return nil }
        // Ignore the driver that SQLAlchemy adds to the scheme, as in mysql+pymysql.
        let name = String(scheme.prefix { $0 != "+" })
        if scheme == "jdbc" { return jdbcAdvice(path) }
        if let system = systems[name] {
            return "\(system.name) needs an ADBC driver: install one, then run gridview 'adbc:\(system.driver)'."
        }
        if let advice = adviceByScheme[name] { return advice }
        // A colon without slashes after an unknown word can be part of a file name.
        guard path.dropFirst(scheme.utf8.count).hasPrefix("://") else { return nil }
        return "\(scheme):// is unknown: use postgres://, sqlite: or adbc:, or the path of a file."
    }

    /// Databases that need a driver, keyed by the scheme of their URLs. `driver` is the text to write after `adbc:` in a URL.
    private static let systems: [String: (name: String, driver: String)] = [
        "mysql": ("MySQL", "mysql?uri=…"), "mariadb": ("MariaDB", "mysql?uri=…"), "sqlserver": ("SQL Server", "mssql?uri=…"),
        "mssql": ("SQL Server", "mssql?uri=…"), "oracle": ("Oracle", "oracle?uri=…"), "snowflake": ("Snowflake", "snowflake?uri=…"),
        "bigquery": ("BigQuery", "bigquery?…"), "duckdb": ("DuckDB", "duckdb?path=FILE"), "trino": ("Trino", "trino?uri=…"),
        "clickhouse": ("ClickHouse", "clickhouse?uri=…"), "grpc": ("A Flight SQL server", "flightsql?uri=…"),
        "flightsql": ("A Flight SQL server", "flightsql?uri=…"),
    ]

    /// Advice for the schemes of systems that cannot be opened with any driver, such as object stores and web servers.
    private static let adviceByScheme: [String: String] = {
        var all = [
            "mongodb": "MongoDB has no tables: export a collection first, as in mongoexport --collection=NAME | gridview.",
            "redis": "Redis has no tables: write its data to a CSV or JSON Lines file, and open that.",
            "s3": "gridview does not read from S3: run aws s3 cp s3://BUCKET/KEY - | gridview, or download the file first.",
            "gs":
                "gridview does not read from Google Cloud: run gcloud storage cat gs://BUCKET/KEY | gridview, or download the file first.",
            "az": "gridview does not read from Azure: download the file first, as with az storage blob download.",
            "sftp": "gridview does not read files on other computers: run ssh HOST cat FILE | gridview, or download the file first.",
            "file": "A file URL needs an absolute path, as in file:///home/me/trades.csv; a plain path works, too.",
        ]
        for web in ["http", "https", "ftp"] {
            all[web] = "gridview does not read from the web: run curl -sSL URL | gridview, or download the file first."
        }
        (all["mongodb+srv"], all["rediss"], all["ssh"], all["scp"]) = (all["mongodb"], all["redis"], all["sftp"], all["sftp"])
        (all["s3a"], all["abfs"], all["abfss"], all["azure"]) = (all["s3"], all["az"], all["az"], all["az"])
        return all
    }()

    private static func jdbcAdvice(_ path: String) -> String {
        guard let rest = text(after: "jdbc:", in: path) else { return "" }
        let system = rest.lowercased().prefix { $0 != ":" }
        switch system {
        case "postgresql": return "jdbc: URLs are for Java programs; write postgres://user@host/database instead."
        case "sqlite": return "jdbc: URLs are for Java programs; write sqlite:FILE instead."
        default:
            return "jdbc: URLs are for Java programs; use postgres:// or sqlite:, or an ADBC driver as in gridview 'adbc:DRIVER?uri=…'."
        }
    }

    /// The scheme of a URL in lowercase; `nil` for paths. A scheme without `//` must be known, because file names can contain colons.
    private static func scheme(of path: String) -> String? {
        guard let colon = path.firstIndex(of: ":") else { return nil }
        let scheme = path[..<colon].lowercased()
        guard let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) })
        else { return nil }
        let rest = path[path.index(after: colon)...]
        if rest.hasPrefix("//") { return scheme }
        return scheme == "jdbc" || scheme == "file" && rest.hasPrefix("/") ? scheme : nil
    }

    private static func text(after scheme: String, in path: String) -> Substring? {
        path.lowercased().hasPrefix(scheme) ? path.dropFirst(scheme.count) : nil
    }
}
