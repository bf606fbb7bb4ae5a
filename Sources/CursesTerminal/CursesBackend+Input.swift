internal import CTerminalSignals
public import TerminalSurface

extension CursesBackend {
    /// The maximum number of bytes read at once, so that a long paste does not delay frames.
    private static let readLimit = 65_536
    /// The maximum time in milliseconds between ESC and the rest of a key sequence. After it, ESC is the Escape key.
    private static let escapeDelay: Int32 = 25
    /// The time without input, in milliseconds, after which an incomplete paste or report is discarded.
    private static let discardMilliseconds = 2000

    /// Returns all pending events, so that one frame can show the effect of many keys. A long paste can arrive in several calls. If the
    /// last byte is ESC, waits up to 25 ms for the rest of a key sequence. Handles SIGTSTP by calling ``suspend()``.
    public func pollEvents() -> [TerminalEvent] {
        flushOutput()
        pipe.drain()
        checkSignals()
        if terminal_signal_consume(SIGTSTP) != 0 { suspend() }
        if terminal_signal_consume(SIGCONT) != 0 { resume() }
        if terminal_signal_consume(SIGWINCH) != 0 { updateSize() }
        var events = queuedEvents
        queuedEvents = []
        readKeys(&events)
        return events
    }

    private func readKeys(_ events: inout [TerminalEvent]) {
        guard originalModes != nil, !isClosed, hasInput() else { return }
        let now = Platform.monotonicMilliseconds()
        if now - lastInputTime > Self.discardMilliseconds { decoder.reset(into: &events) }
        lastInputTime = now
        let start = events.count
        var count = 0
        repeat {
            let bytes = Platform.read(device.input, limit: Self.readLimit)
            // A terminal that is readable but returns no data has been closed.
            if bytes.isEmpty, Platform.lastError() != EINTR { markClosed() }
            decoder.decode(bytes, into: &events)
            count += bytes.count
        } while !isClosed && count < Self.readLimit && hasInput(withinMilliseconds: decoder.hasIncompleteKey ? Self.escapeDelay : 0)
        if count < Self.readLimit { decoder.flush(into: &events) }
        if backgroundQueryTime != nil, events[start...].contains(where: { if case .background = $0 { true } else { false } }) {
            backgroundQueryTime = nil
        }
    }

    /// Returns true if input arrives before the timeout.
    private func hasInput(withinMilliseconds timeout: Int32 = 0) -> Bool {
        var descriptors = [pollfd(fd: device.input, events: Int16(POLLIN), revents: 0)]
        guard Platform.poll(&descriptors, milliseconds: timeout) > 0 else { return false }
        if Int32(descriptors[0].revents) & POLLIN == 0 { markClosed() }
        return !isClosed
    }

    /// Waits for input, a signal or a call of ``wake``, without periodic wake-ups. `nil` waits without a limit.
    public func wait(timeoutMilliseconds: Int?) {
        flushOutput()
        guard queuedEvents.isEmpty, pendingSignal == nil else { return }
        var descriptors = [
            pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: originalModes == nil ? -1 : device.input, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = timeoutMilliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
        // Any signal ends the wait early. The next poll handles the signals of this backend; after other signals, the caller waits again.
        _ = Platform.poll(&descriptors, milliseconds: timeout)
    }

    /// Handles signals that request termination, by setting ``pendingSignal``.
    func checkSignals() {
        for signal in [SIGTERM, SIGHUP, SIGINT] where terminal_signal_consume(signal) != 0 && pendingSignal == nil {
            pendingSignal = signal
        }
    }
}
