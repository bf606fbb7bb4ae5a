import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
public import Tables
public import TerminalSurface

/// The program at work: state, screen, jobs, and the loop that joins them.
///
/// Everything here happens on the main thread. It waits for the terminal and for letters from jobs, takes all there are, changes the
/// state, and draws at most once.
@MainActor
public final class Session {
    /// Everything the program knows. Changed by ``send(_:)`` alone.
    public internal(set) var state: AppState
    /// What is held of the open tables, by the ids of their sheets.
    private(set) var sheets: [Int: OpenSheet]
    /// The loop.
    let application: GridApplication
    let runner: JobRunner
    /// Columns that were read to sort or group by, and what came of it; what more would need goes to a temporary file.
    let columnStore: ColumnStore
    /// Answers what is asked of the tables.
    let engine: any QueryEngine
    let options: LaunchOptions
    /// Keeps the loop from sleeping long while something shows how far it is.
    private var progressTimer: ApplicationTimer?
    /// Whether cells in sight could not be read: the next key tries again.
    private var hasUnread = false
    /// Where the cursor stood when the rank of its match was told.
    private var rankedCursor: GridCursor?
    /// Why the awaited input cannot be shown.
    var openingFailure: (any Error)?

    /// Shows a document as the options ask. Where they name a column that only a later row may have, its input is read to its end first.
    /// - Parameter runner: where jobs run; ``JobRunner/inline`` makes every step a test takes complete before it returns.
    public convenience init(
        _ document: Document, options: LaunchOptions, backend: any TerminalBackend, runner: JobRunner = .background
    ) throws {
        let view = try document.viewReadingOn(options)
        self.init(OpenSheet(id: 0, document), options: options, backend: backend, runner: runner)
        show(view)
    }

    /// Shows an input at once where the options fit what is known of it. Where all of it has to be read first, a job does that.
    public static func opening(_ input: any TableSource, options: LaunchOptions, backend: any TerminalBackend) throws -> Session {
        do {
            let document = try Document(OpenedInput(input), options: options)
            let view = try document.view(options)
            let session = Session(OpenSheet(id: 0, document), options: options, backend: backend, runner: .background)
            session.show(view)
            return session
        } catch let error as RequestError {
            guard try Document.mayHoldLater(error, of: input, options) else { throw error }
            return try Session(awaiting: SheetInput(name: input.name) { input }, options: options, backend: backend)
        }
    }

    /// Shows that the input is awaited, and shows it when its first bytes have come.
    public convenience init(
        awaiting input: SheetInput, options: LaunchOptions, backend: any TerminalBackend, runner: JobRunner = .background
    ) throws {
        self.init(try OpenSheet(id: 0, input), options: options, backend: backend, runner: runner)
    }

    private init(_ sheet: OpenSheet, options: LaunchOptions, backend: any TerminalBackend, runner: JobRunner) {
        sheets = [sheet.id: sheet]
        self.options = options
        application = GridApplication(on: backend)
        application.fitsThemes = false
        self.runner = runner
        var scratch: (@Sendable () throws -> any ScratchFile)?
        if let opener = options.opener { scratch = { try opener.makeScratchFile() } }
        columnStore = ColumnStore(budget: Self.memory(options), scratch: scratch)
        engine = LocalQueryEngine(
            alphabet: options.alphabet, store: columnStore, memory: min(columnStore.budget, 512 << 20), threads: options.affordableThreads)
        state = AppState(
            Self.state(of: sheet, theme: (options.theme ?? .dark).fitted(toLightTerminal: false)), options: options)
        join(application)
    }

    /// Adds sheets behind those that are open. Each input is opened when its sheet is first shown.
    public func add(_ inputs: [SheetInput]) throws {
        let new = try inputs.enumerated().map { number, input in
            try OpenSheet(id: (sheets.keys.max() ?? 0) + 1 + number, input)
        }
        for sheet in new { sheets[sheet.id] = sheet }
        send(.sheetsAdded(new.map { Self.state(of: $0, theme: state.grid.theme) }))
    }

    /// The state of a file just opened, before options are applied.
    static func state(of sheet: OpenSheet, theme: Theme) -> SheetState {
        let document = sheet.document
        var metrics = GridMetrics()
        metrics.rowHeaderWidth = document.rowHeaderWidth()
        let count = document.source.snapshot.recordCount
        var state = SheetState(
            id: sheet.id, document: document.info(notes: document.notes), columns: document.columns, rows: .natural(count: count),
            theme: theme, metrics: metrics)
        show(document.source, in: state.controller)
        state.derivedFields = document.derivedFields
        state.document.isAwaited = sheet.awaitedInput != nil
        return state
    }

    /// Shows the file of the current sheet as options ask.
    func show(_ view: OpenedView) {
        sheet.launchSearch = view.search
        send(.viewed(view))
    }

    static func show(_ source: TableGridSource, in controller: GridController) {
        controller.dataSource = source
        source.onChange = { [weak controller] in controller?.reloadRows() }
    }

    /// Bytes to sort in and to keep columns in: what was asked for, as far as a limit on the address space leaves it. The other half is for
    /// results, and for what is not counted.
    private static func memory(_ options: LaunchOptions) -> Int {
        Platform.shareAllocationPool()
        return min(options.memory ?? Platform.memorySize / 4, (Platform.addressSpaceLeft ?? .max) / 2)
    }

    // MARK: The loop

    /// Where jobs leave what they have found.
    var letterBox: LetterBox { LetterBox(application.mailbox, self) }

    var backend: any TerminalBackend { application.backend }

    /// Has the loop tell of what comes, and draw.
    private func join(_ application: GridApplication) {
        application.onStart = { [unowned self] in
            backend.isMouseEnabled = state.isMouseOn
            send(.started(backend.colorDepth))
            send(.terminal(.resize(backend.size)))
            showGrid()
        }
        application.handle = { [unowned self] event in
            take(.terminal(event))
            return true
        }
        application.handleTogether = { [unowned self] events in
            if state.takesText {
                let text = GridApplication.typedText(events)
                if !text.isEmpty { send(.typed(String(text))) }
                return text.count
            }
            guard case .key(let press) = events.first, state.isMotion(press) else { return 0 }
            let times = events.prefix { $0 == .key(press) }.count
            take(.repeated(press, times: times))
            return times
        }
        application.onTurn = { [unowned self] in finishTurn() }
        application.onDraw = { [unowned self] in
            // What could not be read is only known once it was asked for.
            guard let failure = document.source.consumeFailure() else { return }
            hasUnread = true
            if state.message == nil { send(.say(message(aboutFailure: failure))) }
        }
        application.drawBackground = { [unowned self] buffer in
            buffer.fill(TerminalRect(buffer.size), style: state.grid.theme.row.textStyle)
            state.controller.findMatches = state.matches
        }
        application.drawOverlay = { [unowned self] buffer in
            AppPainter(state, source: document.source, record: recordForm()).paint(on: &buffer)
        }
    }

    /// Takes what came from the terminal.
    private func take(_ action: AppAction) {
        if hasUnread { state.controller.reloadRows() }
        hasUnread = false
        send(action)
        if sheet.watcher == nil, !runner.isBackground { note(document.input.checkForChange()) }
    }

    /// Shows the grid until the person leaves.
    /// - Returns: the status to exit with.
    public func run() throws -> Int32 {
        try start()
        let status = application.goOn()
        finish()
        if let openingFailure { throw openingFailure }
        return status
    }

    /// Takes the screen, draws the first frame, and only then begins to read the rest of the file.
    public func start() throws {
        try application.start()
        if sheet.awaitedInput != nil {
            openAwaited()
        } else {
            watchFile()
            perform(.startIndex)
        }
        application.settle()
    }

    /// Gives the screen back, and ends what runs.
    public func finish() {
        for sheet in sheets.values { sheet.end() }
        backend.stop()
    }

    /// Takes everything that has come, and draws.
    public func turn() { application.turn() }

    /// What is left to do when everything that has come was taken.
    private func finishTurn() {
        if !state.sheet.requests.isEmpty { send(.gridRequests) }
        // What is found may lead to more.
        while application.mailbox.drain() {}
        for id in state.sheets.map(\.id) {
            with(id) {
                follow()
                let statuses = jobs.statuses()
                if statuses != state.jobs { send(.jobs(statuses)) }
            }
        }
        // Which match it is follows the cursor, however it moved.
        if state.search != nil, rankedCursor != state.grid.cursor { tellRank() }
        rankedCursor = state.grid.cursor
        showGrid()
        watchProgress()
    }

    /// Puts the grid of the current sheet on the screen.
    private func showGrid() {
        let controller = state.controller
        if application.grids.first !== controller {
            for grid in application.grids { application.remove(grid) }
            application.add(controller, layout: nil)
        }
    }

    /// Has the loop take a turn ten times a second while there is something to look at that tells nobody.
    private func watchProgress() {
        // Input that is awaited may take hours; a file that is opened again shows its progress.
        let hasProgress = sheets.values.contains { $0.jobs.wantsPolling || $0.awaitedInput == nil && $0.jobs.isRunning(.open) }
        guard (hasProgress || isFollowing) != (progressTimer != nil) else { return }
        progressTimer?.cancel()
        progressTimer = progressTimer == nil ? application.every(.milliseconds(100)) {} : nil
    }

    /// Ends what runs for a sheet that was closed.
    func close(_ id: Int) { sheets.removeValue(forKey: id)?.end() }

    /// Does something for a sheet, on the screen or not.
    func with(_ id: Int, _ body: () -> Void) {
        guard state.sheets.contains(where: { $0.id == id }) else { return }
        let shown = state.sheet.id
        _ = state.apply(.sheetAttended(id))
        body()
        _ = state.apply(.sheetAttended(shown))
    }

    /// Changes the state, and does what it asks for.
    public func send(_ action: AppAction) {
        application.setNeedsDisplay()
        for effect in state.apply(action) { perform(effect) }
        if let status = state.exitStatus { application.stop(status: status) }
    }
}
