import Locks

/// A backend without a terminal, for tests and screenshots: events come from a queue, frames and their bytes are recorded.
///
/// It encodes frames like a real backend, so that tests can assert on bytes.
public final class RecordingBackend: TerminalBackend {
    /// The size of the terminal. Setting it queues a ``TerminalEvent/resize(_:)``.
    public var size: TerminalSize {
        didSet { if size != oldValue { events.append(.resize(size)) } }
    }

    /// The events that the next ``pollEvents()`` returns.
    public var events: [TerminalEvent] = []

    /// The record of one ``present(_:cursor:)`` call.
    public struct Frame {
        /// The frame.
        public var buffer: CellBuffer
        /// The position of the text cursor; `nil` if it is hidden.
        public var cursor: (x: Int, y: Int)?
        /// The bytes for the terminal; empty if nothing changed.
        public var bytes: [UInt8]
    }

    /// The presented frames, in order; only the last frame if ``keepsOnlyLastFrame``.
    public private(set) var frames: [Frame] = []
    /// True to discard a frame when the next frame is presented.
    public var keepsOnlyLastFrame = false
    /// The bytes passed to ``send(control:)``, in order.
    public private(set) var controls: [[UInt8]] = []
    /// True between ``start()`` and ``stop()``.
    public private(set) var isStarted = false
    /// The number of ``suspend()`` calls.
    public private(set) var suspensions = 0
    /// The timeout of each wait, in milliseconds; `nil` means no timeout.
    public private(set) var waits: [Int?] = []
    /// The pending signal, set by a test.
    public var pendingSignal: Int32?
    /// True if mouse reporting is enabled.
    public var isMouseEnabled = true

    /// True if the terminal shows Unicode, set by a test.
    public var showsUnicode = true

    /// True if grids show their motion; by default each frame shows the final state.
    public var showsMotion = false

    /// The number of colors in the backend's capabilities.
    public var colorDepth: ColorDepth { encoder.capabilities.colorDepth }

    private var encoder: FrameEncoder
    private let wakes = Wakes()

    private final class Wakes: Sendable {
        let count = Mutex(0)
    }

    /// Creates a backend that simulates a terminal of this size, in terminal cells, with these capabilities.
    public init(size: TerminalSize = TerminalSize(columns: 80, rows: 24), capabilities: TerminalCapabilities = .xterm) {
        self.size = size
        encoder = FrameEncoder(capabilities: capabilities)
    }

    /// The last frame; blank before the first frame.
    public var screen: CellBuffer { frames.last?.buffer ?? CellBuffer(size: size) }
    /// The last frame as text, one string for each row, without trailing blanks.
    public var lines: [String] { screen.lines() }
    /// The bytes of the last frame.
    public var lastBytes: [UInt8] { frames.last?.bytes ?? [] }
    /// The number of ``wake`` calls.
    public var wakeCount: Int { wakes.count.withLock { $0 } }

    /// Queues key presses.
    public func press(_ keys: KeyPress...) { events += keys.map { .key($0) } }

    /// Queues the characters of `text` as key presses.
    public func type(_ text: String) { events += text.unicodeScalars.map { .key(KeyPress(.character($0))) } }

    /// Starts the backend; the next frame is written in full.
    public func start() throws {
        isStarted = true
        encoder.invalidate()
    }

    /// Notes that the backend stopped.
    public func stop() { isStarted = false }

    /// Records the frame and its bytes.
    public func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?) {
        if keepsOnlyLastFrame { frames.removeAll(keepingCapacity: true) }
        frames.append(Frame(buffer: frame, cursor: cursor, bytes: encoder.encode(frame, cursor: cursor)))
    }

    /// Returns the queued events.
    public func pollEvents() -> [TerminalEvent] {
        defer { events.removeAll() }
        return events
    }

    /// Records the timeout and returns immediately, because tests queue ``events`` in advance.
    public func wait(timeoutMilliseconds: Int?) { waits.append(timeoutMilliseconds) }

    /// Counts the calls; the backend never waits.
    public var wake: @Sendable () -> Void {
        let wakes = wakes
        return { wakes.count.withLock { $0 += 1 } }
    }

    /// Makes the next frame redraw the whole screen.
    public func redraw() { encoder.invalidate() }

    /// Records the call and queues ``TerminalEvent/resumed``.
    public func suspend() {
        suspensions += 1
        encoder.invalidate()
        events.append(.resumed)
    }

    /// Records the bytes.
    public func send(control bytes: [UInt8]) { controls.append(bytes) }
}
