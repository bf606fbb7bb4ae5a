import FieldValues
import Locks

/// Decodes a compressed file on demand, one section between checkpoints at a time, into the temporary file of a ``ByteSource``.
///
/// Each section is decoded once, by the first thread that reads it. While one thread decodes a section, a second thread that needs it
/// decodes the next section before it waits, because the threads of a job read neighboring bytes. Each decoding thread needs about 0.5 MiB
/// of memory.
final class SectionDecoder: Sendable {
    let table: CheckpointTable
    private let file: ByteSource
    private let fileStatus: Platform.FileStatus
    private let decoding: any InputDecoding
    private let name: String
    private let settings: ScanSettings
    private let discardCheckpoints: @Sendable () -> Void
    private let gate = Gate()
    private let progress: Mutex<Progress>

    private enum State: UInt8 { case missing, decoding, present }

    private struct Progress: Sendable {
        /// The number of bytes at the start of the content that were already in the temporary file when decoding by section began.
        var knownCount = 0
        var states: [State]
        /// The number of bytes that have been decoded by section.
        var decodedCount = 0
        var nextSpaceCheck: Int
        /// An error that ended decoding. Later reads throw it for every section that is not decoded yet.
        var failure: DelimitedTextError?
    }

    /// - Parameters:
    ///   - file: the compressed file.
    ///   - fileStatus: the status of the file when it was opened, to find later changes.
    ///   - discardCheckpoints: called once if a section cannot be decoded, to remove the checkpoints from the cache.
    init(
        _ table: CheckpointTable, of file: ByteSource, fileStatus: Platform.FileStatus, name: String, decoding: any InputDecoding,
        settings: ScanSettings, discardCheckpoints: @escaping @Sendable () -> Void
    ) {
        (self.table, self.file, self.fileStatus, self.name) = (table, file, fileStatus, name)
        (self.decoding, self.settings, self.discardCheckpoints) = (decoding, settings, discardCheckpoints)
        progress = Mutex(
            Progress(states: Array(repeating: .missing, count: table.checkpoints.count), nextSpaceCheck: settings.spaceCheckBytes))
    }

    /// The size of the content, in decoded bytes.
    var count: Int { table.count }

    /// The number of bytes that have been decoded by section until now.
    var decodedCount: Int { progress.withLock { $0.decodedCount } }

    /// Marks the first `count` bytes of the content as already decoded.
    func setKnownCount(_ count: Int) { progress.withLock { $0.knownCount = count } }

    /// Decodes the sections of a range that are not in the temporary file yet.
    /// - Throws: an error if the compressed file was changed, or if the temporary file cannot grow.
    func fill(_ range: Range<Int>, of target: Int32) throws(DelimitedTextError) {
        let range = range.clamped(to: 0..<count)
        guard !range.isEmpty else { return }
        let numbers = table.sectionNumber(at: range.lowerBound)...table.sectionNumber(at: range.upperBound - 1)
        let isPresent = progress.withLock { progress in
            range.upperBound <= progress.knownCount || numbers.allSatisfy { progress.states[$0] == .present }
        }
        if isPresent { return }
        for number in numbers {
            if claimNext(after: number) {
                // Ignore an error: the thread that reads this section later will report it.
                try? decode(number + 1, to: target)
            }
            if try claim(number) { try decode(number, to: target) }
        }
    }

    /// Decodes a section. The calling thread must have reserved it with ``claim(_:)`` or ``claimNext(after:)``.
    private func decode(_ number: Int, to target: Int32) throws(DelimitedTextError) {
        do throws(DelimitedTextError) {
            try decode(table.section(number), to: target)
            finish(number, .present)
        } catch {
            finish(number, .missing)
            throw error
        }
    }

    /// If another thread is decoding section `number`, reserves the next section for this thread and returns `true`.
    private func claimNext(after number: Int) -> Bool {
        progress.withLock { progress in
            guard progress.states[number] == .decoding, number + 1 < progress.states.count, progress.states[number + 1] == .missing,
                progress.failure == nil
            else { return false }
            progress.states[number + 1] = .decoding
            return true
        }
    }

    /// Reserves a section for this thread and returns `true`. If another thread is decoding it, waits until it is decoded and returns
    /// `false`.
    private func claim(_ number: Int) throws(DelimitedTextError) -> Bool {
        var isClaimed = false
        var failure: DelimitedTextError?
        gate.wait {
            progress.withLock { progress in
                switch progress.states[number] {
                case .present: return true
                case .decoding: return false
                case .missing:
                    failure = progress.failure
                    if failure == nil { (isClaimed, progress.states[number]) = (true, .decoding) }
                    return true
                }
            }
        }
        if let failure { throw failure }
        return isClaimed
    }

    private func finish(_ number: Int, _ state: State) {
        gate.withLockNotifying { progress.withLock { $0.states[number] = state } }
    }

    private func decode(_ section: CompressedSection, to target: Int32) throws(DelimitedTextError) {
        try checkSpace(for: section.count, in: target)
        var end = section.start.outputOffset
        do throws(DelimitedTextError) {
            try decoding.decode(section, name: name) { (bytes, offset) throws(DelimitedTextError) in
                guard let start = bytes.baseAddress else { return 0 }
                return try file.readUpTo(into: start, count: bytes.count, at: offset)
            } write: { (bytes) throws(DelimitedTextError) in
                guard let start = bytes.baseAddress else { return }
                guard Platform.writeFully(target, from: start, count: bytes.count, at: end) else {
                    throw SpoolWriter.cannotStoreError(name, Platform.lastError, at: end)
                }
                end += bytes.count
            }
        } catch {
            guard error.code == .changed else { throw error }
            throw storeError(for: section)
        }
        progress.withLock { $0.decodedCount += section.count }
    }

    /// Creates the error for a section that cannot be decoded, and stores it for later reads of missing sections.
    private func storeError(for section: CompressedSection) -> DelimitedTextError {
        let now = Platform.status(of: file.descriptor)
        let isChanged = now.map { $0.size != fileStatus.size || $0.modified != fileStatus.modified } ?? true
        let message =
            isChanged
            ? "\(name) has changed since it was opened. Open it again."
            : "\(name) or its entry in the index cache is damaged near byte \(NumberText.count(section.start.inputOffset)). Open it again."
        let error = DelimitedTextError(.changed, message, path: name, byteOffset: section.start.inputOffset)
        let isFirst = progress.withLock { progress in
            defer { progress.failure = error }
            return progress.failure == nil
        }
        if isFirst { discardCheckpoints() }
        return error
    }

    /// Throws if the disk would have too little free space after `count` more bytes.
    private func checkSpace(for count: Int, in target: Int32) throws(DelimitedTextError) {
        let isDue = progress.withLock { progress in
            guard progress.decodedCount + count >= progress.nextSpaceCheck else { return false }
            progress.nextSpaceCheck = progress.decodedCount + count + settings.spaceCheckBytes
            return true
        }
        guard isDue, let reserved = settings.unmetReserve(on: target, afterWriting: count) else { return }
        progress.withLock { $0.nextSpaceCheck = 0 }
        throw DelimitedTextError(
            .cannotSpool,
            "Cannot read more of \(name): less than \(reserved >> 20) MiB of the disk would remain free. "
                + "Set TMPDIR to a folder with more space.",
            path: name)
    }
}
