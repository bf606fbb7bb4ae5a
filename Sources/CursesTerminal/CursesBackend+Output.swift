internal import CTerminalSignals
public import TerminalSurface

extension CursesBackend {
    /// Shows `frame`; see ``FrameEncoder``. Waits while the terminal takes nothing, but not against a signal that asks for the end.
    public func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?) {
        guard modes != nil, !isGone else { return }
        write(encoder.encode(frame, cursor: cursor))
    }

    /// Writes what is no part of the picture.
    public func send(control bytes: [UInt8]) {
        guard modes != nil else { return }
        write(bytes)
    }

    /// Writes all of `bytes`, however slowly the terminal takes them. A signal that asks the program to end cuts it short.
    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0, until: nil) }
    }

    /// Writes `bytes` unless the terminal takes none for a second: one that is stopped must not keep the program from ending.
    func writeWithPatience(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0, until: Platform.milliseconds() + 1000) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, until deadline: Int?) {
        var rest = bytes[...]
        while !rest.isEmpty, !isGone {
            if let deadline, !waitForRoom(until: deadline) { return encoder.invalidate() }
            let count = Platform.write(device.drawing, rest.prefix(deadline == nil ? rest.count : 512))
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch Platform.lastError() {
            case EINTR:
                noteSignals()
                if deadline == nil, pendingSignal != nil { return encoder.invalidate() }
            case EAGAIN:
                // In short turns: a signal may come just before the wait, and would not end it.
                _ = waitForRoom(until: Platform.milliseconds() + 200)
                noteSignals()
                if deadline == nil, pendingSignal != nil { return encoder.invalidate() }
            default:
                markGone()
            }
        }
    }

    private func waitForRoom(until deadline: Int) -> Bool {
        while true {
            var descriptors = [pollfd(fd: device.drawing, events: Int16(POLLOUT), revents: 0)]
            let left = deadline - Platform.milliseconds()
            guard left > 0 else { return false }
            if Platform.poll(&descriptors, milliseconds: Int32(left)) > 0 { return true }
            if Platform.lastError() == EINTR, pendingSignal == nil { noteSignals() }
        }
    }

    /// The terminal has gone: the same to the program as a hang-up.
    func markGone() {
        isGone = true
        if pendingSignal == nil { pendingSignal = SIGHUP }
    }
}
