public import FieldValues

/// A table of texts in memory: small tables of programs, and the reference in tests.
public struct MemoryTable: Table {
    /// The records; `nil` is a field that the record does not have.
    public var rows: [[String?]]
    /// The number of columns: as many as the longest record has.
    public var columnCount: Int

    /// A table of these records. O(records).
    public init(_ rows: [[String?]]) {
        self.rows = rows
        columnCount = rows.map(\.count).max() ?? 0
    }

    /// A table of one column.
    public init(column: [String?]) { self.init(column.map { [$0] }) }

    /// The number of records.
    public var recordCount: Int { rows.count }

    /// Hands out copies of the fields, a record at a time. O(bytes).
    /// - Throws: ``MissingRecordsError`` when the table does not have all of the records.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard records.lowerBound >= 0, records.upperBound <= rows.count else { throw MissingRecordsError(count: rows.count) }
        for record in records {
            let row = rows[record]
            let texts = columns.map { row.indices.contains($0) ? row[$0] : nil }
            guard FieldBytes.withFields(of: texts, { body(record, $0) }) else { return }
        }
    }
}

/// A ``MemoryTable`` with titles, as an input that is complete from the beginning.
public final class MemorySource: TableSource {
    /// The name of the table.
    public let name: String
    private let titles: [String]
    private let table: MemoryTable

    /// A table with these titles and records.
    public init(name: String, titles: [String], rows: [[String?]]) {
        self.name = name
        self.titles = titles
        var table = MemoryTable(rows)
        table.columnCount = max(table.columnCount, titles.count)
        self.table = table
    }

    /// There is no file.
    public var path: String? { nil }
    /// Zero: there is no file.
    public var byteCount: Int { 0 }
    /// Zero: there is no file.
    public var indexedByteCount: Int { 0 }
    /// All records are there.
    public var isGrowing: Bool { false }
    /// The number of titles, or of the fields of the longest record.
    public var columnCount: Int { table.columnCount }
    /// Fields have the titles given.
    public var hasTitles: Bool { true }
    /// The title given; empty behind the last one.
    public func title(ofColumn column: Int) -> String { titles.indices.contains(column) ? titles[column] : "" }
    /// Judged by some records.
    public func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    /// Judged by some records.
    public func profiles(ofColumnsFrom known: Int) -> [ColumnProfile] { table.profiles(of: Array(known..<max(known, columnCount))) }
    /// All records.
    public func snapshot() -> MemoryTable { table }
    /// The last records.
    public func tail(atLeast count: Int) throws -> TailRecords {
        let first = max(0, table.recordCount - count)
        return TailRecords(
            records: try table.records(first..<table.recordCount, maximumFieldBytes: .max), firstByteOffset: 0, isSettled: true)
    }
    /// Returns at once.
    public func readAll(threads: Int, progress: @Sendable (ReadProgress) -> Bool) {}
}
