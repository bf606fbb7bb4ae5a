import CByteScan

/// Scans chunks of a file for record starts and problems. Each thread has its own scanner with its own buffers.
struct ChunkScanner: ~Copyable {
    let source: ByteSource
    let grammar: Grammar
    /// The number of fields that a record should have; 0 if unknown.
    let expectedFields: Int
    /// The offset of the last row of the header; 0 without a header. Empty lines before it are not counted.
    let headerOffset: Int
    private let buffer: UnsafeMutablePointer<UInt8>
    private let capacity: Int

    init(source: ByteSource, grammar: Grammar, expectedFields: Int, headerOffset: Int) {
        self.source = source
        self.grammar = grammar
        (self.expectedFields, self.headerOffset) = (expectedFields, headerOffset)
        let settings = grammar.settings
        // Blocks must start at the start of a span, so the block size is a multiple of the span size.
        capacity = max(settings.blockBytes / settings.spanBytes, 1) * settings.spanBytes
        buffer = .allocate(capacity: capacity + 2 * Grammar.marginBytes)
    }

    deinit { buffer.deallocate() }

    /// Scans the bytes `begin ..< end`.
    /// - Parameters:
    ///   - fileEnd: the number of bytes of the file that can be read.
    ///   - knownState: the parser state before `begin`; `nil` to guess whether `begin` is within quotes.
    ///   - earlier: the last parser state that is known, at an earlier offset. It is assumed if the bytes do not suffice for a guess.
    borrowing func scan(begin: Int, end: Int, fileEnd: Int, state knownState: UInt8?, earlier: UInt8 = 0) throws(DelimitedTextError)
        -> ScannedChunk
    {
        let settings = grammar.settings
        let bytes = buffer + Grammar.marginBytes
        var scanned = ScannedChunk(begin: begin, end: end, state: knownState ?? 0, spanBytes: settings.spanBytes)
        var at = begin
        var overhang = 0
        while at < end {
            let count = min(capacity, end - at)
            let before = min(4, at)
            let readable = min(count + Grammar.marginBytes, fileEnd - at)
            try source.read(into: bytes - before, count: before + readable, at: at - before)
            if before == 0 { bytes[-1] = 0 }
            if at == begin {
                if knownState == nil {
                    let guess = gv_guess_quoted(grammar.raw, bytes, min(count, 64 << 10), bytes[-1])
                    // If the bytes do not suffice for a guess, the last known state is used. A field of many chunks is then scanned only
                    // once.
                    let inside = guess < 0 ? earlier == UInt8(GV_QUOTED) : guess > 0
                    scanned.chunk.endState = inside ? UInt8(GV_QUOTED) : gv_state_after(grammar.raw, bytes[-1])
                    scanned.chunk.startState = scanned.chunk.endState
                }
                if grammar.dialect.encoding == .utf8 { overhang = gv_utf8_overhang(bytes, before, readable) }
            }
            var offset = 0
            while offset < count {
                let length = min(settings.spanBytes, count - offset)
                let here = bytes + offset
                let span = grammar.scan(
                    here, length, readable: readable - offset, previous: here[-1], state: scanned.chunk.endState,
                    expectedFields: expectedFields)
                scanned.add(span, at: at + offset)
                if span.notes & UInt32(GV_NOTE_NUL | GV_NOTE_HIGH) != 0 {
                    inspect(here, length, readable - offset, span.notes, at: at + offset, &overhang, &scanned)
                } else {
                    overhang = 0
                }
                checkRecords(span, bytes, count: readable, blockAt: at, at: at + offset, &scanned)
                offset += length
            }
            at += count
        }
        return scanned
    }

    /// Counts problems in a span that has NULs or non-ASCII bytes.
    private borrowing func inspect(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ readable: Int, _ notes: UInt32, at offset: Int, _ overhang: inout Int,
        _ scanned: inout ScannedChunk
    ) {
        if notes & UInt32(GV_NOTE_NUL) != 0 {
            let range = UnsafeBufferPointer(start: bytes, count: count)
            if let first = range.firstIndex(of: 0) {
                scanned.findings.add(.nul, range.reduce(0) { $0 + ($1 == 0 ? 1 : 0) }, at: offset + first)
            }
        }
        if notes & UInt32(GV_NOTE_HIGH) != 0 && grammar.dialect.encoding == .utf8 {
            var first = 0
            let invalid = gv_utf8_invalid_count(grammar.settings.implementation, bytes, count, readable, &overhang, &first)
            if invalid > 0 { scanned.findings.add(.invalidText, invalid, at: offset + first) }
        } else {
            overhang = 0
            if notes & UInt32(GV_NOTE_HIGH) != 0, grammar.isEncodingGuessed {
                var first = 0
                let found = gv_utf8_multibyte_count(bytes, count, readable, &first)
                if found > 0 { scanned.findings.add(.likelyUTF8, found, at: offset + first) }
                var skip = 0
                scanned.findings.illFormedCount += gv_utf8_invalid_count(
                    grammar.settings.implementation, bytes, count, readable, &skip, &first)
            }
        }
    }

    /// Checks the number of fields of the previous run of records. That run ends at the first record start of this span. Then stores the
    /// run of records that start in this span, to check it when it ends.
    private borrowing func checkRecords(
        _ span: gv_span, _ block: UnsafePointer<UInt8>, count: Int, blockAt: Int, at offset: Int, _ scanned: inout ScannedChunk
    ) {
        guard span.starts > 0 else {
            if scanned.ends.firstStart < 0 {
                scanned.ends.headDelimiters += span.delimiters_before
            } else {
                scanned.ends.tail.delimiterCount += span.delimiters_before
            }
            return
        }
        let first = offset + span.first_start
        if scanned.ends.firstStart < 0 {
            scanned.ends.headDelimiters += span.delimiters_before
            scanned.ends.firstStart = first
        } else {
            scanned.ends.tail.delimiterCount += span.delimiters_before
            let begin = scanned.ends.tail.begin
            let inBlock = begin >= blockAt ? UnsafeBufferPointer(start: block + (begin - blockAt), count: first - begin) : nil
            countFields(of: scanned.ends.tail, until: first, inBlock: inBlock, &scanned.findings)
        }
        scanned.ends.tail = RecordRun(
            begin: first, startCount: span.starts, delimiterCount: span.delimiters_after, isUneven: span.is_uneven != 0)
    }

    /// The number of fields of the longest record in a run; 0 if all records have the expected number. The last record may continue
    /// after `end`.
    borrowing func maximumFieldCount(of run: RecordRun, until end: Int) -> Int {
        if expectedFields > 0, !run.isUneven {
            let last = run.delimiterCount - (expectedFields - 1) * (run.startCount - 1) + 1
            return last > expectedFields ? last : 0
        }
        var findings = ChunkFindings()
        countFields(of: run, until: end, inBlock: nil, &findings)
        return findings.maximumFieldCount
    }

    /// Counts the records of a run that have fewer or more fields than expected. The run ends at `end`.
    ///
    /// Reads at most one span. Only the last record of a run can extend beyond the span. Its number of fields is computed from the
    /// number of delimiters in the run.
    borrowing func countFields(
        of run: RecordRun, until end: Int, inBlock: UnsafeBufferPointer<UInt8>?, _ findings: inout ChunkFindings
    ) {
        // Nothing needs counting if the number of delimiters is as expected. In an uneven run, a short and a long record may add up to
        // that number.
        if expectedFields > 0, !run.isUneven, run.delimiterCount == (expectedFields - 1) * run.startCount { return }
        // Read one more byte, because the LF of a CRLF may be after the end of the span.
        let size = min(end - run.begin, grammar.settings.spanBytes + 1)
        if let inBlock {
            countFields(
                of: run, in: UnsafeBufferPointer(rebasing: inBlock.prefix(size)), isLast: run.begin + size == end, &findings)
        } else {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
            defer { copy.deallocate() }
            // A read error is ignored here, because reading the records will report it.
            guard (try? source.read(into: copy.baseAddress!, count: size, at: run.begin)) != nil else { return }
            countFields(of: run, in: UnsafeBufferPointer(copy), isLast: run.begin + size == end, &findings)
        }
    }

    private borrowing func countFields(
        of run: RecordRun, in bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, _ findings: inout ChunkFindings
    ) {
        var (run, bytes) = (run, bytes)
        if run.begin < headerOffset {
            let count = min(headerOffset - run.begin, bytes.count)
            var before = gv_field_counts()
            gv_count_fields(grammar.settings.implementation, grammar.raw, bytes.baseAddress, count, 1, 0, &before)
            guard before.records < run.startCount else { return }
            run.begin += count
            run.startCount -= before.records
            run.delimiterCount -= before.delimiters
            findings.maximumFieldCount = max(findings.maximumFieldCount, before.maximum_field_count)
            bytes = UnsafeBufferPointer(rebasing: bytes.dropFirst(count))
        }
        var counts = gv_field_counts()
        gv_count_fields(
            grammar.settings.implementation, grammar.raw, bytes.baseAddress, bytes.count, isLast ? 1 : 0, expectedFields, &counts)
        findings.maximumFieldCount = max(findings.maximumFieldCount, counts.maximum_field_count)
        if counts.short_count > 0 { findings.add(.shortRecord, counts.short_count, at: run.begin + counts.first_short) }
        if counts.long_count > 0 { findings.add(.longRecord, counts.long_count, at: run.begin + counts.first_long) }
        if counts.blank_count > 0 { findings.add(.blankLine, counts.blank_count, at: run.begin + counts.first_blank) }
        // The last record ends after the bytes that were read.
        guard counts.records < run.startCount else { return }
        let fields = run.delimiterCount - counts.delimiters + 1
        findings.maximumFieldCount = max(findings.maximumFieldCount, fields)
        if expectedFields == 0 { return }
        if fields < expectedFields { findings.add(.shortRecord, at: run.begin + counts.consumed) }
        if fields > expectedFields { findings.add(.longRecord, at: run.begin + counts.consumed) }
    }
}

/// The result of scanning a chunk: its part of the index, and data that is needed until it is added to the index.
struct ScannedChunk: Sendable {
    var chunk: IndexChunk
    var findings = ChunkFindings()
    var ends = ChunkEnds()

    /// Creates the result for a chunk in which nothing was found yet; `state` is the parser state before its first byte.
    init(begin: Int, end: Int, state: UInt8, spanBytes: Int) {
        chunk = IndexChunk(begin: begin, end: end, startState: state, endState: state)
        let spans = (end - begin + spanBytes - 1) / spanBytes
        chunk.cumulativeStarts.reserveCapacity(spans)
        chunk.firstStarts.reserveCapacity(spans)
    }

    mutating func add(_ span: gv_span, at offset: Int) {
        chunk.endState = span.state
        chunk.cumulativeStarts.append(UInt32(chunk.startCount))
        chunk.firstStarts.append(span.starts > 0 ? UInt16(span.first_start) : IndexChunk.noStart)
        chunk.startCount += span.starts
        chunk.lineCount += span.lines
        if span.strays > 0 {
            chunk.hasStrayQuotes = true
            findings.add(.strayQuote, span.strays, at: offset + span.first_stray)
        }
        findings.add(lineEnds: span.notes & UInt32(GV_NOTE_LF | GV_NOTE_CRLF | GV_NOTE_CR), at: offset)
    }
}
