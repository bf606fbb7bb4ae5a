/// The number of colors of a terminal.
public enum ColorDepth: Int, Hashable, Sendable, Comparable {
    /// No colors; only attributes such as bold.
    case none = 0
    /// The sixteen colors that users can configure.
    case ansi16 = 16
    /// The 256 colors of xterm's palette.
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
    /// Restores the terminal. A second call has no effect.
    func stop()

    /// Shows `frame`. Only the differences from the previous frame are written, and nothing for an unchanged frame.
    /// - Parameters:
    ///   - frame: the full content of the screen, in the size of the terminal.
    ///   - cursor: the column and row of the text cursor, counted from 0, such as in a prompt; `nil` hides the cursor.
    func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?)

    /// Returns the pending events in order, without waiting.
    func pollEvents() -> [TerminalEvent]

    /// Waits until an event is pending, ``wake`` is called, or `timeout` milliseconds have passed (`nil` means no timeout).
    func wait(timeoutMilliseconds: Int?)

    /// Ends a ``wait(timeoutMilliseconds:)`` from any thread; without a wait in progress, it ends the next wait immediately.
    var wake: @Sendable () -> Void { get }

    /// Makes the next ``present(_:cursor:)`` redraw the whole screen, because another program has written to the terminal.
    func redraw()

    /// Suspends the process, as on Ctrl-z. The terminal returns to the shell until the process is continued.
    func suspend()

    /// Writes bytes that are not part of a frame, such as the title or a copy to the clipboard (OSC 52).
    func sendControlSequence(_ bytes: [UInt8])

    /// True if the terminal reports mouse events to the program.
    var isMouseEnabled: Bool { get set }

    /// The number of colors of the terminal; known after ``start()``.
    var colorDepth: ColorDepth { get }

    /// True if the terminal is assumed to show all of Unicode; false if only ASCII is safe.
    var showsUnicode: Bool { get }

    /// True if the terminal is fast enough for animations, such as rows that slide to their new positions.
    var showsMotion: Bool { get }

    /// A signal that requests termination: SIGTERM, SIGINT or SIGHUP. A closed terminal counts as SIGHUP. ``pollEvents()`` updates it. The
    /// program must clean up, call ``stop()``, and exit with 128 + the signal.
    var pendingSignal: Int32? { get }
}

extension TerminalBackend {
    /// Does nothing, the default. It suits backends on whose terminal only this program writes.
    public func redraw() {}
    /// Returns ``ColorDepth/trueColor``, the default for backends.
    public var colorDepth: ColorDepth { .trueColor }
    /// Returns `true`, the default for backends.
    public var showsUnicode: Bool { true }
    /// Returns `true`: by default, animations are shown.
    public var showsMotion: Bool { true }
    /// Returns `nil`, the default for backends that do not receive signals.
    public var pendingSignal: Int32? { nil }
}
