import EngineClient
import EngineProtocol
import FieldValues
import SQLTables
import Tables

/// Files that a statement reads, as views of DuckDB: `trades.csv.gz` is the view `trades`.
struct QueriedFiles {
    private let files: [(path: String, view: String, function: String)]
    private let threads: Int
    private let memory: Int

    /// - Parameters:
    ///   - paths: the paths of existing files.
    ///   - threads: the number of threads for DuckDB.
    ///   - memory: the maximum number of bytes for DuckDB.
    /// - Throws: ``ServerError`` if DuckDB cannot read a file, or if two views have the same name.
    init(_ paths: [String], threads: Int, memory: Int) throws(ServerError) {
        (self.threads, self.memory) = (threads, memory)
        var files: [(path: String, view: String, function: String)] = []
        for path in paths {
            guard !path.contains("*"), !path.contains("?") else {
                throw ServerError("Put the pattern \(path) in the statement, as in from '\(path)', instead of the file arguments.")
            }
            guard !path.contains("[") || !path.contains("\\") else {
                throw ServerError("DuckDB cannot read files with both [ and \\ in their names. Rename \(path).")
            }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            guard path != "-", let function = Self.function(for: name) else {
                throw Self.unreadableFileError(path, name: name, isOnly: paths.count == 1)
            }
            let view = Self.view(for: name)
            guard !files.contains(where: { $0.view.lowercased() == view.lowercased() }) else {
                throw ServerError("Two files would have the name \(view) in the statement. Write their paths in it, as in from 'FILE'.")
            }
            files.append((path, view, function))
        }
        self.files = files
    }

    /// The error for a file whose format DuckDB cannot read. It advises a command that works instead.
    private static func unreadableFileError(_ path: String, name: String, isOnly: Bool) -> ServerError {
        let isSQLite = [".db", ".db3", ".sqlite", ".sqlite3"].contains { name.lowercased().hasSuffix($0) }
        if isSQLite, isOnly {
            return ServerError(
                "A statement cannot read \(name) as a file. To run it in SQLite, write gridview \(ShellWord.word("sqlite:" + path)) --sql.")
        }
        let other = path == "-" ? "standard input" : name
        return ServerError(
            "A statement cannot read \(other). It can read CSV, TSV, JSON and Parquet files. Convert \(other) first, as in "
                + "gridview \(ShellWord.path(path))\(isSQLite ? " --table NAME" : "") -o parquet > copy.parquet.")
    }

    /// The names of the views, except views that could not be created.
    func views(without failures: [ServerDatabase.SetupFailure]) -> [String] {
        let missing = Set(failures.map { $0.index - settings.count })
        return files.indices.filter { !missing.contains($0) }.map { files[$0].view }
    }

    /// A database in memory, in which the files are views.
    func makeDatabase(helperPath: String?) -> ServerDatabase {
        let target = ConnectionTarget(driver: "adbc", options: [.init("driver", "duckdb"), .init("path", ":memory:")])
        return ServerDatabase(target, helperPath: helperPath, snapshot: nil, setup: setup)
    }

    /// The settings and the views. The settings forbid extensions from the network and temporary files in the current folder. A file that
    /// DuckDB cannot read has no view. That is not an error, because the statement might not use the file.
    var setup: [ServerDatabase.SetupStatement] {
        let views = files.map { file in
            let (view, path) = (file.view.quoted(by: "\""), Self.literal(file.path).quoted(by: "'"))
            return ServerDatabase.SetupStatement(
                text: "CREATE VIEW \(view) AS SELECT * FROM \(file.function)(\(path), hive_partitioning = false)", isOptional: true)
        }
        return settings.map { ServerDatabase.SetupStatement(text: $0) } + views
            + [ServerDatabase.SetupStatement(text: "SET lock_configuration = true")]
    }

    private var settings: [String] {
        [
            "SET autoinstall_known_extensions = false", "SET autoload_known_extensions = false", "SET temp_directory = ''",
            "SET threads = \(max(1, threads))", "SET memory_limit = '\(max(64 << 20, memory) / 1_000)kB'",
        ]
    }

    /// The error of a statement, without the “LINE” part, which quotes SQL that the user has not written. If the statement needs a file
    /// that DuckDB cannot read, this is the error of the file.
    func statementError(_ error: ServerError, _ failures: [ServerDatabase.SetupFailure] = []) -> ServerError {
        let message = Self.withoutPosition(error.message)
        for failure in failures {
            let view = files[failure.index - settings.count].view
            if message.lowercased().contains("name \(view.lowercased()) does not exist") { return setupError(failure) }
        }
        if message.contains("single SELECT statement") {
            return ServerError("Only one statement can be run on files, and it must be a query, such as SELECT.")
        }
        return Self.missingExtension(message).map { ServerError(Self.advice(withoutExtension: $0)) } ?? ServerError(message)
    }

    /// The extension that DuckDB advises to install, which the settings of the database forbid.
    private static func missingExtension(_ message: String) -> String? {
        guard message.contains("INSTALL ") else { return nil }
        let words = message.split(whereSeparator: \.isWhitespace)
        let place = words.firstIndex(of: "INSTALL") ?? words.endIndex
        return words.dropFirst(place + 1).first.map { String($0.prefix { $0 != ";" }) }
    }

    private static func advice(withoutExtension name: String) -> String {
        name == "httpfs"
            ? "A statement cannot read files from the web or from object storage. Download them first, as in curl -O URL, and write their "
                + "paths in the statement."
            : "The statement needs DuckDB's extension \(name), which gridview does not load. Run the statement with DuckDB, and open its "
                + "result."
    }

    /// The error of a setting, or of a file that DuckDB cannot read.
    func setupError(_ failure: ServerDatabase.SetupFailure) -> ServerError {
        let reason = Self.withoutPosition(failure.error.message)
        let index = failure.index - settings.count
        return ServerError(files.indices.contains(index) ? "DuckDB cannot read \(files[index].path). \(reason)" : reason)
    }

    private static func withoutPosition(_ message: String) -> String {
        guard let line = message.firstRange(of: "LINE ") else { return message }
        let text = String(message[..<line.lowerBound].trimmed)
        return text.last.map { ".!?".contains($0) } == true ? text : text + "."
    }

    /// The path in a form that DuckDB reads neither as a pattern nor as the URL of another system.
    private static func literal(_ path: String) -> String {
        let escaped = path.replacingScalar("[", with: "[[]")
        return escaped.hasPrefix("/") ? escaped : "./" + escaped
    }

    /// The view for a file with this name: the part before the first full stop.
    static func view(for name: String) -> String {
        let visible = name.drop { $0 == "." }
        let stem = visible.prefix { $0 != "." }
        return stem.isEmpty ? name : String(stem)
    }

    /// The function that reads a file with this name; `nil` if DuckDB cannot read its format without an extension.
    static func function(for name: String) -> String? {
        var parts = name.lowercased().split(separator: ".").dropFirst()
        let isCompressed = parts.last == "gz" || parts.last == "zst"
        if isCompressed { parts.removeLast() }
        return switch parts.last {
        case "csv", "tsv", "tab", "psv", "txt": "read_csv"
        case "json", "jsonl", "ndjson": "read_json"
        case "parquet" where !isCompressed: "read_parquet"
        default: nil
        }
    }
}
