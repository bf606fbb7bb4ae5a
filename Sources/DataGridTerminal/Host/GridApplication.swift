public import DataGrid
import Locks
public import TerminalSurface

/// The main loop of a terminal program: waits for events, passes them to grids, and draws after changes.
///
/// ```swift
/// CursesBackend.runProgram { try GridApplication.run(grid, on: $0) }
/// ```
///
/// A program with other content on its screen creates an application, adds grids with their rectangles, and draws around them. The loop
/// sleeps until an event arrives: an idle program uses no processor time.
@MainActor
public final class GridApplication {
    /// The terminal on which the grids are drawn.
    public let backend: any TerminalBackend
    /// The grids on the screen, in drawing order.
    public private(set) var grids: [GridController] = []
    /// The grid that receives keys. A click or F6 focuses another grid.
    public var focused: GridController? {
        didSet {
            if oldValue !== focused { oldValue?.commitEditing() }
            setNeedsDisplay()
        }
    }
    /// Draws the background before the grids are drawn. Cells that this function does not draw are blank.
    public var drawBackground: ((inout CellBuffer) -> Void)? { didSet { setNeedsDisplay() } }
    /// Draws over the grids, for example a menu. Returns the position of the text cursor; `nil` means the cursor of the focused grid.
    public var drawOverlay: ((inout CellBuffer) -> (x: Int, y: Int)?)? { didSet { setNeedsDisplay() } }
    /// A message in the last line of the screen, shown over everything until the next key, click or paste; `nil` means no message.
    ///
    /// The application itself shows the number of copied cells, and the reason for a refused edit or move (``GridController/onRefusal``).
    public var message: String? { didSet { if message != oldValue { setNeedsDisplay() } } }
    /// Receives every event first. If it returns true, the event is consumed.
    public var onEvent: ((TerminalEvent) -> Bool)?
    /// Receives all pending events before ``onEvent`` receives the first of them. Returns the number of events that it consumed together,
    /// such as text typed at once (``typedText(_:)``) or a repeated key.
    public var onPendingEvents: ((ArraySlice<TerminalEvent>) -> Int)?
    /// Called once by ``start()`` before the first frame, when the size and the colors of the terminal are known.
    public var onStart: (() -> Void)?
    /// Called in each turn of the main loop, after all pending events are handled and before drawing.
    public var onTurn: (() -> Void)?
    /// Called after each frame. Changes that it makes are drawn immediately.
    public var onDraw: (() -> Void)?
    /// True if a grid with a preset theme switches to the preset that suits the terminal. If false, the application sets all themes.
    public var adaptsPresetThemes = true
    /// True if the last line of the screen lists keys, starting with the key that quits. The default is false, but ``run(_:on:configure:)``
    /// sets it to true.
    public var showsHints = false { didSet { layOut(backend.size) } }
    /// True to support screen readers: the text cursor is on the current cell, and the last line of the screen describes the cell
    /// (``GridController/cursorDescription``).
    public var describesCurrentCell = false { didSet { layOut(backend.size) } }
    /// The key bindings of the application. Each grid has its own (``GridController/keyMap``).
    public lazy var keyMap = KeyMap<GridCommand>.standard
    /// Runs work from any thread on the main thread, as part of the loop.
    ///
    /// The loop occupies the main thread. While it runs, no `Task` of the main actor and no block of the main dispatch queue is executed.
    public let mailbox: GridMailbox
    /// The colors of the terminal: the number of colors and, once the terminal reports it, whether the background is light. Grids with a
    /// preset theme switch to the preset for new colors (``GridController/updatePresetTheme(for:from:)``).
    public private(set) var colors = TerminalColors() {
        didSet { for grid in grids { adapt(grid, from: oldValue) } }
    }

    private var layouts: [((TerminalSize) -> TerminalRect)?] = []
    private var timers: [ApplicationTimer] = []
    private var exitStatus: Int32?
    /// True after the first press of a key that must be pressed twice to quit.
    private(set) var isQuitPending = false { didSet { if isQuitPending != oldValue { setNeedsDisplay() } } }
    private var needsDisplay = true

    /// Creates an application without grids.
    public init(on backend: any TerminalBackend) {
        self.backend = backend
        mailbox = GridMailbox(wake: backend.wake)
    }

    /// Shows one grid until the user quits. The last line of the screen names keys (``showsHints``); ``help(_:)`` lists all of them.
    /// - Parameters:
    ///   - grid: the grid.
    ///   - backend: the terminal.
    ///   - configure: a closure that sets options of the application and adds timers before the start.
    /// - Returns: The exit status: 0, or 128 plus the number of the signal that ended the program.
    /// - Throws: The error of `TerminalBackend.start()`.
    public static func run(
        _ grid: GridController, on backend: any TerminalBackend, configure: @MainActor (GridApplication) -> Void = { _ in }
    ) throws -> Int32 {
        let application = GridApplication(on: backend)
        application.showsHints = true
        application.add(grid)
        configure(application)
        return try application.run()
    }

    /// Shows a grid. The first grid that is added gets the focus. The application sets ``GridController/onNeedsDisplay``,
    /// ``GridController/onCopy`` and ``GridController/onRefusal``.
    /// - Parameters:
    ///   - grid: the grid; the application retains it.
    ///   - layout: the rectangle of the grid on a screen of the given size, by default the whole screen. The size excludes the lines of
    ///     ``showsHints`` and ``describesCurrentCell``. `nil` if the application sets the frame itself.
    public func add(_ grid: GridController, layout: ((TerminalSize) -> TerminalRect)? = { TerminalRect($0) }) {
        grids.append(grid)
        layouts.append(layout)
        adapt(grid, from: TerminalColors())
        if !backend.showsUnicode { grid.glyphs = .ascii }
        if !backend.showsMotion { grid.reduceMotion = true }
        if focused == nil { focused = grid }
        grid.onNeedsDisplay = { [weak self] in self?.setNeedsDisplay() }
        grid.onCopy = { [weak self, weak grid, backend] text in
            backend.sendControlSequence(Clipboard.sequence(Array(text.utf8)))
            self?.message = grid?.copyMessage
        }
        grid.onRefusal = { [weak self] reason in self?.message = reason }
        if let layout { grid.frame = layout(gridArea(of: backend.size)) }
        setNeedsDisplay()
    }

    /// Removes a grid. The first remaining grid is focused. Has no effect if the grid is not shown.
    public func remove(_ grid: GridController) {
        guard let index = grids.firstIndex(where: { $0 === grid }) else { return }
        grid.onNeedsDisplay = nil
        grid.onCopy = nil
        grid.onRefusal = nil
        grids.remove(at: index)
        layouts.remove(at: index)
        if focused === grid { focused = grids.first }
        setNeedsDisplay()
    }

    /// Requests a frame, which is drawn at the end of the current turn of the main loop.
    public func setNeedsDisplay() { needsDisplay = true }

    /// Stops ``run()``, which returns `status`.
    public func stop(status: Int32 = 0) { self.exitStatus = status }

    /// True until ``stop(status:)`` is called or the user quits: the loop condition for applications that call ``turn()``.
    public var isRunning: Bool { exitStatus == nil }

    // MARK: Time

    /// Calls `body` repeatedly, once per `interval`. The first call is after one interval. Missed calls are skipped.
    /// - Returns: A timer that can be cancelled.
    @discardableResult
    public func addTimer(interval: Duration, _ body: @escaping @MainActor () -> Void) -> ApplicationTimer {
        let timer = ApplicationTimer(interval, body)
        timers.append(timer)
        return timer
    }

    /// Adapts theme and highlights of a grid to the colors of the terminal.
    private func adapt(_ grid: GridController, from old: TerminalColors) {
        if adaptsPresetThemes { grid.updatePresetTheme(for: colors, from: old) }
        if backend.colorDepth != .trueColor { grid.fadesHighlights = false }
    }

    // MARK: Main loop

    /// Runs the main loop. Returns after ``stop(status:)``, when the user quits, or after a termination signal.
    public func run() throws -> Int32 {
        try start()
        return runLoop()
    }

    /// Starts the terminal and draws the first frame: the first part of ``run()``.
    public func start() throws {
        try backend.start()
        colors.depth = TerminalColors.Depth(backend.colorDepth)
        layOut(backend.size)
        onStart?()
        draw()
    }

    /// Runs the loop after ``start()``: the second part of ``run()``, for applications that start work after the first frame.
    public func runLoop() -> Int32 {
        while isRunning {
            backend.wait(timeoutMilliseconds: timeout)
            turn()
        }
        backend.stop()
        return exitStatus ?? 0
    }

    /// Handles all pending events and draws after changes: one iteration of ``run()``.
    public func turn() {
        var events = backend.pollEvents()[...]
        while let event = events.first {
            let taken = onPendingEvents?(events) ?? 0
            if taken > 0 {
                events.removeFirst(min(taken, events.count))
                isQuitPending = false
                message = nil
            } else {
                events.removeFirst()
                handleEvent(event)
            }
            if !isRunning { return }
        }
        if let signal = backend.pendingSignal { return stop(status: 128 + signal) }
        finishTurn()
    }

    /// Runs posted work and draws after changes: the second part of ``turn()``.
    public func finishTurn() {
        mailbox.drain()
        tick()
        onTurn?()
        for _ in 0..<2 where isRunning && needsDisplay { draw() }
    }

    /// The characters that the first of `events` type, one for each event. Stops at the first event that types no text. O(characters).
    public static func typedText(_ events: ArraySlice<TerminalEvent>) -> String.UnicodeScalarView {
        var text = String.UnicodeScalarView()
        for event in events {
            guard case .key(let press) = event, case .insert(let scalar) = LineEditor.Edit(typing: press) else { break }
            text.append(scalar)
        }
        return text
    }

    private func handleEvent(_ event: TerminalEvent) {
        let quitsIfRepeated = isQuitPending
        switch event {
        case .key, .mouse, .paste: isQuitPending = false
        default: break
        }
        switch event {
        case .resize(let size): layOut(size)
        case .resumed: setNeedsDisplay()
        case .key, .paste: message = nil
        case .mouse(let mouse): if case .press = mouse.kind { message = nil }
        case .background(let color) where !color.isDefault: colors.isLight = Theme.isLight(color)
        default: break
        }
        if onEvent?(event) == true { return }
        switch event {
        case .mouse(let mouse):
            let dragging = grids.first { $0.state.drag != nil }
            guard let grid = dragging ?? grids.last(where: { $0.frame.contains(x: mouse.x, y: mouse.y) }) else { return }
            if case .press = mouse.kind, grid !== focused { focused = grid }
            grid.handle(event)
        case .key(let press):
            if focused?.handle(event) != true { handleUnhandledKey(press, quitsIfRepeated: quitsIfRepeated) }
        case .paste: focused?.handle(event)
        default: break
        }
    }

    /// The keys that the application handles if no grid does; for the keys of a grid, see ``GridInput/help(_:)``.
    public static func help(_ keys: KeyMap<GridCommand> = .standard) -> [KeyHelpChapter] { keys.help(in: [.application]) }

    private func handleUnhandledKey(_ press: KeyPress, quitsIfRepeated: Bool) {
        guard case .command(let id) = keyMap.resolve([press], in: [.application]) else { return }
        switch id {
        case .copy: focused?.perform(.requestCopy())
        case .copyOrQuit where quitsIfRepeated:
            // Unlike the quit key, this key ends the program even if a grid rejects its edited text.
            for grid in grids where !grid.commitEditing() { grid.cancelEditing() }
            stop()
        case .copyOrQuit:
            focused?.perform(.requestCopy())
            isQuitPending = true
        case .quit: commitAndQuit()
        case .suspend: backend.suspend()
        case .nextGrid where !grids.isEmpty:
            let index = grids.firstIndex { $0 === focused } ?? -1
            focused = grids[(index + 1) % grids.count]
        default: break
        }
    }

    /// Commits edited text and quits. If a grid rejects its text, that grid is focused and shows the reason, and the last line names the
    /// key that discards the text.
    private func commitAndQuit() {
        guard let editing = grids.first(where: { !$0.commitEditing() }) else { return stop() }
        focused = editing
        let cancel = editing.keyMap.label(of: .cancelEditing, in: [.editor])
        message = cancel.map { "Rejected: correct the text, or press \($0) to discard it." } ?? "Rejected: correct the text."
    }

    private func layOut(_ size: TerminalSize) {
        let area = gridArea(of: size)
        for (grid, layout) in zip(grids, layouts) { if let layout { grid.frame = layout(area) } }
        setNeedsDisplay()
    }

    private func tick() {
        let now = ContinuousClock.now
        timers.removeAll { $0.isCancelled }
        for timer in timers { timer.fire(at: now) }
        for grid in grids { grid.tick(at: now) }
    }

    private var timeout: Int? {
        // Immediately draw the changes that a delegate made during the last frame.
        if needsDisplay { return 0 }
        let now = ContinuousClock.now
        let times = timers.filter { !$0.isCancelled }.map(\.nextFireTime) + grids.compactMap(\.nextTick)
        return times.min().map { max(0, Int(($0 - now) / .milliseconds(1)) + 1) }
    }

    private func draw() {
        needsDisplay = false
        var buffer = CellBuffer(size: backend.size)
        drawBackground?(&buffer)
        var cursor: (x: Int, y: Int)?
        for grid in grids {
            let gridCursor = grid.draw(on: &buffer)
            if grid === focused { cursor = gridCursor ?? (describesCurrentCell ? grid.cursorPosition : nil) }
        }
        if let drawOverlay { cursor = drawOverlay(&buffer) ?? cursor }
        drawFooter(on: &buffer)
        backend.present(buffer, cursor: cursor)
        onDraw?()
    }
}

/// A timer that calls a closure of an application repeatedly.
@MainActor
public final class ApplicationTimer {
    private let interval: Duration
    private let body: @MainActor () -> Void
    private(set) var nextFireTime: ContinuousClock.Instant
    private(set) var isCancelled = false

    init(_ interval: Duration, _ body: @escaping @MainActor () -> Void) {
        self.interval = interval
        self.body = body
        nextFireTime = .now + interval
    }

    /// Stops the timer.
    public func cancel() { isCancelled = true }

    func fire(at now: ContinuousClock.Instant) {
        guard !isCancelled, now >= nextFireTime else { return }
        nextFireTime = max(nextFireTime + interval, now)
        body()
    }
}

/// A queue of closures that run on the main thread. Any thread can post one, which wakes the main loop.
public final class GridMailbox: Sendable {
    private let work = Mutex<[@MainActor @Sendable () -> Void]>([])
    private let wake: @Sendable () -> Void

    /// Creates an empty mailbox; a ``GridApplication`` has its own.
    /// - Parameter wake: ends the wait of the loop that calls ``drain()``.
    public init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Queues `body` to run on the main thread, after all closures that were posted earlier.
    public func post(_ body: @escaping @MainActor @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        wake()
    }

    /// Runs all posted work.
    /// - Returns: True if there was work to run.
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
