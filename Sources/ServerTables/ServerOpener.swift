import EngineClient
import FieldValues
import SQLTables
public import Tables

/// Opens connection URLs as tables, and passes all other paths to another opener.
public struct ServerOpener<Files: TableOpener>: TableOpener {
    /// The opener of paths that are not connection URLs.
    public let files: Files
    private let databases: OpenDatabases
    private let helperPath: String?
    /// The SQL statement whose result is shown instead of a table; `nil` to show a table.
    public var statement: String?
    /// The files that the statement reads; `nil` if it runs on a server.
    public var queriedFiles: [String]?
    /// The number of threads and of bytes of memory that a statement on files may use.
    public var queryResources = (threads: 2, memory: 1 << 30)
    /// The path to open for the result of ``statement`` on ``queriedFiles``.
    public static var queryPath: String { "query" }
    /// The table to open, if the connection URL does not name one.
    public var table: String?
    /// True to take a snapshot when a table is opened, so that its rows do not change.
    public var takesSnapshots = false

    /// Creates an opener.
    /// - Parameters:
    ///   - files: the opener of paths that are not connection URLs.
    ///   - helperPath: the path of the helper program; `nil` for the helper next to the program.
    public init(files: Files, helperPath: String? = nil) {
        (self.files, self.helperPath) = (files, helperPath)
        databases = OpenDatabases()
    }

    /// A copy of this opener with the same open databases, but another opener of files.
    private func with<Other: TableOpener>(files: Other) -> any TableOpener {
        var opener = ServerOpener<Other>(files: files, helperPath: helperPath, databases)
        (opener.statement, opener.table, opener.takesSnapshots) = (statement, table, takesSnapshots)
        (opener.queriedFiles, opener.queryResources) = (queriedFiles, queryResources)
        return opener
    }

    private init(files: Files, helperPath: String?, _ databases: OpenDatabases) {
        (self.files, self.helperPath, self.databases) = (files, helperPath, databases)
    }

    /// The connection URL without its secrets, which this opener keeps. Other paths are returned unchanged.
    ///
    /// Only this text is shown, saved or passed on; ``open(path:)`` finds the secrets again.
    public func publicPath(_ path: String) -> String {
        guard ServerPath.isServer(path), let target = try? ConnectionTarget(parsing: path) else { return path }
        return databases.database(withOptionsOf: target, helperPath: helperPath).id.path(of: target)
    }

    /// Opens a table, the result of ``statement``, or the list of tables of a server.
    /// - Throws: ``ServerError``, `PasswordNeeded`, and the errors of ``files``.
    public func open(path: String) throws -> any TableSource { try open(path: path) { false } }

    /// Opens a table, the result of ``statement``, or the list of tables of a server, unless `isCancelled` becomes true.
    /// - Throws: ``ServerError``, `PasswordNeeded`, and the errors of ``files``.
    public func open(path: String, isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource {
        if path == Self.queryPath, let queriedFiles, let statement {
            let resources = queryResources
            let known = try QueriedFiles(queriedFiles, threads: resources.threads, memory: resources.memory)
            let scratch = try files.makeScratchFile()
            let text = try Self.query(statement, in: .duckDB)
            return try FileQuerySource(text, on: known, in: scratch, helperPath: helperPath, isCancelled: isCancelled)
        }
        guard ServerPath.isServer(path) else {
            let path = ForeignURL.localPath(path)
            if let advice = ForeignURL.advice(for: path) { throw ServerError(advice) }
            return try files.open(path: path, isCancelled: isCancelled)
        }
        var target: ConnectionTarget
        do throws(ConnectionTarget.ParseError) {
            target = try ConnectionTarget(parsing: path)
            if target.table.isEmpty, let table {
                target.table = target.driver == "sqlite" ? [table] : try ConnectionTarget.tablePath(table)
            }
        } catch {
            throw ServerError(error.message)
        }
        let (id, database) = databases.database(of: target, helperPath: helperPath)
        if let statement {
            guard target.table.isEmpty else {
                throw ServerError("--sql and a table cannot be combined. Remove the table from the connection URL.")
            }
            let dialect = try database.dialect(isCancelled: isCancelled)
            let text = try Self.query(statement, in: dialect)
            let reading = takesSnapshots ? try database.snapshotDatabase(isCancelled: isCancelled) : database
            let table = try reading.table(ofStatement: text, isCancelled: isCancelled)
            return try ServerTableSource("query", table, in: reading, isCancelled: isCancelled)
        }
        if !target.table.isEmpty {
            let reading = takesSnapshots ? try database.snapshotDatabase(isCancelled: isCancelled) : database
            let table = try reading.table(target.table, isCancelled: isCancelled)
            do {
                return try ServerTableSource(target.table.joined(separator: "."), table, in: reading, isCancelled: isCancelled)
            } catch let error as ServerError where error.isAccessDenied {
                guard let statement = try? reading.readableColumns(of: table, isCancelled: isCancelled) else { throw error }
                throw ServerError(
                    "\(error.message) To show the columns that you may read, open the database without a table, with "
                        + "--sql \(ShellWord.quoted(statement)).")
            }
        }
        let entries = try database.catalog(isCancelled: isCancelled)
        if entries.isEmpty {
            throw ServerError("The database has no tables that you may see. To show the result of a query, use --sql.")
        }
        return CatalogSource(entries, of: target, in: id)
    }

    /// The text of a statement without the comments around it. Throws a ``ServerError`` if the statement is not a query.
    private static func query(_ text: String, in dialect: SQLDialect) throws -> String {
        let statement = UserStatement(text, in: dialect.family)
        if let refusal = statement.refusal(in: dialect) { throw ServerError(refusal) }
        return statement.text
    }

    /// The current step of opening a path, in words: connecting to the server or, once connected, opening the table.
    public func activity(opening path: String) -> String? {
        if path == Self.queryPath, queriedFiles != nil, statement != nil { return "running the statement" }
        guard let target = try? ConnectionTarget(parsing: path) else { return files.activity(opening: path) }
        let isNew = !databases.database(of: target, helperPath: helperPath).database.isConnected
        if isNew, target.driver != "sqlite" { return "connecting to \(target.place)" }
        return "opening \(ServerPath.name(of: path))"
    }

    // MARK: Files

    /// Creates a temporary file with ``files``.
    public func makeScratchFile() throws -> any ScratchFile { try files.makeScratchFile() }
    /// The reading settings of ``files``.
    public var settings: ReadingSettings { files.settings }
    /// A copy of this opener, in which ``files`` has other reading settings.
    public func with(_ settings: ReadingSettings) throws -> (any TableOpener)? {
        try files.with(settings).map { with(files: $0) }
    }
    /// Reopens a file with the current settings of ``files``; `nil` for a table on a server, which has no such settings.
    public func reopen(_ input: any TableSource) throws -> (any TableSource)? { try files.reopen(input) }
    /// Opens a copy of the first bytes of an open file with ``files``; `nil` for tables on servers.
    public func sample(of input: any TableSource) throws -> (any TableSource)? { try files.sample(of: input) }
    /// The formats that ``files`` can write.
    public var writableFormats: [any WritableFormat] { files.writableFormats }
    /// The compression methods that ``files`` can write.
    public var writableCompressions: [any WritableCompression] { files.writableCompressions }
}
