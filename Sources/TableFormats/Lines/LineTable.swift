import DelimitedText
import FieldValues
import Tables

/// The lines of a file as records, divided by a layout.
struct LineTable<Layout: LineLayout>: Table {
    private let lines: RecordSnapshot
    private let layout: Layout
    /// The maximum number of bytes of a line that ``scan(_:columns:_:)`` reads; `nil` for no limit.
    private let maximumBytes: Int?

    /// The maximum number of bytes of a line that are read for the screen and for samples.
    static var maximumLineBytes: Int { 1 << 20 }

    init(_ lines: RecordSnapshot, _ layout: Layout, maximumBytes: Int? = nil) {
        (self.lines, self.layout, self.maximumBytes) = (lines, layout, maximumBytes)
    }

    var recordCount: Int { max(0, lines.recordCount - layout.headerLines) }
    var columnCount: Int { layout.titles.count }
    var contentID: Int? { lines.contentID }
    var isComplete: Bool { lines.isComplete }
    var meanRecordBytes: Int { lines.meanRecordBytes }

    /// True if each line is a single field with the bytes of the file. The table then passes on the records of the file unchanged.
    private var isUndivided: Bool { layout.isUndivided && layout.headerLines == 0 }

    func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        if isUndivided { return try scanParts(records, columns: columns, body) }
        let shifted = records.lowerBound + layout.headerLines..<records.upperBound + layout.headerLines
        var splitter = LineSplitter(layout, columns)
        try scanParts(shifted, columns: [0]) { line, parts in
            splitter.split(parts).withUnsafeBufferPointer { body(line - layout.headerLines, $0) }
        }
    }

    private func scanParts(
        _ range: Range<Int>, columns: [Int], _ body: (_ line: Int, _ parts: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        if let maximumBytes { return try lines.scan(range, columns: columns, cutting: maximumBytes, body) }
        try lines.scan(range, columns: columns, body)
    }

    func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard isUndivided else { return try scan(records, columns: columns, body) }
        try lines.scan(records, columns: columns, holding: required, while: shouldContinue, body)
    }

    func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        if isUndivided { return try lines.scanBatches(records, columns: columns, body) }
        try scan(records, columns: columns) { record, fields in
            // If `columns` is empty, there are no fields to point to.
            guard let start = fields.baseAddress else {
                return withUnsafePointer(to: FieldBytes.missing) { body(FieldBatch(firstRecord: record, count: 1, width: 0, fields: $0)) }
            }
            return body(FieldBatch(firstRecord: record, count: 1, width: fields.count, fields: start))
        }
    }

    func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        var splitter = LineSplitter(layout, columns)
        let line = Record(fields: [], byteRange: record.byteRange, fieldCount: 1, isTruncated: record.isTruncated)
        try lines.scan(line, columns: [0]) { parts in splitter.split(parts).withUnsafeBufferPointer(body) }
    }

    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        let shifted = range.lowerBound + layout.headerLines..<range.upperBound + layout.headerLines
        return try lines.records(shifted, maximumFieldBytes: Self.maximumLineBytes).map { record($0, maximumFieldBytes) }
    }

    /// Divides a line into the fields of a record.
    func record(_ line: Record) -> Record { record(line, 4096) }

    private func record(_ line: Record, _ maximumFieldBytes: Int) -> Record {
        var splitter = LineSplitter(layout, Array(0..<columnCount))
        var fields: [RecordField] = []
        let texts = line.fields.map { Optional($0.text) }
        FieldBytes.withFields(of: texts) { parts in
            fields = splitter.split(parts).prefix { !$0.isMissing }.map { RecordField($0, maximumBytes: maximumFieldBytes) }
        }
        return Record(fields: fields, byteRange: line.byteRange, fieldCount: fields.count, isTruncated: line.isTruncated)
    }
}

/// Divides lines and selects the fields of some columns.
private struct LineSplitter<Layout: LineLayout>: ~Copyable {
    private let layout: Layout
    private let columns: [Int]
    /// Memory for a line that is joined from several fields of the file.
    private var line = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)
    private var allFields = LineFields()
    private var selectedFields: [FieldBytes] = []

    init(_ layout: Layout, _ columns: [Int]) { (self.layout, self.columns) = (layout, columns) }

    deinit { line.deallocate() }

    /// The fields of a line, or missing fields if the line is empty. They are valid until the next call.
    /// - Parameter parts: the parts of the line between ``DelimitedFile/lineDelimiter`` bytes.
    mutating func split(_ parts: UnsafeBufferPointer<FieldBytes>) -> [FieldBytes] {
        selectedFields.removeAll(keepingCapacity: true)
        let count = parts.firstIndex(where: \.isMissing) ?? parts.count
        guard count > 0 else {
            for _ in columns { selectedFields.append(.missing) }
            return selectedFields
        }
        let bytes = count == 1 ? parts[0].bytes : joined(parts.prefix(count))
        allFields.begin(lineBytes: bytes.count)
        layout.divide(bytes, into: &allFields)
        for column in columns { selectedFields.append(allFields.fields.indices.contains(column) ? allFields.fields[column] : .missing) }
        return selectedFields
    }

    private mutating func joined(_ parts: Slice<UnsafeBufferPointer<FieldBytes>>) -> UnsafeBufferPointer<UInt8> {
        let count = parts.reduce(parts.count - 1) { $0 + $1.count }
        if line.count < count {
            line.deallocate()
            line = .allocate(capacity: count)
        }
        var end = line.baseAddress!
        for (number, part) in parts.enumerated() {
            if number > 0 {
                end.initialize(to: DelimitedFile.lineDelimiter)
                end += 1
            }
            if let start = part.start { end.update(from: start, count: part.count) }
            end += part.count
        }
        return UnsafeBufferPointer(start: line.baseAddress, count: count)
    }
}
