public import FieldValues

/// An immutable snapshot of a table. Formats implement it. The screen, jobs and output read it, on any thread.
///
/// A table never changes, so a long job sees consistent data while new rows arrive. Records are numbered from 0, without the header. A
/// conforming type must implement ``recordCount``, ``columnCount`` and ``scan(_:columns:_:)-(Range<Int>,_,_)``. The other members have
/// default implementations based on these.
public protocol Table: Sendable {
    /// The number of records.
    var recordCount: Int { get }
    /// The number of columns: the number of fields of the longest record read so far or of the header, whichever is greater.
    var columnCount: Int { get }
    /// The numbers of all columns: first the columns of the input, then the derived fields. O(columns).
    var allColumns: [Int] { get }

    /// An identifier of the content: two tables with the same identifier have the same content, even if their sources differ. If `nil`,
    /// results computed from the table are not cached.
    var contentID: Int? { get }
    /// True if the table has all records of the input.
    var isComplete: Bool { get }
    /// The part of `records` that can be read. By default, these are the numbers below ``recordCount``. On a server, rows of sorted or
    /// filtered queries have additional numbers.
    func availableRecords(in records: Range<Int>) -> Range<Int>
    /// The approximate number of bytes of a record, at least 1. Jobs use it to divide work and to estimate memory.
    var meanRecordBytes: Int { get }
    /// True if reading records out of order is slow, as on a server. Output then reads all records in one scan.
    var isSequential: Bool { get }
    /// True if all records of the range belong to the same section of a query on a server. Reading several sections takes several
    /// statements.
    func areInOneSection(_ records: Range<Int>) -> Bool
    /// True if the table knows which fields are JSON: arrays, objects, and text that the file declares as JSON. The additional column
    /// `FieldID.firstNestedColumn + n` then has the fields of column `n` that are JSON, as JSON text. All other fields of the additional
    /// column are missing.
    var hasNestedValues: Bool { get }
    /// True if the table is JSON, which distinguishes strings from numbers, and nulls from missing fields. The additional columns of
    /// ``hasNestedValues`` then have all values except strings, including numbers, `true`, `false` and `null`. If an object that should
    /// contain a value is null, the value is `null` followed by one space for each level between the object and the value. For example, the
    /// value of `a.b` in `{"a":null}` is `null `.
    var isJSON: Bool { get }
    /// The keys that lead from a record of JSON to the values of a column, such as `["by", "desk"]`; `nil` if the column does not have the
    /// values of one key. O(keys).
    func keyPath(ofColumn column: Int) -> [String]?
    /// True if the strings in a column of JSON values always count as text, even if they look like numbers or flags. The additional column
    /// of ``hasNestedValues`` then has all values except strings, as with ``isJSON``. O(1).
    func hasTypedStrings(inColumn column: Int) -> Bool
    /// True if each value of a column has its own type, which its text does not show, as in SQLite. The additional column
    /// `firstNestedColumn + n` then has the numbers of column `n` as JSON. All other fields of the additional column are missing. O(1).
    func hasTypedValues(inColumn column: Int) -> Bool
    /// How the input stores the numbers of a column; `nil` if their text determines it, or if it is unknown. The column can also have
    /// values that are not numbers. O(1).
    func numberStorage(ofColumn column: Int) -> NumberStorage?
    /// True if the times in a column have a zone, according to its declared type. `nil` if only the values show it. O(1).
    func timesHaveZone(inColumn column: Int) -> Bool?
    /// The nested columns of the file whose type is known: structures, lists and maps. A structure comes before the nested values in it.
    /// Column `FieldID.firstStoredColumn + n` has the values of element `n` in binary form.
    var nestedColumns: [NestedColumn] { get }
    /// The number of a record near `record`, such as the first record of a row group. A sample that starts there is cheap to read.
    func sampleStart(near record: Int) -> Int

    /// Calls `body` for each record of `records` in ascending order, with the fields of `columns` in the given order.
    ///
    /// The bytes of the fields are valid only until `body` returns. Several threads may scan at once, each with its own range. Ranges of
    /// 10,000 records or more are fastest. The scan stops if `body` returns `false`.
    /// - Complexity: O(bytes of `records`), plus one index look-up.
    /// - Throws: an error if the records cannot be read (truncated file, disk failure).
    func scan(
        _ records: Range<Int>, columns: [Int],
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws

    /// Scans like ``scan(_:columns:_:)-(Range<Int>,_,_)``, but may skip records in which no field contains `required`.
    ///
    /// A table overrides this method if it can rule out records without parsing them. Searches for rare strings are then fast.
    /// - Parameters:
    ///   - records: the records to scan.
    ///   - columns: the columns whose fields are passed, in this order.
    ///   - required: UTF-8 bytes that a field must contain.
    ///   - shouldContinue: polled occasionally, even if no record matches; return `false` to end the scan.
    ///   - body: called with each record. The fields are valid only until it returns; return `false` to end the scan. With
    ///     `RequiredBytes.isSufficient`, a record may be passed without fields if the table knows that a field of `columns` contains
    ///     `required`.
    func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws

    /// Scans like ``scan(_:columns:_:)-(Range<Int>,_,_)``, with many records per call. Computations on columns use it.
    ///
    /// - Parameters:
    ///   - records: the records to scan.
    ///   - columns: the columns whose fields are passed, in this order.
    ///   - body: receives all of `records` in ascending order, in batches of any size.
    func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws

    /// The same table, except that its scans add to `cuts` each field that they pass incomplete. Only tables from a server have incomplete
    /// fields.
    func recordingCuts(in cuts: CutFields) -> any Table

    // MARK: Writing

    /// Scans like ``scanBatches(_:columns:_:)``, for a writer of delimited text. If the bytes of records in the file are exactly what the
    /// writer would write, they may be passed as lines, without parsing.
    ///
    /// The writer separates `columns` by `delimiter` and ends records with LF. It quotes with `"` only the fields that contain a delimiter,
    /// a quote or a line end.
    /// - Parameters:
    ///   - records: the records to scan, in ascending order.
    ///   - columns: the columns whose fields are passed, in this order.
    ///   - delimiter: the writer's delimiter; if `nil`, no record is passed as a line.
    ///   - lines: called with records as lines; return `false` to end the scan.
    ///   - fields: called with the records that are not passed as lines; return `false` to end the scan.
    func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws

    /// Calls `body` with the titles of `columns` as bytes. A column without a title has a missing field. Does not call `body` if the file
    /// has no header.
    func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws

    // MARK: Frames

    /// Records as text, for display.
    /// - Parameters:
    ///   - range: a range within `0 ..< recordCount`.
    ///   - maximumFieldBytes: the maximum number of bytes of a field's text.
    /// - Complexity: O(bytes of the records). Only the beginning of very long records is read.
    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record]

    /// The records of ``records(_:maximumFieldBytes:)``, with `nil` for records that cannot be shown without waiting. The table starts to
    /// fetch these records. When they arrive, it calls the function set by ``TableSource/setRecordsArrivedHandler(_:)``. If a record no
    /// longer exists, the result ends before it. If this is the first record, the function throws an error.
    func recordsWithoutWaiting(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?]

    /// Calls `body` with the complete fields of a record that ``TableSource/tail(atLeast:)`` has returned. The number of such a record may
    /// be unknown.
    func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws

    /// Adds the fields that only this table has, such as derived fields, to a record that ``TableSource/tail(atLeast:)`` has returned.
    func completed(_ record: Record, maximumFieldBytes: Int) throws -> Record

    /// The record in a form that reads long fields in pieces. This call reads only a small part of the record.
    /// - Parameters:
    ///   - record: a record of ``records(_:maximumFieldBytes:)`` or ``TableSource/tail(atLeast:)``.
    ///   - number: the number of the record; `nil` if it is unknown.
    func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord
}

extension Table {
    /// Scans all records, including those without `required`.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scan(records, columns: columns, body)
    }

    /// The numbers from 0 to ``columnCount`` − 1.
    public var allColumns: [Int] { Array(0..<columnCount) }
    /// Returns `nil`, so that results are not cached.
    public var contentID: Int? { nil }
    /// Always `true`.
    public var isComplete: Bool { true }
    /// The numbers below ``recordCount``.
    public func availableRecords(in records: Range<Int>) -> Range<Int> { records.clamped(to: 0..<recordCount) }
    /// Always 64 bytes.
    public var meanRecordBytes: Int { 64 }
    /// Always `false`: records can be read in any order.
    public var isSequential: Bool { false }
    /// Always `true`: a table that is not on a server has no sections.
    public func areInOneSection(_ records: Range<Int>) -> Bool { true }
    /// Always `false`: no column has JSON values.
    public var hasNestedValues: Bool { false }
    /// Always `false`.
    public var isJSON: Bool { false }
    /// Always `nil`.
    public func keyPath(ofColumn column: Int) -> [String]? { nil }
    /// Always `false`, because no column has JSON values.
    public func hasTypedStrings(inColumn column: Int) -> Bool { false }
    /// Returns `false`: the text of a value shows its type.
    public func hasTypedValues(inColumn column: Int) -> Bool { false }
    /// Always `nil`.
    public func numberStorage(ofColumn column: Int) -> NumberStorage? { nil }
    /// Always `nil`.
    public func timesHaveZone(inColumn column: Int) -> Bool? { nil }
    /// Always empty: no column has nested values.
    public var nestedColumns: [NestedColumn] { [] }
    /// Returns `record`.
    public func sampleStart(near record: Int) -> Int { record }

    /// Reads all records of the range, because none has to be fetched.
    public func recordsWithoutWaiting(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?] {
        try records(range, maximumFieldBytes: maximumFieldBytes)
    }

    /// Passes batches of one record each, which ``scan(_:columns:_:)-(Range<Int>,_,_)`` reads.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        try scan(records, columns: columns) { record, fields in
            // If `columns` is empty, there are no fields that the batch could point to.
            guard let start = fields.baseAddress else {
                return withUnsafePointer(to: FieldBytes.missing) { body(FieldBatch(firstRecord: record, count: 1, width: 0, fields: $0)) }
            }
            return body(FieldBatch(firstRecord: record, count: 1, width: fields.count, fields: start))
        }
    }

    /// Returns this table, because all of its fields are complete.
    public func recordingCuts(in cuts: CutFields) -> any Table { self }

    /// Passes all records as fields, none as lines.
    public func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws {
        try scanBatches(records, columns: columns, fields)
    }

    /// Does nothing, because the table has no header.
    public func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {}

    /// Reads the records completely, and then cuts the text of long fields.
    public func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        var records: [Record] = []
        try scan(range, columns: Array(0..<columnCount)) { _, fields in
            let count = fields.count - fields.reversed().prefix { $0.isMissing }.count
            let texts = fields.prefix(count).map { $0.isMissing ? .missing : RecordField($0, maximumBytes: maximumFieldBytes) }
            records.append(Record(fields: texts, byteRange: 0..<0, fieldCount: count))
            return true
        }
        return records
    }

    /// Returns the record unchanged, because the table has no additional fields.
    public func completed(_ record: Record, maximumFieldBytes: Int) throws -> Record { record }

    /// Passes the texts of the record's fields as bytes.
    public func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        FieldBytes.withFields(of: columns.map { record[$0]?.text }, body)
    }

    /// Reads the complete record into memory.
    public func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord {
        var texts: [Int: String] = [:]
        var nulls: Set<Int> = []
        let width = columnCount
        func keepTexts(of fields: UnsafeBufferPointer<FieldBytes>) {
            for column in 0..<width {
                if !fields[column].isMissing {
                    texts[column] = String(decoding: fields[column].bytes, as: UTF8.self)
                } else if fields.count > width, !fields[width + column].isMissing {
                    nulls.insert(column)
                }
            }
        }
        let columns = Array(0..<width) + (isJSON ? (0..<width).map { FieldID.firstNestedColumn + $0 } : [])
        let cuts = CutFields()
        if let number {
            try recordingCuts(in: cuts).scan(number..<number + 1, columns: columns) { _, fields in
                keepTexts(of: fields)
                return true
            }
        } else {
            try scan(record, columns: columns, keepTexts)
        }
        return WholeRecord(texts, nulls: nulls, cut: Set(cuts.all.map(\.column)))
    }
}

extension RecordField {
    /// Creates text of at most `maximumBytes` bytes. Longer text is cut between characters. O(bytes of the text).
    public init(_ field: FieldBytes, maximumBytes: Int) {
        var count = min(field.count, max(0, maximumBytes))
        let bytes = field.bytes
        // Do not cut within a UTF-8 character.
        if count < bytes.count { while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 } }
        let shown = UnsafeBufferPointer(rebasing: bytes.prefix(count))
        var text = String(decoding: shown, as: UTF8.self)
        // Decoding replaces invalid bytes. The validating initializer is not specialized, and takes several times as long.
        let isValid = text.withUTF8 { $0.elementsEqual(shown) }
        self.init(text: text, isTruncated: count < bytes.count, isInvalid: !isValid)
    }
}
