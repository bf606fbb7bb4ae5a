import Locks

/// A file that is read by offset: the user's own, or a temporary one that a pipe is copied to.
///
/// The user's file is never mapped: a file that is truncated while it is mapped kills the process.
final class ByteSource: Sendable {
    let descriptor: Int32
    let path: String?
    /// Different for each source of this process.
    let serial: Int
    private static let serials = Atomic(0)
    private let gate = Gate()
    private let state: Mutex<State>

    struct State: Sendable {
        /// Bytes that are known to be there.
        var count: Int
        /// Whether no more will come.
        var isFinished: Bool
        /// Why no more will come, when it is not the end.
        var failure: DelimitedTextError?
        /// Goes up with each wake-up that is not about bytes.
        var interruptions = 0
        /// Surrogates without partner in UTF-16 that was transcoded: how many, and about where the first came out.
        var unpaired = (count: 0, first: 0)
    }

    /// Takes over the descriptor.
    init(descriptor: Int32, path: String?, count: Int, isFinished: Bool) {
        self.descriptor = descriptor
        self.path = path
        serial = ByteSource.serials.wrappingAdd(1, ordering: .relaxed).newValue
        state = Mutex(State(count: count, isFinished: isFinished))
    }

    deinit { Platform.closeDescriptor(descriptor) }

    var current: State { state.withLock { $0 } }
    var count: Int { current.count }

    /// Tells of new bytes, of the end, or of a failure.
    func update(_ body: (inout State) -> Void) {
        gate.change { state.withLock { body(&$0) } }
    }

    /// Sleeps until there are more than `count` bytes, no more will come, or someone interrupts.
    func wait(moreThan count: Int, interruptions: Int) -> State {
        var result = current
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

    /// Reads `count` bytes, or as many as there are.
    func readUpTo(into target: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(DelimitedTextError) -> Int {
        guard count > 0 else { return 0 }
        guard let done = Platform.readFully(descriptor, into: target, count: count, at: offset) else {
            let number = Platform.lastError
            throw DelimitedTextError(
                .cannotRead, "Cannot read \(path ?? "the temporary file") at byte \(offset): \(Platform.reason(number)).", path: path,
                errno: number, byteOffset: offset)
        }
        return done
    }

    /// The bytes at `offset`: `count`, or as many as there are.
    func bytes(at offset: Int, count: Int) throws(DelimitedTextError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(count, 0))
        let done = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(DelimitedTextError) in
            guard let start = buffer.baseAddress else { return 0 }
            return try readUpTo(into: start, count: buffer.count, at: offset)
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    func truncated(at offset: Int) -> DelimitedTextError {
        // Where reading came to nothing is where was asked, not where the file ends.
        let end = Platform.status(of: descriptor).map { " to \($0.size) bytes" } ?? ""
        return DelimitedTextError(.truncated, "\(path ?? "The file") was truncated\(end).", path: path, byteOffset: offset)
    }
}
