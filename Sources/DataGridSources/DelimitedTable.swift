public import DataGrid
public import DelimitedText
public import FieldValues

/// The records of a delimited file, as far as they were indexed, as a table for jobs.
public struct DelimitedTable: RecordTable {
    private let snapshot: RecordSnapshot
    public let columnCount: Int

    public init(_ snapshot: RecordSnapshot, columnCount: Int) {
        self.snapshot = snapshot
        self.columnCount = columnCount
    }

    public var recordCount: Int { snapshot.recordCount }

    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try snapshot.scan(records, columns: columns, body)
    }
}
