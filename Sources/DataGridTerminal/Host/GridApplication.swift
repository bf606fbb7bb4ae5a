public import DataGrid
import Locks
public import TerminalSurface

/// The loop for a program that has none: waits for the terminal, hands its events to grids, and draws when something has changed.
///
/// ```swift
/// CursesBackend.runProgram { try GridApplication.run(grid, on: $0) }
/// ```
///
/// A program with more on its screen makes an application, adds grids with the rectangles they take, and draws around them. The loop sleeps
/// until something comes: an idle program uses no processor time.
@MainActor
public final class GridApplication {
    /// The terminal.
    public let backend: any TerminalBackend
    /// The grids on the screen, in the order they are drawn.
    public private(set) var grids: [GridController] = []
    /// The grid that gets the keys; clicking on another one, or F6, gives them to that.
    public var focused: GridController? {
        didSet {
            if oldValue !== focused { oldValue?.commitEditing() }
            setNeedsDisplay()
        }
    }
    /// Draws what stands around the grids, before them; what it leaves is blank.
    public var drawBackground: ((inout CellBuffer) -> Void)? { didSet { setNeedsDisplay() } }
    /// Draws what lies over them: a message, a menu. Returns where the text cursor blinks; `nil`: where the grid that has the keys wants it.
    public var drawOverlay: ((inout CellBuffer) -> (x: Int, y: Int)?)? { didSet { setNeedsDisplay() } }
    /// Gets every event first, and answers whether it was for the host: then nobody else gets it.
    public var handle: ((TerminalEvent) -> Bool)?
    /// Gets all events that have come and are not handled yet before ``handle`` gets the first of them, and answers how many it has taken as
    /// one: text that was typed in one go (``typedText(_:)``), a key that repeats.
    public var handleTogether: ((ArraySlice<TerminalEvent>) -> Int)?
    /// Called once by ``start()``, when size and colours of the terminal are known, before the first frame.
    public var onStart: (() -> Void)?
    /// Called in each turn when everything that has come was taken, before anything is drawn.
    public var onTurn: (() -> Void)?
    /// Called after each frame. What it changes is drawn at once.
    public var onDraw: (() -> Void)?
    /// Whether grids that wear the preset for some terminal wear the one for this terminal; off, themes are the host's.
    public var fitsThemes = true
    /// The keys of the application; each grid has its own (``GridController/keyMap``).
    public lazy var keyMap = KeyMap<GridCommand>.standard
    /// Runs work from any thread on the main one, as part of the loop.
    public let mailbox: GridMailbox
    /// What is known of the terminal's colours: how many there are, and whether its ground is light, as soon as it tells. Grids that wear
    /// the preset for them wear another one when they change (``GridController/suit(_:insteadOf:)``).
    public private(set) var colors = TerminalColors() {
        didSet { if fitsThemes { for grid in grids { grid.suit(colors, insteadOf: oldValue) } } }
    }

    private var layouts: [((TerminalSize) -> TerminalRect)?] = []
    private var timers: [ApplicationTimer] = []
    private var status: Int32?
    private var needsDisplay = true

    /// An application that shows nothing yet.
    public init(on backend: any TerminalBackend) {
        self.backend = backend
        mailbox = GridMailbox(wake: backend.wake)
    }

    /// Shows one grid on the whole screen until the person leaves (``help(_:)``).
    /// - Returns: the status to exit with: 0, or 128 and the number of the signal that ended the program.
    /// - Throws: what `TerminalBackend.start()` throws.
    public static func run(_ grid: GridController, on backend: any TerminalBackend) throws -> Int32 {
        let application = GridApplication(on: backend)
        application.add(grid)
        return try application.run()
    }

    /// Shows a grid, and gives it the keys when it is the first.
    /// - Parameters:
    ///   - grid: is kept as long as the application.
    ///   - layout: the rectangle it takes on a screen of the given size; the whole screen unless told otherwise. `nil`: the host sets its
    ///     frame itself.
    public func add(_ grid: GridController, layout: ((TerminalSize) -> TerminalRect)? = { TerminalRect($0) }) {
        grids.append(grid)
        layouts.append(layout)
        if fitsThemes { grid.suit(colors) }
        if !backend.showsUnicode { grid.glyphs = .ascii }
        if focused == nil { focused = grid }
        grid.onNeedsDisplay = { [weak self] in self?.setNeedsDisplay() }
        if let layout { grid.frame = layout(backend.size) }
        setNeedsDisplay()
    }

    /// Shows a grid no more; the keys go to the first that is left. Nothing happens where it is not shown.
    public func remove(_ grid: GridController) {
        guard let index = grids.firstIndex(where: { $0 === grid }) else { return }
        grid.onNeedsDisplay = nil
        grids.remove(at: index)
        layouts.remove(at: index)
        if focused === grid { focused = grids.first }
        setNeedsDisplay()
    }

    /// Draws everything again at the end of the turn.
    public func setNeedsDisplay() { needsDisplay = true }

    /// Ends ``run()``, which returns `status`.
    public func stop(status: Int32 = 0) { self.status = status }

    /// Whether nobody has left yet: for how long a host that calls ``turn()`` itself goes on.
    public var isRunning: Bool { status == nil }

    // MARK: Time

    /// Calls `body` again and again, the first time after `interval`. Late calls are not made up for.
    /// - Returns: what ends it when it is cancelled.
    @discardableResult
    public func every(_ interval: Duration, _ body: @escaping @MainActor () -> Void) -> ApplicationTimer {
        let timer = ApplicationTimer(interval, body)
        timers.append(timer)
        return timer
    }

    // MARK: The loop

    /// Takes the screen, and returns when ``stop(status:)`` was called, the person leaves, or a signal asks the program to end.
    public func run() throws -> Int32 {
        try start()
        return goOn()
    }

    /// Takes the screen and draws the first frame: what ``run()`` begins with.
    public func start() throws {
        try backend.start()
        colors.range = TerminalColors.Range(backend.colorDepth)
        layOut(backend.size)
        onStart?()
        draw()
    }

    /// What ``run()`` does after ``start()``, for hosts that begin their work behind the first frame.
    public func goOn() -> Int32 {
        while isRunning {
            backend.wait(timeoutMilliseconds: timeout)
            turn()
        }
        backend.stop()
        return status ?? 0
    }

    /// Takes everything that has come, and draws if anything has changed: what ``run()`` does again and again.
    public func turn() {
        var events = backend.pollEvents()[...]
        while let event = events.first {
            let taken = handleTogether?(events) ?? 0
            if taken > 0 {
                events.removeFirst(taken)
            } else {
                events.removeFirst()
                handleEvent(event)
            }
            if !isRunning { return }
        }
        if let signal = backend.pendingSignal { return stop(status: 128 + signal) }
        settle()
    }

    /// The second half of a ``turn()``: does what was posted, and draws if anything has changed.
    public func settle() {
        mailbox.drain()
        tick()
        onTurn?()
        for _ in 0..<2 where isRunning && needsDisplay { draw() }
    }

    /// The characters that events begin with, an event each. O(characters).
    public static func typedText(_ events: ArraySlice<TerminalEvent>) -> String.UnicodeScalarView {
        var text = String.UnicodeScalarView()
        for event in events {
            guard case .key(let press) = event, case .insert(let scalar) = TextField.Edit(typing: press) else { break }
            text.append(scalar)
        }
        return text
    }

    private func handleEvent(_ event: TerminalEvent) {
        switch event {
        case .resize(let size): layOut(size)
        case .resumed: setNeedsDisplay()
        case .background(let color): colors.isLight = Theme.isLight(color)
        default: break
        }
        if handle?(event) == true { return }
        switch event {
        case .mouse(let mouse):
            let dragging = grids.first { $0.state.drag != nil }
            guard let grid = dragging ?? grids.last(where: { $0.frame.contains(x: mouse.x, y: mouse.y) }) else { return }
            if case .press = mouse.kind, grid !== focused { focused = grid }
            grid.handle(event)
        case .key(let press):
            if focused?.handle(event) != true { handleUnused(press) }
        case .paste: focused?.handle(event)
        default: break
        }
    }

    /// The keys that an application takes where no grid has a use for them; those of a grid are ``GridInput/help(_:)``.
    public static func help(_ keys: KeyMap<GridCommand> = .standard) -> [KeyHelpChapter] { keys.help(in: [.application]) }

    private func handleUnused(_ press: KeyPress) {
        guard case .command(let id) = keyMap.resolve([press], in: [.application]) else { return }
        switch id {
        case .copy: copy()
        case .quit: leave()
        case .suspend: backend.suspend()
        case .nextGrid where !grids.isEmpty:
            let index = grids.firstIndex { $0 === focused } ?? -1
            focused = grids[(index + 1) % grids.count]
        default: break
        }
    }

    /// Copies what is being typed, what is selected, or the cell under the cursor, to the terminal's clipboard.
    private func copy() {
        guard let text = focused?.state.editing?.field.string ?? focused?.copyText(), text.utf8.count <= Clipboard.byteLimit else { return }
        backend.send(control: Clipboard.sequence(Array(text.utf8)))
    }

    /// Ends the program, once what is being typed is taken. Where it is not, its grid has the keys and says why.
    private func leave() {
        guard let editing = grids.first(where: { !$0.commitEditing() }) else { return stop() }
        focused = editing
    }

    private func layOut(_ size: TerminalSize) {
        for (grid, layout) in zip(grids, layouts) { if let layout { grid.frame = layout(size) } }
        setNeedsDisplay()
    }

    private func tick() {
        let now = ContinuousClock.now
        timers.removeAll { $0.isCancelled }
        for timer in timers { timer.fire(at: now) }
        for grid in grids { grid.tick(at: now) }
    }

    private var timeout: Int? {
        // What a delegate changes when it is told of a frame is drawn in the next one, at once.
        if needsDisplay { return 0 }
        let now = ContinuousClock.now
        let times = timers.filter { !$0.isCancelled }.map(\.next) + grids.compactMap(\.nextTick)
        return times.min().map { max(0, Int(($0 - now) / .milliseconds(1)) + 1) }
    }

    private func draw() {
        needsDisplay = false
        var buffer = CellBuffer(size: backend.size)
        drawBackground?(&buffer)
        var cursor: (x: Int, y: Int)?
        for grid in grids {
            let own = grid.draw(on: &buffer)
            if grid === focused { cursor = own }
        }
        if let drawOverlay { cursor = drawOverlay(&buffer) ?? cursor }
        backend.present(buffer, cursor: cursor)
        onDraw?()
    }
}

/// Something that an application does again and again.
@MainActor
public final class ApplicationTimer {
    private let interval: Duration
    private let body: @MainActor () -> Void
    private(set) var next: ContinuousClock.Instant
    private(set) var isCancelled = false

    init(_ interval: Duration, _ body: @escaping @MainActor () -> Void) {
        self.interval = interval
        self.body = body
        next = .now + interval
    }

    /// Does it no more.
    public func cancel() { isCancelled = true }

    func fire(at now: ContinuousClock.Instant) {
        guard !isCancelled, now >= next else { return }
        next = max(next + interval, now)
        body()
    }
}

/// Work for the main thread, from any thread; it wakes the loop that does it.
public final class GridMailbox: Sendable {
    private let work = Mutex<[@MainActor @Sendable () -> Void]>([])
    private let wake: @Sendable () -> Void

    /// A mailbox with nothing in it; a ``GridApplication`` has one of its own.
    /// - Parameter wake: ends the wait of the loop that calls ``drain()``.
    public init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Has `body` run on the main thread soon, after what was posted before.
    public func post(_ body: @escaping @MainActor @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        wake()
    }

    /// Does what was posted so far.
    /// - Returns: whether there was anything.
    @MainActor
    @discardableResult
    public func drain() -> Bool {
        let posted = work.withLock { work in
            defer { work = [] }
            return work
        }
        for body in posted { body() }
        return !posted.isEmpty
    }
}
