import FieldValues
import Locks

/// The content of a compressed file. It is decoded on demand, section by section, into the temporary file of a ``ByteSource``.
///
/// Each section is decoded once, by the first thread that reads it. If another thread needs the same section meanwhile, it first decodes
/// the next section, because the threads of a job read neighboring bytes. Then it waits. Each decoding thread needs about 0.5 MiB of
/// memory.
final class Sections: Sendable {
    let table: CheckpointTable
    private let file: ByteSource
    private let fileStatus: Platform.FileStatus
    private let decoding: any InputDecoding
    private let name: String
    private let settings: ScanSettings
    private let discard: @Sendable () -> Void
    private let gate = Gate()
    private let progress: Mutex<Progress>

    private enum State: UInt8 { case missing, decoding, present }

    private struct Progress: Sendable {
        /// The number of bytes at the start that were decoded before the sections were attached.
        var known = 0
        var states: [State]
        /// The number of bytes decoded section by section.
        var decoded = 0
        var nextRoomCheck: Int
        /// An error that all later reads of missing sections throw.
        var failure: DelimitedTextError?
    }

    /// - Parameters:
    ///   - file: the compressed file.
    ///   - opened: its status when it was opened.
    ///   - discard: called once if a section cannot be decoded, to remove the checkpoints from the cache.
    init(
        _ table: CheckpointTable, of file: ByteSource, fileStatus: Platform.FileStatus, name: String, decoding: any InputDecoding,
        settings: ScanSettings, discard: @escaping @Sendable () -> Void
    ) {
        (self.table, self.file, self.fileStatus, self.name) = (table, file, fileStatus, name)
        (self.decoding, self.settings, self.discard) = (decoding, settings, discard)
        progress = Mutex(
            Progress(states: Array(repeating: .missing, count: table.checkpoints.count), nextRoomCheck: settings.roomCheckBytes))
    }

    /// The number of decoded bytes.
    var count: Int { table.count }

    /// The number of bytes decoded section by section so far.
    var decodedCount: Int { progress.withLock { $0.decoded } }

    /// Marks the first `count` bytes as present.
    func setKnown(_ count: Int) { progress.withLock { $0.known = count } }

    /// Decodes the missing sections of a range to the temporary file.
    /// - Throws: an error if the compressed file was changed, or if the temporary file cannot grow.
    func fill(_ range: Range<Int>, of target: Int32) throws(DelimitedTextError) {
        let range = range.clamped(to: 0..<count)
        guard !range.isEmpty else { return }
        let numbers = table.section(at: range.lowerBound)...table.section(at: range.upperBound - 1)
        let isPresent = progress.withLock { progress in
            range.upperBound <= progress.known || numbers.allSatisfy { progress.states[$0] == .present }
        }
        if isPresent { return }
        for number in numbers {
            if claimNext(after: number) {
                // If decoding fails, the thread that needs that section reports the error.
                try? decode(number + 1, to: target)
            }
            if try claim(number) { try decode(number, to: target) }
        }
    }

    /// Decodes a section that is reserved for this thread.
    private func decode(_ number: Int, to target: Int32) throws(DelimitedTextError) {
        do throws(DelimitedTextError) {
            try decode(table.section(number), to: target)
            finish(number, .present)
        } catch {
            finish(number, .missing)
            throw error
        }
    }

    /// Reserves the section after `number` for this thread and returns `true`, if another thread decodes `number`.
    private func claimNext(after number: Int) -> Bool {
        progress.withLock { progress in
            guard progress.states[number] == .decoding, number + 1 < progress.states.count, progress.states[number + 1] == .missing,
                progress.failure == nil
            else { return false }
            progress.states[number + 1] = .decoding
            return true
        }
    }

    /// Waits until a section is present and returns `false`, or reserves it for this thread and returns `true`.
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
        try checkRoom(for: section.count, in: target)
        var end = section.start.output
        do throws(DelimitedTextError) {
            try decoding.decode(section, name: name) { (bytes, offset) throws(DelimitedTextError) in
                guard let start = bytes.baseAddress else { return 0 }
                return try file.readUpTo(into: start, count: bytes.count, at: offset)
            } write: { (bytes) throws(DelimitedTextError) in
                guard let start = bytes.baseAddress else { return }
                guard Platform.writeFully(target, from: start, count: bytes.count, at: end) else {
                    throw SpoolWriter.cannotStore(name, Platform.lastError, at: end)
                }
                end += bytes.count
            }
        } catch {
            guard error.code == .changed else { throw error }
            throw fail(section)
        }
        progress.withLock { $0.decoded += section.count }
    }

    /// The error for a section that cannot be decoded. All later reads of missing sections throw it, too.
    private func fail(_ section: CompressedSection) -> DelimitedTextError {
        let now = Platform.status(of: file.descriptor)
        let isChanged = now.map { $0.size != fileStatus.size || $0.modified != fileStatus.modified } ?? true
        let message =
            isChanged
            ? "\(name) has changed since it was opened. Open it again."
            : "\(name) or its entry in the index cache is damaged near byte \(NumberText.count(section.start.input)). Open it again."
        let error = DelimitedTextError(.changed, message, path: name, byteOffset: section.start.input)
        let isFirst = progress.withLock { progress in
            defer { progress.failure = error }
            return progress.failure == nil
        }
        if isFirst { discard() }
        return error
    }

    /// Throws an error if the disk would be too full after `count` more bytes.
    private func checkRoom(for count: Int, in target: Int32) throws(DelimitedTextError) {
        let isDue = progress.withLock { progress in
            guard progress.decoded + count >= progress.nextRoomCheck else { return false }
            progress.nextRoomCheck = progress.decoded + count + settings.roomCheckBytes
            return true
        }
        guard isDue, let reserved = settings.missingReserve(on: target, after: count) else { return }
        progress.withLock { $0.nextRoomCheck = 0 }
        throw DelimitedTextError(
            .cannotSpool,
            "Cannot read more of \(name): less than \(reserved >> 20) MiB of the disk would remain free. Set TMPDIR to a folder with more space.",
            path: name)
    }
}
