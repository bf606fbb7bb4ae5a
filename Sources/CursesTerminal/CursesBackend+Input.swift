internal import CTerminalSignals
public import TerminalSurface

extension CursesBackend {
    /// The most bytes that are read in one go: a long paste must not keep frames from being drawn.
    private static let readLimit = 65_536
    /// Milliseconds in which the rest of a key follows an ESC.
    private static let escapeDelay: Int32 = 25
    /// After so many milliseconds without input, what began (a paste, a report) is not waited for any more.
    private static let forgetAfter = 2000

    /// The events that have come: all of them, so that many keys cost one frame; of a long paste, what is there.
    ///
    /// A lone ESC is waited for up to 25 ms, whether the rest of a key follows. SIGTSTP is obeyed in here, as ``suspend()``.
    public func pollEvents() -> [TerminalEvent] {
        pipe.drain()
        noteSignals()
        if terminal_signals_take(SIGTSTP) != 0 { suspend() }
        if terminal_signals_take(SIGCONT) != 0 { resume() }
        if terminal_signals_take(SIGWINCH) != 0 { noteSize() }
        var events = queued
        queued = []
        readKeys(&events)
        return events
    }

    private func readKeys(_ events: inout [TerminalEvent]) {
        guard modes != nil, !isGone, hasInput() else { return }
        let now = Platform.milliseconds()
        if now - lastInput > Self.forgetAfter { decoder.reset(into: &events) }
        lastInput = now
        let start = events.count
        var count = 0
        repeat {
            let bytes = Platform.read(device.input, limit: Self.readLimit)
            // Readable, and yet nothing to read: the other side has closed it.
            if bytes.isEmpty, Platform.lastError() != EINTR { markGone() }
            decoder.decode(bytes, into: &events)
            count += bytes.count
        } while !isGone && count < Self.readLimit && hasInput(milliseconds: decoder.isWaiting ? Self.escapeDelay : 0)
        if count < Self.readLimit { decoder.flush(into: &events) }
        if askedBackground != nil, events[start...].contains(where: { if case .background = $0 { true } else { false } }) {
            askedBackground = nil
        }
    }

    /// Whether there is something to read now, or within some milliseconds.
    private func hasInput(milliseconds: Int32 = 0) -> Bool {
        var descriptors = [pollfd(fd: device.input, events: Int16(POLLIN), revents: 0)]
        guard Platform.poll(&descriptors, milliseconds: milliseconds) > 0 else { return false }
        if Int32(descriptors[0].revents) & POLLIN == 0 { markGone() }
        return !isGone
    }

    /// Waits on the terminal, the signals and ``wake``, without waking up in between.
    public func wait(timeoutMilliseconds: Int?) {
        guard queued.isEmpty, pendingSignal == nil else { return }
        var descriptors = [
            pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: modes == nil ? -1 : device.input, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = timeoutMilliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
        // Interrupted by a signal of ours, it returns and the program polls; by another, it returns too early, which does no harm.
        _ = Platform.poll(&descriptors, milliseconds: timeout)
    }

    /// Looks for signals that ask the program to end.
    func noteSignals() {
        for signal in [SIGTERM, SIGHUP, SIGINT] where terminal_signals_take(signal) != 0 && pendingSignal == nil {
            pendingSignal = signal
        }
    }
}
