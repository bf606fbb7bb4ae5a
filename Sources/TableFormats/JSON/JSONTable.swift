import CByteScan
import DelimitedText
import FieldValues
import Tables

/// The JSON records of a file, one per line. Both null and missing keys are missing fields. Only displayed records and nested columns
/// distinguish them.
struct JSONTable: Table {
    let lines: RecordSnapshot
    let schema: JSONSchema
    let checkResult: JSONCheckResult
    /// Receives the chunks that a scan finds to be plain.
    let plainChunks: JSONPlainChunks
    let stringsAreText: Bool

    /// The maximum number of bytes of a record that are read for display.
    static let maximumLineBytes = 1 << 20
    /// The maximum number of fields of a batch, in all records together.
    private static let batchFields = 1 << 16

    var recordCount: Int { lines.recordCount }
    var columnCount: Int { schema.columns.count }
    /// `nil` until all columns are known.
    var contentID: Int? { checkResult.count == recordCount ? lines.contentID : nil }
    var isComplete: Bool { lines.isComplete }
    var meanRecordBytes: Int { lines.meanRecordBytes }
    var hasNestedValues: Bool { true }
    var isJSON: Bool { true }
    func hasTypedStrings(inColumn column: Int) -> Bool { stringsAreText }
    func keyPath(ofColumn column: Int) -> [String]? { schema.keyPath(ofColumn: column) }

    func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        var reader = JSONReader(schema, columns)
        let width = columns.count
        let capacity = max(1, min(1_024, Self.batchFields / max(1, width)))
        let fields = UnsafeMutablePointer<FieldBytes>.allocate(capacity: max(1, capacity * width))
        defer { fields.deallocate() }
        var line = JSONLine()
        var part = ScanPart(records: 0..<0, state: .unknown)
        // Complete chunks that are not checked yet are checked while they are read.
        let canCheck =
            !JSONReader.containNestedColumn(columns) && records.upperBound > checkResult.count
            && records.count >= min(JSONCheckResult.chunkRecords, recordCount)
        var checker: JSONReader? = canCheck ? JSONReader(schema, columns, checksRecords: true) : nil
        try lines.scanBatches(records, columns: JSONLine.columns) { batch in
            var index = 0
            while index < batch.count {
                let count = min(capacity, batch.count - index)
                reader.beginBatch()
                checker?.beginBatch()
                line.begin()
                var place = 0
                while place < count {
                    let number = batch.firstRecord + index + place
                    if number >= part.records.upperBound { part = self.part(from: number, of: records, canCheck: canCheck) }
                    let end = min(count, place + part.records.upperBound - number)
                    if part.state == .isBeingChecked,
                        let checked = checker?.readPlain(batch, index + place..<index + end, into: fields + place * width)
                    {
                        place += checked
                        if number + checked == part.records.upperBound { plainChunks.insert(part.records) }
                        if place == end { continue }
                        part.state = .unknown
                    }
                    let bytes = line.bytes(batch.fields(of: index + place))
                    reader.read(bytes, isTrusted: part.state == .isTrusted, into: fields + place * width)
                    place += 1
                }
                guard body(FieldBatch(firstRecord: batch.firstRecord + index, count: count, width: width, fields: fields)) else {
                    return false
                }
                index += count
            }
            return true
        }
    }

    /// Consecutive records of a scan that are read in the same way.
    private struct ScanPart {
        var records: Range<Int>
        var state: State

        enum State { case isTrusted, isBeingChecked, unknown }
    }

    /// The next part of a scan, starting with the record `first`.
    private func part(from first: Int, of records: Range<Int>, canCheck: Bool) -> ScanPart {
        let validity = checkResult.validity(ofRecord: first)
        if first < checkResult.count { return ScanPart(records: first..<validity.end, state: validity.isTrusted ? .isTrusted : .unknown) }
        let chunk = first / JSONCheckResult.chunkRecords * JSONCheckResult.chunkRecords
        let rest = first..<min(recordCount, chunk + JSONCheckResult.chunkRecords)
        if plainChunks.contains(rest) { return ScanPart(records: rest, state: .isTrusted) }
        let isWhole = first == max(chunk, checkResult.count) && rest.upperBound <= records.upperBound
        return ScanPart(records: rest, state: canCheck && isWhole ? .isBeingChecked : .unknown)
    }

    func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        // Only characters that are never escaped are searched for in the lines, because the file can contain other characters as escapes.
        var literal = required.longestRun { index in
            (0...255).allSatisfy { !required.matches($0, at: index) || gv_json_is_plain($0) != 0 }
        }
        // A match in a line is not sufficient, because the bytes may be in a key.
        literal.isSufficient = false
        let width = columns.count
        let fields = UnsafeMutablePointer<FieldBytes>.allocate(capacity: max(1, width))
        defer { fields.deallocate() }
        var reader = JSONReader(schema, columns)
        var line = JSONLine()
        var number = records.lowerBound
        var continues = true
        repeat {
            let escapes = checkResult.unusualEscapes(ofRecord: number)
            let part = number..<max(number, min(escapes.end, records.upperBound))
            if literal.isEmpty || escapes.mayOccur {
                try scan(part, columns: columns) { record, fields in
                    continues = body(record, fields) && shouldContinue()
                    return continues
                }
            } else {
                try lines.scan(part, columns: JSONLine.columns, holding: literal, while: shouldContinue) { record, parts in
                    reader.beginBatch()
                    line.begin()
                    reader.read(line.bytes(parts), isTrusted: checkResult.validity(ofRecord: record).isTrusted, into: fields)
                    continues = body(record, UnsafeBufferPointer(start: fields, count: width))
                    return continues
                }
            }
            number = part.upperBound
        } while continues && number < records.upperBound && shouldContinue()
    }

    func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        var reader = JSONReader(schema, columns)
        var line = JSONLine()
        let fields = UnsafeMutablePointer<FieldBytes>.allocate(capacity: max(1, columns.count))
        defer { fields.deallocate() }
        let whole = Record(fields: [], byteRange: record.byteRange, fieldCount: 1, isTruncated: record.isTruncated)
        try lines.scan(whole, columns: JSONLine.columns) { parts in
            reader.read(line.bytes(parts), isTrusted: false, into: fields)
            body(UnsafeBufferPointer(start: fields, count: columns.count))
        }
    }

    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        try records(lines.records(range, maximumFieldBytes: Self.maximumLineBytes), maximumFieldBytes)
    }

    /// The records of lines. At most ``maximumLineBytes`` bytes of each line have been read.
    func records(_ lines: [Record], _ maximumFieldBytes: Int) throws -> [Record] {
        var reader = JSONReader(schema, Array(0..<columnCount), findsNulls: true)
        var parts = JSONLine()
        var buffer = FieldBuffer()
        return try lines.map { line in
            let isTruncated = line.isTruncated || line.fields.contains(where: \.isTruncated)
            var fields: [RecordField] = []
            reader.beginBatch()
            parts.begin()
            func read(_ texts: UnsafeBufferPointer<FieldBytes>) {
                fields = recordFields(parts.bytes(texts), isTruncated: isTruncated, &reader, maximumFieldBytes)
            }
            if !isTruncated, line.fields.contains(where: \.isInvalid) {
                // Invalid bytes were replaced in the text, but fields need the bytes of the file, so the line is read again.
                try self.lines.scan(line, columns: JSONLine.columns, read)
            } else {
                for field in line.fields { buffer.append(field.text) }
                buffer.withFields(read)
            }
            return Record(fields: fields, byteRange: line.byteRange, fieldCount: fields.count, isTruncated: isTruncated)
        }
    }

    private func recordFields(
        _ line: UnsafeBufferPointer<UInt8>, isTruncated: Bool, _ reader: inout JSONReader, _ maximumFieldBytes: Int
    ) -> [RecordField] {
        withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: max(1, columnCount)) { buffer in
            guard let start = buffer.baseAddress else { return [] }
            reader.read(line, isTrusted: false, isTruncated: isTruncated, into: start)
            var count = columnCount
            while count > 0, start[count - 1].isMissing, !reader.isNull(count - 1) { count -= 1 }
            return (0..<count).map { index in
                var field = RecordField(start[index], maximumBytes: maximumFieldBytes)
                if reader.isTruncated(index) { field.isTruncated = true }
                field.isMissing = start[index].isMissing
                field.isNull = field.isMissing && reader.isNull(index)
                return field
            }
        }
    }
}

/// Joins the parts of lines. Only a record for display has several parts, if its line contains ``DelimitedFile/lineDelimiter``.
struct JSONLine: ~Copyable {
    private var arena = JSONArena()

    init() {}

    /// The columns to scan: each line is a single field.
    static let columns = [0]

    /// Invalidates the lines that were joined before.
    mutating func begin() { arena.reset() }

    /// Joins the parts of a line. Returns an empty buffer for an empty line.
    mutating func bytes(_ parts: UnsafeBufferPointer<FieldBytes>) -> UnsafeBufferPointer<UInt8> {
        if parts.count == 1, !parts[0].isMissing { return parts[0].bytes }
        let count = parts.firstIndex(where: \.isMissing) ?? parts.count
        if count == 0 { return UnsafeBufferPointer(start: nil, count: 0) }
        if count == 1 { return parts[0].bytes }
        let size = parts.prefix(count).reduce(count - 1) { $0 + $1.count }
        let start = arena.allocate(size)
        var end = start
        for (number, part) in parts.prefix(count).enumerated() {
            if number > 0 {
                end.initialize(to: DelimitedFile.lineDelimiter)
                end += 1
            }
            if let from = part.start { end.update(from: from, count: part.count) }
            end += part.count
        }
        return UnsafeBufferPointer(start: start, count: size)
    }
}
