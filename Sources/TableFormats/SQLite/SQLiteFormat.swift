import DelimitedText
import FieldValues
import Tables

/// SQLite databases, read through libsqlite3.
struct SQLiteFormat: BinaryFormat {
    /// Loads the library; returns `nil` if it is missing. It is called only for databases, because loading takes time.
    var library: @Sendable () -> SQLiteLibrary? = { SQLiteLibrary.system }

    var name: String { "sqlite" }

    /// An empty file is a database without tables.
    func matches(_ head: [UInt8]) -> Bool { head.isEmpty || head.starts(with: SQLiteHeader.magic) }

    func open(_ file: BinaryFile, by opener: FileOpener) throws -> (any TableSource)? {
        let suffixes = [".db", ".db3", ".sqlite", ".sqlite3"]
        if file.count == 0, opener.format != name, !suffixes.contains(where: file.name.lowercased().hasSuffix) { return nil }
        // SQLite opens files by path only.
        guard let path = file.path, !file.isCopy else {
            let subject = file.path == nil ? "The input" : file.name
            throw FormatError("\(subject) contains an SQLite database. Unpack it to a file first, and open that file.")
        }
        guard let library = library() else { throw FormatError("Cannot open \(file.name): libsqlite3 is missing. Install libsqlite3-0.") }
        let database = try SQLiteDatabase(file, path: path, library)
        let tables = try database.tables()
        if tables.isEmpty, opener.table == nil { throw FormatError("\(file.name) is an SQLite database without tables.") }
        guard let index = try TableChoice.index(of: opener.table, among: tables.map(\.name), file: file.name) else {
            return ContainerSource(file, try database.catalog(of: tables), details: database.header.details, problems: database.problems)
        }
        let definition = tables[index]
        let (columns, order) = try database.use { connection in
            let columns = try database.columns(of: definition, connection)
            return (columns, try SQLiteOrder(definition, columns, connection))
        }
        guard let order else { return try SQLiteViewSource(database, definition, columns) }
        return try SQLiteSource(database, definition, columns, order)
    }

    /// The kind and the definition of a table, for the file details.
    static func details(_ definition: SQLiteTableDefinition) -> [(name: String, value: String)] {
        let sql = definition.sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let limit = 300
        let shortened: String = sql.count > limit ? sql.prefix(limit) + "…" : sql
        return [("table", definition.name), ("kind", definition.kind.rawValue), ("definition", shortened)]
    }
}
