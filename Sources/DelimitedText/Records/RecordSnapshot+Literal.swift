import CByteScan
public import FieldValues

extension RecordSnapshot {
    /// As ``scan(_:columns:_:)-(Range<Int>,_,_)``, but leaves out most of the records of which no field can hold `required`: they are not even parsed.
    ///
    /// The file's own bytes are searched, and only the records around what is found are read. Where nearly every record has it, or where
    /// text follows closing quotes, so that fields are not in the file as they are meant, all records are read.
    /// - Parameters:
    ///   - records: the records to look at.
    ///   - columns: the columns whose fields are handed out, in this order.
    ///   - required: bytes of the fields' UTF-8.
    ///   - isWanted: asked every few hundred KiB whether to go on.
    ///   - body: called with each record that may have them; the fields are gone when it returns. `false` ends the scan. Without fields, when
    ///     the bytes are enough and the record has them for certain: then it is not parsed either.
    /// - Complexity: O(bytes of the records), at the speed of reading where few records have the bytes.
    /// - Throws: as ``scan(_:columns:_:)-(Range<Int>,_,_)``.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while isWanted: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try check(records)
        if records.isEmpty { return }
        let literal = literal(from: required)
        let begin = try begin(ofStart: records.lowerBound + headerStarts)
        let end = try end(ofRecords: records)
        guard !literal.isEmpty, areFieldsAsWritten(in: begin..<end) else { return try scan(records, columns: columns, body) }
        let isCertain = required.areEnough && isWhole(literal, of: required) && Set(columns).isSuperset(of: 0..<columnCount)
        var window = try SearchWindow(source, grammar, literal, begin: begin, end: end)
        var reader = RecordPicker(grammar, columns: columns)
        var goesOn = true
        func readAlone(_ record: Int) throws {
            guard record < records.upperBound else { throw changed(record: record) }
            try scan(record..<record + 1, columns: columns) {
                goesOn = body($0, $1)
                return goesOn
            }
        }
        // A record whose number and place are known.
        var (number, place) = (records.lowerBound, begin)
        var picked = 0
        while goesOn, let hit = try window.find(from: place, while: isWanted) {
            if hit - place > grammar.settings.spanBytes { (number, place) = nearest(before: hit, notBefore: (number, place)) }
            if place < window.base {
                // The record began before what is in the window.
                guard let record = record(atByteOffset: hit) else { throw changed(record: number) }
                try readAlone(record)
                (number, place) = (record + 1, try self.begin(ofStart: record + 1 + headerStarts))
            } else {
                (number, place) = window.skipLines(from: (number, place), to: hit)
                if isCertain, let length = window.lineLength(ofRecord: place, holding: hit, in: columnCount) {
                    goesOn = body(number, UnsafeBufferPointer(start: nil, count: 0))
                    (number, place) = (number + 1, place + length)
                    continue
                }
                var length = reader.read(window.bytes(at: place), isLast: window.isAtEnd)
                while let past = length, place + past <= hit {
                    (number, place) = (number + 1, place + past)
                    length = reader.read(window.bytes(at: place), isLast: window.isAtEnd)
                }
                if let length {
                    goesOn = body(number, reader.fields)
                    (number, place) = (number + 1, place + length)
                } else {
                    // Its end is not in the window.
                    try readAlone(number)
                    (number, place) = (number + 1, try self.begin(ofStart: number + 1 + headerStarts))
                }
            }
            picked += 1
            if goesOn, picked >= 64, picked * 4 > number - records.lowerBound {
                return try scan(number..<records.upperBound, columns: columns, body)
            }
        }
    }

    /// The longest part that is in the file as it is in fields.
    private func literal(from required: RequiredBytes) -> RequiredBytes {
        // Comment lines make records hard to count.
        guard grammar.dialect.commentPrefix.isEmpty else { return RequiredBytes() }
        let isSingleByte = grammar.dialect.encoding.isSingleByte
        return required.longestRun { index in
            if let quote = grammar.dialect.quote, required.admits(quote, at: index) { return false }
            // Only ASCII is the same in all encodings.
            return !isSingleByte || required.cares[index] & 0x80 != 0 && required.values[index] & 0x80 == 0
        }
    }

    /// Whether a place where the literal stands is in one field, which then holds all that is required.
    private func isWhole(_ literal: RequiredBytes, of required: RequiredBytes) -> Bool {
        guard literal == required, literal.count <= Int(GV_LITERAL_MAXIMUM) else { return false }
        let borders = [grammar.dialect.delimiter, 0x0a, 0x0d]
        return literal.values.indices.allSatisfy { index in !borders.contains { literal.admits($0, at: index) } }
    }

    /// Whether nothing but quotes around fields and doubled ones in them tells the bytes of fields from those of the file.
    private func areFieldsAsWritten(in bytes: Range<Int>) -> Bool {
        guard grammar.dialect.quote != nil else { return true }
        var offset = bytes.lowerBound
        while offset < bytes.upperBound {
            guard let chunk = entry(atByteOffset: offset)?.chunk, !chunk.hasStrayQuotes else { return false }
            offset = chunk.end
        }
        return true
    }

    /// The last record that the index knows to begin at `offset` or before; `known` when that is later.
    private func nearest(before offset: Int, notBefore known: (number: Int, place: Int)) -> (number: Int, place: Int) {
        guard let entry = entry(atByteOffset: offset) else { return known }
        let chunk = entry.chunk
        let span = (offset - chunk.begin) / grammar.settings.spanBytes
        let first = chunk.firstStart[span]
        let place = chunk.begin + span * grammar.settings.spanBytes + Int(first)
        guard first != IndexChunk.noStart, place <= offset, place > known.place else { return known }
        return (entry.starts + Int(chunk.cumulative[span]) - headerStarts, place)
    }
}

/// A part of a file in which a literal is looked for, a block at a time.
private struct SearchWindow: ~Copyable {
    private let source: ByteSource
    private let grammar: Grammar
    private let end: Int
    private let buffer: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private var literal = gv_literal()
    /// File offset of the first byte in the window.
    private(set) var base: Int
    private var filled = 0

    /// Over `begin ..< end`, where a record begins and one ends.
    init(_ source: ByteSource, _ grammar: Grammar, _ required: RequiredBytes, begin: Int, end: Int) throws(DelimitedTextError) {
        self.source = source
        self.grammar = grammar
        self.end = end
        base = begin
        capacity = max(1, min(end - begin, max(grammar.settings.blockBytes, 2 * Int(GV_LITERAL_MAXIMUM))))
        buffer = .allocate(capacity: capacity)
        try fill(from: begin)
        literal = gv_literal_make(required.values, required.cares, required.count, buffer, min(filled, 4096))
    }

    deinit { buffer.deallocate() }

    /// Whether the window reaches the end of the part.
    var isAtEnd: Bool { base + filled >= end }

    /// What the window has from `offset` on.
    func bytes(at offset: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: buffer + (offset - base), count: filled - (offset - base))
    }

    private mutating func fill(from offset: Int) throws(DelimitedTextError) {
        base = offset
        filled = 0
        let count = min(capacity, end - offset)
        try source.read(into: buffer, count: count, at: offset)
        filled = count
    }

    /// Where the literal stands next at `offset` or after it, which is not before the window; `nil`: nowhere, or not wanted any more.
    mutating func find(from offset: Int, while isWanted: () -> Bool) throws(DelimitedTextError) -> Int? {
        var offset = offset
        while true {
            if offset < base + filled {
                let found = gv_literal_find(grammar.settings.implementation, &literal, buffer, filled, offset - base)
                if found < filled { return base + found }
            }
            // The literal may lie across the border.
            offset = max(offset, base + filled - Int(literal.count) + 1)
            guard base + filled < end, offset < end, isWanted() else { return nil }
            try fill(from: offset)
        }
    }

    /// How long the record is that begins at `place`, when it ends at the first line feed after `hit`, a place in one of its first `columns`
    /// fields. `nil` where that is not certain.
    func lineLength(ofRecord place: Int, holding hit: Int, in columns: Int) -> Int? {
        let (first, at) = (place - base, hit - base)
        let line = gv_measure_line(grammar.settings.implementation, grammar.raw, buffer + first, filled - first, at - first)
        guard line.length > 0 else { return nil }
        // Delimiters between quotes do not count: then there are too many at worst. A CR alone ends a record, too.
        guard line.delimiters < columns, line.has_return == 0 else { return nil }
        if line.has_quote == 0 { return line.length }
        let span = span(from: first, to: first + line.length)
        return Int32(span.state) == GV_RECORD_START && span.starts == 1 ? line.length : nil
    }

    /// From one record to the one that begins after the last line feed before `offset`; not when that is part of a field.
    func skipLines(from record: (number: Int, place: Int), to offset: Int) -> (number: Int, place: Int) {
        var begin = offset - base
        let first = record.place - base
        // Where every record has the literal, none is skipped.
        guard gv_find(buffer + first, begin - first, 0x0a) < begin - first else { return record }
        while buffer[begin - 1] != 0x0a { begin -= 1 }
        let span = span(from: first, to: begin)
        return Int32(span.state) == GV_RECORD_START ? (record.number + span.starts, base + begin) : record
    }

    /// What is in a part of the window that begins with a record.
    private func span(from begin: Int, to end: Int) -> gv_span {
        var span = gv_span()
        gv_scan_span(
            grammar.settings.implementation, grammar.raw, buffer + begin, end - begin, filled - begin, 0, UInt8(GV_RECORD_START), 0, &span)
        return span
    }
}

/// Reads the fields of some columns of single records.
private struct RecordPicker: ~Copyable {
    private let grammar: Grammar
    private let columns: ColumnSelection
    private let ranges: UnsafeMutablePointer<gv_range>
    private let values: UnsafeMutableBufferPointer<FieldBytes>
    private var arena: FieldArena

    init(_ grammar: Grammar, columns: [Int]) {
        self.grammar = grammar
        self.columns = ColumnSelection(columns)
        ranges = .allocate(capacity: max(self.columns.wanted.count, 1))
        values = .allocate(capacity: max(columns.count, 1))
        values.initialize(repeating: .missing)
        arena = FieldArena(grammar)
    }

    deinit {
        ranges.deallocate()
        values.deallocate()
    }

    /// The fields of the record read last, until the next one is.
    var fields: UnsafeBufferPointer<FieldBytes> { UnsafeBufferPointer(rebasing: values[..<columns.places.count]) }

    /// Reads the record that `bytes` begin with.
    /// - Returns: its length; `nil` when it does not end in `bytes`.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int? {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        var progress = gv_progress()
        gv_select(
            grammar.settings.implementation, grammar.raw, start, bytes.count, isLast ? 1 : 0, columns.wanted, columns.wanted.count, ranges,
            1,
            &progress)
        guard progress.records == 1 else { return nil }
        arena.reset()
        arena.fill(values.baseAddress!, from: ranges, records: 1, of: columns, in: start)
        return progress.consumed
    }
}
