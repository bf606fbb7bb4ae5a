import FieldValues
import Locks
import Tables

/// A file read by offset: the user's file, or a temporary file that a pipe is copied to.
///
/// The user's file is never memory-mapped, because truncating a mapped file would crash the process.
final class ByteSource: Sendable {
    let descriptor: Int32
    let path: String?
    /// Unique in this process.
    let serial = TableSerial.next()
    private let gate = Gate()
    private let state: Mutex<State>

    struct State: Sendable {
        /// The number of bytes known to exist.
        var count: Int
        /// True if no more bytes will arrive.
        var isFinished: Bool
        /// The error that ended the input; `nil` at a regular end.
        var failure: DelimitedTextError?
        /// The number of times that waiting threads were woken although no bytes had arrived.
        var interruptions = 0
        /// The number of compressed bytes that were read; 0 if the input is not compressed.
        var compressedCount = 0
        /// A phrase about compressed bytes that were ignored.
        var problem: String?
        /// Unpaired surrogates in transcoded UTF-16: their number, and the offset of the first in the output.
        var unpaired = (count: 0, first: 0)
        /// The places in the compressed bytes where decoding can start. Set once all bytes are decoded; often empty.
        var checkpoints: [Checkpoint] = []
        /// The decoder of bytes that are not in the temporary file yet; `nil` if all known bytes are there.
        var sections: Sections?
    }

    /// Starts the writer of the temporary file; `nil` once it was called.
    private let starter = Mutex<(@Sendable () -> Void)?>(nil)

    /// Takes ownership of the descriptor.
    init(descriptor: Int32, path: String?, count: Int, isFinished: Bool) {
        self.descriptor = descriptor
        self.path = path
        state = Mutex(State(count: count, isFinished: isFinished))
    }

    deinit { Platform.closeDescriptor(descriptor) }

    var current: State { state.withLock { $0 } }
    var count: Int { current.count }

    /// Changes the state and wakes waiting threads.
    func update(_ body: (inout State) -> Void) {
        gate.withLockNotifying { state.withLock { body(&$0) } }
    }

    /// Changes the state on behalf of the writer of the temporary file. Returns `false`, without a change, if the writer is no longer
    /// needed.
    func updateByWriter(_ body: (inout State) -> Void) -> Bool {
        gate.withLockNotifying {
            state.withLock { state in
                if state.sections != nil { return false }
                body(&state)
                return true
            }
        }
    }

    /// Sets the closure that starts the writer of the temporary file. The first wait for more bytes calls it.
    func startOnDemand(_ start: @escaping @Sendable () -> Void) { starter.withLock { $0 = start } }

    /// Makes all bytes of `sections` available, which replaces the writer of the temporary file.
    /// - Returns: `false`, without a change, if the known bytes do not agree with the sections.
    func attach(_ sections: Sections) -> Bool {
        gate.withLockNotifying {
            state.withLock { state in
                guard !state.isFinished else { return state.failure == nil && state.count == sections.count }
                guard state.count <= sections.count else { return false }
                sections.setKnown(state.count)
                (state.sections, state.checkpoints) = (sections, sections.table.checkpoints)
                (state.count, state.isFinished) = (sections.count, true)
                return true
            }
        }
    }

    /// Blocks until the source has more than `count` bytes, is finished, or is interrupted.
    func wait(moreThan count: Int, interruptions: Int) -> State {
        var result = current
        if result.count > count || result.isFinished { return result }
        let start = starter.withLock { starter in
            defer { starter = nil }
            return starter
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
        if done < count { throw truncated(at: offset + done) }
    }

    /// Reads up to `count` bytes, fewer only at the end of the file.
    func readUpTo(into target: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(DelimitedTextError) -> Int {
        guard count > 0 else { return 0 }
        try fill(offset..<offset + count)
        guard let done = Platform.readFully(descriptor, into: target, count: count, at: offset) else {
            let number = Platform.lastError
            throw DelimitedTextError(
                .cannotRead, "Cannot read \(path ?? "the temporary file") at byte \(NumberText.count(offset)): \(Platform.reason(number)).",
                path: path,
                errno: number, byteOffset: offset)
        }
        return done
    }

    /// Decodes the bytes of a range that are not in the temporary file yet. Call it before ``descriptor`` is read directly.
    func fill(_ range: Range<Int>) throws(DelimitedTextError) {
        if let sections = state.withLock({ $0.sections }) { try sections.fill(range, of: descriptor) }
    }

    /// The bytes at `offset`, up to `count`.
    func bytes(at offset: Int, count: Int) throws(DelimitedTextError) -> [UInt8] {
        // The initializer below writes to the empty array, which all threads share.
        if count <= 0 { return [] }
        return try [UInt8](unsafeUninitializedCapacity: count) { (buffer, done) throws(DelimitedTextError) in
            if let start = buffer.baseAddress { done = try readUpTo(into: start, count: count, at: offset) }
        }
    }

    func truncated(at offset: Int) -> DelimitedTextError {
        // The offset of the failure is that of the read. Therefore the message also has the current size of the file.
        let end = Platform.status(of: descriptor).map { " to \(NumberText.count($0.size)) bytes" } ?? ""
        return DelimitedTextError(.truncated, "\(path ?? "The file") was truncated\(end).", path: path, byteOffset: offset)
    }
}
