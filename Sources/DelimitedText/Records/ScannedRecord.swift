public import Tables
import CByteScan
import FieldValues

/// A record of any length, whose fields are read in pieces.
///
/// ``scan(bytes:progress:)`` scans the record once and stores the number of delimiters every few KiB. After that, each field is found with
/// a short read.
///
/// Memory: 16 bytes for each 16 KiB of the record, at most 1 MiB.
struct ScannedRecord: LazyRecord {
    /// True if the end of the record has been found.
    private(set) var isComplete = false
    /// The number of fields that start in the scanned part of the record; 0 for an empty line.
    var fieldCount: Int { end == begin ? 0 : lastMark.delimiterCount + 1 }
    /// The size of the scanned part of the record in bytes.
    var byteCount: Int { end - begin }
    /// An upper limit of the size of the record in bytes. The size is known when the record is complete.
    var byteLimit: Int { limit - begin }

    let source: ByteSource
    let grammar: Grammar
    /// The number of bytes of the record between two marks.
    let stride: Int
    private let begin: Int
    private let limit: Int
    /// The file offset of the end of the scanned part or, when the record is complete, of its last field.
    private var end: Int
    /// The marks in the scanned part: one at its start, and one after each stride.
    private var marks: [Mark] = []
    /// The mark at the end of the scanned part.
    private var lastMark = Mark(delimiterCount: 0, state: UInt8(GV_RECORD_START))

    /// The parser state at an offset of the record, and the number of delimiters before it.
    struct Mark: Sendable {
        /// The number of delimiters in the record before the offset.
        var delimiterCount: Int
        /// The parser state before the byte at the offset.
        var state: UInt8
    }

    /// Creates a record of which nothing is scanned. It starts at the file offset `begin` and ends at or before `limit`.
    init(_ source: ByteSource, _ grammar: Grammar, begin: Int, limit: Int) {
        self.source = source
        self.grammar = grammar
        self.begin = begin
        self.limit = limit
        end = begin
        // The marks are so far apart that a record of any size has at most 65,536 marks.
        stride = max(2 * grammar.settings.spanBytes, (limit - begin + 65_535) / 65_536)
        isComplete = begin == limit
    }

    // MARK: Scanning

    /// Scans `bytes` more bytes of the record, or up to its end. O(bytes), with 256 KiB of memory.
    /// - Parameter progress: called with the number of scanned bytes; return `false` to stop.
    mutating func scan(bytes: Int = .max, progress: (Int) -> Bool = { _ in true }) throws(DelimitedTextError) {
        let target = bytes < limit - end ? end + bytes : limit
        let block = max(1, grammar.settings.blockBytes / stride) * stride
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: block)
        defer { buffer.deallocate() }
        while !isComplete, end < target {
            let count = min(block, limit - end)
            try source.read(into: buffer, count: count, at: end)
            var done = 0
            while done < count, !isComplete {
                let length = min(stride, count - done)
                scanStride(UnsafeBufferPointer(start: buffer + done, count: length))
                done += length
            }
            if end == limit { isComplete = true }
            if !progress(byteCount) { return }
        }
    }

    /// Scans the bytes up to the next mark, or up to the end of the record.
    private mutating func scanStride(_ bytes: UnsafeBufferPointer<UInt8>) {
        marks.append(lastMark)
        let (next, span) = scan(bytes, from: lastMark)
        guard hasEnded(in: span, at: end) else {
            lastMark = next
            end += bytes.count
            return
        }
        // Find the byte that completes the record. If it is a line ending, it is not part of the last field.
        let offset = end
        let (count, mark) = firstPrefix(of: bytes, from: lastMark) { hasEnded(in: $1, at: offset + $2) }
        isComplete = true
        lastMark = mark
        end += max(count - 1, 0)
    }

    /// True if the record has ended in the scanned bytes, which start at `offset`.
    private func hasEnded(in span: gv_span, at offset: Int) -> Bool {
        span.starts > (offset == begin ? 1 : 0) || [GV_RECORD_START, GV_AFTER_CR, GV_COMMENT].contains(Int(span.state))
    }

    /// Scans `bytes` from a mark. Returns the mark after them and the result of the scan.
    private func scan(_ bytes: UnsafeBufferPointer<UInt8>, from mark: Mark) -> (mark: Mark, span: gv_span) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return (mark, gv_span()) }
        let span = grammar.scan(start, bytes.count, state: mark.state)
        return (Mark(delimiterCount: mark.delimiterCount + span.delimiters_before + span.delimiters_after, state: span.state), span)
    }

    /// The shortest prefix of `bytes` for which `holds` is true. `holds` must be true for all of `bytes`. If it is true for a prefix, it
    /// must be true for every longer prefix.
    /// - Parameter holds: called with the mark after some bytes, the scan result of these bytes, and their offset.
    /// - Returns: the length of the prefix, and the mark before its last byte.
    /// - Complexity: a binary search that scans each byte about twice at most.
    private func firstPrefix(
        of bytes: UnsafeBufferPointer<UInt8>, from mark: Mark, where holds: (_ mark: Mark, _ span: gv_span, _ offset: Int) -> Bool
    ) -> (count: Int, before: Mark) {
        var (low, high) = (0, bytes.count)
        var mark = mark
        while high - low > 1 {
            let middle = (low + high) / 2
            let (next, span) = scan(UnsafeBufferPointer(rebasing: bytes[low..<middle]), from: mark)
            if holds(next, span, low) { high = middle } else { (low, mark) = (middle, next) }
        }
        return (high, mark)
    }

    // MARK: Positions

    /// The file offset of the start of a field.
    /// - Parameter number: the number of the field, in `0 ..< fieldCount`.
    func startOffset(ofField number: Int) throws(DelimitedTextError) -> Int {
        guard number > 0 else { return begin }
        // The last mark before the start of the field. The search for the field starts there.
        let index = max(0, marks.indices.partitioningIndex { marks[$0].delimiterCount >= number } - 1)
        let from = begin + index * stride
        return try withBytes(from..<min(from + stride, end)) { bytes in
            from + firstPrefix(of: bytes, from: marks[index]) { mark, _, _ in mark.delimiterCount >= number }.count
        }
    }

    /// The byte range of a field in the file, including quotes. If the end of the field is not scanned yet, the range ends with the scanned
    /// part.
    func range(ofField number: Int) throws(DelimitedTextError) -> Range<Int> {
        let from = try startOffset(ofField: number)
        return from..<(number + 1 < fieldCount ? try startOffset(ofField: number + 1) - 1 : end)
    }

    /// The parser state before the byte at a file offset.
    func state(at offset: Int) throws(DelimitedTextError) -> UInt8 {
        let number = (offset - begin) / stride
        guard number < marks.count else { return lastMark.state }
        let from = begin + number * stride
        return try withBytes(from..<offset) { scan($0, from: marks[number]).mark.state }
    }

    func withBytes<T>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> T) throws(DelimitedTextError) -> T {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: max(range.count, 1))
        defer { buffer.deallocate() }
        try source.read(into: buffer, count: range.count, at: range.lowerBound)
        return body(UnsafeBufferPointer(start: buffer, count: range.count))
    }
}

extension RecordSnapshot {
    /// The complete record, of any length, for a record that was read from this file and may be cut off.
    public func lazyRecord(_ record: Record, number: Int?) -> any LazyRecord { scannedRecord(record) }

    func scannedRecord(_ record: Record) -> ScannedRecord {
        let begin = record.byteRange.lowerBound
        guard record.isTruncated else { return ScannedRecord(source, grammar, begin: begin, limit: record.byteRange.upperBound) }
        let next = self.record(atByteOffset: begin).flatMap { try? end(ofRecords: $0..<$0 + 1) }
        return ScannedRecord(source, grammar, begin: begin, limit: max(begin, next ?? byteEnd))
    }
}
