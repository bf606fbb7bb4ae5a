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
        didSet { if isStarted, isMouseEnabled != oldValue { write(isMouseEnabled ? MouseReport.on : MouseReport.off) } }
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
    /// True if a sequence was incomplete at the last ``pollEvents()``.
    private var wasWaiting = false

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

    /// Decodes input from the terminal, in pieces of any size.
    public func receive(_ bytes: some Sequence<UInt8>) {
        input.decode(bytes, into: &events)
        wasWaiting = false
    }

    /// Enables the key, mouse and paste modes that this backend decodes; the next frame is written in full.
    public func start() throws {
        guard !isStarted else { return }
        isStarted = true
        encoder.invalidate()
        // Autowrap is off, so that a row that is wider on the terminal than computed here cannot move the rows below.
        write(
            Array(((usesAlternateScreen ? "\u{1B}[?1049h" : "") + "\u{1B}[?7l\u{1B}[?2004h").utf8) + (isMouseEnabled ? MouseReport.on : []))
    }

    /// Restores the modes that ``start()`` changed.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        write(
            MouseReport.off
                + Array(("\u{1B}[r\u{1B}[m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h" + (usesAlternateScreen ? "\u{1B}[?1049l" : "")).utf8))
    }

    /// Writes the differences from the previous frame.
    public func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?) {
        let bytes = encoder.encode(frame, cursor: cursor)
        if !bytes.isEmpty { write(bytes) }
    }

    /// Returns the events of the bytes received so far. A single escape byte may start a key sequence, so it becomes the Escape key only at
    /// the next call.
    public func pollEvents() -> [TerminalEvent] {
        if input.hasIncompleteKey, wasWaiting { input.flush(into: &events) }
        wasWaiting = input.hasIncompleteKey
        defer { events = [] }
        return events
    }

    /// Waits with the host's `read` closure.
    public func wait(timeoutMilliseconds: Int?) {
        guard events.isEmpty else { return }
        // An incomplete sequence is a key if nothing follows within 25 ms.
        let bytes = read(input.hasIncompleteKey ? min(timeoutMilliseconds ?? 25, 25) : timeoutMilliseconds)
        if !bytes.isEmpty { receive(bytes) }
    }

    /// Queues ``TerminalEvent/resumed``; the next frame is written in full. Does not suspend the process.
    public func suspend() {
        encoder.invalidate()
        events.append(.resumed)
    }

    /// Writes the bytes to the terminal at once.
    public func send(control bytes: [UInt8]) { write(bytes) }
}
