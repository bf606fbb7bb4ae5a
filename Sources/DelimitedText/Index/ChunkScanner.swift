import CByteScan

/// Scans chunks of one file, one after the other, with buffers of its own. One for each thread.
struct ChunkScanner: ~Copyable {
    let source: ByteSource
    let grammar: Grammar
    /// The number of fields a record should have; 0 when that is not known.
    let expectedFields: Int
    let recounts: RecountBudget
    /// Up to here every record's fields are counted, so that small files are judged exactly.
    let exactEnd: Int
    private let buffer: UnsafeMutablePointer<UInt8>
    private let capacity: Int

    init(source: ByteSource, grammar: Grammar, expectedFields: Int, recounts: RecountBudget, exactEnd: Int) {
        self.source = source
        self.grammar = grammar
        self.expectedFields = expectedFields
        self.recounts = recounts
        self.exactEnd = exactEnd
        let settings = grammar.settings
        // Blocks are whole spans.
        capacity = max(settings.blockBytes / settings.spanBytes, 1) * settings.spanBytes
        buffer = .allocate(capacity: capacity + 2 * Grammar.margin)
    }

    deinit { buffer.deallocate() }

    /// Scans the bytes `begin ..< end`, in the state given, or in one that is guessed from the bytes. `fileEnd` is where bytes end;
    /// `earlier` is the last state that is known before `begin`.
    borrowing func scan(begin: Int, end: Int, fileEnd: Int, state given: UInt8?, earlier: UInt8 = 0) throws(DelimitedTextError)
        -> IndexChunk
    {
        let settings = grammar.settings
        let bytes = buffer + Grammar.margin
        var pass = ChunkPass(begin: begin, end: end, spanBytes: settings.spanBytes)
        var state = given ?? 0
        var startState = state
        var at = begin
        var overhang = 0
        while at < end {
            let count = min(capacity, end - at)
            let before = min(4, at)
            let readable = min(count + Grammar.margin, fileEnd - at)
            try source.read(into: bytes - before, count: before + readable, at: at - before)
            if before == 0 { bytes[-1] = 0 }
            if at == begin {
                if given == nil {
                    let guess = gv_guess_quoted(grammar.raw, bytes, min(count, 64 << 10), bytes[-1])
                    // Without a sign, it is as it was a little before: so a field of many chunks is scanned only once.
                    let inside = guess < 0 ? earlier == UInt8(GV_QUOTED) : guess > 0
                    state = inside ? UInt8(GV_QUOTED) : gv_state_after(grammar.raw, bytes[-1])
                    startState = state
                }
                if grammar.dialect.encoding == .utf8 { overhang = gv_utf8_overhang(bytes, before, readable) }
            }
            var offset = 0
            while offset < count {
                let length = min(settings.spanBytes, count - offset)
                var span = gv_span()
                let here = bytes + offset
                gv_scan_span(settings.implementation, grammar.raw, here, length, readable - offset, here[-1], state, &span)
                state = span.state
                pass.add(span, at: at + offset)
                if span.notes & UInt32(GV_NOTE_NUL | GV_NOTE_HIGH) != 0 {
                    inspect(here, length, readable - offset, span.notes, at: at + offset, &overhang, &pass)
                } else {
                    overhang = 0
                }
                judge(span, bytes, count: readable, blockAt: at, at: at + offset, &pass)
                offset += length
            }
            at += count
        }
        return pass.chunk(startState: startState, endState: state)
    }

    /// Looks closer at a span that has NULs or bytes beyond ASCII.
    private borrowing func inspect(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ readable: Int, _ notes: UInt32, at offset: Int, _ overhang: inout Int,
        _ pass: inout ChunkPass
    ) {
        if notes & UInt32(GV_NOTE_NUL) != 0 {
            let range = UnsafeBufferPointer(start: bytes, count: count)
            if let first = range.firstIndex(of: 0) {
                pass.findings.add(.nul, range.reduce(0) { $0 + ($1 == 0 ? 1 : 0) }, at: offset + first)
            }
        }
        if notes & UInt32(GV_NOTE_HIGH) != 0 && grammar.dialect.encoding == .utf8 {
            var first = 0
            let invalid = gv_utf8_invalid(grammar.settings.implementation, bytes, count, readable, &overhang, &first)
            if invalid > 0 { pass.findings.add(.invalidText, invalid, at: offset + first) }
        } else {
            overhang = 0
        }
    }

    /// Compares the number of delimiters since the last span with a record start with what it should be, and counts again when it is not.
    private borrowing func judge(
        _ span: gv_span, _ block: UnsafePointer<UInt8>, count: Int, blockAt: Int, at offset: Int, _ pass: inout ChunkPass
    ) {
        guard span.starts > 0 else {
            if pass.ends.tailBegin < 0 {
                pass.ends.headDelimiters += span.delimiters_before
            } else {
                pass.ends.tailDelimiters += span.delimiters_before
            }
            return
        }
        let first = offset + span.first_start
        if pass.ends.tailBegin < 0 {
            pass.ends.headDelimiters += span.delimiters_before
            pass.ends.firstStart = first
        } else {
            let delimiters = pass.ends.tailDelimiters + span.delimiters_before
            let begin = pass.ends.tailBegin
            if expectedFields > 0, begin < exactEnd || delimiters != (expectedFields - 1) * pass.ends.tailStarts {
                let inBlock = begin >= blockAt ? UnsafeBufferPointer(start: block + (begin - blockAt), count: first - begin) : nil
                recount(begin, first, starts: pass.ends.tailStarts, delimiters: delimiters, inBlock: inBlock, &pass.findings)
            }
        }
        pass.ends.tailBegin = first
        pass.ends.tailStarts = span.starts
        pass.ends.tailDelimiters = span.delimiters_after
    }

    /// Counts the records of the wrong length in `begin ..< end`, which begins where a record does and ends where one ends.
    borrowing func recount(
        _ begin: Int, _ end: Int, starts: Int, delimiters: Int, inBlock: UnsafeBufferPointer<UInt8>?, _ findings: inout ChunkFindings
    ) {
        if starts == 1 && (delimiters > 0 || end - begin > 1 << 20) {
            // Its length is known. (Without delimiters it might be a blank line.)
            note(fields: delimiters + 1, at: begin, &findings)
            return
        }
        guard end - begin <= 1 << 20, recounts.take(end - begin) else {
            findings.isRaggedIncomplete = true
            return
        }
        if let inBlock {
            count(inBlock, at: begin, &findings)
        } else {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: end - begin)
            defer { copy.deallocate() }
            // A failure here shows elsewhere.
            guard (try? source.read(into: copy.baseAddress!, count: copy.count, at: begin)) != nil else { return }
            count(UnsafeBufferPointer(copy), at: begin, &findings)
        }
    }

    private borrowing func count(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, _ findings: inout ChunkFindings) {
        var at = 0
        while at < bytes.count {
            var record = gv_record()
            gv_read_record(grammar.settings.implementation, grammar.raw, bytes.baseAddress! + at, bytes.count - at, 1, 0, nil, 0, &record)
            if record.found != 0, record.field_count > 0 { note(fields: record.field_count, at: offset + at + record.begin, &findings) }
            at += max(record.next, 1)
        }
    }

    private borrowing func note(fields: Int, at offset: Int, _ findings: inout ChunkFindings) {
        if fields < expectedFields { findings.add(.shortRecord, at: offset) }
        if fields > expectedFields { findings.add(.longRecord, at: offset) }
    }
}

/// What comes together while a chunk is scanned.
struct ChunkPass {
    let begin: Int
    let end: Int
    let spanBytes: Int
    var starts = 0
    var lines = 0
    var cumulative: [UInt32] = []
    var firstStart: [UInt16] = []
    var findings = ChunkFindings()
    var ends = ChunkEnds()

    init(begin: Int, end: Int, spanBytes: Int) {
        self.begin = begin
        self.end = end
        self.spanBytes = spanBytes
        let spans = (end - begin + spanBytes - 1) / spanBytes
        cumulative.reserveCapacity(spans)
        firstStart.reserveCapacity(spans)
    }

    mutating func add(_ span: gv_span, at offset: Int) {
        cumulative.append(UInt32(starts))
        firstStart.append(span.starts > 0 ? UInt16(span.first_start) : IndexChunk.noStart)
        starts += span.starts
        lines += span.lines
        if span.strays > 0 { findings.add(.strayQuote, span.strays, at: offset + span.first_stray) }
        findings.add(lineEnds: span.notes & UInt32(GV_NOTE_LF | GV_NOTE_CRLF | GV_NOTE_CR), at: offset)
    }

    func chunk(startState: UInt8, endState: UInt8) -> IndexChunk {
        IndexChunk(
            begin: begin, end: end, startState: startState, endState: endState, starts: starts, lines: lines, cumulative: cumulative,
            firstStart: firstStart, hasStrayQuotes: findings.counts[Diagnostics.Kind.strayQuote.index] > 0, findings: findings, ends: ends)
    }
}
