/// The order of the rows of a table: by rowid, or by primary key in a `WITHOUT ROWID` table. Rows are found by key, because SQLite has no
/// row numbers.
struct SQLiteOrder: Sendable {
    /// The table in SQL, with the alias `t`.
    let table: String
    /// The columns of the key in SQL.
    private var keys: [String]
    /// The columns of the key in SQL without collations, to select their values in a query.
    let selectedKeys: String
    /// True if the key is one integer.
    let isRowID: Bool

    /// The number of columns of the key.
    var keyCount: Int { keys.count }

    /// The columns of the key as SQL for `order by`.
    func keyList(isDescending: Bool = false) -> String { keys.map { $0 + (isDescending ? " desc" : "") }.joined(separator: ", ") }

    /// An SQL condition that compares the key with parameters.
    /// - Parameter first: the number of the first parameter.
    func condition(_ comparison: String, first: Int) -> String {
        let parameters = (first..<first + keys.count).map { "?\($0)" }.joined(separator: ", ")
        return keys.count == 1 ? "\(keys[0]) \(comparison) \(parameters)" : "(\(keyList())) \(comparison) (\(parameters))"
    }

    /// The key in the result columns of a row, from `column` onward.
    func key(in row: SQLiteRow, at column: Int) throws -> SQLiteKey {
        isRowID ? .number(row.integer(column)) : .values(try SQLiteValues(row, column..<column + keys.count))
    }

    /// The order of a table. Returns `nil` if its rows cannot be read in key order without sorting, as in a view.
    /// - Throws: ``SQLiteFailure`` if the table cannot be read.
    init?(_ definition: SQLiteTableDefinition, _ columns: [SQLiteColumn], _ connection: SQLiteConnection) throws {
        guard definition.kind == .table else { return nil }
        let source = "main.\(SQLiteName.quoted(definition.name)) as t"
        let names = Set(columns.map { $0.name.lowercased() })
        let key = columns.filter { $0.keyPosition > 0 }
        // The rowid has three names. A column with one of these names hides the rowid under that name. An INTEGER PRIMARY KEY is also the
        // rowid.
        let alias = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }.map { "t.\($0)" }
        let integer = key.count == 1 && key[0].type.uppercased() == "INTEGER" ? "t.\(SQLiteName.quoted(key[0].name))" : nil
        // Reading in rowid order needs no index. In any other order, rows would have to be sorted.
        if let rowID = alias ?? integer,
            Self.findsRowsByKey("select 1 from \(source) not indexed where \(rowID) >= 1 order by \(rowID)", connection)
        {
            (table, keys, selectedKeys, isRowID) = ("\(source) not indexed", [rowID], rowID, true)
            return
        }
        var parts: [(name: String, collation: String, isDescending: Bool)] = []
        var index: String?
        try connection.query("pragma main.index_list(\(SQLiteName.quoted(definition.name)))") { row in
            if row.string(3) == "pk" { index = row.string(1) }
            return true
        }
        guard let index else { return nil }
        try connection.query("pragma main.index_xinfo(\(SQLiteName.quoted(index)))") { row in
            if row.integer(5) == 1 { parts.append((row.string(2), row.string(4), row.integer(3) == 1)) }
            return true
        }
        guard !parts.isEmpty, !parts.contains(where: \.isDescending) else { return nil }
        selectedKeys = parts.map { "t.\(SQLiteName.quoted($0.name))" }.joined(separator: ", ")
        (table, isRowID) = (source, false)
        // SQLite does not use the index for row comparisons with explicit collations, so explicit collations are only a fallback. They are
        // needed if the collations of the key and its columns differ.
        keys = parts.map { "t.\(SQLiteName.quoted($0.name))" }
        if findsRowsByKey(connection) { return }
        keys = parts.map { "t.\(SQLiteName.quoted($0.name)) collate \(SQLiteName.quoted($0.collation))" }
        guard findsRowsByKey(connection) else { return nil }
    }

    /// True if rows can be found by key and read in order.
    private func findsRowsByKey(_ connection: SQLiteConnection) -> Bool {
        Self.findsRowsByKey("select 1 from \(table) where \(condition(">=", first: 1)) order by \(keyList())", connection)
    }

    /// True if the query plan of a statement finds rows by key and reads them in order.
    private static func findsRowsByKey(_ sql: String, _ connection: SQLiteConnection) -> Bool {
        var (isSearch, isSorted) = (false, true)
        do {
            try connection.query("explain query plan \(sql)") { row in
                let detail = row.string(3)
                if detail.hasPrefix("SEARCH") { isSearch = true }
                if detail.contains("TEMP B-TREE") { isSorted = false }
                return true
            }
        } catch {
            return false
        }
        return isSearch && isSorted
    }
}

/// The key of a row.
enum SQLiteKey: Sendable {
    case number(Int64)
    case values(SQLiteValues)

    /// Binds the key to parameters of a statement.
    func bind(_ row: SQLiteRow, first: Int) {
        switch self {
        case .number(let number): row.bind(number, at: first)
        case .values(let values): values.bind(row, first: first)
        }
    }

    /// The number of bytes in memory.
    var byteCount: Int {
        switch self {
        case .number: 16
        case .values(let values): values.byteCount
        }
    }
}

/// Copies of some values of a row. Sendable because the values never change.
final class SQLiteValues: @unchecked Sendable {
    private let library: SQLiteLibrary
    private var values: [OpaquePointer] = []
    private(set) var byteCount = 64

    /// Copies some columns of a row.
    init(_ row: SQLiteRow, _ columns: Range<Int>) throws {
        library = row.library
        for column in columns {
            guard let copy = library.copyValue(library.columnValue(row.statement, Int32(column))) else {
                throw SQLiteFailure(code: SQLiteFailure.noMemory, message: "out of memory")
            }
            values.append(copy)
            byteCount += 64 + Int(library.valueBytes(copy))
        }
    }

    deinit { for value in values { library.freeValue(value) } }

    func bind(_ row: SQLiteRow, first: Int) {
        for (index, value) in values.enumerated() { _ = library.bindValue(row.statement, Int32(first + index), value) }
    }
}
