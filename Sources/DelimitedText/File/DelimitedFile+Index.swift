public import Tables
import Locks

extension DelimitedFile {
    /// Indexes all records. The call blocks, so use a background thread, and only one call at a time.
    ///
    /// A snapshot taken during the call has the records that are already indexed. After a cancelled call, the next call continues where the
    /// cancelled one stopped. For a pipe, the call returns when the pipe ends, and sleeps while no bytes arrive; ``wakeReader()`` wakes it
    /// so that it calls `progress`.
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
                    // An input with an endless first line is not a table, so the end of its records is not reported.
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
            // While bytes arrive quickly, some calls of `progress` are skipped. It is always called before the thread waits.
            if !report(bytes.count) { return }
            _ = source.waitForBytes(moreThan: bytes.count, interruptions: bytes.interruptions)
        }
    }

    /// Wakes ``buildIndex(threads:priority:cache:progress:)`` if it waits for a pipe, so that it calls `progress`.
    public func wakeReader() {
        source.update { $0.interruptions += 1 }
    }

    /// Checks whether the file at the path is still the open file, with the same content. Takes two system calls.
    public func checkForChange() -> FileChange {
        guard let path, let before = fileStatus.withLock({ $0 }) else { return .unchanged }
        let change = before.change(ofFileAt: path)
        // The records of a truncated file can still be read if they are in a temporary file.
        if case .truncated = change, spool != nil { return .replaced }
        return change
    }

    /// True if the file at the path is the open file with the same content.
    ///
    /// The content is compared by checksum when all bytes have been read. A file that was copied to a temporary file has no checksum, so
    /// its metadata must be unchanged instead.
    public func isUnchanged() -> Bool {
        guard let path, let before = fileStatus.withLock({ $0 }), checkForChange() == .unchanged else { return false }
        if spool != nil { return Platform.status(ofPath: path)?.isUnchanged(since: before) == true }
        guard let known = indexedChecksum.withLock({ $0 }) else { return true }
        return known.count == source.count && checksum(of: known.count) == known.checksum
    }

    /// True for a file that is read directly, so that appended records can be shown. A copy of its bytes or text does not grow.
    public var canGrow: Bool { path != nil && spool == nil }

    /// The status of the file if bytes were appended since it was indexed, and nothing else changed; otherwise `nil`.
    ///
    /// Reads the earlier bytes again to compare them: all bytes of a file up to 1 MiB, samples of a larger file. Do not call it on a thread
    /// that must not block.
    func grownFileStatus() -> Platform.FileStatus? {
        guard spool == nil, let now = Platform.status(of: source.descriptor), now.size > source.count,
            let known = indexedChecksum.withLock({ $0 }), known.count == source.count, checksum(of: known.count) == known.checksum
        else { return nil }
        return now
    }

    /// Adds the bytes that ``grownFileStatus()`` has found to the input, without reading them.
    /// ``buildIndex(threads:priority:cache:progress:)`` then indexes their records. The record that was the last one until now may become
    /// longer.
    func addGrowth(_ growth: Platform.FileStatus) {
        guard growth.size > source.count else { return }
        fileStatus.withLock { $0 = growth }
        index.markGrown()
        source.update { $0.count = growth.size }
    }

    /// Stores a checksum of the current bytes. Later calls of ``grownFileStatus()`` and ``isUnchanged()`` compare it with the file.
    func storeChecksum() {
        guard spool == nil else { return }
        let count = source.count
        let checksum = checksum(of: count)
        indexedChecksum.withLock { $0 = checksum.map { (count, $0) } }
    }

    /// The checksum of the first `count` bytes of the file, or of samples of these bytes if they exceed 1 MiB. `nil` if they cannot be
    /// read.
    private func checksum(of count: Int) -> UInt64? {
        if count > 1 << 20 { return sampleChecksum(of: source, size: count) }
        return words(of: source, at: 0, byteCount: count).map { WordChecksum.mix($0) }
    }
}
