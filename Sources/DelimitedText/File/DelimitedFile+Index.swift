public import Tables
import Locks

extension DelimitedFile {
    /// Finds all records. Blocks until that is done: call it on a background thread, one call at a time.
    ///
    /// Snapshots taken meanwhile grow. A call after a cancelled one goes on where that ended. For a pipe it returns when the pipe ends,
    /// sleeping while nothing comes; ``interrupt()`` wakes it to ask `progress`.
    /// - Parameters:
    ///   - threads: the number of threads to use, including the caller's; at least 1.
    ///   - cache: holds the indexes of large files; `nil`: none is looked for or kept.
    ///   - progress: called by one thread at a time, at least every 16 MiB or 50 ms while there is work; `false` cancels.
    /// - Complexity: O(bytes); memory is about a 1,000th of the file, and a block buffer for each thread.
    /// - Throws: when the file can no longer be read, or a pipe could not be copied to the end.
    public func buildIndex(
        threads: Int, cache: IndexCache? = nil, progress: @Sendable (ReadProgress) -> Bool
    ) throws(DelimitedTextError) {
        func report(_ done: Int) -> Bool {
            progress(ReadProgress(bytesDone: done, bytesTotal: source.count, records: snapshot().recordCount))
        }
        let key = index.isForCache ? cache.flatMap { cacheKey(for: $0) } : nil
        if let cache, let key, restoreIndex(from: cache, key) {
            rememberBytes()
            _ = report(source.count)
            return
        }
        while true {
            let bytes = source.current
            if try !index.extend(to: bytes.count, isFinal: bytes.isFinished, threads: threads, progress: report) { return }
            if bytes.isFinished {
                if let failure = bytes.failure { throw failure }
                if let cache, let key { storeIndex(in: cache, key) }
                rememberBytes()
                return
            }
            // Reports are rare while bytes come fast; the last one before a pause must not be missing.
            if !report(bytes.count) { return }
            _ = source.wait(moreThan: bytes.count, interruptions: bytes.interruptions)
        }
    }

    /// Wakes a ``buildIndex(threads:cache:progress:)`` that waits for a pipe, so that it asks whether to go on.
    public func interrupt() {
        source.update { $0.interruptions += 1 }
    }

    /// Compares the open file with its path and with what it was. Two system calls.
    public func checkForChange() -> FileChange {
        guard let path, let before = opened.withLock({ $0 }) else { return .unchanged }
        guard let there = Platform.status(ofPath: path) else { return .deleted }
        if there.inode != before.inode || there.device != before.device { return .replaced }
        if there.size < before.size { return .truncated(to: there.size) }
        if there.size > before.size { return .grown(to: there.size) }
        return there.modified == before.modified ? .unchanged : .replaced
    }

    /// Accepts the bytes that a file has got since all of it was indexed; then ``buildIndex(threads:cache:progress:)`` finds their records. The
    /// last record may have become longer.
    ///
    /// Reads samples of the bytes known before, and of a file up to 1 MiB all of them: not for a thread that must not wait.
    /// - Returns: whether there were any. Never for pipes and UTF-16, when other bytes have changed, or while the index is not complete.
    @discardableResult
    public func acceptGrowth() -> Bool {
        guard let growth = growth() else { return false }
        accept(growth)
        return true
    }

    /// The status of the file when it has only got more bytes since all of it was indexed.
    func growth() -> Platform.FileStatus? {
        guard spool == nil, let now = Platform.status(of: source.descriptor), now.size > source.count,
            let known = known.withLock({ $0 }), known.count == source.count, checksum(of: known.count) == known.checksum
        else { return nil }
        return now
    }

    /// Accepts the bytes that ``growth()`` has found. Reads nothing.
    func accept(_ growth: Platform.FileStatus) {
        guard growth.size > source.count else { return }
        opened.withLock { $0 = growth }
        index.reopen()
        source.update { $0.count = growth.size }
    }

    /// So that they are known again when there are more.
    func rememberBytes() {
        guard spool == nil else { return }
        let count = source.count
        let checksum = checksum(of: count)
        known.withLock { $0 = checksum.map { (count, $0) } }
    }

    /// Of the first `count` bytes of the file: all of them, or samples.
    private func checksum(of count: Int) -> UInt64? {
        if count > 1 << 20 { return sampleChecksum(size: count) }
        return words(at: 0, count: count).map { WordMixer.mix($0) }
    }
}
