import Tables
import CByteScan

/// Reads complete records as text, one after another. Used for display, samples and single records. Jobs scan fields instead.
struct RecordReader: ~Copyable {
    private let grammar: Grammar
    private var window: RecordWindow
    private var fields: FieldReader
    private var ranges: UnsafeMutablePointer<gv_range>
    private var capacity = 64
    private let columns: Range<Int>

    /// Creates a reader of a byte range that starts at a record start and ends at a record end.
    /// - Parameter block: the number of bytes of the first read.
    init(
        _ source: ByteSource, _ grammar: Grammar, begin: Int, end: Int, columns: Range<Int>?, maximumFieldBytes: Int, block: Int? = nil
    ) {
        self.grammar = grammar
        self.columns = columns ?? 0..<Int.max
        let limit = max(grammar.settings.maximumShownRecordBytes, maximumFieldBytes > (1 << 28) ? 1 << 30 : 4 * max(maximumFieldBytes, 0))
        window = RecordWindow(source, begin: begin, end: end, block: block ?? grammar.settings.blockBytes, limit: limit)
        fields = FieldReader(grammar, maximumBytes: maximumFieldBytes)
        ranges = .allocate(capacity: capacity)
    }

    deinit { ranges.deallocate() }

    /// Continues reading at a file offset, which must be a record start.
    mutating func seek(to offset: Int) { window.seek(to: offset) }

    /// Reads the next record; `nil` at the end of the range. If the record is truncated, call ``seek(to:)`` with the start of the next
    /// record before the next call.
    mutating func next() throws(DelimitedTextError) -> Record? {
        var isTruncated = false
        while true {
            var record = gv_record()
            gv_read_record(
                grammar.settings.implementation, grammar.raw, window.bytes, window.count, window.isAtEnd || isTruncated ? 1 : 0,
                min(columns.lowerBound, Int(UInt32.max)), ranges, capacity, &record)
            if record.complete == 0 {
                // Comment lines and skipped blanks before the record are dropped from the window.
                window.consume(record.begin)
                if try !window.extend() { isTruncated = true }
                continue
            }
            if record.found == 0 { return nil }
            let requested = columns.clamped(to: 0..<record.field_count)
            if requested.count > capacity {
                capacity = requested.count
                ranges.deallocate()
                ranges = .allocate(capacity: capacity)
                continue
            }
            var texts: [RecordField] = []
            texts.reserveCapacity(requested.count)
            for (index, number) in requested.enumerated() {
                let range = ranges[index]
                let raw = UnsafeBufferPointer(start: window.bytes + Int(range.begin), count: Int(range.end - range.begin))
                texts.append(fields.field(raw, isTruncated: isTruncated && number == record.field_count - 1))
            }
            let begin = window.offset
            window.consume(record.next)
            return Record(
                fields: texts, byteRange: begin + record.begin..<begin + record.end, fieldCount: record.field_count,
                isTruncated: isTruncated)
        }
    }
}
