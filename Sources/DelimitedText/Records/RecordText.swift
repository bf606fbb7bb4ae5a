public import Tables
import CByteScan

/// One record, however long, of which any field is read a piece at a time.
///
/// ``map(bytes:progress:)`` goes through the record once and notes every few KiB how many fields have begun there; after that every
/// place is found again by reading little. A value: what is mapped on another thread is handed over as a copy.
///
/// Memory: 16 bytes for each 16 KiB of the record, and never more than 1 MiB.
public struct RecordText: LazyRecord {
    /// Whether the end of the record has been found.
    public private(set) var isComplete = false
    /// How many fields have begun so far; none in a blank line.
    public var fieldCount: Int { end == begin ? 0 : last.delimiters + 1 }
    /// Bytes of the record that have been mapped.
    public var byteCount: Int { end - begin }
    /// Bytes of the file that the record has at most.
    public var byteLimit: Int { limit - begin }

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

    /// Maps further, until `bytes` more have been looked at or the record ends.
    /// - Parameters:
    ///   - bytes: how many more bytes of the file to look at.
    ///   - progress: told how many bytes have been mapped in all; `false` stops.
    /// - Complexity: O(bytes), 256 KiB of memory.
    /// - Throws: when the file cannot be read.
    public mutating func map(bytes: Int = .max, progress: (Int) -> Bool = { _ in true }) throws(DelimitedTextError) {
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
                take(UnsafeBufferPointer(start: buffer + done, count: piece))
                done += piece
            }
            if end == limit { isComplete = true }
            if !progress(byteCount) { return }
        }
    }

    /// Takes the next stride, or what is left of the record.
    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        marks.append(last)
        let next = scan(bytes, from: last)
        guard isOver(next, at: end) else {
            last = Mark(delimiters: last.delimiters + Self.delimiters(next), state: next.state)
            end += bytes.count
            return
        }
        // The line end, where it is there to be found, is the first byte after which the record is over.
        let (count, mark) = firstPrefix(of: bytes, from: last) { isOver($0, at: $1) }
        isComplete = true
        last = mark
        end += max(count - 1, 0)
    }

    /// Whether the record has ended within a span that begins at `offset`.
    private func isOver(_ span: gv_span, at offset: Int) -> Bool {
        span.starts > (offset == begin ? 1 : 0) || [GV_RECORD_START, GV_AFTER_CR, GV_COMMENT].contains(Int(span.state))
    }

    private static func delimiters(_ span: gv_span) -> Int {
        span.delimiters_before + span.delimiters_after
    }

    private func scan(_ bytes: UnsafeBufferPointer<UInt8>, from mark: Mark) -> gv_span {
        var span = gv_span()
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            span.state = mark.state
            return span
        }
        gv_scan_span(grammar.settings.implementation, grammar.raw, start, bytes.count, bytes.count, 0, mark.state, 0, &span)
        return span
    }

    /// The shortest beginning of `bytes` for which something holds that, once it does, goes on to; it holds for all of them.
    /// - Returns: its length, and what is known before its last byte.
    /// - Complexity: by halves, so that no byte is scanned more than about twice.
    private func firstPrefix(
        of bytes: UnsafeBufferPointer<UInt8>, from mark: Mark, where holds: (_ span: gv_span, _ offset: Int) -> Bool
    ) -> (count: Int, before: Mark) {
        let offset = end
        var (low, high) = (0, bytes.count)
        var mark = mark
        while high - low > 1 {
            let middle = (low + high) / 2
            let span = scan(UnsafeBufferPointer(rebasing: bytes[low..<middle]), from: mark)
            if holds(span, offset + low) {
                high = middle
            } else {
                mark = Mark(delimiters: mark.delimiters + Self.delimiters(span), state: span.state)
                low = middle
            }
        }
        return (high, mark)
    }

    // MARK: Places

    /// Where field `number` begins; `number` is within `0 ..< fieldCount`.
    func begin(ofField number: Int) throws(DelimitedTextError) -> Int {
        guard number > 0 else { return begin }
        // The last mark before which the field has not begun.
        var (low, high) = (0, marks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle].delimiters < number { low = middle } else { high = middle }
        }
        let from = begin + low * stride
        return try withBytes(from..<min(from + stride, end)) { bytes in
            var wanted = number - marks[low].delimiters
            var mark = marks[low]
            var (low, high) = (0, bytes.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                let span = scan(UnsafeBufferPointer(rebasing: bytes[low..<middle]), from: mark)
                let count = Self.delimiters(span)
                if count >= wanted {
                    high = middle
                } else {
                    wanted -= count
                    mark.state = span.state
                    low = middle
                }
            }
            return from + high
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
        return try withBytes(from..<offset) { scan($0, from: marks[number]).state }
    }

    func withBytes<T>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> T) throws(DelimitedTextError) -> T {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: max(range.count, 1))
        defer { buffer.deallocate() }
        try source.read(into: buffer, count: range.count, at: range.lowerBound)
        return body(UnsafeBufferPointer(start: buffer, count: range.count))
    }
}

extension RecordSnapshot {
    /// The whole of a record that was read from this file; ``RecordText/map(bytes:progress:)`` goes through it.
    public func lazyRecord(_ record: Record, number: Int?) -> any LazyRecord { text(of: record) }

    func text(of record: Record) -> RecordText {
        let begin = record.byteRange.lowerBound
        guard record.isCut else { return RecordText(source, grammar, begin: begin, limit: record.byteRange.upperBound) }
        let next = self.record(atByteOffset: begin).flatMap { try? end(ofRecords: $0..<$0 + 1) }
        return RecordText(source, grammar, begin: begin, limit: max(begin, next ?? byteEnd))
    }
}
