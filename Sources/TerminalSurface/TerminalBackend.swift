/// How many colours a terminal shows.
public enum ColorDepth: Int, Hashable, Sendable, Comparable {
    /// Attributes only.
    case none = 0
    /// The sixteen that users choose themselves.
    case ansi16 = 16
    /// xterm's palette.
    case indexed256 = 256
    /// Red, green and blue with 8 bits each.
    case trueColor = 0x100_0000

    /// Whether `a` has fewer colours.
    public static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }
}

/// Where frames go and events come from: a terminal, or a recording one for tests.
///
/// Used from one thread. A backend owns the screen between ``start()`` and ``stop()``.
public protocol TerminalBackend: AnyObject {
    /// The size of the terminal now.
    var size: TerminalSize { get }

    /// Takes the screen: alternate screen, raw keys, mouse and paste reports.
    func start() throws
    /// Gives the terminal back as it was. May be called twice.
    func stop()

    /// Shows `frame`: writes only what differs from the frame before. Writes nothing when nothing differs.
    /// - Parameters:
    ///   - frame: all that is to be seen, as large as the terminal.
    ///   - cursor: where the text cursor blinks (prompts); `nil` hides it.
    func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?)

    /// The events that have come, in order, without waiting.
    func pollEvents() -> [TerminalEvent]

    /// Waits until an event can be polled, until ``wake`` was called, or until `timeout` milliseconds have passed (`nil`: for ever).
    func wait(timeoutMilliseconds: Int?)

    /// Ends a ``wait(timeoutMilliseconds:)`` from any thread; a call that comes while nothing waits ends the next wait at once.
    var wake: @Sendable () -> Void { get }

    /// Gives the terminal to the shell until it is continued (Ctrl-z).
    func suspend()

    /// Writes bytes that are no part of the picture: the clipboard (OSC 52), the title.
    func send(control bytes: [UInt8])

    /// Whether the mouse is reported.
    var isMouseEnabled: Bool { get set }

    /// How many colours the terminal shows; known once it was started.
    var colorDepth: ColorDepth { get }

    /// Whether the terminal shows all of Unicode, as far as is known; `false`: ASCII alone is safe.
    var showsUnicode: Bool { get }

    /// A signal that asks the program to end (SIGTERM, SIGINT, SIGHUP; SIGHUP too when the terminal has gone), seen by
    /// ``pollEvents()``: the program is to put its things in order, to call ``stop()``, and to exit with 128 + this.
    var pendingSignal: Int32? { get }
}

extension TerminalBackend {
    /// All there are.
    public var colorDepth: ColorDepth { .trueColor }
    /// Yes.
    public var showsUnicode: Bool { true }
    /// None: the backend hears no signals.
    public var pendingSignal: Int32? { nil }
}
