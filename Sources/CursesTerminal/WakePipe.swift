internal import CTerminalSignals

/// A pipe to oneself: what is written to it, by a signal handler or from another thread, ends a wait.
///
/// Never waits itself, and is closed only when the last who might write to it is gone.
final class WakePipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws(TerminalError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw TerminalError(code: .system, message: "Cannot create a pipe: \(Platform.message(Platform.lastError())).")
        }
        for end in ends {
            Platform.makePrivateAndNonBlocking(end)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Ends the present wait, or the next. If the pipe is full, that is so already.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    func drain() {
        var block: [UInt8] = Array(repeating: 0, count: 512)
        while read(readEnd, &block, block.count) == block.count {}
    }
}
