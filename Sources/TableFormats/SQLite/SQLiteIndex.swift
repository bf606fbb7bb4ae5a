import Tables

/// An index whose first column is a given column of a table. If that column is an alias of the rowid, the rowid itself serves as the index.
struct SQLiteIndex {
    /// The table in SQL, with the alias `t`.
    private let table: String
    /// The column in SQL, with the collation of the index.
    private let column: String
    /// True if the column stores numbers as strings.
    private let hasTextAffinity: Bool
    /// True if strings are stored in UTF-8. Different strings in UTF-16 can be the same in UTF-8.
    private let isUTF8: Bool

    /// The collations of SQLite. Strings with equal bytes are equal in all collations.
    private static let collations: Set<String> = ["BINARY", "NOCASE", "RTRIM"]

    /// Finds an index. Returns `nil` if there is no such index, or if it does not contain all rows.
    init?(of column: SQLiteColumn, in definition: SQLiteTableDefinition, _ order: SQLiteOrder, _ connection: SQLiteConnection) throws {
        hasTextAffinity = column.hasTextAffinity
        var encoding = ""
        try connection.query("pragma main.encoding") { row in
            encoding = row.string(0)
            return false
        }
        isUTF8 = encoding == "UTF-8"
        let name = "t.\(SQLiteName.quoted(column.name))"
        var indexes: [String] = []
        var hasKeyIndex = false
        try connection.query("pragma main.index_list(\(SQLiteName.quoted(definition.name)))") { row in
            if row.string(3) == "pk" { hasKeyIndex = true }
            let isPartial = row.integer(4) != 0
            if !isPartial { indexes.append(row.string(1)) }
            return true
        }
        for index in indexes {
            var collation: String?
            try connection.query("pragma main.index_xinfo(\(SQLiteName.quoted(index)))") { row in
                // A negative number stands for an expression, which is not a column.
                guard row.integer(0) == 0 else { return true }
                if row.integer(1) >= 0, row.string(2) == column.name { collation = row.string(4) }
                return false
            }
            guard let collation, Self.collations.contains(collation.uppercased()) else { continue }
            table = "main.\(SQLiteName.quoted(definition.name)) as t indexed by \(SQLiteName.quoted(index))"
            self.column = "\(name) collate \(SQLiteName.quoted(collation))"
            return
        }
        guard column.keyPosition > 0, column.type.uppercased() == "INTEGER", !hasKeyIndex else { return nil }
        (table, self.column) = (order.table, name)
    }

    /// The rowids of rows whose value may be within one of `bounds`, in ascending order. All matching rows are included, and possibly other
    /// rows.
    /// - Returns: `nil` if there are more than `limit` rows, or if the index cannot find them, such as numbers in a text column.
    func rowIDs(within bounds: [ColumnBounds], _ order: SQLiteOrder, limit: Int, _ connection: SQLiteConnection) throws -> [Int64]? {
        var found: Set<Int64> = []
        var hasNumbers = false
        func find(_ condition: String, bind: (SQLiteRow) -> Void = { _ in }) throws {
            guard found.count <= limit else { return }
            try connection.query(
                "select \(order.selectedKeys) from \(table) where \(condition) limit ?3",
                bind: { statement in
                    bind(statement)
                    statement.bind(Int64(clamping: limit) &+ 1, at: 3)
                }
            ) { row in
                found.insert(row.integer(0))
                return true
            }
        }
        for bounds in bounds {
            switch bounds.values {
            case .doubles(let range):
                hasNumbers = true
                try find("\(column) >= ?1 and \(column) <= ?2") { statement in
                    statement.bind(range.lowerBound, at: 1)
                    statement.bind(range.upperBound, at: 2)
                }
            case .texts(let low, let high):
                guard isUTF8, low == high, Self.isOnlyText(low) else { return nil }
                try find("\(column) = ?1") { $0.bind(low, at: 1) }
            default: return nil
            }
        }
        if hasNumbers {
            guard !hasTextAffinity else { return nil }
            // Strings and blobs come after all numbers. They are included, because a string may be a number in a notation that SQLite does
            // not read.
            try find("\(column) >= ''")
        }
        return found.count <= limit ? found.sorted() : nil
    }

    /// True if every value that is shown as this string is stored as text. No number, blob or NULL is shown as the string, and SQLite would
    /// not convert the string to a number.
    private static func isOnlyText(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, first >= 0x80 || (first | 0x20) >= UInt8(ascii: "a") && (first | 0x20) <= UInt8(ascii: "z") else {
            return false
        }
        return Double(String(decoding: bytes, as: UTF8.self)) == nil
    }
}
