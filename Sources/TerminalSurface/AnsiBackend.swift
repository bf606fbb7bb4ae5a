/// A backend for hosts that own their terminal: frames leave as plain ANSI bytes, events come from bytes that the host hands in.
///
/// It opens nothing, waits for nothing by itself and changes no modes of a terminal: what it writes goes to a closure (a pipe, a socket,
/// a log), and what was typed comes through ``receive(_:)``, or from `read` where a loop is to wait for it.
public final class AnsiBackend: TerminalBackend {
    /// The terminal's size, which its host knows. Setting it queues a ``TerminalEvent/resize(_:)``.
    public var size: TerminalSize {
        didSet { if size != oldValue { events.append(.resize(size)) } }
    }
    /// Whether the mouse is asked for while the screen is taken.
    public var isMouseEnabled = true {
        didSet { if isStarted, isMouseEnabled != oldValue { write(isMouseEnabled ? MouseReport.on : MouseReport.off) } }
    }
    /// Whether the screen is taken.
    public private(set) var isStarted = false
    /// Ends a wait from any thread: what the host said it is.
    public let wake: @Sendable () -> Void

    private let write: ([UInt8]) -> Void
    private let read: (_ timeoutMilliseconds: Int?) -> [UInt8]
    private let usesAlternateScreen: Bool
    private var encoder: FrameEncoder
    private var input = AnsiInput()
    private var events: [TerminalEvent] = []
    /// Whether something that had begun was still unfinished when events were last polled.
    private var wasWaiting = false

    /// A backend whose screen is not taken yet.
    /// - Parameters:
    ///   - size: the terminal's size in terminal cells.
    ///   - capabilities: what it understands.
    ///   - usesAlternateScreen: whether ``start()`` goes to the alternate screen and ``stop()`` back; a host that does so itself says no.
    ///   - read: waits up to so many milliseconds (`nil`: for ever) for what is typed or for `wake`, and returns it. Left out: never
    ///     waits, and events come through ``receive(_:)`` alone.
    ///   - wake: ends a `read` that waits, from any thread.
    ///   - write: takes the bytes for the terminal, in order.
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

    /// The colours that it was made for.
    public var colorDepth: ColorDepth { encoder.capabilities.colorDepth }

    /// Takes what the terminal has sent, in pieces of any size.
    public func receive(_ bytes: some Sequence<UInt8>) {
        input.decode(bytes, into: &events)
        wasWaiting = false
    }

    /// Asks for keys, mouse and pastes as this backend reads them; the next frame is written whole.
    public func start() throws {
        guard !isStarted else { return }
        isStarted = true
        encoder.invalidate()
        // Autowrap is off: a row that the terminal takes for longer than we do must not push the rows below.
        write(
            Array(((usesAlternateScreen ? "\u{1B}[?1049h" : "") + "\u{1B}[?7l\u{1B}[?2004h").utf8) + (isMouseEnabled ? MouseReport.on : []))
    }

    /// Takes all of that back.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        write(
            MouseReport.off
                + Array(("\u{1B}[r\u{1B}[m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h" + (usesAlternateScreen ? "\u{1B}[?1049l" : "")).utf8))
    }

    /// Writes what differs from the frame before.
    public func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?) {
        let bytes = encoder.encode(frame, cursor: cursor)
        if !bytes.isEmpty { write(bytes) }
    }

    /// The events of the bytes received so far. An escape byte after which nothing came is the Escape key at the second call.
    public func pollEvents() -> [TerminalEvent] {
        if input.isWaiting, wasWaiting { input.flush(into: &events) }
        wasWaiting = input.isWaiting
        defer { events = [] }
        return events
    }

    /// Reads as the host has said.
    public func wait(timeoutMilliseconds: Int?) {
        guard events.isEmpty else { return }
        // What has begun like a sequence is a key by itself when nothing follows soon.
        let bytes = read(input.isWaiting ? min(timeoutMilliseconds ?? 25, 25) : timeoutMilliseconds)
        if !bytes.isEmpty { receive(bytes) }
    }

    /// Nothing: the terminal is the host's. The screen is written anew.
    public func suspend() {
        encoder.invalidate()
        events.append(.resumed)
    }

    /// Writes the bytes.
    public func send(control bytes: [UInt8]) { write(bytes) }
}
