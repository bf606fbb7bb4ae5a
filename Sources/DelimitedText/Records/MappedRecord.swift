public import Tables
import CByteScan
import FieldValues

/// One record, however long, of which any field is read a piece at a time.
///
/// ``map(bytes:progress:)`` goes through the record once and notes every few KiB how many fields have begun there; after that every
/// place is found again by reading little.
///
/// Memory: 16 bytes for each 16 KiB of the record, and never more than 1 MiB.
struct MappedRecord: LazyRecord {
    /// Whether the end of the record has been found.
    private(set) var isComplete = false
    /// How many fields have begun so far; none in a blank line.
    var fieldCount: Int { end == begin ? 0 : last.delimiters + 1 }
    /// Bytes of the record that have been mapped.
    var byteCount: Int { end - begin }
    /// Bytes of the file that the record has at most.
    var byteLimit: Int { limit - begin }

    let source: ByteSource
    let grammar: Grammar
    /// Bytes between marks.
    let stride: Int
    private let begin: Int
    private let limit: Int
    /// Where what has been mapped ends; the end of the last field once that is known.
    private var end: Int
    /// What is known before each stride.
    private var marks: [Mark] = []
    /// What is known at ``end``.
    private var last = Mark(delimiters: 0, state: UInt8(GV_RECORD_START))

    /// What is known of a place in the record.
    struct Mark: Sendable {
        /// How many separators stand before it.
        var delimiters: Int
        /// The parser's state there.
        var state: UInt8
    }

    /// The record that begins at `begin` and ends at `limit` or before; nothing is read yet.
    init(_ source: ByteSource, _ grammar: Grammar, begin: Int, limit: Int) {
        self.source = source
        self.grammar = grammar
        self.begin = begin
        self.limit = limit
        end = begin
        // A record of any size has so many marks at most.
        stride = max(2 * grammar.settings.spanBytes, (limit - begin + 65_535) / 65_536)
        isComplete = begin == limit
    }

    // MARK: Going through it

    /// Maps further, until `bytes` more have been looked at or the record ends. O(bytes), 256 KiB of memory.
    mutating func map(bytes: Int = .max, progress: (Int) -> Bool = { _ in true }) throws(DelimitedTextError) {
        let goal = bytes < limit - end ? end + bytes : limit
        let block = max(1, grammar.settings.blockBytes / stride) * stride
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: block)
        defer { buffer.deallocate() }
        while !isComplete, end < goal {
            let count = min(block, limit - end)
            try source.read(into: buffer, count: count, at: end)
            var done = 0
            while done < count, !isComplete {
                let piece = min(stride, count - done)
                mapStride(UnsafeBufferPointer(start: buffer + done, count: piece))
                done += piece
            }
            if end == limit { isComplete = true }
            if !progress(byteCount) { return }
        }
    }

    /// Maps the next stride, or what is left of the record.
    private mutating func mapStride(_ bytes: UnsafeBufferPointer<UInt8>) {
        marks.append(last)
        let (next, span) = scan(bytes, from: last)
        guard isOver(span, at: end) else {
            last = next
            end += bytes.count
            return
        }
        // The line end, where it is there to be found, is the first byte after which the record is over.
        let offset = end
        let (count, mark) = firstPrefix(of: bytes, from: last) { isOver($1, at: offset + $2) }
        isComplete = true
        last = mark
        end += max(count - 1, 0)
    }

    /// Whether the record has ended within a span that begins at `offset`.
    private func isOver(_ span: gv_span, at offset: Int) -> Bool {
        span.starts > (offset == begin ? 1 : 0) || [GV_RECORD_START, GV_AFTER_CR, GV_COMMENT].contains(Int(span.state))
    }

    /// What is known behind `bytes`, with what is in them.
    private func scan(_ bytes: UnsafeBufferPointer<UInt8>, from mark: Mark) -> (mark: Mark, span: gv_span) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return (mark, gv_span()) }
        let span = grammar.scan(start, bytes.count, state: mark.state)
        return (Mark(delimiters: mark.delimiters + span.delimiters_before + span.delimiters_after, state: span.state), span)
    }

    /// The shortest beginning of `bytes` for which something holds that, once it does, continues to; it holds for all of them.
    /// - Parameter holds: called with what is known behind a part of the bytes, what is in that part, and where it begins.
    /// - Returns: its length, and what is known before its last byte.
    /// - Complexity: by halves, so that no byte is scanned more than about twice.
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

    // MARK: Places

    /// Where field `number` begins; `number` is within `0 ..< fieldCount`.
    func begin(ofField number: Int) throws(DelimitedTextError) -> Int {
        guard number > 0 else { return begin }
        // The last mark before which the field has not begun.
        let index = max(0, marks.indices.partitioningIndex { marks[$0].delimiters >= number } - 1)
        let from = begin + index * stride
        return try withBytes(from..<min(from + stride, end)) { bytes in
            from + firstPrefix(of: bytes, from: marks[index]) { mark, _, _ in mark.delimiters >= number }.count
        }
    }

    /// Where field `number` stands in the file, its quotes included; what is known of it, while its end is not.
    func range(ofField number: Int) throws(DelimitedTextError) -> Range<Int> {
        let from = try begin(ofField: number)
        return from..<(number + 1 < fieldCount ? try begin(ofField: number + 1) - 1 : end)
    }

    /// The parser's state before the byte at `offset`.
    func state(at offset: Int) throws(DelimitedTextError) -> UInt8 {
        let number = (offset - begin) / stride
        guard number < marks.count else { return last.state }
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
    /// The whole of a record that was read from this file.
    public func lazyRecord(_ record: Record, number: Int?) -> any LazyRecord { mapped(record) }

    func mapped(_ record: Record) -> MappedRecord {
        let begin = record.byteRange.lowerBound
        guard record.isCut else { return MappedRecord(source, grammar, begin: begin, limit: record.byteRange.upperBound) }
        let next = self.record(atByteOffset: begin).flatMap { try? end(ofRecords: $0..<$0 + 1) }
        return MappedRecord(source, grammar, begin: begin, limit: max(begin, next ?? byteEnd))
    }
}
