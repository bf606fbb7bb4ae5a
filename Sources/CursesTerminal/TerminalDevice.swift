internal import CTerminalSignals

/// The descriptors for keyboard input and screen output.
struct TerminalDevice {
    /// The descriptor of the keyboard.
    let input: Int32
    /// The descriptor of the screen for reading and setting its modes and its size.
    let output: Int32
    /// The descriptor of the screen for writing. It is opened a second time if possible, so that other programs on the terminal keep
    /// blocking writes. Non-blocking writes let the backend handle signals even if the terminal is stopped.
    let drawingOutput: Int32
    /// The descriptors that this device has opened, which ``close()`` closes.
    private let openedDescriptors: [Int32]

    init(input: Int32, output: Int32, openedDescriptor: Int32 = -1) {
        self.input = input
        self.output = output
        let reopened = Platform.reopen(output)
        drawingOutput = reopened >= 0 ? reopened : output
        self.openedDescriptors = [openedDescriptor, reopened].filter { $0 >= 0 }
    }

    /// Finds the terminal: standard input and output if they are terminals. The controlling terminal replaces redirected input and, if
    /// `drawsOnControllingTerminal`, redirected output.
    init(drawsOnControllingTerminal: Bool) throws(TerminalError) {
        let hasInput = isatty(0) == 1
        let hasOutput = isatty(1) == 1
        if !hasOutput, !drawsOnControllingTerminal {
            throw TerminalError(code: .noScreen, message: "Cannot show a screen: standard output is not a terminal.")
        }
        guard !hasInput || !hasOutput else {
            self.init(input: 0, output: 1)
            return
        }
        let tty = Platform.openDevice("/dev/tty")
        guard tty >= 0 else {
            throw TerminalError(
                code: .noKeyboard,
                message: "Cannot read keys from /dev/tty: \(Platform.errorDescription(Platform.lastError())). "
                    + "Run the program in a terminal.")
        }
        self.init(input: hasInput ? 0 : tty, output: hasOutput ? 1 : tty, openedDescriptor: tty)
    }

    func close() {
        for fd in openedDescriptors { _ = closeFile(fd) }
    }
}

/// The system call `close`, which the method ``close()`` hides.
private func closeFile(_ fd: Int32) -> Int32 { close(fd) }
