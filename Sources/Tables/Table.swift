public import FieldValues

/// An immutable table whose fields can be read in bulk by several threads at once.
///
/// This is what jobs read (sort, group, find): a file of records, or rows in memory. It is a snapshot: it never changes, so a job
/// that runs for seconds sees one table, whatever arrives meanwhile. Records are numbered from 0, the header not counted.
public protocol Table: Sendable {
    /// The number of records.
    var recordCount: Int { get }
    /// The number of columns: as many as the header and the longest record known have.
    var columnCount: Int { get }

    /// Names the content: two tables of one source with the same number hold the same. `nil` when that cannot be told; then nothing that
    /// was computed of the table is kept.
    var contentID: Int? { get }

    /// Calls `body` for every record of `records` in ascending order, with the fields of `columns` in the order asked for.
    ///
    /// The fields are borrowed: they are gone when `body` returns. Safe to call from several threads at once, each with its own range;
    /// best with ranges of 10,000 records and more. Stops early when `body` answers `false`.
    /// - Complexity: O(bytes of the records in `records`), plus one look-up in the index.
    /// - Throws: when the records cannot be read (the file was truncated, the disk failed).
    func scan(
        _ records: Range<Int>, columns: [Int],
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws

    /// As ``scan(_:columns:_:)``, but records of which no field holds `required` may be left out; those that hold it never are.
    ///
    /// A table that can rule out records without taking them apart does it here: this is how what is rare is found fast.
    /// - Parameters:
    ///   - records: the records to look at.
    ///   - columns: the columns whose fields are handed out, in this order.
    ///   - required: bytes of the fields as UTF-8.
    ///   - isWanted: asked now and then, also while no record is handed out; the scan ends early when it answers `false`.
    ///   - body: called with each record; the fields are gone when it returns. `false` ends the scan. Where the bytes are enough
    ///     (`RequiredBytes.areEnough`), a record of which the table is certain that a field of `columns` holds them may come without fields.
    func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while isWanted: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws

    /// As ``scan(_:columns:_:)``, with many records in each call: what computes on columns asks for these.
    ///
    /// - Parameters:
    ///   - records: the records to look at.
    ///   - columns: the columns whose fields are handed out, in this order.
    ///   - body: gets all of `records` in ascending order, in batches of any size.
    func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws
}

extension Table {
    /// Leaves out nothing.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while isWanted: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scan(records, columns: columns, body)
    }

    /// Nothing is known of the content.
    public var contentID: Int? { nil }

    /// Batches of one record each, by ``scan(_:columns:_:)``.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        try scan(records, columns: columns) { record, fields in
            // Without columns there are no fields, and nowhere to point to.
            guard let start = fields.baseAddress else {
                return withUnsafePointer(to: FieldBytes.missing) { body(FieldBatch(first: record, count: 1, width: 0, fields: $0)) }
            }
            return body(FieldBatch(first: record, count: 1, width: fields.count, fields: start))
        }
    }
}
