/// A backend for hosts that own their terminal: frames are written as ANSI bytes, and events are decoded from bytes that the host passes.
///
/// It opens no files and does not change the modes of a terminal. Output goes to a closure (a pipe, a socket, a log). Input comes through
/// ``receive(_:)``, or from `read` for an event loop that waits.
public final class AnsiBackend: TerminalBackend {
    /// The size of the terminal, set by the host. Setting it queues a ``TerminalEvent/resize(_:)``.
    public var size: TerminalSize {
        didSet { if size != oldValue { events.append(.resize(size)) } }
    }
    /// True to enable mouse reporting between ``start()`` and ``stop()``.
    public var isMouseEnabled = true {
        didSet {
            if isStarted, isMouseEnabled != oldValue { write(isMouseEnabled ? MouseReport.enableSequence : MouseReport.disableSequence) }
        }
    }
    /// True between ``start()`` and ``stop()``.
    public private(set) var isStarted = false
    /// Ends a wait from any thread; provided by the host.
    public let wake: @Sendable () -> Void

    private let write: ([UInt8]) -> Void
    private let read: (_ timeoutMilliseconds: Int?) -> [UInt8]
    private let usesAlternateScreen: Bool
    private var encoder: FrameEncoder
    private var input = AnsiInput()
    private var events: [TerminalEvent] = []
    /// True if the last call of ``pollEvents()`` left an incomplete key sequence. If no bytes arrive before the next call, that call
    /// reports the sequence as keys.
    private var hadIncompleteKey = false

    /// Creates a backend that is not started.
    /// - Parameters:
    ///   - size: the size of the terminal in terminal cells.
    ///   - capabilities: the capabilities of the terminal.
    ///   - usesAlternateScreen: true if ``start()`` switches to the alternate screen and ``stop()`` switches back; false if the host does
    ///     that.
    ///   - read: waits for input or `wake`, at most the given milliseconds (`nil` means no timeout), and returns the input. By default it
    ///     never waits, and events come only through ``receive(_:)``.
    ///   - wake: ends a waiting `read`, from any thread.
    ///   - write: writes bytes to the terminal, in order.
    public init(
        size: TerminalSize, capabilities: TerminalCapabilities = .xterm, usesAlternateScreen: Bool = true,
        read: @escaping (_ timeoutMilliseconds: Int?) -> [UInt8] = { _ in [] }, wake: @escaping @Sendable () -> Void = {},
        write: @escaping ([UInt8]) -> Void
    ) {
        self.size = size
        self.usesAlternateScreen = usesAlternateScreen
        self.read = read
        self.wake = wake
        self.write = write
        encoder = FrameEncoder(capabilities: capabilities)
    }

    /// The number of colors in the backend's capabilities.
    public var colorDepth: ColorDepth { encoder.capabilities.colorDepth }

    /// Decodes bytes from the terminal to events, which ``pollEvents()`` returns. A key sequence may be split across calls.
    public func receive(_ bytes: some Sequence<UInt8>) {
        input.decode(bytes, into: &events)
        hadIncompleteKey = false
    }

    /// Enables the key, mouse and paste modes that this backend decodes; the next frame is written in full.
    public func start() throws {
        guard !isStarted else { return }
        isStarted = true
        encoder.invalidate()
        // Turn off autowrap. A row may be wider on the terminal than computed here, and would then wrap and move the rows below.
        write(
            Array(((usesAlternateScreen ? "\u{1B}[?1049h" : "") + "\u{1B}[?7l\u{1B}[?2004h").utf8)
                + (isMouseEnabled ? MouseReport.enableSequence : []))
    }

    /// Restores the modes that ``start()`` changed.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        write(
            MouseReport.disableSequence
                + Array(("\u{1B}[r\u{1B}[m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h" + (usesAlternateScreen ? "\u{1B}[?1049l" : "")).utf8))
    }

    /// Writes the bytes that turn the previous frame into `frame`.
    public func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?) {
        let bytes = encoder.encode(frame, cursor: cursor)
        if !bytes.isEmpty { write(bytes) }
    }

    /// Returns the events of all bytes received since the last call. A single escape byte may start a key sequence. It becomes the Escape
    /// key only at the next call.
    public func pollEvents() -> [TerminalEvent] {
        if input.hasIncompleteKey, hadIncompleteKey { input.flush(into: &events) }
        hadIncompleteKey = input.hasIncompleteKey
        defer { events = [] }
        return events
    }

    /// Waits for input with the `read` closure of the host; returns immediately if events are queued.
    public func wait(timeoutMilliseconds: Int?) {
        guard events.isEmpty else { return }
        // Wait at most 25 ms for the rest of an incomplete sequence. If nothing follows, the received bytes are keys.
        let bytes = read(input.hasIncompleteKey ? min(timeoutMilliseconds ?? 25, 25) : timeoutMilliseconds)
        if !bytes.isEmpty { receive(bytes) }
    }

    /// Queues ``TerminalEvent/resumed`` and redraws the whole screen with the next frame. The process is not suspended, because the host
    /// controls it.
    public func suspend() {
        encoder.invalidate()
        events.append(.resumed)
    }

    /// Writes the bytes to the terminal at once.
    public func sendControlSequence(_ bytes: [UInt8]) { write(bytes) }
}
