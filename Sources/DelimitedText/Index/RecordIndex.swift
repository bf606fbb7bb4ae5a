import Locks

/// Which records start where, as far as it is known; grows from the start of the file to its end.
///
/// The file is cut in chunks. Finished chunks are kept in a ``ChunkTable``; the last, unfinished one (of a growing file, or at a file's
/// end) is replaced as it grows. Everything else knows the index by its snapshots.
final class RecordIndex: Sendable {
    let source: ByteSource
    let grammar: Grammar
    /// The offset of the first byte that can be part of a record: after a byte order mark and skipped lines.
    let contentStart: Int
    let state: Mutex<State>
    /// Fields that a record should have; 0: unknown.
    let expectedFields: Int

    struct State: Sendable {
        var table = ChunkTable(capacity: 64)
        var count = 0
        /// The chunk after the last one of the table, as far as it has been scanned.
        var partial: ChunkTable.Entry?
        var partialFindings: ChunkFindings?
        /// Sums over the table.
        var starts = 0
        var lines = 0
        var parserState: UInt8 = 0
        var findings = ChunkFindings()
        /// The stretch at the end that awaits its other side.
        var open = RecordStretch()
        /// Where the bytes ended when ``isComplete`` was set.
        var end = 0
        var isComplete = false
        /// Whether the file was found longer than it had been: what was read of it then may be no more.
        var hasGrown = false
        var revision = 0

        var mostFields: Int { max(findings.most, partialFindings?.most ?? 0) }
    }

    init(source: ByteSource, grammar: Grammar, contentStart: Int, expectedFields: Int) {
        self.source = source
        self.grammar = grammar
        self.contentStart = contentStart
        self.expectedFields = expectedFields
        var initial = State()
        initial.end = contentStart
        state = Mutex(initial)
    }

    /// The first chunk that has not been committed, and the parser's state before it.
    var next: (chunk: Int, state: UInt8) {
        state.withLock { ($0.count, $0.parserState) }
    }

    /// Whether a cache may be asked for the index, or given it when it is complete.
    var isForCache: Bool {
        state.withLock { !$0.isComplete && !$0.hasGrown }
    }

    func begin(ofChunk number: Int) -> Int { contentStart + number * grammar.settings.chunkBytes }

    /// Adds the next chunk, scanned from the state that the last one ended in; one that is not whole is replaced by the next.
    func commit(_ scanned: ScannedChunk, isLast: Bool, scanner: borrowing ChunkScanner) {
        let chunk = scanned.chunk
        // The stretch across the border is judged outside the lock: it may have to be read.
        let open = state.withLock { $0.open }
        var findings = scanned.findings
        let next = join(open, with: scanned, findings: &findings, scanner: scanner)
        // What the end of the bytes says holds only until there are more.
        var last = ChunkFindings()
        if isLast {
            countFields(of: next, until: chunk.end, &last, scanner)
        } else if next.begin >= 0 {
            // The records at the end can be read already, so their columns have to be known.
            last.most = scanner.mostFields(of: next, until: chunk.end)
        }
        state.withLock { state in
            let entry = ChunkTable.Entry(starts: state.starts, lines: state.lines, chunk: chunk)
            state.revision += 1
            state.end = chunk.end
            state.isComplete = isLast
            guard chunk.end - chunk.begin == grammar.settings.chunkBytes else {
                state.partial = entry
                findings.append(last)
                state.partialFindings = findings
                return
            }
            state.partial = nil
            state.partialFindings = last
            if state.count == state.table.capacity { state.table = ChunkTable(growing: state.table) }
            state.table.append(entry)
            state.count += 1
            state.starts += chunk.starts
            state.lines += chunk.lines
            state.parserState = chunk.endState
            state.findings.append(findings)
            state.open = next
        }
    }

    private func join(
        _ open: RecordStretch, with scanned: ScannedChunk, findings: inout ChunkFindings, scanner: borrowing ChunkScanner
    ) -> RecordStretch {
        var open = open
        open.delimiters += scanned.ends.headDelimiters
        if scanned.chunk.starts == 0 { return open }
        var joined = ChunkFindings()
        countFields(of: open, until: scanned.ends.firstStart, &joined, scanner)
        if joined.most > 0 {
            joined.append(findings)
            findings = joined
        }
        return scanned.ends.tail
    }

    /// Counts the fields of records that ended in a later chunk than they started in.
    func countFields(of stretch: RecordStretch, until end: Int, _ findings: inout ChunkFindings, _ scanner: borrowing ChunkScanner) {
        if stretch.begin >= 0 { scanner.countFields(of: stretch, until: end, inBlock: nil, &findings) }
    }

    /// The fields of the longest record that was counted; 0 where all have as many as expected.
    var mostFields: Int { state.withLock { $0.mostFields } }

    /// Everything odd so far.
    var findings: ChunkFindings {
        state.withLock { state in
            var all = state.findings
            if let partial = state.partialFindings { all.append(partial) }
            return all
        }
    }

    /// Says that the file has more bytes than it had when the index was completed.
    func reopen() {
        state.withLock {
            $0.isComplete = false
            $0.hasGrown = true
        }
    }
}
