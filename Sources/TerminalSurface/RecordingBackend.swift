import Locks

/// A backend without a terminal: events come from a queue, frames and their bytes are kept. For tests and for pictures of the screen.
///
/// It encodes frames just as a real terminal gets them, so that tests can assert on bytes.
public final class RecordingBackend: TerminalBackend {
    /// The terminal's size. Setting it queues a ``TerminalEvent/resize(_:)``.
    public var size: TerminalSize {
        didSet { if size != oldValue { events.append(.resize(size)) } }
    }

    /// The events that the next ``pollEvents()`` gives.
    public var events: [TerminalEvent] = []

    /// One call of ``present(_:cursor:)``.
    public struct Frame {
        /// The picture.
        public var buffer: CellBuffer
        /// Where the text cursor blinks; `nil` when hidden.
        public var cursor: (x: Int, y: Int)?
        /// What a terminal would have got; empty when nothing changed.
        public var bytes: [UInt8]
    }

    /// What has been presented, in order; only the last one if ``keepsOnlyLastFrame``.
    public private(set) var frames: [Frame] = []
    /// Whether frames are forgotten when the next one comes.
    public var keepsOnlyLastFrame = false
    /// What went through ``send(control:)``, in order.
    public private(set) var controls: [[UInt8]] = []
    /// Whether the screen is taken.
    public private(set) var isStarted = false
    /// How often ``suspend()`` was called.
    public private(set) var suspensions = 0
    /// How long the program wanted to wait, in milliseconds, each time; `nil` is for ever.
    public private(set) var waits: [Int?] = []
    /// What a test says that it be.
    public var pendingSignal: Int32?
    /// Whether the mouse would be reported.
    public var isMouseEnabled = true

    /// What a test says that it be.
    public var showsUnicode = true

    /// The colours that it was made with.
    public var colorDepth: ColorDepth { encoder.capabilities.colorDepth }

    private var encoder: FrameEncoder
    private let wakes = Wakes()

    private final class Wakes: Sendable {
        let count = Mutex(0)
    }

    /// A backend of a size in terminal cells, that encodes for a terminal of these capabilities.
    public init(size: TerminalSize = TerminalSize(columns: 80, rows: 24), capabilities: TerminalCapabilities = .xterm) {
        self.size = size
        encoder = FrameEncoder(capabilities: capabilities)
    }

    /// The last frame; blank if there was none.
    public var screen: CellBuffer { frames.last?.buffer ?? CellBuffer(size: size) }
    /// The last frame as text, one string for each row, without trailing blanks.
    public var lines: [String] { screen.lines() }
    /// The bytes of the last frame.
    public var lastBytes: [UInt8] { frames.last?.bytes ?? [] }
    /// How often ``wake`` was called.
    public var wakeCount: Int { wakes.count.withLock { $0 } }

    /// Queues key presses.
    public func press(_ keys: KeyPress...) { events += keys.map { .key($0) } }

    /// Queues the characters of `text` as key presses.
    public func type(_ text: String) { events += text.unicodeScalars.map { .key(KeyPress(.character($0))) } }

    /// Begins anew: the next frame is written whole.
    public func start() throws {
        isStarted = true
        encoder.invalidate()
    }

    /// Only notes it.
    public func stop() { isStarted = false }

    /// Keeps the frame and its bytes.
    public func present(_ frame: CellBuffer, cursor: (x: Int, y: Int)?) {
        if keepsOnlyLastFrame { frames.removeAll(keepingCapacity: true) }
        frames.append(Frame(buffer: frame, cursor: cursor, bytes: encoder.encode(frame, cursor: cursor)))
    }

    /// The events queued so far.
    public func pollEvents() -> [TerminalEvent] {
        defer { events.removeAll() }
        return events
    }

    /// Returns at once: whatever a test waits for, it has put in ``events`` already.
    public func wait(timeoutMilliseconds: Int?) { waits.append(timeoutMilliseconds) }

    /// Counts; nothing ever waits here.
    public var wake: @Sendable () -> Void {
        let wakes = wakes
        return { wakes.count.withLock { $0 += 1 } }
    }

    /// Counts, and comes back at once.
    public func suspend() {
        suspensions += 1
        encoder.invalidate()
        events.append(.resumed)
    }

    /// Keeps the bytes.
    public func send(control bytes: [UInt8]) { controls.append(bytes) }
}
