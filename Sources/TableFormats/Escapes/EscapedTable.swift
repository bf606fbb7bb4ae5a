import DelimitedText
import FieldValues
import Tables

/// The records of an ``EscapedSource``.
struct EscapedTable: Table {
    /// The records of the temporary file.
    let rows: RecordSnapshot
    /// Finds the nulls of the temporary file; `nil` if it cannot have nulls.
    let nulls: UnescapedNulls?

    var recordCount: Int { rows.recordCount }
    var columnCount: Int { rows.columnCount }
    var contentID: Int? { rows.contentID }
    var isComplete: Bool { rows.isComplete }
    var meanRecordBytes: Int { rows.meanRecordBytes }

    func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        guard let nulls else { return try rows.scanBatches(records, columns: columns, body) }
        var values: [FieldBytes] = []
        try rows.scanBatches(records, columns: columns) { batch in
            let fields = UnsafeBufferPointer(start: batch.fields, count: batch.count * batch.width)
            guard fields.contains(where: nulls.changes) else { return body(batch) }
            Self.store(fields, nulls, in: &values)
            return values.withUnsafeBufferPointer { values in
                guard let start = values.baseAddress else { return body(batch) }
                return body(FieldBatch(firstRecord: batch.firstRecord, count: batch.count, width: batch.width, fields: start))
            }
        }
    }

    func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard let nulls else { return try rows.scan(records, columns: columns, holding: required, while: shouldContinue, body) }
        // A match is not sufficient, because it may be in a null.
        var required = required
        required.isSufficient = false
        var values: [FieldBytes] = []
        try rows.scan(records, columns: columns, holding: required, while: shouldContinue) { record, fields in
            guard fields.contains(where: nulls.changes) else { return body(record, fields) }
            Self.store(fields, nulls, in: &values)
            return values.withUnsafeBufferPointer { body(record, $0) }
        }
    }

    func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws {
        guard nulls != nil else { return try rows.scanLines(records, columns: columns, delimiter: delimiter, lines: lines, fields: fields) }
        try scanBatches(records, columns: columns, fields)
    }

    func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        try rows.scanHeader(columns: columns) { pass($0, body) }
    }

    func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        try rows.scan(record, columns: columns) { pass($0, body) }
    }

    /// Calls `body` with the values of fields.
    private func pass(_ fields: UnsafeBufferPointer<FieldBytes>, _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) {
        guard let nulls else { return body(fields) }
        var values: [FieldBytes] = []
        Self.store(fields, nulls, in: &values)
        values.withUnsafeBufferPointer(body)
    }

    private static func store(_ fields: UnsafeBufferPointer<FieldBytes>, _ nulls: UnescapedNulls, in values: inout [FieldBytes]) {
        values.removeAll(keepingCapacity: true)
        for field in fields { values.append(nulls.value(of: field)) }
    }

    // MARK: Frames

    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        guard nulls != nil else { return try rows.records(range, maximumFieldBytes: maximumFieldBytes) }
        // A null has two bytes.
        return try rows.records(range, maximumFieldBytes: max(2, maximumFieldBytes)).map {
            withNulls($0, maximumFieldBytes: maximumFieldBytes)
        }
    }

    /// A record of the temporary file with its nulls.
    func withNulls(_ record: Record, maximumFieldBytes: Int = .max) -> Record {
        guard let nulls else { return record }
        var record = record
        for index in record.fields.indices where !record.fields[index].isMissing {
            guard var text = nulls.value(of: record.fields[index].text) else {
                record.fields[index] = .missing
                continue
            }
            if text.utf8.count > maximumFieldBytes {
                while text.utf8.count > maximumFieldBytes { text.unicodeScalars.removeLast() }
                record.fields[index].isTruncated = true
            }
            record.fields[index].text = text
        }
        return record
    }

    func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord {
        let base = rows.lazyRecord(record, number: number)
        return nulls.map { EscapedRecord(base: base, nulls: $0) } ?? base
    }
}

/// A record of any length of an ``EscapedTable`` with nulls.
private struct EscapedRecord: LazyRecord {
    var base: any LazyRecord
    let nulls: UnescapedNulls

    var isComplete: Bool { base.isComplete }
    var byteLimit: Int { base.byteLimit }
    var pieceBytes: Int { base.pieceBytes }

    mutating func scan(bytes: Int, progress: (Int) -> Bool) throws { try base.scan(bytes: bytes, progress: progress) }

    func field(_ number: Int) throws -> LazyField? {
        guard let field = try base.field(number) else { return nil }
        // Only a short field can be a null.
        guard field.byteRange.count <= 2, !field.isPartial else { return field }
        return nulls.value(of: try base.text(of: field, piece: 0)) == nil ? nil : field
    }

    func text(of field: LazyField, piece: Int) throws -> String {
        let text = try base.text(of: field, piece: piece)
        return piece == 0 ? nulls.value(of: text) ?? "" : text
    }
}
