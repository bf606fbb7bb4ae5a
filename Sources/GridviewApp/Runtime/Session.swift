import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
public import TerminalSurface

/// The program at work: state, screen, jobs, and the loop that joins them.
///
/// Everything here happens on the main thread. It waits for the terminal and for letters from jobs, takes all there are, changes the
/// state, and draws at most once.
@MainActor
public final class Session {
    /// Everything the program knows. Changed by ``send(_:)`` alone.
    public private(set) var state: AppState
    /// What is held of the open tables, by the ids of their sheets.
    private(set) var sheets: [Int: OpenSheet]
    let backend: any TerminalBackend
    let runner: JobRunner
    /// Where jobs of all sheets leave what they have found.
    let mailbox: Mailbox
    /// Columns that were read to sort or group by, and what came of it; what more would need goes to a temporary file.
    let columnStore: ColumnStore
    /// Answers what is asked of the tables.
    let engine: any QueryEngine
    let options: LaunchOptions
    private var clicks = ClickCounter()
    /// What was shown last, so that nothing is drawn when nothing has changed.
    private var shown: AppState?
    private var lastTick = ContinuousClock.now
    /// Why the awaited input cannot be shown.
    private var openingFailure: (any Error)?

    /// - Parameter runner: where jobs run; ``JobRunner/inline`` makes every step a test takes complete before it returns.
    public convenience init(
        _ document: Document, options: LaunchOptions, backend: any TerminalBackend, runner: JobRunner = .background
    ) throws {
        self.init(OpenSheet(id: 0, document), options: options, backend: backend, runner: runner)
        try applyOptionsReadingOn()
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
        self.backend = backend
        self.runner = runner
        mailbox = Mailbox(wake: backend.wake)
        var scratch: (@Sendable () throws -> any ScratchFile)?
        if let opener = options.opener { scratch = { try opener.makeScratchFile() } }
        columnStore = ColumnStore(budget: Self.memory(options), scratch: scratch)
        engine = LocalQueryEngine(alphabet: options.alphabet, store: columnStore, threads: options.threads)
        state = AppState(Self.state(of: sheet, theme: (options.theme ?? .dark).fitted(toLightTerminal: false)))
        state.isThemeChosen = options.theme != nil
        if let theme = options.theme, !Theme.presets.contains(theme) { state.ownTheme = theme }
        state.isMouseOn = options.usesMouse
        state.keyMap = options.keyMap
    }

    /// Adds sheets behind those that are open. Each input is opened when its sheet is first shown.
    public func add(_ inputs: [SheetInput]) throws {
        for input in inputs {
            let sheet = try OpenSheet(id: (sheets.keys.max() ?? 0) + 1, input)
            sheets[sheet.id] = sheet
            state.sheets.append(Self.state(of: sheet, theme: state.grid.theme))
        }
    }

    /// The state of a file just opened, before options are applied.
    private static func state(of sheet: OpenSheet, theme: Theme) -> SheetState {
        let document = sheet.document
        var metrics = GridMetrics()
        metrics.rowHeaderWidth = document.rowHeaderWidth()
        let count = document.source.snapshot.recordCount
        var state = SheetState(
            id: sheet.id, document: document.info(notes: document.notes), columns: document.columns, rows: .natural(count: count),
            theme: theme, metrics: metrics)
        state.grid.rowHeightSource = ContentHeights(document.source)
        state.derivedFields = document.derivedFields
        state.document.isAwaited = sheet.awaitedInput != nil
        return state
    }

    /// Applies the options; where they name a column that only a later row has, the file is read to its end first.
    private func applyOptionsReadingOn() throws {
        try document.readingOn(options) {
            let columns = document.addColumns()
            if !columns.isEmpty { send(.columnsAdded(columns)) }
            try applyOptions()
        }
    }

    /// Brings the view into the shape that the options ask for.
    private func applyOptions() throws {
        let view = OpenedView(
            columns: document.columns, frozen: options.frozen, arrangement: try arrangement(from: options),
            isCollapsed: options.isCollapsed, selectionMode: options.selectionMode)
        if view.frozen != FrozenPanes() { _ = state.grid.apply(.freeze(view.frozen)) }
        if let mode = view.selectionMode { _ = state.grid.apply(.setSelectionMode(mode)) }
        state.opened = view
        state.query = QueryState(asking: view.arrangement, collapsesSections: view.isCollapsed)
        state.tellSort()
        _ = state.grid.apply(.setFilters(state.query.wanted.filters))
        state.filterHistory = state.query.wanted.filters
        if let text = options.find, !text.isEmpty {
            let search = Search(argument: text)
            do {
                _ = try search.textSearch()
            } catch {
                throw RequestError("--find: “\(search.text)” is no regular expression: \(error.message).", isUsage: true)
            }
            (state.search, sheet.launchSearch) = (search, search)
        }
    }

    /// The arrangement the options ask for.
    func arrangement(from options: LaunchOptions) throws -> Arrangement {
        var arrangement = Arrangement()
        arrangement.filters = try options.filters.map { try checked($0) }
        arrangement.sort = try options.sort.map { SortDescriptor(try document.id($0.column), isDescending: $0.isDescending) }
        for group in options.groups {
            let id = try document.id(group.column)
            guard !arrangement.groups.contains(id) else { continue }
            arrangement.groups.append(id)
            let criterion: SectionOrder.Criterion =
                switch group.order {
                case .count: .rowCount
                case .aggregate(let option): try Self.aggregate(option, document).map { .aggregate($0) } ?? .rowCount
                case nil: .title
                }
            if criterion != .title || group.isDescending {
                arrangement.sectionOrders[id] = SectionOrder(criterion, isDescending: group.isDescending)
            }
        }
        if !options.aggregates.isEmpty {
            arrangement.aggregates = try options.aggregates.compactMap { try Self.aggregate($0, document) }
        }
        return arrangement
    }

    /// `nil`: the number of rows.
    private static func aggregate(_ option: AggregateOption, _ document: Document) throws -> Aggregate? {
        try option.column.map { Aggregate(option.function, of: try document.id($0)) }
    }

    /// Bytes to sort in and to keep columns in: what was asked for, as far as a limit on the address space leaves it. The other half is for
    /// results, and for what is not counted.
    private static func memory(_ options: LaunchOptions) -> Int {
        Platform.shareAllocationPool()
        return min(options.memory ?? Platform.memorySize / 4, (Platform.addressSpaceLeft ?? .max) / 2)
    }

    // MARK: The loop

    /// Shows the grid until the person leaves.
    /// - Returns: the status to exit with.
    public func run() throws -> Int32 {
        try start()
        while state.exitStatus == nil {
            backend.wait(timeoutMilliseconds: timeout)
            turn()
        }
        finish()
        if let openingFailure { throw openingFailure }
        return state.exitStatus ?? 0
    }

    /// Takes the screen, draws the first frame, and only then begins to read the rest of the file.
    public func start() throws {
        try backend.start()
        backend.isMouseEnabled = state.isMouseOn
        state.adapt(to: backend.colorDepth)
        send(.terminal(.resize(backend.size)))
        draw()
        if sheet.awaitedInput != nil {
            openAwaited()
        } else {
            watchFile()
            perform(.startIndex)
        }
        settle()
    }

    /// Gives the screen back, and ends what runs.
    public func finish() {
        for sheet in sheets.values { sheet.end() }
        backend.stop()
    }

    /// Takes everything that has come, and draws.
    public func turn() {
        let events = backend.pollEvents()
        var rest = events[...]
        while let event = rest.first {
            if case .resumed = event { shown = nil }
            if state.takesText, let text = takeTyped(&rest) {
                send(.typed(text))
            } else {
                rest.removeFirst()
                send(.terminal(event, clicks: clicks.count(event)))
            }
            if state.exitStatus != nil { return }
        }
        if !events.isEmpty, sheet.watcher == nil, !runner.isBackground { note(document.input.checkForChange()) }
        if let signal = backend.pendingSignal { send(.terminate(status: 128 + signal)) }
        if state.grid.drag?.wantsTicks == true, ContinuousClock.now - lastTick >= .milliseconds(50) {
            lastTick = .now
            send(.tick)
        }
        settle()
    }

    /// Removes the characters that were typed or pasted in one go: they are one edit, however many they are.
    private func takeTyped(_ events: inout ArraySlice<TerminalEvent>) -> String? {
        var text = String.UnicodeScalarView()
        while case .key(let press) = events.first, case .insert(let scalar) = TextField.Edit(typing: press) {
            text.append(scalar)
            events.removeFirst()
        }
        return text.isEmpty ? nil : String(text)
    }

    /// Takes the letters of jobs, until there are none, and draws.
    private func settle() {
        var letters = mailbox.drain()
        while !letters.isEmpty {
            for letter in letters { with(letter.sheet) { open(letter) } }
            letters = mailbox.drain()
        }
        for id in state.sheets.map(\.id) {
            with(id) {
                follow()
                let statuses = jobs.statuses()
                if statuses != state.jobs { send(.jobs(statuses)) }
            }
        }
        // Which match it is follows the cursor, however it moved.
        if let shown, state.search != nil, shown.grid.cursor != state.grid.cursor { tellRank() }
        draw()
    }

    /// Milliseconds until there is something to do without being told; `nil` when there will not be.
    private var timeout: Int? {
        if state.grid.drag?.wantsTicks == true { return 50 }
        // Input that is awaited may take hours; a file that is opened again shows its progress.
        let hasProgress = sheets.values.contains { $0.jobs.wantsPolling || $0.awaitedInput == nil && $0.jobs.isRunning(.open) }
        return hasProgress || isFollowing ? 100 : nil
    }

    // MARK: The file

    /// Has changes of the file told as they happen. Without threads, it is looked at whenever something comes from the terminal.
    private func watchFile() {
        sheet.watcher = nil
        guard runner.isBackground else { return }
        let (file, mailbox, id) = (document.input, mailbox, sheet.id)
        sheet.watcher = FileWatcher(file) { change in
            mailbox.post(Mailbox.Letter(sheet: id, kind: nil, generation: 0, content: .fileChanged(file, change)))
        }
    }

    private func note(_ change: FileChange) {
        // What was taken in meanwhile is no news.
        if case .grown(let size) = change, size <= document.input.byteCount { return }
        if change != state.fileChange { send(.fileChanged(change)) }
    }

    /// What to say of a failure: what has become of the file, where that may be why; else the sentence, with the file's name in place of
    /// its whole path, as a line is short, and what to do stands at the end.
    private func message(aboutFailure sentence: String) -> Message {
        let change = document.input.checkForChange()
        switch change {
        case .truncated, .replaced:
            note(change)
            if let message = state.changeMessage { return message }
        case .unchanged, .grown, .deleted: break
        }
        return Message(document.input.path.map { sentence.replacing($0, with: document.input.name) } ?? sentence, isError: true)
    }

    /// Goes on with reading that was stopped, or opens the file again, on another thread.
    func reload() {
        if sheet.awaitedInput != nil { return openAwaited() }
        if state.isReadingStopped, state.fileChange == .unchanged { return send(.readOn) }
        guard let path = document.input.path, let opener = options.opener else {
            send(.say(Message("\(Message.name(document.input.name)) cannot be read again.", short: "Cannot reload.")))
            return
        }
        let (options, former, isWhole) = (options, document.input, state.document.isComplete)
        let derived = (fields: state.derivedFields, derivation: document.derivation(from: state.grid.columns.all))
        startOpening("reloading") { control in
            try OpenedInput(
                opener.open(path: path), former: former, isWhole: isWhole, threads: options.threads, derived: derived
            ) { !control.isCancelled }
        }
    }

    /// Opens the input of a sheet that is shown for the first time.
    func openAwaited() {
        guard let input = sheet.awaitedInput, !jobs.isRunning(.open) else { return }
        startOpening("waiting for input") { _ in OpenedInput(try input()) }
    }

    /// Ends what runs for a sheet that was closed.
    func close(_ id: Int) { sheets.removeValue(forKey: id)?.end() }

    /// Does something for a sheet, on the screen or not.
    private func with(_ id: Int, _ body: () -> Void) {
        let shown = state.sheet.id
        guard let index = state.sheets.firstIndex(where: { $0.id == id }) else { return }
        state.current = index
        body()
        if let index = state.sheets.firstIndex(where: { $0.id == shown }) { state.current = index }
    }

    private func startOpening(_ title: String, _ open: @escaping @Sendable (JobControl) throws -> OpenedInput) {
        startJob(.open, title, .bytes(0)) { control, letters in letters.post(.opened(try open(control))) }
    }

    /// Shows a file that has been opened: the awaited input, what the open file has got, or the file anew.
    private func take(_ opened: OpenedInput) {
        let isAwaited = sheet.awaitedInput != nil
        do {
            if isAwaited { return try begin(with: opened) }
            var options = options
            (options.derivedColumns, options.leavesOutMistakenColumns) = (state.derivedDefinitions, true)
            let new = try Document(opened, options: options)
            if let accept = opened.acceptGrowth { return takeGrowth(of: new, accept) }
            replace(with: new)
            send(
                .reopened(
                    new.info(notes: sheet.notes), columns: new.columns, derived: new.derivedFields, rowHeaderWidth: new.rowHeaderWidth()))
            readAsShown()
            watchFile()
            perform(.startIndex)
        } catch {
            let message = JobFailure.sentence(about: error, "opening")
            if isAwaited { return fail(error) }
            send(.say(Message(message, isError: true)))
        }
    }

    private func replace(with new: Document) {
        jobs.cancelAll()
        document.input.interrupt()
        sheet.document = new
        sheet.notes = new.notes
        state.grid.rowHeightSource = ContentHeights(new.source)
        (sheet.matches, sheet.filtered) = (nil, nil)
    }

    /// Shows the input that was awaited, as the options ask. Of the state before, what belongs to the terminal stays.
    private func begin(with opened: OpenedInput) throws {
        let (layer, theme) = (state.layer, state.grid.theme)
        func show(_ options: LaunchOptions) throws {
            replace(with: try Document(opened, options: options))
            sheet.awaitedInput = nil
            state.sheet = Self.state(of: sheet, theme: theme)
        }
        do {
            try show(options)
            try applyOptionsReadingOn()
        } catch let error as RequestError where sheet.id > 0 {
            // The options may be about columns of the first file.
            try show(LaunchOptions())
            state.message = Message(error.message, isError: true)
        }
        state.layer = layer
        send(.terminal(.resize(backend.size)))
        watchFile()
        perform(.startIndex)
    }

    /// The awaited input cannot be shown: ``run()`` throws the reason.
    private func fail(_ error: any Error) {
        guard state.sheets.count == 1 else {
            return send(.openingFailed(Message(JobFailure.sentence(about: error, "opening"), isError: true)))
        }
        openingFailure = error
        send(.terminate(status: 1))
    }

    /// Reads on in a file that has only grown; what was made of its rows is made of all of them then.
    /// - Parameter new: the file opened anew: of one that was small, more may be found out now.
    private func takeGrowth(of new: Document, _ accept: () -> Void) {
        jobs.cancelAll()
        accept()
        document.source.refreshAfterGrowth()
        state.grid.rowHeightSource = ContentHeights(document.source)
        (sheet.matches, sheet.filtered) = (nil, nil)
        // What has come may be wider; what is known to be there is not narrower.
        let widths = Dictionary(state.opened.columns.map { ($0.id, $0.measuredWidth) }) { first, _ in first }
        let found = Set(new.columns.map(\.id))
        let columns = (new.columns + document.columns.filter { !found.contains($0.id) }).map { column in
            var column = column
            column.measuredWidth = max(column.measuredWidth, widths[column.id] ?? 0)
            return column
        }
        send(.grown(document.info(notes: sheet.notes), columns: columns))
        readAsShown()
        watchFile()
        perform(.startIndex)
    }

    /// Has values read as the kinds of the columns that are shown.
    private func readAsShown() {
        for column in state.grid.columns.all { document.source.setKind(column.kind, notation: column.notation, of: column.id) }
    }

    // MARK: Changing and drawing

    /// Changes the state, and does what it asks for.
    public func send(_ action: AppAction) {
        for effect in state.apply(action) { perform(effect) }
    }

    private func draw() {
        guard state != shown else { return }
        let (frame, cursor) = AppPainter(state, source: document.source, record: recordForm()).paint()
        backend.present(frame, cursor: cursor)
        shown = state
        if let failure = document.source.takeFailure(), state.message == nil {
            // What could not be read is only known once it was asked for.
            send(.say(message(aboutFailure: failure)))
            draw()
        }
    }

    /// Goes to the first row with the text that `--find` names, once all rows are known and stand as they were asked for.
    private func beginWithSearch() {
        guard let wanted = sheet.launchSearch, state.document.isComplete, state.query.wanted == state.query.shown else { return }
        sheet.launchSearch = nil
        guard let search = state.search, search.finds(thatOf: wanted) else { return }
        perform(.find(search, from: 0, isForward: true, includingCurrent: true))
        perform(.countMatches(search))
    }

    /// Shows what the index knows now.
    private func takeIndexed(_ later: LaterColumns? = nil) {
        document.source.refresh()
        let columns = document.addColumns(later)
        if !columns.isEmpty { send(.columnsAdded(columns)) }
        send(.indexed(document.info(notes: sheet.notes)))
    }

    /// A letter of a job that is still wanted.
    private func open(_ letter: Mailbox.Letter) {
        if case .fileChanged(let file, let change) = letter.content {
            if file === document.input { note(change) }
            return
        }
        guard let kind = letter.kind, jobs.isCurrent(kind, letter.generation) else { return }
        switch letter.content {
        case .action(let action):
            send(action)
            if case .found = action { tellRank() }
            if case .arranged = action { beginWithSearch() }
        case .matches(let index):
            sheet.matches = index
            tellRank()
        case .record(let row, let text):
            document.source.keep(text, of: row)
            // The state may be the same; what it shows is not.
            shown = nil
            if isRecordEndWanted { scrollRecord(.bottom) }
        case .filtered(let result): sheet.filtered = result
        case .grown(let notes, let columns):
            sheet.notes = notes ?? sheet.notes
            takeIndexed(columns)
        case .tail(let tail, let cursor):
            guard cursor.item == state.grid.cursor.item else { break }
            if !document.source.snapshot.isComplete { document.source.show(tail) }
            send(.tailRead(records: tail.records.count))
        case .derived(let field, let profile):
            send(.derived(field, document.derive(field, profile, from: state.grid.columns.all)))
        case .opened(let opened): take(opened)
        case .copied(let bytes, let message):
            if let bytes { backend.send(control: bytes) }
            send(.say(message))
        case .fileChanged: break
        case .ended(let failure):
            jobs.end(kind, letter.generation)
            if kind == .open, sheet.awaitedInput != nil, let failure { return fail(RequestError(failure)) }
            if kind == .index { takeIndexed() }
            send(.jobEnded(kind, failure: failure.map(message(aboutFailure:))))
            if kind == .index {
                beginWithSearch()
                // A row that had no number may have one now.
                if case .record = state.layer { readRecord() }
                // What was counted while rows were still coming is not all there is.
                if let search = state.search, !search.isCounted { perform(.countMatches(search)) }
            }
        }
    }
}
