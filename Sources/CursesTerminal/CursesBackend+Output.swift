internal import CTerminalSignals
public import TerminalSurface

extension CursesBackend {
    /// Shows `frame`; see `FrameEncoder`. Waits while the terminal accepts no output, until a termination signal arrives.
    public func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?) {
        guard originalModes != nil, !isClosed else { return }
        write(encoder.encode(frame, cursor: cursor))
    }

    /// Writes control sequences that are not part of a frame, such as a clipboard or title sequence.
    public func sendControlSequence(_ bytes: [UInt8]) {
        guard originalModes != nil else { return }
        write(bytes)
    }

    /// Writes all of `bytes`, and waits while the terminal accepts no output. A termination signal ends the wait.
    func write(_ bytes: [UInt8]) {
        let all = pendingOutput + bytes
        pendingOutput = []
        all.withUnsafeBytes { write($0, until: nil) }
    }

    /// Writes ``pendingOutput`` without waiting for the next frame.
    func flushOutput() {
        if !pendingOutput.isEmpty { write([]) }
    }

    /// Writes `bytes`, but stops after one second, because a stopped terminal accepts no output.
    func writeWithTimeout(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0, until: Platform.monotonicMilliseconds() + 1000) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, until deadline: Int?) {
        var rest = bytes[...]
        while !rest.isEmpty, !isClosed {
            if let deadline, !waitUntilWritable(until: deadline) { return encoder.invalidate() }
            let count = Platform.write(device.drawingOutput, rest.prefix(deadline == nil ? rest.count : 512))
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch Platform.lastError() {
            case EINTR:
                checkSignals()
                if deadline == nil, pendingSignal != nil { return encoder.invalidate() }
            case EAGAIN:
                // Wait at most 200 ms at a time, because a signal that arrives just before the wait starts does not end it.
                _ = waitUntilWritable(until: Platform.monotonicMilliseconds() + 200)
                checkSignals()
                if deadline == nil, pendingSignal != nil { return encoder.invalidate() }
            default:
                markClosed()
            }
        }
    }

    private func waitUntilWritable(until deadline: Int) -> Bool {
        while true {
            var descriptors = [pollfd(fd: device.drawingOutput, events: Int16(POLLOUT), revents: 0)]
            let remaining = deadline - Platform.monotonicMilliseconds()
            guard remaining > 0 else { return false }
            if Platform.poll(&descriptors, milliseconds: Int32(remaining)) > 0 { return true }
            if Platform.lastError() == EINTR, pendingSignal == nil { checkSignals() }
        }
    }

    /// Records that the terminal was closed. The program then ends as after SIGHUP.
    func markClosed() {
        isClosed = true
        if pendingSignal == nil { pendingSignal = SIGHUP }
    }
}
