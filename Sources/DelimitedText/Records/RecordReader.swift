import Tables
import CByteScan

/// Reads whole records as text, one after the other. Sequential; for screens, samples and single records, not for jobs.
struct RecordReader: ~Copyable {
    private let grammar: Grammar
    private var window: RecordWindow
    private var fields: FieldReader
    private var ranges: UnsafeMutablePointer<gv_range>
    private var capacity = 64
    private let columns: Range<Int>

    /// From `begin`, where a record begins, to `end`, where one ends.
    init(_ source: ByteSource, _ grammar: Grammar, begin: Int, end: Int, columns: Range<Int>?, maximumFieldBytes: Int) {
        self.grammar = grammar
        self.columns = columns ?? 0..<Int.max
        let limit = max(grammar.settings.recordBytes, maximumFieldBytes > (1 << 28) ? 1 << 30 : 4 * max(maximumFieldBytes, 0))
        window = RecordWindow(source, begin: begin, end: end, block: grammar.settings.blockBytes, limit: limit)
        fields = FieldReader(grammar, maximumBytes: maximumFieldBytes)
        ranges = .allocate(capacity: capacity)
    }

    deinit { ranges.deallocate() }

    /// Goes on at `offset`, where a record begins.
    mutating func seek(to offset: Int) { window.seek(to: offset) }

    /// The next record; `nil` at the end. After a record that is cut, ``seek(to:)`` has to say where the next one is.
    mutating func next() throws(DelimitedTextError) -> Record? {
        var isCut = false
        while true {
            var record = gv_record()
            gv_read_record(
                grammar.settings.implementation, grammar.raw, window.bytes, window.count, window.isAtEnd || isCut ? 1 : 0,
                min(columns.lowerBound, Int(UInt32.max)), ranges, capacity, &record)
            if record.complete == 0 {
                // Comment lines before the record need not stay in the window.
                window.use(record.begin)
                if try !window.extend() { isCut = true }
                continue
            }
            if record.found == 0 { return nil }
            let wanted = columns.clamped(to: 0..<record.field_count)
            if wanted.count > capacity {
                capacity = wanted.count
                ranges.deallocate()
                ranges = .allocate(capacity: capacity)
                continue
            }
            var texts: [RecordField] = []
            texts.reserveCapacity(wanted.count)
            for (index, number) in wanted.enumerated() {
                let range = ranges[index]
                let raw = UnsafeBufferPointer(start: window.bytes + Int(range.begin), count: Int(range.end - range.begin))
                texts.append(fields.field(raw, isCut: isCut && number == record.field_count - 1))
            }
            let begin = window.offset
            window.use(record.next)
            return Record(
                fields: texts, byteRange: begin + record.begin..<begin + record.end, fieldCount: record.field_count, isCut: isCut)
        }
    }
}
