import CByteScan
import Locks
import Tables

/// The index of record starts, which grows from the start of the file to its end.
///
/// The file is divided into chunks. Finished chunks are in a ``ChunkTable``. The last chunk may be incomplete and is replaced as it grows.
/// Other types access the index through snapshots.
final class RecordIndex: Sendable {
    /// A number that identifies this index among all indexes of the process. Two indexes of one file can have different records.
    let serial = TableSerial.next()
    let source: ByteSource
    let grammar: Grammar
    /// The offset of the first byte that can be part of a record, after a byte order mark and skipped lines.
    let contentStart: Int
    let state: Mutex<State>
    /// The number of fields that a record should have; 0 if unknown.
    let expectedFields: Int
    /// The offset of the last row of the header; 0 without a header. Empty lines before it are not records.
    let headerOffset: Int
    let urgentReads: UrgentReads

    struct State: Sendable {
        var table = ChunkTable(capacity: 64)
        var count = 0
        /// The chunk after the last chunk of the table, as far as it is scanned; `nil` if no byte of it is scanned.
        var partialEntry: ChunkTable.Entry?
        var partialFindings: ChunkFindings?
        /// The totals for all chunks in the table: record starts, line endings and problems found. The parser state is the state after
        /// these chunks.
        var startCount = 0
        var lineCount = 0
        var parserState: UInt8 = 0
        var findings = ChunkFindings()
        /// The run of records at the end of the table whose last record is incomplete.
        var openRun = RecordRun()
        /// The file offset of the end of the indexed bytes.
        var end = 0
        var isComplete = false
        /// True if the file has grown since it was opened. Bytes read earlier may no longer be valid.
        var hasGrown = false
        var revision = 0

        var maximumFieldCount: Int { max(findings.maximumFieldCount, partialFindings?.maximumFieldCount ?? 0) }
        /// True if the indexed bytes end with a complete record.
        var isBetweenRecords: Bool { (partialEntry?.chunk.endState ?? parserState) == UInt8(GV_RECORD_START) }
    }

    init(source: ByteSource, grammar: Grammar, contentStart: Int, expectedFields: Int, headerOffset: Int) {
        self.source = source
        self.grammar = grammar
        self.contentStart = contentStart
        (self.expectedFields, self.headerOffset) = (expectedFields, headerOffset)
        urgentReads = UrgentReads(maximumPauseNanoseconds: grammar.settings.maximumPauseNanoseconds)
        var initial = State()
        initial.end = contentStart
        state = Mutex(initial)
    }

    /// The number of the first chunk that has not been committed, and the parser state before it.
    var next: (chunk: Int, state: UInt8) {
        state.withLock { ($0.count, $0.parserState) }
    }

    /// True if the index may be loaded from a cache or stored there.
    var isCacheable: Bool {
        state.withLock { !$0.isComplete && !$0.hasGrown }
    }

    func startOffset(ofChunk number: Int) -> Int { contentStart + number * grammar.settings.chunkBytes }

    /// Adds the next chunk to the index. It must have been scanned from the end state of the previous chunk. The next call replaces an
    /// incomplete chunk.
    func commit(_ scanned: ScannedChunk, isLast: Bool, scanner: borrowing ChunkScanner) {
        let chunk = scanned.chunk
        // The fields of the record that crosses the boundary are counted before the lock is taken, because counting may read the file.
        let open = state.withLock { $0.openRun }
        var findings = scanned.findings
        let next = join(open, with: scanned, findings: &findings, scanner: scanner)
        // Problems at the end of an incomplete chunk count only until more bytes arrive.
        var last = ChunkFindings()
        if isLast {
            countFields(of: next, until: chunk.end, &last, scanner)
        } else if next.begin >= 0 {
            // A snapshot already has the records at the end, so the number of their columns must be known.
            last.maximumFieldCount = scanner.maximumFieldCount(of: next, until: chunk.end)
        }
        state.withLock { state in
            let entry = ChunkTable.Entry(startCount: state.startCount, lineCount: state.lineCount, chunk: chunk)
            state.revision += 1
            state.end = chunk.end
            state.isComplete = isLast
            guard chunk.end - chunk.begin == grammar.settings.chunkBytes else {
                state.partialEntry = entry
                findings.append(last)
                state.partialFindings = findings
                return
            }
            state.partialEntry = nil
            state.partialFindings = last
            if state.count == state.table.capacity { state.table = ChunkTable(growing: state.table) }
            state.table.append(entry)
            state.count += 1
            state.startCount += chunk.startCount
            state.lineCount += chunk.lineCount
            state.parserState = chunk.endState
            state.findings.append(findings)
            state.openRun = next
        }
    }

    private func join(
        _ open: RecordRun, with scanned: ScannedChunk, findings: inout ChunkFindings, scanner: borrowing ChunkScanner
    ) -> RecordRun {
        var open = open
        open.delimiterCount += scanned.ends.headDelimiters
        if scanned.chunk.startCount == 0 { return open }
        var joined = ChunkFindings()
        countFields(of: open, until: scanned.ends.firstStart, &joined, scanner)
        // A run of blank lines has findings, but no fields.
        if joined.maximumFieldCount > 0 || joined.counts.contains(where: { $0 > 0 }) {
            joined.append(findings)
            findings = joined
        }
        return scanned.ends.tail
    }

    /// Counts the fields of the records of a run that ends in a later chunk.
    func countFields(of run: RecordRun, until end: Int, _ findings: inout ChunkFindings, _ scanner: borrowing ChunkScanner) {
        if run.begin >= 0 { scanner.countFields(of: run, until: end, inBlock: nil, &findings) }
    }

    /// The number of fields of the longest record; 0 if all records have the expected number.
    var maximumFieldCount: Int { state.withLock { $0.maximumFieldCount } }

    /// All problems found in the indexed bytes.
    var findings: ChunkFindings {
        state.withLock { state in
            var all = state.findings
            if let partial = state.partialFindings { all.append(partial) }
            return all
        }
    }

    /// Marks the index as incomplete because the file has grown.
    func markGrown() {
        state.withLock {
            $0.isComplete = false
            $0.hasGrown = true
        }
    }
}
