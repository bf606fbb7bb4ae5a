internal import CTerminalSignals
public import TerminalSurface

/// The terminal of the process as a backend for drawing and input.
///
/// It owns the screen between ``start()`` and ``stop()``, and restores the terminal after a signal, a crash or `exit`; only SIGKILL
/// prevents that. One thread uses it, except ``wake``. Only one instance can exist at a time.
public final class CursesBackend: TerminalBackend {
    /// The settings of a backend.
    public struct Options: Sendable {
        /// The number of colors; `nil` detects it from NO_COLOR, the terminal description and COLORTERM.
        public var colorDepth: ColorDepth?
        /// True to enable mouse reporting on start.
        public var enablesMouse = true
        /// True to draw on the controlling terminal if standard output is redirected, so that a pipe can receive other output.
        public var drawsOnControllingTerminal = false
        /// True to query the background color of the terminal; the reply, if any, is a `TerminalEvent.background(_:)`.
        public var queriesBackground = true
        /// The terminal type; `nil` means TERM.
        public var terminalType: String?

        /// Creates the default settings.
        public init() {}
    }

    /// The settings.
    public let options: Options
    /// The capabilities of the terminal. Before ``start()``, they are `TerminalCapabilities.plain`.
    public internal(set) var capabilities = TerminalCapabilities.plain
    /// A signal that requests termination: SIGTERM, SIGINT or SIGHUP. A closed terminal counts as SIGHUP. ``pollEvents()`` updates it. The
    /// program must clean up and exit with 128 + the signal.
    public internal(set) var pendingSignal: Int32?
    /// True if the terminal was closed, so that drawing and reading are impossible. ``pendingSignal`` is then SIGHUP.
    public internal(set) var isClosed = false

    let device: TerminalDevice
    let pipe: WakePipe
    var description: TerminalDescription?
    var encoder = FrameEncoder(capabilities: .plain)
    var decoder = AnsiInput()
    /// The terminal modes before ``start()``; `nil` while the backend is not started.
    var originalModes: termios?
    var capture = StandardErrorCapture()
    var enterSequence: [UInt8] = []
    var leaveSequence: [UInt8] = []
    /// Output that is written together with the next frame, so that the terminal never shows one without the other.
    var pendingOutput: [UInt8] = []
    var knownSize: TerminalSize
    /// Events detected outside of ``pollEvents()``, which returns them with its next call.
    var queuedEvents: [TerminalEvent] = []
    /// The time of the last input, in milliseconds.
    var lastInputTime = 0
    /// The time of the background color query, in milliseconds; `nil` if no reply is pending.
    var backgroundQueryTime: Int?

    /// Finds the terminal: standard input and output, or the controlling terminal if they are redirected.
    /// - Throws: ``TerminalError`` if there is no terminal.
    public convenience init(_ options: Options = Options()) throws(TerminalError) {
        try self.init(options, device: TerminalDevice(drawsOnControllingTerminal: options.drawsOnControllingTerminal))
    }

    init(_ options: Options, device: TerminalDevice) throws(TerminalError) {
        self.options = options
        self.device = device
        pipe = try WakePipe()
        isMouseEnabled = options.enablesMouse
        knownSize = Platform.terminalSize(device.output) ?? TerminalSize(columns: 80, rows: 24)
    }

    deinit {
        stop()
        device.close()
    }

    /// The number of colors of the terminal, limited by the user's settings.
    public var colorDepth: ColorDepth { capabilities.colorDepth }

    /// True if the locale specifies UTF-8 or no encoding. A locale without an encoding (`C`) does not describe the terminal.
    public var showsUnicode: Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            if let locale = Platform.environment(name), !locale.isEmpty { return Self.isUnicode(locale: locale) }
        }
        return true
    }

    /// True if a locale name specifies UTF-8 or no encoding; false for `de_AT.ISO-8859-1@euro`.
    static func isUnicode(locale: String) -> Bool {
        guard let dot = locale.firstIndex(of: ".") else { return true }
        let encoding = locale[locale.index(after: dot)...].prefix { $0 != "@" }.lowercased()
        return encoding == "utf-8" || encoding == "utf8"
    }

    /// The size of the last `TerminalEvent.resize(_:)`; it does not change before the event.
    public var size: TerminalSize { knownSize }

    /// Ends the current wait; can be called from any thread.
    public var wake: @Sendable () -> Void {
        let pipe = pipe
        return { pipe.wake() }
    }

    /// True if mouse reporting is enabled; can be changed at any time.
    public var isMouseEnabled: Bool {
        didSet {
            guard isMouseEnabled != oldValue, originalModes != nil else { return }
            write(isMouseEnabled ? MouseReport.enableSequence : MouseReport.disableSequence)
        }
    }
}
