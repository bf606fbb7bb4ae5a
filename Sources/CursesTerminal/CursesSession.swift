internal import CNcursesw
internal import CTerminalSignals

/// ncurses, for what it does here: it knows the terminal by its description (terminfo), sets the modes of the line, and decodes keys.
///
/// It draws nothing. Once it has set the modes, the file that it would write to is replaced by /dev/null, so that nothing reaches the
/// terminal but what ``FrameEncoder`` made: ncurses would otherwise send sequences of its own when it first reads a key. Keys are read
/// through a pad of one cell, since reading through a window may refresh the screen.
///
/// There is one at a time: the library has one current screen.
final class CursesSession {
    /// The description that is used.
    let type: String
    private let screen: OpaquePointer
    private let pad: UnsafeMutablePointer<WINDOW>
    private let inputFile: UnsafeMutablePointer<FILE>
    private let outputFile: UnsafeMutablePointer<FILE>

    /// - Parameter type: the name of the terminal (TERM). One that is not described here is taken for an xterm, as nearly all are today.
    init(type wanted: String, device: TerminalDevice) throws(TerminalError) {
        guard let input = fdopen(Platform.duplicate(device.input), "r") else { throw Self.systemError("read keys") }
        guard let output = fdopen(Platform.duplicate(device.output), "w") else {
            fclose(input)
            throw Self.systemError("draw")
        }
        set_escdelay(25)
        let candidates = wanted.isEmpty ? [] : [wanted, "xterm-256color", "xterm"]
        var found: (type: String, screen: OpaquePointer)?
        // ncurses allocates screens of the size that the environment or the terminal says, though nothing is drawn on them.
        Platform.withEnvironment(["LINES": "24", "COLUMNS": "80"]) {
            for candidate in candidates where found == nil {
                if let screen = newterm(candidate, output, input) { found = (candidate, screen) }
            }
        }
        guard let found, let pad = newpad(1, 1) else {
            if let found { delscreen(found.screen) }
            fclose(input)
            fclose(output)
            throw TerminalError(
                code: .unusableType,
                message: wanted.isEmpty
                    ? "TERM is not set, so the terminal type is unknown. Try TERM=xterm-256color."
                    : "The terminal type \"\(wanted)\" (TERM) is unknown, and so is xterm. Try TERM=vt100, or install ncurses-term.")
        }
        (type, screen, self.pad, inputFile, outputFile) = (found.type, found.screen, pad, input, output)
        raw()
        noecho()
        nonl()
        meta(pad, true)
        nodelay(pad, true)
        let nowhere = Platform.openDevice("/dev/null", O_WRONLY)
        if nowhere >= 0 {
            Platform.replace(fileno(output), by: nowhere)
            _ = closeFile(nowhere)
        }
        keypad(pad, true)
    }

    /// Whether the sequences of keys that the terminal's description lacks are known to ncurses.
    private(set) var hasKeySequences = false

    /// Teaches ncurses the sequences of keys. There are hundreds: the first screen does not wait for them, the first key does.
    func defineKeys() {
        guard !hasKeySequences else { return }
        hasKeySequences = true
        for (sequence, code) in KeyCode.sequences() { define_key(sequence, code) }
    }

    private static func systemError(_ what: String) -> TerminalError {
        TerminalError(code: .system, message: "Cannot open the terminal to \(what): \(Platform.message(Platform.lastError())).")
    }

    /// The next byte or code of a key; `nil` if none has come. After an ESC it waits for up to 25 ms, whether the rest of a key follows.
    func read() -> Int32? {
        defineKeys()
        let code = wgetch(pad)
        return code == ERR ? nil : code
    }

    /// Whether sequences of keys are decoded; off while a paste comes, whose bytes are data.
    var decodesKeys = true {
        didSet { if decodesKeys != oldValue { keypad(pad, decodesKeys) } }
    }

    func close() {
        delwin(pad)
        delscreen(screen)
        fclose(inputFile)
        fclose(outputFile)
    }
}

extension CursesSession {
    func string(_ name: String) -> String? {
        guard let value = tigetstr(name), Int(bitPattern: value) != -1 else { return nil }
        return String(cString: value)
    }

    func flag(_ name: String) -> Bool { tigetflag(name) == 1 }

    /// A number of the description; −1 if it has none.
    func number(_ name: String) -> Int { Int(tigetnum(name)) }
}

/// `close`, which the method above hides.
private func closeFile(_ fd: Int32) -> Int32 { close(fd) }
