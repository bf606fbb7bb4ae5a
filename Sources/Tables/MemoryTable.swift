public import FieldValues

/// A table of strings in memory. It is used for small tables, and as the reference that tests compare other tables with.
public struct MemoryTable: Table {
    /// The records; `nil` is a missing field.
    public var rows: [[String?]]
    /// The number of columns, equal to the number of fields of the longest record.
    public var columnCount: Int

    /// Creates a table from records. O(records).
    public init(_ rows: [[String?]]) {
        self.rows = rows
        columnCount = rows.map(\.count).max() ?? 0
    }

    /// Creates a table of one column.
    public init(column: [String?]) { self.init(column.map { [$0] }) }

    /// The number of records.
    public var recordCount: Int { rows.count }

    /// Passes copies of the fields, one record at a time. O(bytes).
    /// - Throws: ``MissingRecordsError`` if the range is out of bounds.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard records.lowerBound >= 0, records.upperBound <= rows.count else { throw MissingRecordsError(count: rows.count) }
        var buffer = FieldBuffer()
        for record in records {
            let row = rows[record]
            for column in columns { buffer.append(row.indices.contains(column) ? row[column] : nil) }
            guard buffer.withFields({ body(record, $0) }) else { return }
        }
    }
}

/// A source with a ``MemoryTable`` and column titles. It is always complete.
public final class MemorySource: TableSource {
    /// The name of the table.
    public let name: String
    private let titles: [String]
    private let table: MemoryTable

    /// Creates a source from titles and records.
    public init(name: String, titles: [String], rows: [[String?]]) {
        self.name = name
        self.titles = titles
        var table = MemoryTable(rows)
        table.columnCount = max(table.columnCount, titles.count)
        self.table = table
    }

    /// Always `nil`, because the table is not in a file.
    public var path: String? { nil }
    /// Always 0, because there is no file.
    public var byteCount: Int { 0 }
    /// Always 0, because there is nothing to index.
    public var indexedByteCount: Int { 0 }
    /// Always `false`: no records are added.
    public var isGrowing: Bool { false }
    /// The number of titles or the length of the longest record, whichever is greater.
    public var columnCount: Int { table.columnCount }
    /// Always `true`.
    public var hasColumnNames: Bool { true }
    /// The title of a column; empty if the column has no title.
    public func title(ofColumn column: Int) -> String { titles.indices.contains(column) ? titles[column] : "" }
    /// The profiles of all columns, from a sample.
    public func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    /// The profiles of the columns with the index `first` or greater, from a sample.
    public func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        table.profiles(of: Array(first..<max(first, columnCount))) { title(ofColumn: $0) }
    }
    /// Returns the table itself, which never changes.
    public func snapshot() -> MemoryTable { table }
    /// The last `count` records.
    public func tail(atLeast count: Int) throws -> TailRecords {
        let first = max(0, table.recordCount - count)
        return TailRecords(
            records: try table.records(first..<table.recordCount, maximumFieldBytes: .max), firstByteOffset: 0, isSettled: true)
    }
    /// Does nothing, because all records are in memory.
    public func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) {}
}
