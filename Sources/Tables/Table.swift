public import FieldValues

/// An immutable table: what frames, jobs and output read. Formats implement it; any thread calls it.
///
/// It is a snapshot: it never changes, so a job that runs for seconds sees one table, whatever arrives meanwhile. Records are numbered from 0,
/// the header not counted. A table has to implement ``recordCount``, ``columnCount`` and ``scan(_:columns:_:)-(Range<Int>,_,_)``; the other
/// members have defaults that use these.
public protocol Table: Sendable {
    /// The number of records.
    var recordCount: Int { get }
    /// The number of columns: as many as the header and the longest record known have.
    var columnCount: Int { get }
    /// The numbers of all columns: those of the input, then those of derived fields. O(columns).
    var allColumns: [Int] { get }

    /// Names the content: two tables of one source with the same number hold the same. `nil` when that cannot be told; then no result
    /// computed from the table is kept.
    var contentID: Int? { get }
    /// Whether these are all the records of the input.
    var isComplete: Bool { get }
    /// The approximate bytes of a record, at least 1: the unit of work and memory for jobs.
    var meanRecordBytes: Int { get }

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

    /// As ``scan(_:columns:_:)-(Range<Int>,_,_)``, but records of which no field holds `required` may be left out; those that hold it never are.
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

    /// As ``scan(_:columns:_:)-(Range<Int>,_,_)``, with many records in each call: what computes on columns asks for these.
    ///
    /// - Parameters:
    ///   - records: the records to look at.
    ///   - columns: the columns whose fields are handed out, in this order.
    ///   - body: gets all of `records` in ascending order, in batches of any size.
    func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws

    // MARK: Writing

    /// As ``scanBatches(_:columns:_:)``, for a writer of delimited text: records that stand in the file exactly as the writer writes them may be
    /// handed over as lines, and are not parsed.
    ///
    /// The writer separates `columns` by `delimiter`, ends records with LF, and puts exactly those fields in `"` that hold a delimiter, a quote or
    /// a line end.
    /// - Parameters:
    ///   - records: the records to hand out, in ascending order.
    ///   - columns: the columns whose fields are handed out, in this order.
    ///   - delimiter: the writer's delimiter; `nil`: no record is handed over as a line.
    ///   - lines: called with records as lines. `false` ends the scan.
    ///   - fields: called with the other records. `false` ends the scan.
    func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws

    /// Calls `body` with the titles of `columns` byte for byte as in the file, a missing field where a column has no title in the file; not at
    /// all when the file has no header.
    func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws

    // MARK: Frames

    /// Records as text, for the screen.
    /// - Parameters:
    ///   - range: within `0 ..< recordCount`.
    ///   - maximumFieldBytes: the most bytes of a field's text.
    /// - Complexity: O(bytes of the records); of very long records only the beginning is read.
    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record]

    /// Calls `body` with the whole fields of a record that may have no number yet: one of ``TableSource/tail(atLeast:)``.
    func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws

    /// A record of ``TableSource/tail(atLeast:)`` with the fields that only this table has, such as derived ones.
    func completed(_ record: Record, maximumFieldBytes: Int) throws -> Record

    /// The whole of a record, to be read a piece at a time. Reads little, whatever the length of the record.
    /// - Parameters:
    ///   - record: one of ``records(_:maximumFieldBytes:)`` or ``TableSource/tail(atLeast:)``.
    ///   - number: the number of the record, where it is known.
    func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord
}

extension Table {
    /// Leaves out nothing.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while isWanted: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scan(records, columns: columns, body)
    }

    /// As many as ``columnCount``, from 0.
    public var allColumns: [Int] { Array(0..<columnCount) }
    /// Content identity is unknown.
    public var contentID: Int? { nil }
    /// All records are there.
    public var isComplete: Bool { true }
    /// 64 bytes.
    public var meanRecordBytes: Int { 64 }

    /// Batches of one record each, by ``scan(_:columns:_:)-(Range<Int>,_,_)``.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        try scan(records, columns: columns) { record, fields in
            // Without columns there are no fields, and nowhere to point to.
            guard let start = fields.baseAddress else {
                return withUnsafePointer(to: FieldBytes.missing) { body(FieldBatch(first: record, count: 1, width: 0, fields: $0)) }
            }
            return body(FieldBatch(first: record, count: 1, width: fields.count, fields: start))
        }
    }

    /// Hands over no lines.
    public func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws {
        try scanBatches(records, columns: columns, fields)
    }

    /// There is no header.
    public func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {}

    /// Reads the whole records.
    public func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        var records: [Record] = []
        try scan(range, columns: Array(0..<columnCount)) { _, fields in
            let count = fields.count - fields.reversed().prefix { $0.isMissing }.count
            let texts = fields.prefix(count).map { RecordField($0, maximumBytes: maximumFieldBytes) }
            records.append(Record(fields: texts, byteRange: 0..<0, fieldCount: count))
            return true
        }
        return records
    }

    /// Adds nothing.
    public func completed(_ record: Record, maximumFieldBytes: Int) throws -> Record { record }

    /// Hands out the texts of the record.
    public func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        FieldBytes.withFields(of: columns.map { record[$0]?.text }, body)
    }

    /// Reads the whole record.
    public func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord {
        var texts: [Int: String] = [:]
        func keepTexts(of fields: UnsafeBufferPointer<FieldBytes>) {
            for (column, field) in fields.enumerated() where !field.isMissing {
                texts[column] = String(decoding: field.bytes, as: UTF8.self)
            }
        }
        let columns = Array(0..<columnCount)
        if let number {
            try scan(number..<number + 1, columns: columns) { _, fields in
                keepTexts(of: fields)
                return true
            }
        } else {
            try scan(record, columns: columns, keepTexts)
        }
        return WholeRecord(texts)
    }
}

extension RecordField {
    /// A field as text of at most `maximumBytes`, cut between characters. O(bytes of the text).
    public init(_ field: FieldBytes, maximumBytes: Int) {
        var count = min(field.count, max(0, maximumBytes))
        let bytes = field.bytes
        // Not within a character of UTF-8.
        if count < bytes.count { while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 } }
        let text = bytes.prefix(count)
        let valid = String(validating: text, as: UTF8.self)
        self.init(
            text: valid ?? String(decoding: text, as: UTF8.self), isTruncated: count < bytes.count, isInvalid: valid == nil)
    }
}
