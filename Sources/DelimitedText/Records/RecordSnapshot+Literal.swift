import CByteScan
public import FieldValues

extension RecordSnapshot {
    /// Scans like ``scan(_:columns:_:)-(Range<Int>,_,_)``, but skips most records that do not contain `required` in a field.
    ///
    /// The bytes of the file are searched, and only records with a match are parsed. All records are parsed if nearly every record matches,
    /// because this is faster. All records are also parsed if the file has text after closing quotes, because its fields then differ from
    /// the bytes of the file.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try check(records)
        if records.isEmpty { return }
        let literal = literal(from: required)
        let begin = try offset(ofStart: records.lowerBound + headerStartCount)
        let end = try end(ofRecords: records)
        guard !literal.isEmpty, isFreeOfStrayQuotes(in: begin..<end) else { return try scan(records, columns: columns, body) }
        // A match in a skipped blank line is not in the record that follows it.
        let isCertain =
            required.isSufficient && !grammar.dialect.skipsBlankLines && impliesMatch(literal, of: required)
            && Set(columns).isSuperset(of: 0..<columnCount)
        var window = try SearchWindow(source, grammar, literal, begin: begin, end: end)
        var reader = FieldSelector(grammar, columns, capacity: 1)
        var continues = true
        func readSingleRecord(_ record: Int) throws {
            guard record < records.upperBound else { throw changedError(record: record) }
            try scan(record..<record + 1, columns: columns) {
                continues = body($0, $1)
                return continues
            }
        }
        // The number and the file offset of a known record. Later records are counted from there.
        var (number, recordOffset) = (records.lowerBound, begin)
        var picked = 0
        while continues, let hit = try window.find(from: recordOffset, while: shouldContinue) {
            if hit - recordOffset > grammar.settings.spanBytes {
                (number, recordOffset) = lastIndexedStart(before: hit, notBefore: (number, recordOffset))
            }
            if recordOffset < window.offset {
                // The match is in a record that starts before the window, so the record is looked up in the index.
                guard let record = record(atByteOffset: hit) else { throw changedError(record: number) }
                try readSingleRecord(record)
                (number, recordOffset) = (record + 1, try self.offset(ofStart: record + 1 + headerStartCount))
            } else {
                (number, recordOffset) = window.skipLines(from: (number, recordOffset), to: hit)
                if isCertain, let length = window.lineLength(ofRecord: recordOffset, containing: hit, withinColumns: columnCount) {
                    continues = body(number, UnsafeBufferPointer(start: nil, count: 0))
                    (number, recordOffset) = (number + 1, recordOffset + length)
                    continue
                }
                var read = window.read(at: recordOffset, &reader)
                while read.records > 0, recordOffset + read.consumed <= hit {
                    (number, recordOffset) = (number + 1, recordOffset + read.consumed)
                    read = window.read(at: recordOffset, &reader)
                }
                if read.records > 0 {
                    continues = body(number, reader.batch(from: number).fields(of: 0))
                    (number, recordOffset) = (number + 1, recordOffset + read.consumed)
                } else {
                    // The record ends after the window, so it is read separately.
                    try readSingleRecord(number)
                    (number, recordOffset) = (number + 1, try self.offset(ofStart: number + 1 + headerStartCount))
                }
            }
            picked += 1
            if continues, picked >= 64, picked * 4 > number - records.lowerBound {
                return try scan(number..<records.upperBound, columns: columns, body)
            }
        }
    }

    /// The bytes to search for in the file: the longest part of `required` whose bytes are the same in the file as in the value of a field.
    private func literal(from required: RequiredBytes) -> RequiredBytes {
        // The search counts line endings to number the records. Comment lines also have line endings, so the numbers would be wrong.
        guard grammar.dialect.commentPrefix.isEmpty else { return RequiredBytes() }
        let isSingleByte = grammar.dialect.encoding.isSingleByte
        return required.longestRun { index in
            if let quote = grammar.dialect.quote, required.matches(quote, at: index) { return false }
            // In a single-byte encoding, only ASCII bytes are the same in the file and in UTF-8.
            return !isSingleByte || required.masks[index] & 0x80 != 0 && required.values[index] & 0x80 == 0
        }
    }

    /// True if the literal can occur only within a field that contains all of `required`. The fields of a record with the literal then need
    /// no test.
    private func impliesMatch(_ literal: RequiredBytes, of required: RequiredBytes) -> Bool {
        guard literal == required, literal.count <= Int(GV_LITERAL_MAXIMUM) else { return false }
        let borders = [grammar.dialect.delimiter, 0x0a, 0x0d]
        return literal.values.indices.allSatisfy { index in !borders.contains { literal.matches($0, at: index) } }
    }

    /// True if no field in the byte range has text after a closing quote. The bytes of fields then differ from their values only by quotes.
    private func isFreeOfStrayQuotes(in bytes: Range<Int>) -> Bool {
        guard grammar.dialect.quote != nil else { return true }
        var offset = bytes.lowerBound
        while offset < bytes.upperBound {
            guard let chunk = entry(atByteOffset: offset)?.chunk, !chunk.hasStrayQuotes else { return false }
            offset = chunk.end
        }
        return true
    }

    /// The last indexed record start at or before `offset`, or `known` if that is later.
    private func lastIndexedStart(before offset: Int, notBefore known: (number: Int, recordOffset: Int)) -> (number: Int, recordOffset: Int)
    {
        guard let entry = entry(atByteOffset: offset) else { return known }
        let chunk = entry.chunk
        let span = (offset - chunk.begin) / grammar.settings.spanBytes
        let first = chunk.firstStarts[span]
        let recordOffset = chunk.begin + span * grammar.settings.spanBytes + Int(first)
        guard first != IndexChunk.noStart, recordOffset <= offset, recordOffset > known.recordOffset else { return known }
        return (entry.startCount + Int(chunk.cumulativeStarts[span]) - headerStartCount, recordOffset)
    }
}

/// Searches a byte range of the file for a literal, one block at a time.
private struct SearchWindow: ~Copyable {
    private let grammar: Grammar
    private let end: Int
    private var window: RecordWindow
    private var literal: gv_literal

    /// Creates a window over `begin ..< end`. Both are offsets of record starts.
    init(_ source: ByteSource, _ grammar: Grammar, _ required: RequiredBytes, begin: Int, end: Int) throws(DelimitedTextError) {
        self.grammar = grammar
        self.end = end
        let block = max(grammar.settings.blockBytes, 2 * Int(GV_LITERAL_MAXIMUM))
        window = RecordWindow(source, begin: begin, end: end, block: block, limit: block)
        _ = try window.extend()
        literal = gv_literal_make(required.values, required.masks, required.count, window.bytes, min(window.count, 4096))
    }

    /// The file offset of the first byte of the window.
    var offset: Int { window.offset }

    /// Reads the record at the file offset `recordOffset`. The result has no record if the record does not end in the window.
    func read(at recordOffset: Int, _ reader: inout FieldSelector) -> gv_progress {
        let first = recordOffset - window.offset
        return reader.read(window.bytes + first, window.count - first, isLast: window.isAtEnd, atMost: 1)
    }

    /// The file offset of the next occurrence of the literal at or after `offset`, which must not be before the window. `nil` if there is
    /// no occurrence, or if `shouldContinue` returns `false`.
    mutating func find(from offset: Int, while shouldContinue: () -> Bool) throws(DelimitedTextError) -> Int? {
        var offset = offset
        while true {
            let known = window.offset + window.count
            if offset < known {
                let found = gv_literal_find(grammar.settings.implementation, &literal, window.bytes, window.count, offset - window.offset)
                if found < window.count { return window.offset + found }
            }
            // Search again from before the end of the old bytes, because the literal may cross that end.
            offset = max(offset, known - Int(literal.count) + 1)
            guard known < end, offset < end, shouldContinue() else { return nil }
            window.seek(to: offset)
            _ = try window.extend()
        }
    }

    /// The length in bytes of the record at the file offset `recordOffset`, if it is a single line whose end can be seen without parsing.
    ///
    /// `nil` unless the record certainly ends at the first LF after the offset `hit`, and `hit` is in one of its first `columns` fields.
    func lineLength(ofRecord recordOffset: Int, containing hit: Int, withinColumns columns: Int) -> Int? {
        let first = recordOffset - window.offset
        let line = gv_measure_line(
            grammar.settings.implementation, grammar.raw, window.bytes + first, window.count - first, hit - recordOffset)
        guard line.length > 0 else { return nil }
        // Delimiters within quotes are counted, too. The count can be too high, but not too low, so the match is not in a later field. A CR
        // may also end the record.
        guard line.delimiters < columns, line.has_cr == 0 else { return nil }
        if line.has_quote == 0 { return line.length }
        let span = span(from: first, to: first + line.length)
        return Int32(span.state) == GV_RECORD_START && span.starts == 1 ? line.length : nil
    }

    /// The record that starts after the last LF before the match at `offset`, and contains the match. Returns `record` if that LF is part
    /// of a field, or if there is no LF.
    func skipLines(from record: (number: Int, recordOffset: Int), to offset: Int) -> (number: Int, recordOffset: Int) {
        var begin = offset - window.offset
        let first = record.recordOffset - window.offset
        // Without an LF in between, the match is in `record` itself.
        guard gv_find(window.bytes + first, begin - first, 0x0a) < begin - first else { return record }
        while window.bytes[begin - 1] != 0x0a { begin -= 1 }
        let span = span(from: first, to: begin)
        return Int32(span.state) == GV_RECORD_START ? (record.number + span.starts, window.offset + begin) : record
    }

    /// Scans the bytes between two file offsets in the window. A record must start at `begin`.
    private func span(from begin: Int, to end: Int) -> gv_span {
        grammar.scan(window.bytes + begin, end - begin, readable: window.count - begin)
    }
}
