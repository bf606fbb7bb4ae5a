internal import CTerminalSignals
public import TerminalSurface

/// The terminal that the program runs in.
///
/// Between ``start()`` and ``stop()`` the screen is ours. However that ends (a signal, a crash, `exit`), the terminal is given back as it
/// was; only SIGKILL leaves no time for it. Used from one thread; ``wake`` from any. There is one at a time.
public final class CursesBackend: TerminalBackend {
    /// What the caller decides; all else is found out.
    public struct Options: Sendable {
        /// How many colours to use; `nil` finds out: NO_COLOR, COLORTERM, then what the terminal's description says.
        public var colorDepth: ColorDepth?
        /// Whether the mouse is reported from the start.
        public var reportsMouse = true
        /// Whether to draw on the controlling terminal when standard output is none.
        public var drawsOnControllingTerminal = false
        /// Whether to ask the terminal for its background colour; the answer comes as `TerminalEvent.background(_:)`, if at all.
        public var asksBackground = true
        /// The terminal's name; `nil` takes TERM.
        public var type: String?

        /// What suits most.
        public init() {}
    }

    /// What the caller decided.
    public let options: Options
    /// What the terminal understands; known after ``start()``.
    public internal(set) var capabilities = TerminalCapabilities.plain
    /// A signal that asks the program to end (SIGTERM, SIGINT, SIGHUP; SIGHUP too when the terminal has gone): the program is to clean up
    /// and to exit with 128 + this. Known after ``pollEvents()``.
    public internal(set) var pendingSignal: Int32?
    /// Whether the terminal has gone: nothing can be drawn or read any more. ``pendingSignal`` is SIGHUP then.
    public internal(set) var isGone = false

    let device: TerminalDevice
    let pipe: WakePipe
    var description: TerminalDescription?
    var encoder = FrameEncoder(capabilities: .plain)
    var decoder = AnsiInput()
    /// The modes of the line before we came; `nil` while the screen is not ours.
    var modes: termios?
    var capture = StandardErrorCapture()
    var enterSequence: [UInt8] = []
    var leaveSequence: [UInt8] = []
    var knownSize: TerminalSize
    /// Events that were found outside of ``pollEvents()``.
    var queued: [TerminalEvent] = []
    /// When input last came, in milliseconds.
    var lastInput = 0
    /// When the background colour was asked for, while the answer is awaited.
    var askedBackground: Int?

    /// Finds the terminal: standard input and output, or the controlling terminal where these are not.
    /// - Throws: ``TerminalError`` if there is none.
    public convenience init(_ options: Options = Options()) throws(TerminalError) {
        try self.init(options, device: TerminalDevice(drawsOnControllingTerminal: options.drawsOnControllingTerminal))
    }

    init(_ options: Options, device: TerminalDevice) throws(TerminalError) {
        self.options = options
        self.device = device
        pipe = try WakePipe()
        isMouseEnabled = options.reportsMouse
        knownSize = Platform.terminalSize(device.output) ?? TerminalSize(columns: 80, rows: 24)
    }

    deinit {
        stop()
        device.close()
    }

    /// The colours of the terminal, as far as the person wants them.
    public var colorDepth: ColorDepth { capabilities.colorDepth }

    /// Whether the locale of the environment has no other encoding than UTF-8. One that names none (`C`) says nothing about the terminal.
    public var showsUnicode: Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            if let locale = Platform.environment(name), !locale.isEmpty { return Self.isUnicode(locale: locale) }
        }
        return true
    }

    /// Whether a locale's name (`de_AT.ISO-8859-1@euro`) has no other encoding than UTF-8.
    static func isUnicode(locale: String) -> Bool {
        guard let dot = locale.firstIndex(of: ".") else { return true }
        let encoding = locale[locale.index(after: dot)...].prefix { $0 != "@" }.lowercased()
        return encoding == "utf-8" || encoding == "utf8"
    }

    /// The size that the program was last told: it changes with ``TerminalEvent/resize(_:)``, not before.
    public var size: TerminalSize { knownSize }

    /// Ends a wait, from any thread.
    public var wake: @Sendable () -> Void {
        let pipe = pipe
        return { pipe.wake() }
    }

    /// Whether the mouse is reported; may be changed at any time.
    public var isMouseEnabled: Bool {
        didSet {
            guard isMouseEnabled != oldValue, modes != nil else { return }
            write(isMouseEnabled ? MouseReport.on : MouseReport.off)
        }
    }
}
