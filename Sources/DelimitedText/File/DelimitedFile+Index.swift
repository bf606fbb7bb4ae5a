public import Tables
import Locks

extension DelimitedFile {
    /// Indexes all records. The call blocks, so use a background thread, and only one call at a time.
    ///
    /// A snapshot taken meanwhile has the records indexed so far. After a cancelled call, the next call resumes. For a pipe, the call
    /// returns when the pipe ends, and sleeps while no bytes arrive; ``wakeReader()`` wakes it so that it calls `progress`.
    /// - Parameters:
    ///   - threads: the number of threads to use, including the calling one; at least 1.
    ///   - priority: how the threads share the processors with other work.
    ///   - cache: the cache of indexes of large files; `nil` disables caching.
    ///   - progress: called by one thread at a time, at least every 16 MiB or 50 ms during work; return `false` to cancel.
    /// - Complexity: O(bytes). Memory: about 1/1,000 of the file, and one block buffer per thread.
    /// - Throws: ``DelimitedTextError`` if the file can no longer be read or a pipe could not be copied completely.
    public func buildIndex(
        threads: Int, priority: ReadPriority = .foreground, cache: IndexCache? = nil, progress: @Sendable (ReadProgress) -> Bool
    ) throws(DelimitedTextError) {
        func report(_ done: Int) -> Bool {
            progress(ReadProgress(bytesDone: done, bytesTotal: source.count, records: snapshot().recordCount))
        }
        let key = index.isCacheable ? cache.flatMap { cacheKey(for: $0) } : nil
        if let cache, let key, restoreIndex(from: cache, key) {
            storeChecksum()
            _ = report(source.count)
            return
        }
        while true {
            let bytes = source.current
            if try !index.extend(to: bytes.count, isFinal: bytes.isFinished, threads: threads, priority: priority, progress: report) {
                return
            }
            if bytes.isFinished {
                if var failure = bytes.failure {
                    // An endless line is not a table, so this error does not say how the input ended.
                    if failure.code != .endless, failure.inputEnd == nil {
                        let isBetweenRecords = index.state.withLock { $0.isBetweenRecords }
                        failure.inputEnd = failure.code == .damaged ? .damaged : isBetweenRecords ? .betweenRecords : .withinRecord
                    }
                    throw failure
                }
                if let cache, let key { storeIndex(in: cache, key) }
                storeChecksum()
                return
            }
            // `progress` may be skipped while bytes arrive quickly, but not before a pause.
            if !report(bytes.count) { return }
            _ = source.wait(moreThan: bytes.count, interruptions: bytes.interruptions)
        }
    }

    /// Wakes ``buildIndex(threads:priority:cache:progress:)`` if it waits for a pipe, so that it calls `progress`.
    public func wakeReader() {
        source.update { $0.interruptions += 1 }
    }

    /// Compares the open file with its path and its previous status. Two system calls.
    public func checkForChange() -> FileChange {
        guard let path, let before = fileStatus.withLock({ $0 }) else { return .unchanged }
        let change = before.change(ofFileAt: path)
        // The records of a temporary file stay readable.
        if case .truncated = change, spool != nil { return .replaced }
        return change
    }

    /// True if the file is the open file and, once all bytes were read, has the same checksum. A file that was copied to a temporary file
    /// has no checksum. Its metadata must then be unchanged, too.
    public func isUnchanged() -> Bool {
        guard let path, let before = fileStatus.withLock({ $0 }), checkForChange() == .unchanged else { return false }
        if spool != nil { return Platform.status(ofPath: path)?.isUnchanged(since: before) == true }
        guard let known = indexedChecksum.withLock({ $0 }) else { return true }
        return known.count == source.count && checksum(of: known.count) == known.checksum
    }

    /// True for a file that is read directly, not through a copy of its bytes or text.
    public var canGrow: Bool { path != nil && spool == nil }

    /// The status of the file if it has only gained bytes since it was completely indexed; otherwise `nil`.
    ///
    /// It reads the bytes that were known before: all of them up to 1 MiB, otherwise samples. Do not call it on a thread that must not
    /// block.
    func growth() -> Platform.FileStatus? {
        guard spool == nil, let now = Platform.status(of: source.descriptor), now.size > source.count,
            let known = indexedChecksum.withLock({ $0 }), known.count == source.count, checksum(of: known.count) == known.checksum
        else { return nil }
        return now
    }

    /// Makes the bytes found by ``growth()`` a part of the input, without reading them. ``buildIndex(threads:priority:cache:progress:)``
    /// then indexes their records. The last record may have become longer.
    func accept(_ growth: Platform.FileStatus) {
        guard growth.size > source.count else { return }
        fileStatus.withLock { $0 = growth }
        index.reopen()
        source.update { $0.count = growth.size }
    }

    /// Stores a checksum that identifies the current bytes after the file has grown.
    func storeChecksum() {
        guard spool == nil else { return }
        let count = source.count
        let checksum = checksum(of: count)
        indexedChecksum.withLock { $0 = checksum.map { (count, $0) } }
    }

    /// The checksum of the first `count` bytes: of all of them, or of samples in a file of more than 1 MiB.
    private func checksum(of count: Int) -> UInt64? {
        if count > 1 << 20 { return sampleChecksum(of: source, size: count) }
        return words(of: source, at: 0, byteCount: count).map { WordMixer.mix($0) }
    }
}
