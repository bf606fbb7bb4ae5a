public import Tables
public import DelimitedText
public import FieldValues

/// The records of a delimited file, as far as they were indexed, as a table for jobs.
public struct DelimitedTable: Table {
    private let snapshot: RecordSnapshot
    /// As given: the columns of the header, or of the longest of the first records.
    public let columnCount: Int

    /// A table of the records in `snapshot`; records indexed later are not in it.
    public init(_ snapshot: RecordSnapshot, columnCount: Int) {
        self.snapshot = snapshot
        self.columnCount = columnCount
    }

    /// The records in the snapshot, the header not counted.
    public var recordCount: Int { snapshot.recordCount }

    /// That of the index, once it is complete.
    public var contentID: Int? { snapshot.isComplete ? snapshot.contentID : nil }

    /// Reads `records` from the file in blocks, and borrows their fields to `body` as it goes.
    /// - Throws: ``DelimitedTextError`` when the file cannot be read.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try snapshot.scan(records, columns: columns, body)
    }

    /// Searches the file's bytes, and reads only the records around what it finds.
    /// - Throws: ``DelimitedTextError`` when the file cannot be read.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while isWanted: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try snapshot.scan(records, columns: columns, holding: required, while: isWanted, body)
    }

    /// Reads `records` from the file in blocks, and borrows their fields to `body`, up to 1,024 records at a time.
    /// - Throws: ``DelimitedTextError`` when the file cannot be read.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        try snapshot.scanBatches(records, columns: columns, body)
    }
}
