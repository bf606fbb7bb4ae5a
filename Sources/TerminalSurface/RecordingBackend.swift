import Locks

/// A backend without a terminal, for tests and screenshots: events come from a queue, frames and their bytes are recorded.
///
/// It encodes frames like a backend of a terminal, so that tests can check the bytes.
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
        /// The bytes that update the terminal from the previous frame; empty if nothing changed.
        public var bytes: [UInt8]
    }

    /// The presented frames, in order; only the last frame if ``keepsOnlyLastFrame``.
    public private(set) var frames: [Frame] = []
    /// True to discard a frame when the next frame is presented.
    public var keepsOnlyLastFrame = false
    /// The bytes passed to ``sendControlSequence(_:)``, in order.
    public private(set) var controlSequences: [[UInt8]] = []
    /// True between ``start()`` and ``stop()``.
    public private(set) var isStarted = false
    /// The number of times that ``suspend()`` was called.
    public private(set) var suspendCount = 0
    /// The timeouts passed to ``wait(timeoutMilliseconds:)``, in order; `nil` means no timeout.
    public private(set) var waitTimeouts: [Int?] = []
    /// The signal that the program finds pending. A test sets it.
    public var pendingSignal: Int32?
    /// True if mouse reporting is enabled.
    public var isMouseEnabled = true

    /// True if the terminal shows Unicode, set by a test.
    public var showsUnicode = true

    /// True if grids animate moved rows. By default they do not, so that each frame is in its final state.
    public var showsMotion = false

    /// The number of colors in the backend's capabilities.
    public var colorDepth: ColorDepth { encoder.capabilities.colorDepth }

    private var encoder: FrameEncoder
    private let wakeCounter = WakeCounter()

    private final class WakeCounter: Sendable {
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
    /// The number of times that ``wake`` was called.
    public var wakeCount: Int { wakeCounter.count.withLock { $0 } }

    /// Queues key presses.
    public func press(_ keys: KeyPress...) { events += keys.map { .key($0) } }

    /// Queues the characters of `text` as key presses.
    public func type(_ text: String) { events += text.unicodeScalars.map { .key(KeyPress(.character($0))) } }

    /// Starts the backend; the next frame is encoded in full.
    public func start() throws {
        isStarted = true
        encoder.invalidate()
    }

    /// Sets ``isStarted`` to false.
    public func stop() { isStarted = false }

    /// Records the frame and its bytes.
    public func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?) {
        if keepsOnlyLastFrame { frames.removeAll(keepingCapacity: true) }
        frames.append(Frame(buffer: frame, cursor: cursor, bytes: encoder.encode(frame, cursor: cursor)))
    }

    /// Returns the queued ``events`` and empties the queue.
    public func pollEvents() -> [TerminalEvent] {
        defer { events.removeAll() }
        return events
    }

    /// Records the timeout and returns immediately, because tests queue ``events`` in advance.
    public func wait(timeoutMilliseconds: Int?) { waitTimeouts.append(timeoutMilliseconds) }

    /// A closure that only counts its calls, because the backend never waits.
    public var wake: @Sendable () -> Void {
        let wakeCounter = wakeCounter
        return { wakeCounter.count.withLock { $0 += 1 } }
    }

    /// Makes the next frame redraw the whole screen.
    public func redraw() { encoder.invalidate() }

    /// Counts the call and queues ``TerminalEvent/resumed``. The process is not suspended.
    public func suspend() {
        suspendCount += 1
        encoder.invalidate()
        events.append(.resumed)
    }

    /// Appends the bytes to ``controlSequences``.
    public func sendControlSequence(_ bytes: [UInt8]) { controlSequences.append(bytes) }
}
