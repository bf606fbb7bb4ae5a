import FieldValues
import Locks
import Tables

/// Bytes that are read by offset: the user's file, or a temporary file with a copy of a pipe or with converted bytes.
///
/// The user's file is never memory-mapped, because truncating a mapped file would crash the process.
final class ByteSource: Sendable {
    let descriptor: Int32
    let path: String?
    /// A number that identifies this source among all sources of the process.
    let serial = TableSerial.next()
    private let gate = Gate()
    private let state: Mutex<State>

    struct State: Sendable {
        /// The number of bytes that can be read. It grows while a temporary file is written.
        var count: Int
        /// True if no more bytes will arrive.
        var isFinished: Bool
        /// The error that ended the input; `nil` at a regular end.
        var failure: DelimitedTextError?
        /// The number of interruptions. An interruption wakes threads that wait for bytes, although no bytes have arrived.
        var interruptions = 0
        /// The number of compressed bytes that have been read from the input; 0 if it is not compressed.
        var compressedCount = 0
        /// A phrase that reports ignored bytes of a compressed input; `nil` without such bytes.
        var problem: String?
        /// The unpaired surrogates that were found in transcoded UTF-16: their number, and the offset of the first one in the transcoded
        /// text.
        var unpaired = (count: 0, first: 0)
        /// The positions in compressed bytes from which decoding can start. Set when all bytes have been decoded; empty if the decoder has
        /// no checkpoints.
        var checkpoints: [Checkpoint] = []
        /// Decodes the parts of a compressed file that are not in the temporary file yet. `nil` if all ``count`` bytes are in that file.
        var sections: SectionDecoder?
    }

    /// Starts the writer of the temporary file. `nil` if there is no such writer, or if it has already been started.
    private let deferredStart = Mutex<(@Sendable () -> Void)?>(nil)

    /// Creates a source that owns `descriptor` and closes it.
    init(descriptor: Int32, path: String?, count: Int, isFinished: Bool) {
        self.descriptor = descriptor
        self.path = path
        state = Mutex(State(count: count, isFinished: isFinished))
    }

    deinit { Platform.closeDescriptor(descriptor) }

    var current: State { state.withLock { $0 } }
    var count: Int { current.count }

    /// Changes the state and wakes the threads that wait for a change.
    func update(_ body: (inout State) -> Void) {
        gate.withLockNotifying { state.withLock { body(&$0) } }
    }

    /// Changes the state as requested by the writer of the temporary file. Returns `false`, without a change, if sections have replaced the
    /// writer.
    func updateByWriter(_ body: (inout State) -> Void) -> Bool {
        gate.withLockNotifying {
            state.withLock { state in
                if state.sections != nil { return false }
                body(&state)
                return true
            }
        }
    }

    /// Sets the closure that starts the writer of the temporary file. It is called when a thread first waits for more bytes.
    func startOnDemand(_ start: @escaping @Sendable () -> Void) { deferredStart.withLock { $0 = start } }

    /// Makes all bytes of a compressed file available. They are decoded by section when they are read, so the writer of the temporary file
    /// is no longer needed.
    /// - Returns: `false`, without a change, if the bytes decoded so far contradict the size of the sections, or if decoding has failed.
    func attach(_ sections: SectionDecoder) -> Bool {
        gate.withLockNotifying {
            state.withLock { state in
                guard !state.isFinished else { return state.failure == nil && state.count == sections.count }
                guard state.count <= sections.count else { return false }
                sections.setKnownCount(state.count)
                (state.sections, state.checkpoints) = (sections, sections.table.checkpoints)
                (state.count, state.isFinished) = (sections.count, true)
                return true
            }
        }
    }

    /// Blocks until the source has more than `count` bytes, is finished, or is interrupted.
    /// - Parameter interruptions: the number of interruptions in an earlier state. The wait ends when the number has changed.
    func waitForBytes(moreThan count: Int, interruptions: Int) -> State {
        var result = current
        if result.count > count || result.isFinished { return result }
        let start = deferredStart.withLock { deferredStart in
            defer { deferredStart = nil }
            return deferredStart
        }
        start?()
        gate.wait {
            result = current
            return result.count > count || result.isFinished || result.interruptions != interruptions
        }
        return result
    }

    /// Reads exactly `count` bytes at `offset`.
    func read(into target: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(DelimitedTextError) {
        let done = try readUpTo(into: target, count: count, at: offset)
        if done < count { throw truncationError(at: offset + done) }
    }

    /// Reads up to `count` bytes at `offset`. Fewer bytes mean that the source ends there.
    func readUpTo(into target: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(DelimitedTextError) -> Int {
        guard count > 0 else { return 0 }
        try fill(offset..<offset + count)
        guard let done = Platform.readFully(descriptor, into: target, count: count, at: offset) else {
            let number = Platform.lastError
            throw DelimitedTextError(
                .cannotRead,
                "Cannot read \(path ?? "the temporary file") at byte \(NumberText.count(offset)): \(Platform.errorDescription(number)).",
                path: path,
                errno: number, byteOffset: offset)
        }
        return done
    }

    /// Decodes the bytes of a range that are not in the temporary file yet. Must be called before bytes are read directly from
    /// ``descriptor``.
    func fill(_ range: Range<Int>) throws(DelimitedTextError) {
        if let sections = state.withLock({ $0.sections }) { try sections.fill(range, of: descriptor) }
    }

    /// Up to `count` bytes at `offset`. Fewer bytes mean that the source ends there.
    func bytes(at offset: Int, count: Int) throws(DelimitedTextError) -> [UInt8] {
        // An empty array must not be written to, because all threads share its memory.
        if count <= 0 { return [] }
        return try [UInt8](unsafeUninitializedCapacity: count) { (buffer, done) throws(DelimitedTextError) in
            if let start = buffer.baseAddress { done = try readUpTo(into: start, count: count, at: offset) }
        }
    }

    func truncationError(at offset: Int) -> DelimitedTextError {
        // The error has the offset where the read started. Its message adds the current size of the file, which is less than before.
        let end = Platform.status(of: descriptor).map { " to \(NumberText.count($0.size)) bytes" } ?? ""
        return DelimitedTextError(.truncated, "\(path ?? "The file") was truncated\(end).", path: path, byteOffset: offset)
    }
}
