import EngineClient
import EngineProtocol
import FieldValues
import SQLTables

/// A table in the list of the tables of a database.
struct CatalogEntry: Sendable {
    /// The names of the schema, if the engine has schemas, and of the table.
    var path: [String]
    /// The kind of the table, such as `table` or `view`.
    var kind: String
    /// The estimated number of rows, as text from the server; `nil` if it is unknown.
    var estimatedRowCount: String?
    /// The size in bytes, as text from the server; `nil` if it is unknown.
    var byteCount: String?
    var comment: String?
}

extension ServerDatabase {
    /// The tables and views that the user can see, except system tables and views.
    /// - Parameter isCancelled: polled about every 10 ms.
    func catalog(isCancelled: @escaping () -> Bool = { false }) throws -> [CatalogEntry] {
        let dialect = try dialect(isCancelled: isCancelled)
        switch dialect.family {
        case .postgreSQL:
            let found = try rows(
                SQLStatement(
                    text: """
                        SELECT n.nspname, c.relname, CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' \
                        WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'foreign table' END, \
                        \(Self.postgresRowCount), \
                        CASE WHEN c.relkind IN ('r', 'm') THEN CAST(pg_catalog.pg_total_relation_size(c.oid) AS text) END, \
                        pg_catalog.obj_description(c.oid, 'pg_class') \
                        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') \
                        AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT LIKE 'pg\\_temp%' AND NOT c.relispartition \
                        AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') ORDER BY 1, 2
                        """), isCancelled: isCancelled)
            return found.map { row in
                CatalogEntry(
                    path: [row.text(0), row.text(1)], kind: row.text(2), estimatedRowCount: row.optional(3), byteCount: row.optional(4),
                    comment: row.optional(5))
            }
        case .sqlite:
            return try sqliteCatalog(dialect, isCancelled)
        case .spark:
            let schemas = try rows(SQLStatement(text: "SHOW DATABASES"), isCancelled: isCancelled).map { $0.text(0) }
            var entries: [CatalogEntry] = []
            for schema in schemas {
                for row in try rows(dialect.tables(inSchema: Self.withoutQuotes(schema)), isCancelled: isCancelled) {
                    // A temporary view has no schema, so its path is only its name. The list of each schema contains all temporary views.
                    let path = row.text(0).isEmpty ? [row.text(1)] : [Self.withoutQuotes(row.text(0)), row.text(1)]
                    guard path.count > 1 || schema == schemas[0] else { continue }
                    let description = SparkTableDescription(row.text(3))
                    entries.append(
                        CatalogEntry(
                            path: path, kind: description.kind, estimatedRowCount: description.rowCount, byteCount: description.byteCount,
                            comment: description.comment))
                }
            }
            return entries
        case .duckDB, .ansi:
            let text =
                dialect.family == .duckDB
                ? """
                SELECT i.table_schema, i.table_name, lower(i.table_type), CAST(t.estimated_size AS text), i.table_comment, \
                CAST(t.column_count AS text) \
                FROM information_schema.tables AS i LEFT JOIN duckdb_tables() AS t ON t.database_name = i.table_catalog \
                AND t.schema_name = i.table_schema AND t.table_name = i.table_name \
                WHERE i.table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY 1, 2
                """
                : """
                SELECT table_schema, table_name, lower(table_type) FROM information_schema.tables \
                WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY 1, 2
                """
            let found = try rows(SQLStatement(text: text), isCancelled: isCancelled)
            var entries = found.map { row in
                CatalogEntry(
                    path: [row.text(0), row.text(1)], kind: row.text(2).replacing("base ", with: ""), estimatedRowCount: row.optional(3),
                    comment: row.optional(4))
            }
            if dialect.family == .duckDB {
                let columnCounts = found.map { $0.optional(5).flatMap { Double($0) } }
                try CatalogStatistics(self, dialect, isCancelled: isCancelled).addDuckDBSizes(to: &entries, columnCounts: columnCounts)
            }
            return entries
        }
    }

    /// The description of a table.
    /// - Parameters:
    ///   - path: the names of the schema, if the engine has schemas, and of the table.
    ///   - isCancelled: polled about every 10 ms.
    /// - Throws: ``ServerError`` if the table does not exist.
    func table(_ path: [String], isCancelled: () -> Bool = { false }) throws -> ServerTable {
        let dialect = try dialect(isCancelled: isCancelled)
        switch dialect.family {
        case .postgreSQL: return try postgresTable(path, dialect, isCancelled)
        case .sqlite: return try sqliteTable(path.last ?? "", dialect, isCancelled)
        case .spark:
            // Describe the rows as a statement, because the types in the catalog can differ from the types that the server sends.
            var description = try table(ofStatement: dialect.rows(ofTable: path).text, isCancelled: isCancelled)
            // If columns differ in name only by case, the statement stays the source, because it renames them.
            if case .statement(_, false) = description.source { description.source = .table(path) }
            return description
        case .duckDB, .ansi: return try standardTable(path, dialect, isCancelled)
        }
    }

    /// The description of the result of a statement. It has no key, so its rows have no definite order.
    func table(ofStatement text: String, isCancelled: () -> Bool = { false }) throws -> ServerTable {
        let dialect = try dialect(isCancelled: isCancelled)
        let columns = try withConnection(isCancelled: isCancelled) {
            try $0.describe(DescribeRequest(text), isCancelled: isCancelled).columns
        }
        guard !columns.isEmpty else { throw ServerError("The statement has no result. Write a select statement.") }
        // In PostgreSQL only, names that differ in case belong to different columns.
        let names = Self.distinct(columns.map(\.name), ignoringCase: dialect.family != .postgreSQL)
        let types = try typeNames(of: columns, ofStatement: text, dialect, isCancelled)
        return ServerTable(
            .statement(text, renamesColumns: names != columns.map(\.name)),
            columns: zip(names, types).map { name, type in
                ServerColumn(
                    name, type: ServerType(named: type, in: dialect),
                    collation: dialect.family == .spark ? .bytes : .nondeterministic(""),
                    hasUniformType: dialect.family != .sqlite)
            })
    }

    /// The names of the types of a result. DuckDB's driver describes JSON as text, so the names come from the database.
    private func typeNames(
        of columns: [ResultColumn], ofStatement text: String, _ dialect: SQLDialect, _ isCancelled: () -> Bool
    ) throws -> [String] {
        let names = columns.map(\.type.name)
        guard dialect.family == .duckDB, names.contains("utf8") else { return names }
        // Add a newline, because the statement may end with a comment.
        let statement = SQLStatement(text: "SELECT column_type FROM (DESCRIBE SELECT * FROM (\(text)\n) AS q)")
        let declared: [[SQLValue]]
        do {
            declared = try rows(statement, isCancelled: isCancelled)
        } catch is ServerError {
            return names
        }
        guard declared.count == names.count else { return names }
        return zip(names, declared).map { name, type in name == "utf8" && type == [.text("JSON")] ? "json" : name }
    }

    /// Adds numbers to repeated names: `id`, `id 2`.
    private static func distinct(_ names: [String], ignoringCase: Bool) -> [String] {
        func key(_ name: String) -> String { ignoringCase ? name.lowercased() : name }
        var taken = Set(names.map(key))
        var seen: Set<String> = []
        return names.map { name in
            if seen.insert(key(name)).inserted { return name }
            let new = (2...).lazy.map { "\(name) \($0)" }.first { taken.insert(key($0)).inserted }!
            seen.insert(key(new))
            return new
        }
    }

    private func missingTableError(_ path: [String]) -> ServerError {
        ServerError(
            "“\(path.joined(separator: "."))” does not exist in this database. Open the database without a table to list its tables."
                + (path.count > 1 ? " Names that contain dots need double quotes." : ""))
    }

    // MARK: PostgreSQL

    /// An expression for the estimated number of rows of a row of `pg_class c`, as text; NULL if it is unknown.
    ///
    /// The statistics count the rows and the blocks at their last update. The table may have more blocks now, so the rows per block are
    /// multiplied by the present number of blocks, as the planner of PostgreSQL does.
    private static let postgresRowCount = """
        CASE WHEN c.reltuples >= 0 AND c.relkind <> 'v' THEN CAST(CAST(CASE WHEN c.relpages > 0 AND c.relkind IN ('r', 'm') \
        THEN CAST(c.reltuples AS double precision) / c.relpages \
        * (pg_catalog.pg_relation_size(c.oid) / CAST(pg_catalog.current_setting('block_size') AS bigint)) \
        ELSE c.reltuples END AS bigint) AS text) END
        """

    private func postgresTable(_ path: [String], _ dialect: SQLDialect, _ isCancelled: () -> Bool) throws -> ServerTable {
        let name = path.map { $0.quoted(by: "\"") }.joined(separator: ".")
        let found = try rows(
            SQLStatement(
                text: """
                    SELECT CAST(c.oid AS text), n.nspname, c.relname, CAST(c.relkind AS text), \(Self.postgresRowCount), \
                    CASE WHEN c.relkind IN ('r', 'm') \
                    THEN CAST(pg_catalog.pg_relation_size(c.oid) / CAST(pg_catalog.current_setting('block_size') AS bigint) AS text) END, \
                    CAST(c.relhassubclass AS text) \
                    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                    WHERE c.oid = pg_catalog.to_regclass($1::text)
                    """, parameters: [SQLParameter(.text(name), type: "text")]), isCancelled: isCancelled)
        guard let table = found.first, "rpvmf".contains(table.text(3)) else { throw missingTableError(path) }
        let oid = SQLParameter(.text(table.text(0)), type: "oid")
        // A domain has its base type, which can be a domain again. A column of more than three nested domains is text.
        // PostgreSQL 14 does not have the column `datlocprovider` of `pg_database`, so the subquery `v` supplies a column with this name.
        // With ICU, the collation of the database is not `datcollate`. The built-in provider sorts texts by their bytes.
        let columns = try rows(
            SQLStatement(
                text: """
                    SELECT a.attname, pg_catalog.format_type(coalesce(t4.oid, t3.oid, t2.oid, a.atttypid), \
                    CASE WHEN t2.oid IS NULL THEN a.atttypmod WHEN t3.oid IS NULL THEN t.typtypmod \
                    WHEN t4.oid IS NULL THEN t2.typtypmod ELSE t3.typtypmod END), CAST(a.attnotnull AS text), \
                    CASE WHEN co.collname = 'default' THEN (SELECT CASE CAST(datlocprovider AS text) WHEN 'i' THEN 'icu' WHEN 'b' THEN 'C' \
                    ELSE d.datcollate END FROM pg_catalog.pg_database p WHERE p.oid = d.oid) \
                    ELSE coalesce(co.collcollate, co.collname) END, \
                    CAST(co.collisdeterministic AS text), CAST(a.attnum AS text) \
                    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
                    LEFT JOIN pg_catalog.pg_type t2 ON t2.oid = t.typbasetype \
                    LEFT JOIN pg_catalog.pg_type t3 ON t3.oid = t2.typbasetype \
                    LEFT JOIN pg_catalog.pg_type t4 ON t4.oid = t3.typbasetype \
                    JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database() \
                    CROSS JOIN (SELECT 'c' AS datlocprovider) AS v \
                    LEFT JOIN pg_catalog.pg_collation co ON co.oid = a.attcollation \
                    WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
                    """, parameters: [oid]), isCancelled: isCancelled)
        let indexes = try rows(
            SQLStatement(
                text: """
                    SELECT CAST(i.indisunique AND i.indimmediate AS text), CAST(i.indisprimary AS text), CAST(i.indpred IS NULL AS text), \
                    CAST(i.indkey AS text), CAST(i.indoption AS text), CAST(i.indnkeyatts AS text) \
                    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid \
                    JOIN pg_catalog.pg_am m ON m.oid = c.relam \
                    WHERE i.indrelid = $1::oid AND i.indisvalid AND m.amname = 'btree'
                    """, parameters: [oid]), isCancelled: isCancelled)
        let columnIndexes = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($0.element.text(5), $0.offset) })
        var description = ServerTable(
            .table([table.text(1), table.text(2)]),
            columns: columns.map { column in
                let collation: ServerColumn.Collation =
                    switch column.optional(3) {
                    case nil, "C", "POSIX", "C.UTF-8", "C.utf8": .bytes
                    case let name?: column.text(4) == "false" ? .nondeterministic(name) : .named(name)
                    }
                return ServerColumn(
                    column.text(0), type: ServerType(named: column.text(1), in: dialect), isNullable: column.text(2) != "true",
                    collation: collation)
            })
        for index in indexes {
            let count = Int(index.text(5)) ?? 0
            let keys = index.text(3).split(separator: " ").prefix(count).map { columnIndexes[String($0)] }
            let options = index.text(4).split(separator: " ").map { Int($0) ?? 0 } + [Int](repeating: 0, count: keys.count)
            let isPartial = index.text(2) != "true"
            description.indexes.append(
                ServerIndex(
                    zip(keys, options).map { ServerIndex.Column($0, isDescending: $1 & 1 != 0, nullsFirst: $1 & 2 != 0) },
                    isPartial: isPartial))
            let keyColumns = keys.compactMap { $0 }
            if index.text(0) == "true", !isPartial, keyColumns.count == keys.count {
                description.keys.append(ServerKey(columns: keyColumns, isPrimary: index.text(1) == "true"))
            }
        }
        if let rows = Double(table.text(4)), rows >= 0 { description.estimatedRows = rows }
        description.blockCount = Int64(table.text(5))
        // With child tables, rows of different tables can have equal addresses and equal keys.
        let hasChildren = table.text(6) == "true" && table.text(3) == "r"
        // Ignore the keys and the estimates. The estimates count only the rows of the parent table.
        if hasChildren { (description.keys, description.blockCount, description.estimatedRows) = ([], nil, nil) }
        description.hasRowIDs = !hasChildren && (table.text(3) == "r" || table.text(3) == "m")
        return description
    }

    /// A statement with the columns of a table of PostgreSQL that the role may read, at most ``listedColumns``. `nil` if it may read none,
    /// and in other databases.
    func readableColumns(of table: ServerTable, isCancelled: () -> Bool) throws -> String? {
        guard case .table(let path) = table.source, try dialect(isCancelled: isCancelled).family == .postgreSQL else { return nil }
        let name = path.map { $0.quoted(by: "\"") }.joined(separator: ".")
        let text = """
            SELECT a.attname FROM pg_catalog.pg_attribute a WHERE a.attrelid = pg_catalog.to_regclass($1::text) AND a.attnum > 0 \
            AND NOT a.attisdropped AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT') ORDER BY a.attnum
            """
        let found = try rows(SQLStatement(text: text, parameters: [SQLParameter(.text(name), type: "text")]), isCancelled: isCancelled)
        guard !found.isEmpty else { return nil }
        return "select \(found.prefix(Self.listedColumns).map { $0.text(0).quoted(by: "\"") }.joined(separator: ", ")) from \(name)"
    }

    /// The maximum number of columns in the advice about a table that the role may not read completely.
    private static let listedColumns = 20

    // MARK: SQLite

    /// The tables and views in the order in which a file of SQLite lists them, without the internal tables of virtual tables.
    private func sqliteCatalog(_ dialect: SQLDialect, _ isCancelled: @escaping () -> Bool) throws -> [CatalogEntry] {
        let isListed = "s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        var found: [[SQLValue]]
        do {
            // Row numbers have three names. Skip the names that a column of the table has.
            found = try rows(
                SQLStatement(
                    text: """
                        SELECT s.name, CASE WHEN l.type = 'virtual' THEN l.type ELSE s.type END, CASE WHEN l.type = 'table' AND l.wr = 0 \
                        THEN (SELECT r.name FROM (SELECT 'rowid' AS name UNION ALL SELECT '_rowid_' UNION ALL SELECT 'oid') AS r \
                        WHERE r.name NOT IN (SELECT lower(name) FROM pragma_table_xinfo(s.name)) LIMIT 1) END \
                        FROM sqlite_schema AS s JOIN pragma_table_list AS l ON l.schema = 'main' AND l.name = s.name \
                        WHERE \(isListed) AND l.type <> 'shadow' ORDER BY s.rowid
                        """), isCancelled: isCancelled)
        } catch is ServerError {
            // List the tables without types if a damaged table makes the first list fail. The error is shown when that table is opened.
            found = try rows(
                SQLStatement(text: "SELECT s.name, s.type, NULL FROM sqlite_schema AS s WHERE \(isListed) ORDER BY s.rowid"),
                isCancelled: isCancelled)
        }
        var entries = found.map { CatalogEntry(path: [$0.text(0)], kind: $0.text(1)) }
        let rowIDs = Dictionary(found.compactMap { row in row.optional(2).map { (row.text(0), $0) } }) { first, _ in first }
        try CatalogStatistics(self, dialect, isCancelled: isCancelled).addSQLite(to: &entries, rowIDs: rowIDs)
        return entries
    }

    private func sqliteTable(_ name: String, _ dialect: SQLDialect, _ isCancelled: () -> Bool) throws -> ServerTable {
        let parameters = [SQLParameter(.text(name), type: "TEXT")]
        func rows(_ text: String, _ parameters: [SQLParameter]) throws -> [[SQLValue]] {
            try self.rows(SQLStatement(text: text, parameters: parameters), isCancelled: isCancelled)
        }
        let columns = try rows("SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?1) WHERE hidden <> 1", parameters)
        guard !columns.isEmpty else { throw missingTableError([name]) }
        let kind = try rows("SELECT type, sql FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')", parameters)
            .first
        let isTable = kind?.text(0) == "table"
        let sql = (kind?.text(1) ?? "").uppercased()
        let isVirtual = sql.hasPrefix("CREATE VIRTUAL")
        // The words `WITHOUT ROWID` and `STRICT` after the last parenthesis are only hints. A wrong hint changes how the table is read, not
        // its rows.
        let options = sql.lastIndex(of: ")").map { sql[$0...] } ?? ""
        let hasRowID = isTable && !isVirtual && !options.contains("WITHOUT ROWID")
        let primary = columns.enumerated().filter { $0.element.text(3) != "0" }
        let keyIsRowID = hasRowID && primary.count == 1 && primary[0].element.text(1).uppercased() == "INTEGER"
        let names = Dictionary(columns.enumerated().map { ($0.element.text(0), $0.offset) }) { first, _ in first }

        var collations: [Int: String] = [:]
        var indexes: [ServerIndex] = []
        var keys: [ServerKey] = []
        for index in try rows("SELECT name, \"unique\", partial FROM pragma_index_list(?1)", parameters) {
            let indexColumns = try rows(
                "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?1) WHERE key = 1 ORDER BY seqno",
                [SQLParameter(.text(index.text(0)), type: "TEXT")])
            let columnIndexes = indexColumns.map { $0.optional(0).flatMap { names[$0] } }
            let isPartial = index.text(2) != "0"
            for case (let index?, let column) in zip(columnIndexes, indexColumns) { collations[index] = column.text(2) }
            let comparesBytes = indexColumns.allSatisfy { $0.text(2) == "BINARY" }
            guard comparesBytes else { continue }
            indexes.append(
                ServerIndex(
                    zip(columnIndexes, indexColumns).map { ServerIndex.Column($0, isDescending: $1.text(1) != "0") }, isPartial: isPartial))
            let keyColumns = columnIndexes.compactMap { $0 }
            if index.text(1) != "0", !isPartial, keyColumns.count == columnIndexes.count { keys.append(ServerKey(columns: keyColumns)) }
        }
        if keyIsRowID { keys.append(ServerKey(columns: [primary[0].offset], isPrimary: true)) }
        let isStrict = options.contains("STRICT")
        // A column of text can also contain blobs, which are sorted and compared by their hexadecimal digits. An index finds them at once.
        // Without blobs, it also sorts and compares the texts. Without the word `COLLATE`, all columns compare bytes.
        var textColumns: Set<Int> = []
        for (index, column) in columns.enumerated() where isTable && !isVirtual && !isStrict && !sql.contains("COLLATE") {
            let hasIndex = indexes.contains { !$0.isPartial && $0.columns.first?.column == index }
            guard hasIndex, ServerType(named: column.text(1), in: dialect).storage == .text else { continue }
            do {
                let blobs = try self.rows(dialect.firstBlob(inColumn: column.text(0), ofTable: name), isCancelled: isCancelled)
                if blobs.isEmpty { textColumns.insert(index) }
            } catch is ServerError {
                // The rows can be read without the index, which may be damaged.
            }
        }
        return ServerTable(
            .table([name]),
            columns: columns.enumerated().map { index, column in
                let isKey = keyIsRowID && index == primary[0].offset || !hasRowID && isTable && column.text(3) != "0"
                let collation = collations[index]
                return ServerColumn(
                    column.text(0), type: ServerType(named: column.text(1), in: dialect), isNullable: column.text(2) == "0" && !isKey,
                    collation: collation == "BINARY" ? .bytes : .nondeterministic(collation ?? ""),
                    hasUniformType: keyIsRowID && index == primary[0].offset || textColumns.contains(index)
                        || isStrict && column.text(1).uppercased() != "ANY")
            }, keys: keys, indexes: indexes, hasRowIDs: hasRowID)
    }

    // MARK: Spark

    /// The name of a schema, without the backticks in which Sail lists names that are not identifiers.
    private static func withoutQuotes(_ name: String) -> String {
        // Compare scalars, because a backtick and a combining mark after it are one character.
        let scalars = name.unicodeScalars
        guard scalars.count > 1, scalars.first == "`", scalars.last == "`" else { return name }
        let quoted = String.UnicodeScalarView(scalars.dropFirst().dropLast())
        return String(quoted.replacing("``".unicodeScalars, with: "`".unicodeScalars))
    }

    // MARK: Other engines

    private func standardTable(_ path: [String], _ dialect: SQLDialect, _ isCancelled: () -> Bool) throws -> ServerTable {
        // DuckDB ignores case in names. A name without a schema belongs to the schema `main`, if it has the table.
        let isDuckDB = dialect.family == .duckDB
        func condition(_ column: String) -> String {
            isDuckDB ? "lower(\(column)) = lower(CAST(? AS varchar))" : "\(column) = CAST(? AS varchar)"
        }
        var text = """
            SELECT column_name, data_type, is_nullable, table_schema, table_name FROM information_schema.columns \
            WHERE \(condition("table_name"))
            """
        var parameters = [SQLParameter(.text(path.last ?? ""), type: "varchar")]
        if path.count > 1 {
            text += " AND \(condition("table_schema"))"
            parameters.append(SQLParameter(.text(path[path.count - 2]), type: "varchar"))
        }
        if isDuckDB, path.count > 2 {
            text += " AND \(condition("table_catalog"))"
            parameters.append(SQLParameter(.text(path[path.count - 3]), type: "varchar"))
        } else if isDuckDB {
            text += " AND table_catalog = current_database()"
        }
        text += " ORDER BY \(isDuckDB ? "table_schema <> current_schema(), " : "")table_schema, ordinal_position"
        let found = try rows(SQLStatement(text: text, parameters: parameters), isCancelled: isCancelled)
        guard let first = found.first else { throw missingTableError(path) }
        let isTable = try isDuckDB && isDuckDBTable(path.dropLast(2) + [first.text(3), first.text(4)], isCancelled)
        return ServerTable(
            .table(path.dropLast(2) + [first.text(3), first.text(4)]),
            columns: found.filter { $0.text(3) == first.text(3) }.map { column in
                ServerColumn(
                    column.text(0), type: ServerType(named: column.text(1), in: dialect), isNullable: column.text(2) != "NO")
            }, hasRowIDs: isTable)
    }

    /// True for a table of DuckDB that stores its rows; false for a view.
    /// - Parameter path: the schema and the name; the database precedes them if it is not the current one.
    private func isDuckDBTable(_ path: [String], _ isCancelled: () -> Bool) throws -> Bool {
        let database = path.count > 2 ? "lower(database_name) = lower($3::text)" : "database_name = current_database()"
        let text = "SELECT count(*) FROM duckdb_tables() WHERE \(database) AND schema_name = $1::text AND table_name = $2::text"
        let parameters = (path.suffix(2) + path.dropLast(2)).map { SQLParameter(.text($0), type: "text") }
        return try fetchNumber(SQLStatement(text: text, parameters: parameters), isCancelled: isCancelled) > 0
    }
}

extension [SQLValue] {
    /// The text of a cell; empty for NULL.
    func text(_ index: Int) -> String { optional(index) ?? "" }

    /// The text of a cell; `nil` for NULL.
    func optional(_ index: Int) -> String? {
        guard index < count else { return nil }
        switch self[index] {
        case .null, .bytes: return nil
        case .text(let text): return text
        case .invalidText(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .integer(let number): return String(number)
        case .double(let number): return "\(number)"
        }
    }
}
