import FieldValues
public import Tables

/// A column of a table on a server.
public struct ServerColumn: Hashable, Codable, Sendable {
    /// The order of the text values of a column.
    public enum Collation: Hashable, Codable, Sendable {
        /// By bytes, as gridview does: `C` in PostgreSQL, `BINARY` in SQLite.
        case bytes
        /// By the rules of a language. Only strings with the same bytes are equal.
        case named(String)
        /// By rules under which strings with different bytes can be equal, such as `NOCASE`.
        case nondeterministic(String)
    }

    /// The name, without quotes.
    public var name: String
    /// The declared type.
    public var type: ServerType
    /// True if values can be NULL.
    public var isNullable: Bool
    /// The sort order of text values.
    public var collation: Collation
    /// True if every value has the column's type. SQLite guarantees this only in `STRICT` tables.
    public var hasUniformType: Bool
    /// The mean size of a value in bytes; `nil` if unknown.
    public var meanBytes: Int?

    /// Creates a column.
    public init(
        _ name: String, type: ServerType, isNullable: Bool = true, collation: Collation = .bytes, hasUniformType: Bool = true,
        meanBytes: Int? = nil
    ) {
        (self.name, self.type, self.isNullable, self.collation) = (name, type, isNullable, collation)
        (self.hasUniformType, self.meanBytes) = (hasUniformType, meanBytes)
    }
}

/// A primary key or unique constraint.
public struct ServerKey: Hashable, Codable, Sendable {
    /// Indices into ``ServerTable/columns``, in the order of the key's index.
    public var columns: [Int]
    /// True for the primary key.
    public var isPrimary: Bool

    /// Creates a key.
    public init(columns: [Int], isPrimary: Bool = false) { (self.columns, self.isPrimary) = (columns, isPrimary) }
}

/// A sorted index, such as a B-tree.
public struct ServerIndex: Hashable, Codable, Sendable {
    /// A column of an index.
    public struct Column: Hashable, Codable, Sendable {
        /// The index into ``ServerTable/columns``; `nil` for an expression.
        public var column: Int?
        /// True for descending order.
        public var isDescending: Bool
        /// True if NULLs come first.
        public var nullsFirst: Bool

        /// Creates a column of an index.
        public init(_ column: Int?, isDescending: Bool = false, nullsFirst: Bool = false) {
            (self.column, self.isDescending, self.nullsFirst) = (column, isDescending, nullsFirst)
        }
    }

    /// The columns, most significant first.
    public var columns: [Column]
    /// True if the index contains only some rows (`CREATE INDEX … WHERE`).
    public var isPartial: Bool

    /// Creates an index.
    public init(_ columns: [Column], isPartial: Bool = false) { (self.columns, self.isPartial) = (columns, isPartial) }
}

/// A table on a server, as described by the server's catalog. The field with number `n` is the column at index `n`.
public struct ServerTable: Hashable, Codable, Sendable {
    /// The origin of the rows.
    public enum Source: Hashable, Codable, Sendable {
        /// A table or view, as a path of names such as schema and table.
        case table([String])
        /// A statement written by the user. It runs unchanged as a subquery. If `renamesColumns` is true, the names in ``columns`` replace
        /// the column names of the result, because some column names of the result are equal.
        case statement(String, renamesColumns: Bool = false)
    }

    /// The origin of the rows.
    public var source: Source
    /// The columns, in the order of the table.
    public var columns: [ServerColumn]
    /// The primary key and the unique constraints.
    public var keys: [ServerKey]
    /// The sorted indexes, including the indexes of keys.
    public var indexes: [ServerIndex]
    /// The estimated number of rows; `nil` if the table was never analyzed.
    public var estimatedRows: Double?
    /// The size of the table in disk blocks; `nil` if the engine does not report it.
    public var blockCount: Int64?
    /// True if each row has a physical address or row number: `ctid` in PostgreSQL, `rowid` in SQLite and DuckDB.
    public var hasRowIDs: Bool

    /// Creates a description.
    public init(
        _ source: Source, columns: [ServerColumn], keys: [ServerKey] = [], indexes: [ServerIndex] = [], estimatedRows: Double? = nil,
        blockCount: Int64? = nil, hasRowIDs: Bool = false
    ) {
        (self.source, self.columns, self.keys, self.indexes) = (source, columns, keys, indexes)
        (self.estimatedRows, self.blockCount, self.hasRowIDs) = (estimatedRows, blockCount, hasRowIDs)
    }

    /// The fields with the names and kinds of the columns.
    public var schema: Schema {
        Schema(
            columns.enumerated().map {
                Field(FieldID(rawValue: $0.offset), name: $0.element.name, kind: $0.element.type.kind, hasNulls: true)
            })
    }

    /// The key with the fewest columns, all of them sortable and `NOT NULL`. Among equally short keys, the primary key is chosen.
    package var shortestKey: ServerKey? {
        let usable = keys.filter { key in
            !key.columns.isEmpty
                && key.columns.allSatisfy { columns.indices.contains($0) && !columns[$0].isNullable && columns[$0].type.storage != .opaque }
        }
        return usable.min { ($0.columns.count, $0.isPrimary ? 0 : 1) < ($1.columns.count, $1.isPrimary ? 0 : 1) }
    }

    /// True if an index starts with this column.
    func hasIndex(startingWith column: Int) -> Bool {
        indexes.contains { !$0.isPartial && $0.columns.first?.column == column } || keys.contains { $0.columns.first == column }
    }
}
