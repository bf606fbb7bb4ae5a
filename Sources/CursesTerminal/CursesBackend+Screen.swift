internal import CTerminalSignals
internal import TerminalSurface

extension CursesBackend {

    /// Takes over the screen.
    ///
    /// - Throws: ``TerminalError`` if the terminal cannot be used; its state is then unchanged.
    public func start() throws {
        guard originalModes == nil else { return }
        var before = termios()
        guard tcgetattr(device.output, &before) == 0 else {
            throw TerminalError(
                code: .system, message: "Cannot read the terminal modes: \(Platform.errorDescription(Platform.lastError())).")
        }
        terminal_signals_start(pipe.writeEnd)
        do {
            let description = try TerminalDescription(
                type: options.terminalType ?? Platform.environment("TERM") ?? "", output: device.output)
            guard let capabilities = TerminalCapabilities(description, depth: options.colorDepth) else {
                description.close()
                throw TerminalError(
                    code: .unusableType,
                    message: "The terminal type \"\(description.type)\" (TERM) cannot move the cursor. Use another terminal.")
            }
            self.description = description
            self.capabilities = capabilities
            let backspace = description.string("kbs").map { Array($0.utf8) } ?? []
            decoder = AnsiInput(
                eraseBytes: [Platform.eraseCharacter(before)] + (backspace.count == 1 ? backspace : []), keys: description.keys)
            encoder = FrameEncoder(capabilities: capabilities)
            prepareSequences(description)
        } catch {
            terminal_signals_stop()
            throw error
        }
        enterScreen(savedModes: before)
        queryBackground()
    }

    /// Restores the terminal and discards unread input. Takes at most one second, even if the terminal is stopped.
    public func stop() {
        guard originalModes != nil else { return }
        awaitBackgroundReply()
        restoreScreen(discardingInput: true)
        description?.close()
        description = nil
    }

    /// Prepares the sequences that enter and leave the screen. Autowrap is off. Otherwise, a row that is wider on the terminal than
    /// computed here would move the rows below it.
    private func prepareSequences(_ description: TerminalDescription) {
        let enter =
            (description.string("smcup") ?? "") + (description.string("smkx") ?? "") + "\u{1B}[?7l\u{1B}[?2004h"
        let leave =
            "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?2004l\u{1B}[?7h\u{1B}[m" + (description.string("rmkx") ?? "") + "\u{1B}[?25h"
            + (description.string("rmcup") ?? "\u{1B}[H\u{1B}[2J")
        // Terminal descriptions may contain delays, `$<5>`, which are obsolete.
        enterSequence = removingDelays(enter)
        leaveSequence = removingDelays(leave)
    }

    private func removingDelays(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        while let start = bytes.indices.first(where: { bytes[$0...].starts(with: "$<".utf8) }),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
        {
            bytes.removeSubrange(start...end)
        }
        return bytes
    }

    /// Takes over the screen. `savedModes` are the terminal modes to restore later.
    func enterScreen(savedModes: termios) {
        originalModes = savedModes
        var raw = Platform.rawModes(from: savedModes)
        tcsetattr(device.output, TCSANOW, &raw)
        capture.begin()
        var modesToRestore = savedModes
        leaveSequence.withUnsafeBytes {
            terminal_crash_arm(
                device.drawingOutput, &modesToRestore, $0.baseAddress, $0.count, capture.originalDescriptor, capture.fileDescriptor)
        }
        encoder.invalidate()
        pendingOutput = enterSequence + (isMouseEnabled ? MouseReport.enableSequence : [])
    }

    /// Restores the screen. With `discardingInput`, discards unread input, because the shell would show mouse reports as text.
    func restoreScreen(discardingInput: Bool) {
        guard var before = originalModes else { return }
        originalModes = nil
        terminal_crash_disarm()
        if pendingOutput.isEmpty { writeWithTimeout(leaveSequence) }
        // Output is pending if the sequence that enters the screen was never sent. The sequence that leaves the screen is then not sent
        // either.
        pendingOutput = []
        // Block SIGTTOU, which would stop the process here if it is in the background.
        var output = sigset_t()
        var mask = sigset_t()
        sigemptyset(&output)
        sigaddset(&output, SIGTTOU)
        sigprocmask(SIG_BLOCK, &output, &mask)
        // TCSAFLUSH would wait until the terminal accepts the output, which never happens if it is stopped.
        if discardingInput { tcflush(device.input, TCIFLUSH) }
        tcsetattr(device.output, TCSANOW, &before)
        sigprocmask(SIG_SETMASK, &mask, nil)
        capture.end()
        terminal_signals_stop()
    }

    /// Makes the next frame redraw the whole screen, for example after another program has drawn on it.
    public func redraw() { encoder.invalidate() }

    /// Restores the screen and stops the process group. When continued, takes over the screen again and queues `TerminalEvent.resumed`.
    public func suspend() {
        guard let before = originalModes else { return }
        restoreScreen(discardingInput: false)
        terminal_signals_suspend()
        terminal_signals_start(pipe.writeEnd)
        enterScreen(savedModes: before)
        updateSize()
        queuedEvents.append(.resumed)
    }

    /// Takes over the screen again after SIGSTOP and SIGCONT, because the shell has changed the terminal modes meanwhile.
    func resume() {
        guard let before = originalModes else { return }
        var raw = Platform.rawModes(from: before)
        tcsetattr(device.output, TCSANOW, &raw)
        encoder.invalidate()
        write(enterSequence + (isMouseEnabled ? MouseReport.enableSequence : []))
        updateSize()
        queuedEvents.append(.resumed)
    }

    /// Reads the size of the terminal, and queues a resize event if it has changed.
    func updateSize() {
        // Redraw everything, because the terminal may have moved its text while its size changed, even if the size is the same again.
        encoder.invalidate()
        guard let now = Platform.terminalSize(device.output), now != knownSize else { return }
        knownSize = now
        queuedEvents.append(.resize(now))
    }

    /// Queries the background color, except on consoles that do not support OSC sequences and would show the query as text.
    ///
    /// Until a reply arrives, the color in the variable `COLORFGBG` is used, which some terminals set.
    private func queryBackground() {
        if options.queriesBackground, let color = TerminalColor(colorFgBg: Platform.environment("COLORFGBG") ?? "") {
            queuedEvents.append(.background(color))
        }
        guard options.queriesBackground, let type = description?.type, !type.hasPrefix("linux"), !type.hasPrefix("vt"),
            !type.hasPrefix("ansi")
        else { return }
        backgroundQueryTime = Platform.monotonicMilliseconds()
        pendingOutput += Array("\u{1B}]11;?\u{1B}\\".utf8)
    }

    /// Waits for a pending reply to the background query, at most until 60 ms after the query. A later reply would appear in the shell as
    /// typed text.
    private func awaitBackgroundReply() {
        guard let sent = backgroundQueryTime, !isClosed, pendingOutput.isEmpty else { return }
        let deadline = sent + 60
        while backgroundQueryTime != nil, !isClosed, Platform.monotonicMilliseconds() < deadline {
            wait(timeoutMilliseconds: deadline - Platform.monotonicMilliseconds())
            _ = pollEvents()
        }
    }
}
