/// The number of colors of a terminal.
public enum ColorDepth: Int, Hashable, Sendable, Comparable {
    /// Attributes only.
    case none = 0
    /// The sixteen colors that users can configure.
    case ansi16 = 16
    /// The palette of xterm.
    case indexed256 = 256
    /// Red, green and blue with 8 bits each.
    case trueColor = 0x100_0000

    /// Returns true if `a` has fewer colors.
    public static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }
}

/// The output of frames and the source of events: a terminal, or a recorder for tests.
///
/// One thread uses it. A backend owns the screen between ``start()`` and ``stop()``.
public protocol TerminalBackend: AnyObject {
    /// The current size of the terminal.
    var size: TerminalSize { get }

    /// Takes over the screen: alternate screen, raw keys, mouse and paste reports.
    func start() throws
    /// Restores the terminal. It can be called twice.
    func stop()

    /// Shows `frame`. Writes only the differences from the previous frame; nothing for an unchanged frame.
    /// - Parameters:
    ///   - frame: the full content of the screen, in the size of the terminal.
    ///   - cursor: the position of the text cursor (prompts); `nil` hides it.
    func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?)

    /// Returns the pending events in order, without waiting.
    func pollEvents() -> [TerminalEvent]

    /// Waits until an event is pending, ``wake`` is called, or `timeout` milliseconds have passed (`nil` means no timeout).
    func wait(timeoutMilliseconds: Int?)

    /// Ends a ``wait(timeoutMilliseconds:)`` from any thread; without a wait in progress, it ends the next wait immediately.
    var wake: @Sendable () -> Void { get }

    /// Makes the next ``present(_:cursor:)`` redraw the whole screen, because another program has written to the terminal.
    func redraw()

    /// Returns the terminal to the shell until the process is continued (Ctrl-z).
    func suspend()

    /// Writes bytes that are not part of the frame: the clipboard (OSC 52), the title.
    func send(control bytes: [UInt8])

    /// True if mouse reporting is enabled.
    var isMouseEnabled: Bool { get set }

    /// The number of colors of the terminal; known after ``start()``.
    var colorDepth: ColorDepth { get }

    /// True if the terminal is assumed to show all of Unicode; false if only ASCII is safe.
    var showsUnicode: Bool { get }

    /// True if frames in quick succession are useful, such as for rows that slide to their places.
    var showsMotion: Bool { get }

    /// A signal that requests termination: SIGTERM, SIGINT or SIGHUP. A closed terminal counts as SIGHUP. ``pollEvents()`` updates it. The
    /// program must clean up, call ``stop()``, and exit with 128 + the signal.
    var pendingSignal: Int32? { get }
}

extension TerminalBackend {
    /// Does nothing.
    public func redraw() {}
    /// Returns ``ColorDepth/trueColor``.
    public var colorDepth: ColorDepth { .trueColor }
    /// Returns `true`.
    public var showsUnicode: Bool { true }
    /// Returns `true`.
    public var showsMotion: Bool { true }
    /// Returns `nil`: the backend does not receive signals.
    public var pendingSignal: Int32? { nil }
}
