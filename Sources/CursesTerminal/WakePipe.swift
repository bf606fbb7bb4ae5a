internal import CTerminalSignals

/// A pipe from the process to itself. A signal handler or another thread ends a wait by writing to it.
///
/// The pipe does not block. It is closed when this object is released, so every writer must retain the object.
final class WakePipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws(TerminalError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw TerminalError(code: .system, message: "Cannot create a pipe: \(Platform.errorDescription(Platform.lastError())).")
        }
        for end in ends {
            Platform.makeCloseOnExecAndNonBlocking(end)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Ends the current wait or, if no thread waits, the next wait. A failed write is ignored: the pipe is then full, and its bytes already
    /// end the wait.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    func drain() {
        var block: [UInt8] = Array(repeating: 0, count: 512)
        while read(readEnd, &block, block.count) == block.count {}
    }
}
