internal import CTerminalSignals
internal import TerminalSurface

extension CursesBackend {

    /// Takes the screen.
    ///
    /// - Throws: ``TerminalError`` if the terminal cannot be drawn on; it is as before then.
    public func start() throws {
        guard modes == nil else { return }
        var before = termios()
        guard tcgetattr(device.output, &before) == 0 else {
            throw TerminalError(code: .system, message: "Cannot read the terminal modes: \(Platform.message(Platform.lastError())).")
        }
        terminal_signals_start(pipe.writeEnd)
        do {
            let description = try TerminalDescription(type: options.type ?? Platform.environment("TERM") ?? "", output: device.output)
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
        enterScreen(before)
        askBackground()
    }

    /// Gives the terminal back as it was. Keys that were typed but not read are lost. Takes a second at most, also if the terminal is
    /// stuck.
    public func stop() {
        guard modes != nil else { return }
        awaitBackground()
        giveScreenBack(discardingInput: true)
        description?.close()
        description = nil
    }

    /// The sequences that take the screen and give it back. Autowrap is off: a row too long by a character that the terminal takes for
    /// wider than we do must not push the rows below.
    private func prepareSequences(_ description: TerminalDescription) {
        let enter =
            (description.string("smcup") ?? "") + (description.string("smkx") ?? "") + "\u{1B}[?7l\u{1B}[?2004h"
        let leave =
            "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?2004l\u{1B}[?7h\u{1B}[m" + (description.string("rmkx") ?? "") + "\u{1B}[?25h"
            + (description.string("rmcup") ?? "\u{1B}[H\u{1B}[2J")
        // Descriptions of terminals may have waiting times in their strings, `$<5>`, which nobody needs any more.
        enterSequence = Array(withoutDelays(enter).utf8)
        leaveSequence = Array(withoutDelays(leave).utf8)
    }

    private func withoutDelays(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$"), rest[start...].hasPrefix("$<"), let end = rest[start...].firstIndex(of: ">") {
            result += rest[..<start]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Takes the screen; `before` are the modes to give back.
    func enterScreen(_ before: termios) {
        modes = before
        var raw = Platform.raw(before)
        tcsetattr(device.output, TCSANOW, &raw)
        capture.begin()
        var kept = before
        leaveSequence.withUnsafeBytes {
            terminal_crash_arm(device.drawing, &kept, $0.baseAddress, $0.count, capture.original, capture.file)
        }
        encoder.invalidate()
        write(enterSequence + (isMouseEnabled ? MouseReport.on : []))
    }

    /// Gives the screen back; what has been typed but not read is lost if `discardingInput`: reports of the mouse would appear as text.
    func giveScreenBack(discardingInput: Bool) {
        guard var before = modes else { return }
        modes = nil
        terminal_crash_disarm()
        writeWithPatience(leaveSequence)
        // SIGTTOU would stop us if we had been put into the background.
        var output = sigset_t()
        var mask = sigset_t()
        sigemptyset(&output)
        sigaddset(&output, SIGTTOU)
        sigprocmask(SIG_BLOCK, &output, &mask)
        // Not TCSAFLUSH: it waits for the output, which may be stopped for ever.
        if discardingInput { tcflush(device.input, TCIFLUSH) }
        tcsetattr(device.output, TCSANOW, &before)
        sigprocmask(SIG_SETMASK, &mask, nil)
        capture.end()
        terminal_signals_stop()
    }

    /// Gives the terminal to the shell and stops the process group; returns when it is continued, and queues ``TerminalEvent/resumed``.
    public func suspend() {
        guard let before = modes else { return }
        giveScreenBack(discardingInput: false)
        terminal_signals_suspend()
        terminal_signals_start(pipe.writeEnd)
        enterScreen(before)
        noteSize()
        queued.append(.resumed)
    }

    /// Takes the screen again after a stop that could not be foreseen (SIGSTOP): the shell has set its own modes since.
    func resume() {
        guard let before = modes else { return }
        var raw = Platform.raw(before)
        tcsetattr(device.output, TCSANOW, &raw)
        encoder.invalidate()
        write(enterSequence + (isMouseEnabled ? MouseReport.on : []))
        noteSize()
        queued.append(.resumed)
    }

    /// Looks for the size, and queues an event if it is another one.
    func noteSize() {
        // The terminal may have moved its text about, also when it has the old size again.
        encoder.invalidate()
        guard let now = Platform.terminalSize(device.output), now != knownSize else { return }
        knownSize = now
        queued.append(.resize(now))
    }

    /// Asks for the background colour. Consoles without OSC would show the question.
    private func askBackground() {
        guard options.asksBackground, let type = description?.type, !type.hasPrefix("linux"), !type.hasPrefix("vt"), !type.hasPrefix("ansi")
        else { return }
        askedBackground = Platform.milliseconds()
        write(Array("\u{1B}]11;?\u{1B}\\".utf8))
    }

    /// If the terminal has been asked just now, gives it a moment to answer, lest the shell gets the answer as typed text.
    private func awaitBackground() {
        guard let asked = askedBackground, !isGone else { return }
        let deadline = asked + 60
        while askedBackground != nil, !isGone, Platform.milliseconds() < deadline {
            wait(timeoutMilliseconds: deadline - Platform.milliseconds())
            _ = pollEvents()
        }
    }
}
