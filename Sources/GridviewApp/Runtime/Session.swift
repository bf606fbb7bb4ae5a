import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
public import Tables
public import TerminalSurface

/// The running program: state, screen, jobs and the main loop.
///
/// All code runs on the main thread. The loop waits for terminal events and messages from jobs, handles all pending ones, changes the
/// state, and draws at most once.
@MainActor
public final class Session {
    /// The state of the program. ``send(_:)`` changes it by actions; no other code may.
    public private(set) var state: AppState
    /// The runtime objects of all sheets, by the ID of the sheet.
    private(set) var sheets: [Int: OpenSheet]
    /// The ID of the sheet to show after the current message of a job was handled; `nil` for none.
    var sheetToShow: Int?
    let application: GridApplication
    let runner: JobRunner
    /// Caches columns, and the results of sorting and grouping. Beyond its memory limit, it uses a temporary file.
    let columnStore: ColumnStore
    /// Runs the queries on all tables.
    let engine: any QueryEngine
    private(set) var options: LaunchOptions
    /// Wakes the main loop regularly while the progress of a job is shown; `nil` while no progress is shown.
    private var progressTimer: ApplicationTimer?
    /// The cursor position for which the rank of the match was last computed, to detect movements.
    private var rankedCursor: GridCursor?
    /// The rows that the user has picked, which are printed after the screen is closed; `nil` if none were picked.
    var pickJob: CopyJob?
    /// The error that ``run()`` throws because the only input cannot be shown; `nil` if the input can be shown.
    var openingFailure: (any Error)?
    /// Sentences to print after the terminal is restored.
    public var closingMessages: [String] { closingNotes + [state.closingMessage].compactMap(\.self) }
    /// The differences between the input and its pivot table, to print after the terminal is restored.
    var closingNotes: [String] = []
    /// The file that records the first use of the program, if it must be created at the end; otherwise `nil`.
    private var firstUse: FirstUse?

    /// Creates a session that shows a document. If the options name a column that only a later row may have, the input is read to its end
    /// first.
    /// - Parameter runner: determines where jobs run. With ``JobRunner/inline``, jobs run immediately, so that each step of a test is
    ///   complete when it returns.
    public convenience init(
        _ document: Document, options: LaunchOptions, backend: any TerminalBackend, runner: JobRunner = .background
    ) throws {
        let view = try document.viewReadingAll(options)
        self.init(OpenSheet(id: 0, document), options: options, backend: backend, runner: runner)
        show(view)
    }

    /// Creates a session that shows an input. If the options may be valid only after more reading, a job reads the input to its end before
    /// it is shown.
    public static func opening(_ input: any TableSource, options: LaunchOptions, backend: any TerminalBackend) throws -> Session {
        do {
            let document = try Document(OpenedInput(input), options: options)
            let view = try document.view(options)
            let session = Session(
                OpenSheet(id: 0, document, path: options.path), options: options, backend: backend, runner: .background)
            session.show(view)
            return session
        } catch let error as RequestError {
            do {
                guard try Document.mayBecomeValid(error, of: input, options) else { throw error }
            } catch let error as RequestError {
                guard error.isUsageError, let makeFallbackOptions = options.makeFallbackOptions else { throw error }
                return try opening(input, options: makeFallbackOptions(error), backend: backend)
            }
            return try Session(awaiting: SheetInput(name: input.name, path: options.path) { input }, options: options, backend: backend)
        }
    }

    /// Creates a session for an input whose first bytes have not arrived. Until they arrive, the session shows that it waits.
    public convenience init(
        awaiting input: SheetInput, options: LaunchOptions, backend: any TerminalBackend, runner: JobRunner = .background
    ) throws {
        self.init(try OpenSheet(id: 0, input), options: options, backend: backend, runner: runner)
    }

    private init(_ sheet: OpenSheet, options: LaunchOptions, backend: any TerminalBackend, runner: JobRunner) {
        sheets = [sheet.id: sheet]
        self.options = options
        application = GridApplication(on: backend)
        application.adaptsPresetThemes = false
        self.runner = runner
        var scratch: (@Sendable () throws -> any ScratchFile)?
        if let opener = options.opener { scratch = { try opener.makeScratchFile() } }
        let store = ColumnStore(budget: Self.memory(options), makeScratchFile: scratch)
        columnStore = store
        let local = LocalQueryEngine(
            alphabet: options.alphabet, store: store, memory: min(store.budget, 512 << 20), threads: options.affordableThreads)
        engine = options.makeEngine?(local) ?? local
        state = AppState(
            Self.state(of: sheet, theme: (options.theme ?? .dark).fitted(to: TerminalColors())), options: options)
        connect(to: application)
    }

    /// Adds sheets after the open ones. Each input is opened when its sheet is first shown.
    public func add(_ inputs: [SheetInput]) throws { try add(inputs, from: nil) }

    /// Shows a message about files that could not be opened, and prints the reasons after the terminal is restored.
    public func report(unopenedFiles reasons: [String]) {
        guard let first = reasons.first else { return }
        closingNotes += reasons
        send(.show(.openingFailed(first, otherCount: reasons.count - 1)))
    }

    /// - Parameter originID: the ID of the sheet from which the inputs are opened; `nil` for none.
    /// - Returns: The IDs of the new sheets.
    @discardableResult
    func add(_ inputs: [SheetInput], from originID: Int?) throws -> [Int] {
        let new = try inputs.enumerated().map { number, input in
            try OpenSheet(id: (sheets.keys.max() ?? 0) + 1 + number, input, originID: originID)
        }
        for sheet in new { sheets[sheet.id] = sheet }
        send(.sheetsAdded(new.map { Self.state(of: $0, theme: state.grid.theme) }))
        return new.map(\.id)
    }

    /// The state of a sheet whose file was just opened, before the options are applied.
    static func state(of sheet: OpenSheet, theme: Theme) -> SheetState {
        let document = sheet.document
        let count = document.source.snapshot.recordCount
        var state = SheetState(
            id: sheet.id, document: document.info(problems: document.problems), columns: document.columns, rows: .natural(count: count),
            theme: theme, rowHeaderWidth: document.rowHeaderWidth())
        show(document.source, in: state.controller)
        state.derivedFields = document.derivedFields
        (state.originID, state.path, state.pivotCommand) = (sheet.originID, sheet.path, sheet.pivotCommand)
        if sheet.openInput != nil { (state.document.reading, state.document.activity) = (.awaited, sheet.activity) }
        return state
    }

    /// Applies a view to the current sheet.
    func show(_ view: OpenedView) { send(.viewOpened(view)) }

    static func show(_ source: TableGridSource, in controller: GridController) {
        controller.dataSource = source
        source.onChange = { [weak controller] in controller?.reloadRows() }
    }

    /// The memory for sorting and cached columns, in bytes: the size in the options, but at most half of the remaining address space.
    /// The rest is for results and other uses.
    private static func memory(_ options: LaunchOptions) -> Int {
        Platform.shareAllocationPool()
        return min(options.memoryOrDefault, (Platform.remainingAddressSpace ?? .max) / 2)
    }

    // MARK: Main loop

    var backend: any TerminalBackend { application.backend }

    /// Connects the session to the main loop of the grid application, which reports events to it.
    private func connect(to application: GridApplication) {
        application.onStart = { [unowned self] in
            backend.isMouseEnabled = state.isMouseOn
            send(.terminalColors(self.application.colors))
            send(.terminal(.resize(backend.size)))
            showGrid()
        }
        application.onEvent = { [unowned self] event in
            // The application has already read the new background color from the event.
            if case .background = event { handleInput(.terminalColors(self.application.colors)) } else { handleInput(.terminal(event)) }
            return true
        }
        application.onPendingEvents = { [unowned self] events in
            if state.takesText {
                let text = GridApplication.typedText(events)
                if !text.isEmpty { send(.textTyped(String(text))) }
                return text.count
            }
            guard case .key(let press) = events.first, state.isMotion(press) else { return 0 }
            let times = events.prefix { $0 == .key(press) }.count
            handleInput(.keyRepeated(press, times: times))
            return times
        }
        application.onTurn = { [unowned self] in finishTurn() }
        application.onDraw = { [unowned self] in
            updateWaitingStatus()
            updateRowAge()
            // Most rows are read when they are drawn, so a failure to read them is known only now.
            guard let failure = document.source.consumeFailure() else { return }
            if state.message == nil { send(.show(message(aboutFailure: failure))) }
        }
        application.drawBackground = { [unowned self] buffer in
            buffer.fill(TerminalRect(buffer.size), style: state.grid.theme.row.textStyle)
            if state.grid.rows.count == 0 { document.source.emptyText = state.emptyText }
        }
        application.drawOverlay = { [unowned self] buffer in
            AppPainter(state, source: document.source, rowView: rowViewText()).paint(on: &buffer)
        }
    }

    private func handleInput(_ action: AppAction) {
        document.source.retryFailedReads()
        // Update the job statuses first: the effect of Escape on the first rows of a query depends on the status of the query's job.
        updateJobs()
        send(action)
        if sheet.watcher == nil, !runner.isBackground { recordFileChange(document.input.checkForChange()) }
    }

    /// Runs the program until the user quits or a failure ends it.
    /// - Returns: The exit status.
    public func run() throws -> Int32 {
        try start()
        let status = application.runLoop()
        finish()
        if let openingFailure { throw openingFailure }
        return status
    }

    /// Starts the terminal, draws the first frame, then starts to read the rest of the file.
    public func start() throws {
        try application.start()
        if let record = options.firstUse {
            let state = record.state
            if state != .expired { send(.firstUse) }
            if state == .new { firstUse = record }
        }
        if sheet.openInput != nil {
            openAwaitedInput()
        } else {
            startReading()
        }
        reportSettings()
        application.finishTurn()
    }

    /// Stops all jobs, saves the views of the files, and restores the terminal.
    public func finish() {
        for sheet in sheets.values { sheet.end() }
        // The backend handles signals until it stops. When a terminal is closed, the kernel and the shell both send SIGHUP, so the second
        // signal would end the program before the views are saved.
        firstUse?.record()
        firstUse = nil
        saveRecentViews()
        backend.stop()
    }

    /// Runs the main loop once: handles all pending events and messages, and draws.
    public func turn() { application.turn() }

    /// Handles the messages of jobs and pending changes after all terminal events of this turn were handled.
    private func finishTurn() {
        if !state.sheet.requests.isEmpty { send(.gridRequests) }
        // Repeat this, because handling a message can post other messages.
        while application.mailbox.drain() || readChanges() {}
        for id in state.sheets.map(\.id) {
            withSheet(id) {
                showKnownRows()
                filterNewRows()
                updateJobs()
            }
        }
        // The rank of the match depends on the cursor. Update it after every movement.
        if state.search != nil, rankedCursor != state.grid.cursor { updateMatchIndex() }
        rankedCursor = state.grid.cursor
        showGrid()
        watchProgress()
    }

    /// Copies the job statuses of the current sheet to the state of the sheet.
    private func updateJobs() {
        let statuses = jobs.statuses()
        if statuses != state.jobs { send(.jobs(statuses)) }
    }

    /// Shows the grid of the current sheet, with the matches of the current search.
    private func showGrid() {
        let controller = state.controller
        controller.findMatches = state.matches
        if application.grids.first !== controller {
            for grid in application.grids { application.remove(grid) }
            application.add(controller, layout: nil)
        }
    }

    /// While jobs report progress, wakes the main loop ten times per second to show it.
    private func watchProgress() {
        // Do not poll the opening of a new sheet, which may wait for hours for its first data. Poll a reload, to show its progress.
        let hasProgress = sheets.values.contains { $0.jobs.needsPolling || $0.openInput == nil && $0.jobs.isRunning(.open) }
        guard (hasProgress || hasUnfilteredRows) != (progressTimer != nil) else { return }
        progressTimer?.cancel()
        progressTimer = progressTimer == nil ? application.addTimer(interval: .milliseconds(100)) {} : nil
    }

    /// True if visible rows have not arrived from a server yet. Drawing requests the rows.
    var awaitsVisibleRows: Bool {
        let source = document.source
        return source.awaitsRows && state.grid.visibleRows.contains { source.isAwaited($0) }
    }

    /// Shows that the program waits if visible rows have not arrived yet. Called after drawing, because drawing requests the rows.
    private func updateWaitingStatus() {
        let isWaiting = awaitsVisibleRows
        for (id, sheet) in sheets { sheet.jobs.setWaiting(isWaiting && id == state.sheet.id) }
        if isWaiting { watchProgress() }
    }

    /// Shows the time at which the visible rows were fetched from a server, if this is more than a minute ago. Called after drawing, which
    /// may fetch rows.
    private func updateRowAge() {
        let now = Platform.secondsSince1970
        let oldest = document.source.oldestFetchTime(of: state.grid.visibleRows).flatMap { now - $0 > 60 ? $0 : nil }
        let time = oldest.map { Platform.localTime($0, now: now) }
        if time != state.sheet.oldRowsTime { send(.rowsAged(time)) }
    }

    /// Continues with other options. Reports their errors of the settings file, unless the current options also have these.
    func use(_ options: LaunchOptions) {
        let hasNewProblems = options.settingsProblems.count > self.options.settingsProblems.count
        self.options = options
        if hasNewProblems { reportSettings() }
    }

    func closeSheet(_ id: Int) { sheets.removeValue(forKey: id)?.end() }

    /// Makes the sheet with this ID the current one while `body` runs, even if it is not visible.
    func withSheet(_ id: Int, _ body: () -> Void) {
        guard state.sheets.contains(where: { $0.id == id }) else { return }
        let shown = state.sheet.id
        apply(.sheetSelected(id))
        body()
        apply(.sheetSelected(shown))
    }

    /// Applies an action to the state, performs the effects, and makes this turn draw.
    public func send(_ action: AppAction) {
        application.setNeedsDisplay()
        apply(action)
    }

    /// Applies an action to the state, and performs the effects.
    private func apply(_ action: AppAction) {
        for effect in state.apply(action) { perform(effect) }
        if let status = state.exitStatus { application.stop(status: status) }
    }
}

extension Session {
    var sheet: OpenSheet { sheets[state.sheet.id]! }
    var document: Document { sheet.document }
    var jobs: JobRegistry { sheet.jobs }
}
