import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables

extension Session {
    /// Starts reading the rest of an opened file. If the file is followed, moves the cursor to its end.
    func startReading() {
        watchFile()
        perform(.startIndexing)
        suggestReading()
        if sheet.usesLaunchOptions { restoreLaunchView() }
        guard state.sheet.isFollowing, state.sheet.launchSearch == nil, state.query.requested.isInFileOrder else { return }
        send(.run(.bottom))
    }

    /// Starts to watch the file for changes. If jobs do not run on threads, each terminal event checks the file instead.
    func watchFile() {
        sheet.watcher = nil
        // The new watcher reports later changes.
        sheet.hasUnreadChange = false
        sheet.watcherCount += 1
        observeArrivedRecords()
        guard let watching = options.fileWatching ?? (runner.isBackground ? { FileWatcher($0, report: $1) } : nil) else { return }
        let (mailbox, id, number, reference) = (application.mailbox, sheet.id, sheet.watcherCount, SessionReference(self))
        sheet.watcher = watching(document.input) { change in
            mailbox.post {
                guard let session = reference.session else { return }
                session.withSheet(id) { if number == session.sheet.watcherCount { session.recordFileChange(change) } }
            }
        }
    }

    /// Draws again when records arrive from a server, and shows errors that the server has reported meanwhile.
    private func observeArrivedRecords() {
        let (input, mailbox, id, reference) = (document.input, application.mailbox, sheet.id, SessionReference(self))
        input.setRecordsArrivedHandler {
            mailbox.post {
                guard let session = reference.session, let sheet = session.sheets[id], sheet.document.input === input else { return }
                sheet.document.source.showArrivedRows()
                session.withSheet(id) {
                    session.showKnownRows()
                    session.updateSampling()
                    if let failure = input.consumeFailure() { session.send(.show(session.message(aboutFailure: failure))) }
                }
            }
        }
    }

    func recordFileChange(_ change: FileChange) {
        sheet.hasUnreadChange = change != .unchanged && change != .deleted
        if change != state.sheet.fileChange { send(.fileChecked(change)) }
    }

    /// Starts to read changed files that are followed or reloaded automatically. At most one read of each file runs at a time.
    /// - Returns: True if it has started to read a file.
    func readChanges() -> Bool {
        var isReading = false
        for id in state.sheets.map(\.id) where sheets[id]?.hasUnreadChange == true {
            withSheet(id) {
                guard isReadyForChange else { return }
                isReading = true
                reload(isAutomatic: true)
            }
        }
        return isReading
    }

    /// True if a change of the file can be read now. Reading cancels all jobs, so they must have ended. If the file has lost rows, panels
    /// must be closed, because they may show these rows.
    private var isReadyForChange: Bool {
        guard state.sheet.readsChanges, sheet.openInput == nil, jobs.isIdle, document.input.path != nil, options.opener != nil else {
            return false
        }
        return state.sheet.fileChange.losesRows ? state.overlay == nil : state.document.isComplete
    }

    /// The message to show after a failure: `sentence`, unless the file has changed. A change may be the cause of the failure, so the
    /// message about the change is then shown instead. After a failed reload, that message would only ask for another reload.
    ///
    /// The name of the file replaces its path, so that the remedy at the end of the sentence is more likely to fit the line.
    func message(aboutFailure sentence: String, isReload: Bool = false) -> Message {
        let change = isReload ? .unchanged : document.input.checkForChange()
        switch change {
        case .truncated, .replaced:
            // Report each change once. Otherwise, each failure to read the changed file would start another read.
            if change != state.sheet.fileChange { recordFileChange(change) }
            if let message = state.changeMessage { return message }
        case .unchanged, .grown, .deleted: break
        }
        let reason = document.input.path.map { sentence.replacing($0, with: document.input.name) } ?? sentence
        return .jobFailed(reason, reloadKey: state.key(.reload))
    }

    /// Resumes reading or counting if it was stopped; otherwise opens the input again in a job.
    /// - Parameter isAutomatic: true if the program reloads the file by itself, false if the user has requested it.
    func reload(isAutomatic: Bool = false) {
        if sheet.openInput != nil { return openAwaitedInput() }
        sheet.hasUnreadChange = false
        // After a lost connection, do not count: a count would not fetch the rows that are missing on the screen.
        if !document.input.needsReload {
            if state.canRecount, !jobs.isRunning(.arrange) { return startCountingQuery() }
            if !state.isUncounted, state.document.reading.isStopped, state.sheet.fileChange == .unchanged { return send(.continueReading) }
        }
        guard let path = sheetPath, let opener = opener(with: state.sheet.readingSettings) else {
            send(.show(.cannotReload(Message.name(document.input.name))))
            return
        }
        let (options, previous, isPreviousComplete) = (options, document.input, state.document.isComplete)
        // Read the whole file before showing it, so that the rows on the screen stay until all new rows are known.
        let readsToEnd = isAutomatic && isPreviousComplete
        let derived = (fields: state.derivedFields, derivation: document.compiledFields(from: state.grid.columns.all))
        startOpening("reloading", isAutomatic: isAutomatic) { control in
            if previous.isUnchanged() { return nil }
            return try OpenedInput(
                opener.open(path: path, isCancelled: { control.isCancelled }), previous: previous, isPreviousComplete: isPreviousComplete,
                readsToEnd: readsToEnd, threads: options.affordableThreads, derived: derived
            ) { !control.isCancelled }
        }
    }

    /// An opener with these reading options or, if `settings` is `nil`, with the reading options of the command line. Returns `nil` if
    /// inputs cannot be opened again, or if the options are invalid.
    private func opener(with settings: ReadingSettings?) -> (any TableOpener)? {
        guard let settings, let opener = options.opener else { return options.opener }
        do {
            return try opener.with(settings)
        } catch {
            return nil
        }
    }

    /// Opens the current input again with other reading options, in a job.
    func reread() {
        guard let request = state.sheet.rereadRequest else { return }
        let previous = document.input
        let (opener, isSuggested, view) = (opener(with: request.settings), request.isSuggested, sheet.awaitedView)
        var options = options
        options.derivedColumns = request.restoredState?.derived ?? state.definitions(of: state.derivedFields)
        options.omitsInvalidColumns = true
        startJob(.open, "reading again", .bytes(0)) { [options] _, outbox in
            guard let input = try opener?.reopen(previous) else {
                return outbox.post { $0.send(.show(.cannotReadAgain(Message.name(previous.name)))) }
            }
            let opened = OpenedInput(input, deriving: options)
            outbox.post {
                $0.show(reread: opened, options)
                if isSuggested { $0.suggestReading() }
                if let view { $0.restore(reread: view) }
            }
        }
    }

    /// Shows an input that was opened again with other reading options. Command-line options for columns that it lacks have no effect.
    private func show(reread opened: OpenedInput, _ options: LaunchOptions) {
        do {
            var plain = options
            (plain.columns, plain.hiddenColumns, plain.types, plain.fractionDigits) = ([], [], [], [])
            let new = try (try? Document(opened, options: options)) ?? Document(opened, options: plain)
            show(new) { .fileReread($0, columns: $1, derived: $2, rowHeaderWidth: $3) }
        } catch {
            send(.show(.openingFailed(JobFailure.sentence(about: error, "opening"))))
        }
    }

    /// Opens the input of the current sheet, which is shown for the first time.
    func openAwaitedInput() {
        guard let input = sheet.openInput, !jobs.isRunning(.open), !jobs.isRunning(.pivot), sheet.passwordRequest == nil else { return }
        let options = sheetOptions
        startOpening(state.document.activity) { control in
            OpenedInput(try input { control.isCancelled }, deriving: options)
        }
    }

    /// - Parameter open: opens the input in a job; returns `nil` if the file has not changed since it was opened.
    private func startOpening(
        _ title: String, isAutomatic: Bool = false, _ open: @escaping @Sendable (JobControl) throws -> OpenedInput?
    ) {
        startJob(.open, title, .bytes(0)) { control, outbox in
            let opened: OpenedInput?
            do {
                opened = try open(control)
            } catch let request as PasswordNeeded {
                return outbox.post { $0.ask(for: request) }
            }
            outbox.post { session in
                guard let opened else { return session.send(isAutomatic ? .fileChecked(.unchanged) : .reloadSkipped) }
                if !isAutomatic || !session.isBeingWritten(opened) { session.show(opened) }
            }
        }
    }

    /// True if a changed file is probably still being written, because it has no rows and fewer columns than before. Showing it now would
    /// remove filters and sort keys.
    private func isBeingWritten(_ opened: OpenedInput) -> Bool {
        opened.acceptGrowth == nil && opened.input.columnCount < document.input.columnCount && opened.input.snapshot().recordCount == 0
    }

    /// Shows an opened input: the first input of the sheet, the new rows of a grown file, or the reloaded file.
    func show(_ opened: OpenedInput) {
        let isAwaited = sheet.openInput != nil
        do {
            if isAwaited { return try begin(with: opened) }
            var options = options
            options.derivedColumns = state.definitions(of: state.derivedFields)
            options.omitsInvalidColumns = true
            let new = try Document(opened, options: options)
            if let accept = opened.acceptGrowth { return showGrowth(of: new, accept) }
            show(new) { .fileReopened($0, columns: $1, derived: $2, rowHeaderWidth: $3) }
        } catch {
            let message = JobFailure.sentence(about: error, "opening")
            if isAwaited { return failOpening(error) }
            send(.show(.openingFailed(message)))
        }
    }

    /// Replaces the document of the sheet by another one, shows it, and starts to read it.
    private func show(_ newDocument: Document, _ makeAction: (DocumentInfo, [Column], [DerivedField], Int) -> AppAction) {
        replaceDocument(with: newDocument)
        send(
            makeAction(
                newDocument.info(problems: sheet.problems), newDocument.columns, newDocument.derivedFields, newDocument.rowHeaderWidth()))
        applyColumnTypes()
        watchFile()
        perform(.startIndexing)
    }

    private func replaceDocument(with newDocument: Document) {
        jobs.cancelAll()
        document.input.wakeReader()
        sheet.document = newDocument
        (sheet.inputProblems, sheet.earlyEndReason) = (newDocument.problems, nil)
        Self.show(newDocument.source, in: state.controller)
        (sheet.matchIndex, sheet.filteredRows) = (nil, nil)
    }

    /// The options that apply to the current sheet.
    private var sheetOptions: LaunchOptions { sheet.usesLaunchOptions ? options : options.optionsForComputedTable }

    private func begin(with opened: OpenedInput) throws {
        let options = sheetOptions
        if options.pivot != nil { return openPivot(of: opened.input) }
        func show(_ options: LaunchOptions) throws {
            let document = try Document(opened, options: options)
            let view = try document.view(options)
            replaceDocument(with: document)
            (sheet.openInput, sheet.passwordAttempts) = (nil, 0)
            send(.sheetOpened(Self.state(of: sheet, theme: state.grid.theme)))
            self.show(view)
        }
        do {
            try show(options)
        } catch let error as RequestError {
            do {
                let isSearched = error.needsRareTypes && opened.rareTypes != nil
                guard try !isSearched && Document.mayBecomeValid(error, of: opened.input, options) else { throw error }
                return continueReading(opened.input, findsTypes: error.needsRareTypes)
            } catch let error as RequestError where error.isUsageError && showWithoutDefaults(error, show) {
                // The input is shown now, without the default options of the settings file, so there is no error to report.
            } catch let error as RequestError where sheet.id > 0 {
                // The options may be valid only for the first file. Show this file without them.
                var plain = LaunchOptions()
                (plain.followsFile, plain.reloadsChanges) = (options.followsFile, options.reloadsChanges)
                try show(plain)
                send(.show(.openingFailed(error.message)))
            }
        }
        startReading()
    }

    /// Shows an opened input without the default options of the settings file, because these are not valid for it.
    /// - Returns: False if there are no default options, or if the input cannot be shown without them either.
    private func showWithoutDefaults(_ error: RequestError, _ show: (LaunchOptions) throws -> Void) -> Bool {
        guard let plain = options.makeFallbackOptions?(error), (try? show(plain)) != nil else { return false }
        // The default options are invalid for this file. If it is the first file, the program continues without them. If it is a later
        // file, they still apply to all other files.
        if sheet.id == 0 { use(plain) } else { send(.settingsIgnored(plain.settingsProblems)) }
        return true
    }

    /// Reads the input of a new sheet to its end before showing it, because the options may name columns that only later rows have.
    /// - Parameter findsTypes: true to find the types of columns without a value in the sample of rows.
    private func continueReading(_ input: any TableSource, findsTypes: Bool) {
        let options = options
        startJob(.open, "finding the columns", .bytes(input.byteCount)) { control, outbox in
            try input.readToEnd(threads: options.affordableThreads) { control.report($0) }
            var opened = OpenedInput(input, deriving: options)
            if findsTypes { opened.findRareTypes { !control.isCancelled } }
            try control.checkCancellation()
            outbox.post { [opened] in $0.show(opened) }
        }
    }

    /// Reports that the input of a new sheet cannot be shown. If it is the only sheet, the program ends, and ``run()`` throws the error.
    func failOpening(_ error: any Error) {
        guard state.sheets.count == 1 else {
            return send(.openingFailed(.openingFailed(JobFailure.sentence(about: error, "opening"))))
        }
        openingFailure = error
        send(.terminate(status: 1))
    }

    /// Shows the rows that were appended to a file. Queries run again when all new rows are known.
    /// - Parameter newDocument: the file, opened again. If it was very small before, it may now show more of its properties, such as types.
    private func showGrowth(of newDocument: Document, _ accept: () -> Void) {
        jobs.cancelAll()
        accept()
        document.source.refreshAfterGrowth()
        // The rows that were missing because the file ended early may have been written now.
        sheet.earlyEndReason = nil
        // Discard results that may be wrong: the last row may be longer now, and derived fields may have other values, because the types of
        // columns may have changed.
        (sheet.matchIndex, sheet.filteredRows) = (nil, document.derivedFields.isEmpty ? sheet.filteredRows?.withoutLastRow : nil)
        // Never make a column narrower: new values may be wider, but existing values have not changed. A column that was narrowed for the
        // first screen stays narrow unless a new value is the widest.
        let widths = Dictionary(state.sheet.openedView.columns.map { ($0.id, $0.measuredWidth) }) { first, _ in first }
        let measured = Dictionary(document.columns.map { ($0.id, $0.measuredWidth) }) { first, _ in first }
        let found = Set(newDocument.columns.map(\.id))
        // The sample of the larger file can lack values whose types were found in the whole file.
        let known = Dictionary(state.sheet.openedView.columns.map { ($0.id, $0) }) { first, _ in first }
        // Leave out columns without a known width. Each is a derived column that was removed by undo, or a new column that is added when
        // its rows are read.
        let columns = (newDocument.columns + document.columns.filter { !found.contains($0.id) }).compactMap { column -> Column? in
            guard let width = widths[column.id] else { return nil }
            var column = newDocument.rareTypes.contains(column.field) ? known[column.id] ?? column : column
            column.measuredWidth = column.measuredWidth > measured[column.id] ?? width ? max(column.measuredWidth, width) : width
            return column
        }
        send(.fileGrown(document.info(problems: sheet.problems), columns: columns))
        applyColumnTypes()
        watchFile()
        perform(.startIndexing)
    }

    /// Makes the data source read values by the current types of the columns.
    private func applyColumnTypes() {
        for column in state.grid.columns.all { document.source.setKind(of: column) }
    }
}
