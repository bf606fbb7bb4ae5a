import CByteScan
import Locks
import Tables

extension RecordIndex {
    func makeScanner() -> ChunkScanner {
        ChunkScanner(source: source, grammar: grammar, expectedFields: expectedFields, headerOffset: headerOffset)
    }

    /// Indexes the bytes from the end of the last whole chunk to `end`. If `isFinal`, no bytes follow. Returns `false` when cancelled.
    ///
    /// Each thread scans the next chunk from a guessed state. Scanned chunks are committed, that is, added to the index, in file order. The
    /// thread that finishes the next chunk in this order commits it and all finished chunks that follow. If the guess for a chunk was
    /// wrong, that thread scans the chunk again.
    ///
    /// With background priority, the calling thread pauses during urgent reads, and the other threads have idle priority.
    func extend(
        to end: Int, isFinal: Bool, threads: Int, priority: ReadPriority = .foreground, progress: (Int) -> Bool
    ) throws(DelimitedTextError) -> Bool {
        let from = next.chunk
        let size = grammar.settings.chunkBytes
        let bytes = max(end - startOffset(ofChunk: from), 0)
        let chunks = (bytes + size - 1) / size
        if chunks == 0 {
            // All bytes have been indexed by an earlier call. The index only has to be marked as complete.
            if isFinal { finish(at: end) }
            return progress(end)
        }
        let run = IndexRun(index: self, first: from, end: from + chunks, byteEnd: end, isFinal: isFinal)
        let workers = max(1, min(threads, chunks))
        withoutActuallyEscaping(progress) { progress in
            let body = UncheckedBox(value: progress)
            priority.perform(on: workers) { run.scanChunks(pausing: $0, body.value) }
        }
        if let failure = run.failure { throw failure }
        return !run.isCancelled
    }

    private func finish(at end: Int) {
        let scanner = makeScanner()
        var findings = ChunkFindings()
        let (open, isComplete) = state.withLock { ($0.openRun, $0.isComplete) }
        if isComplete { return }
        countFields(of: open, until: end, &findings, scanner)
        state.withLock {
            $0.end = end
            $0.partialEntry = nil
            $0.partialFindings = findings
            $0.isComplete = true
            $0.revision += 1
        }
    }
}

/// Makes a closure Sendable. The user of the box ensures that only one thread at a time calls it.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
}

/// The work of one call of ``RecordIndex/extend(to:isFinal:threads:priority:progress:)``, which its threads share.
private final class IndexRun: Sendable {
    private let index: RecordIndex
    private let end: Int
    private let byteEnd: Int
    private let isFinal: Bool
    private let nextChunk: Atomic<Int>
    private let stop = Atomic<Bool>(false)
    private let shared: Mutex<Shared>

    /// The state that the threads share.
    fileprivate struct Shared: Sendable {
        /// Scanned chunks that cannot be committed yet, because an earlier chunk is not scanned. The key is the number of the chunk.
        var waitingChunks: [Int: ScannedChunk] = [:]
        /// The number of the chunk to commit next.
        var nextCommit: Int
        var isCommitting = false
        var failure: DelimitedTextError?
        var isCancelled = false
        var lastReport: UInt64 = 0
        var lastBytes = 0
    }

    init(index: RecordIndex, first: Int, end: Int, byteEnd: Int, isFinal: Bool) {
        self.index = index
        self.end = end
        self.byteEnd = byteEnd
        self.isFinal = isFinal
        nextChunk = Atomic(first)
        shared = Mutex(Shared(nextCommit: first))
    }

    var failure: DelimitedTextError? { shared.withLock { $0.failure } }
    var isCancelled: Bool { shared.withLock { $0.isCancelled } }

    /// Scans chunks on the current thread until no chunks are left.
    /// - Parameter pausing: true to pause during urgent reads.
    func scanChunks(pausing: Bool = false, _ progress: (Int) -> Bool) {
        let scanner = index.makeScanner()
        while !stop.load(ordering: .relaxed) {
            if pausing { index.urgentReads.waitUntilDone() }
            let number = nextChunk.add(1, ordering: .relaxed).oldValue
            guard number < end else { return }
            do throws(DelimitedTextError) {
                // The parser state before a chunk is known if all earlier chunks have been committed; otherwise it is guessed.
                let (nextCommit, state) = index.next
                let isKnown = nextCommit == number && !index.grammar.settings.alwaysGuessesState
                try deliver(number, scan(number, state: isKnown ? state : nil, earlier: state, scanner), scanner, progress)
            } catch {
                shared.withLock { if $0.failure == nil { $0.failure = error } }
                stop.store(true, ordering: .relaxed)
            }
        }
    }

    private func scan(
        _ number: Int, state: UInt8?, earlier: UInt8, _ scanner: borrowing ChunkScanner
    ) throws(DelimitedTextError) -> ScannedChunk {
        let begin = index.startOffset(ofChunk: number)
        return try scanner.scan(
            begin: begin, end: min(begin + index.grammar.settings.chunkBytes, byteEnd), fileEnd: byteEnd, state: state,
            earlier: earlier)
    }

    private func deliver(
        _ number: Int, _ scanned: ScannedChunk, _ scanner: borrowing ChunkScanner, _ progress: (Int) -> Bool
    ) throws(DelimitedTextError) {
        var ready = shared.withLock { shared in
            shared.waitingChunks[number] = scanned
            return shared.isCommitting ? nil : shared.removeNextCommit()
        }
        while let (number, found) = ready {
            if stop.load(ordering: .relaxed) { break }
            var nextChunk = found
            let state = index.next.state
            if nextChunk.chunk.startState != state { nextChunk = try scan(number, state: state, earlier: state, scanner) }
            index.commit(nextChunk, isLast: isFinal && nextChunk.chunk.end == byteEnd, scanner: scanner)
            report(nextChunk.chunk.end, progress)
            ready = shared.withLock { shared in
                shared.nextCommit += 1
                return shared.removeNextCommit()
            }
        }
    }

    private func report(_ bytes: Int, _ progress: (Int) -> Bool) {
        let now = Platform.monotonicNanoseconds()
        let isDue = shared.withLock { shared -> Bool in
            guard bytes == byteEnd || bytes - shared.lastBytes >= 16 << 20 || now - shared.lastReport >= 40_000_000 else { return false }
            shared.lastBytes = bytes
            shared.lastReport = now
            return true
        }
        if isDue, !progress(bytes) {
            shared.withLock { $0.isCancelled = true }
            stop.store(true, ordering: .relaxed)
        }
    }
}

extension IndexRun.Shared {
    /// Removes the chunk to commit next from the waiting chunks; `nil` if it is not scanned yet. The caller must commit it, and no other
    /// thread may commit until that is done.
    fileprivate mutating func removeNextCommit() -> (Int, ScannedChunk)? {
        guard let chunk = waitingChunks.removeValue(forKey: nextCommit) else {
            isCommitting = false
            return nil
        }
        isCommitting = true
        return (nextCommit, chunk)
    }
}
