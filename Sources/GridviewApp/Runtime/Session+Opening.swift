import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables

/// Opens and reloads inputs.
extension Session {
    /// Starts reading the rest of an opened file, and goes to its end if it is followed.
    func startReading() {
        watchFile()
        perform(.startIndexing)
        suggestReading()
        restoreLaunchView()
        guard state.sheet.isFollowing, state.sheet.launchSearch == nil, state.query.requested.isInFileOrder else { return }
        send(.run(.bottom))
    }

    /// Starts reporting changes of the file. Without threads, each terminal event checks for changes instead.
    func watchFile() {
        sheet.watcher = nil
        // The new watcher reports later changes.
        sheet.hasUnreadChange = false
        sheet.watcherCount += 1
        observeArrivals()
        guard let watching = options.fileWatching ?? (runner.isBackground ? { FileWatcher($0, report: $1) } : nil) else { return }
        let (mailbox, id, number, reference) = (application.mailbox, sheet.id, sheet.watcherCount, SessionReference(self))
        sheet.watcher = watching(document.input) { change in
            mailbox.post {
                guard let session = reference.session else { return }
                session.with(id) { if number == session.sheet.watcherCount { session.recordFileChange(change) } }
            }
        }
    }

    /// Draws records of a server when they arrive.
    private func observeArrivals() {
        let (input, mailbox, id, reference) = (document.input, application.mailbox, sheet.id, SessionReference(self))
        input.onArrival {
            mailbox.post {
                guard let session = reference.session, let sheet = session.sheets[id], sheet.document.input === input else { return }
                sheet.document.source.showArrivals()
                session.with(id) {
                    session.showKnownRows()
                    session.updateSampling()
                }
            }
        }
    }

    func recordFileChange(_ change: FileChange) {
        sheet.hasUnreadChange = change != .unchanged && change != .deleted
        if change != state.sheet.fileChange { send(.fileChanged(change)) }
    }

    /// Starts to read the changes of files that are followed or reloaded automatically. At most one read of each file runs at a time.
    /// - Returns: True if it started to read a file.
    func readChanges() -> Bool {
        var isReading = false
        for id in state.sheets.map(\.id) where sheets[id]?.hasUnreadChange == true {
            with(id) {
                guard isReadyForChange else { return }
                isReading = true
                reload(isAutomatic: true)
            }
        }
        return isReading
    }

    /// True if a change of the file can be read now. Reading cancels all jobs, so it waits until they end. If the file has lost rows, it
    /// also waits until the user closes an open panel, which may show these rows.
    private var isReadyForChange: Bool {
        guard state.sheet.readsChanges, sheet.openInput == nil, jobs.isIdle, document.input.path != nil, options.opener != nil else {
            return false
        }
        return state.sheet.fileChange.isLoss ? state.overlay == nil : state.document.isComplete
    }

    /// The message about a failure: the file change that may have caused it, otherwise `sentence`. The file's name replaces its path, so
    /// that the remedy at the end of the sentence is more likely to fit the line.
    func message(aboutFailure sentence: String) -> Message {
        let change = document.input.checkForChange()
        switch change {
        case .truncated, .replaced:
            // Record a change once: otherwise, each failure to read it would start another read.
            if change != state.sheet.fileChange { recordFileChange(change) }
            if let message = state.changeMessage { return message }
        case .unchanged, .grown, .deleted: break
        }
        let reason = document.input.path.map { sentence.replacing($0, with: document.input.name) } ?? sentence
        return .jobFailed(reason, reload: state.key(.reload))
    }

    /// Resumes reading that was stopped, or reopens the file on another thread.
    /// - Parameter isAutomatic: true if the user has not requested it.
    func reload(isAutomatic: Bool = false) {
        if sheet.openInput != nil { return openAwaited() }
        sheet.hasUnreadChange = false
        if state.document.reading.isStopped, state.sheet.fileChange == .unchanged { return send(.continueReading) }
        guard let path = sheetPath, let opener = opener(with: state.sheet.reading) else {
            send(.show(.cannotReload(Message.name(document.input.name))))
            return
        }
        let (options, previous, isPreviousComplete) = (options, document.input, state.document.isComplete)
        // The rows on the screen stay until all new rows are known.
        let readsToEnd = isAutomatic && isPreviousComplete
        let derived = (fields: state.derivedFields, derivation: document.derivation(from: state.grid.columns.all))
        startOpening("reloading", isAutomatic: isAutomatic) { control in
            if previous.isUnchanged() { return nil }
            return try OpenedInput(
                opener.open(path: path, isCancelled: { control.isCancelled }), previous: previous, isPreviousComplete: isPreviousComplete,
                readsToEnd: readsToEnd, threads: options.affordableThreads, derived: derived
            ) { !control.isCancelled }
        }
    }

    /// The opener with these settings; for `nil`, with those of the command line. Returns `nil` without an opener, or for invalid settings.
    private func opener(with settings: ReadingSettings?) -> (any TableOpener)? {
        guard let settings, let opener = options.opener else { return options.opener }
        do {
            return try opener.with(settings)
        } catch {
            return nil
        }
    }

    /// Reopens the current input with other settings, on another thread.
    func reread() {
        guard let rereading = state.sheet.rereading else { return }
        let previous = document.input
        let (opener, isSuggested, view) = (opener(with: rereading.settings), rereading.isSuggested, sheet.awaitedView)
        var options = options
        options.derivedColumns = rereading.restored?.derived ?? state.definitions(of: state.derivedFields)
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

    /// Shows an input that was opened again with other settings. Options for columns that it lacks have no effect.
    private func show(reread opened: OpenedInput, _ options: LaunchOptions) {
        do {
            var plain = options
            (plain.columns, plain.hiddenColumns, plain.types, plain.formats) = ([], [], [], [])
            let new = try (try? Document(opened, options: options)) ?? Document(opened, options: plain)
            show(new) { .reread($0, columns: $1, derived: $2, rowHeaderWidth: $3) }
        } catch {
            send(.show(.openingFailed(JobFailure.sentence(about: error, "opening"))))
        }
    }

    /// Opens the input of a sheet that is shown for the first time.
    func openAwaited() {
        guard let input = sheet.openInput, !jobs.isRunning(.open), sheet.passwordRequest == nil else { return }
        let options = options
        startOpening(state.document.activity) { control in
            OpenedInput(try input { control.isCancelled }, deriving: options)
        }
    }

    /// - Parameter open: returns `nil` if the open file has not changed.
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
                guard let opened else { return session.send(isAutomatic ? .fileChanged(.unchanged) : .fileUnchanged) }
                if !isAutomatic || !session.isBeingWritten(opened) { session.show(opened) }
            }
        }
    }

    /// True if a new file is probably still being written, because it has no rows, and fewer columns than before. Showing it now would
    /// remove filters and sort keys.
    private func isBeingWritten(_ opened: OpenedInput) -> Bool {
        opened.acceptGrowth == nil && opened.input.columnCount < document.input.columnCount && opened.input.snapshot().recordCount == 0
    }

    /// Shows an opened file: the awaited input, the rows appended to the open file, or the reloaded file.
    func show(_ opened: OpenedInput) {
        let isAwaited = sheet.openInput != nil
        do {
            if isAwaited { return try begin(with: opened) }
            var options = options
            options.derivedColumns = state.definitions(of: state.derivedFields)
            options.omitsInvalidColumns = true
            let new = try Document(opened, options: options)
            if let accept = opened.acceptGrowth { return showGrowth(of: new, accept) }
            show(new) { .reopened($0, columns: $1, derived: $2, rowHeaderWidth: $3) }
        } catch {
            let message = JobFailure.sentence(about: error, "opening")
            if isAwaited { return fail(error) }
            send(.show(.openingFailed(message)))
        }
    }

    /// Shows a document that replaces the current one, and starts to read it.
    private func show(_ new: Document, _ action: (DocumentInfo, [Column], [DerivedField], Int) -> AppAction) {
        replace(with: new)
        send(action(new.info(problems: sheet.problems), new.columns, new.derivedFields, new.rowHeaderWidth()))
        applyColumnTypes()
        watchFile()
        perform(.startIndexing)
    }

    private func replace(with new: Document) {
        jobs.cancelAll()
        document.input.wakeReader()
        sheet.document = new
        (sheet.inputProblems, sheet.earlyEnd) = (new.problems, nil)
        Self.show(new.source, in: state.controller)
        (sheet.matches, sheet.filtered) = (nil, nil)
    }

    private func begin(with opened: OpenedInput) throws {
        func show(_ options: LaunchOptions) throws {
            let document = try Document(opened, options: options)
            let view = try document.view(options)
            replace(with: document)
            (sheet.openInput, sheet.passwordAttempts) = (nil, 0)
            send(.sheetOpened(Self.state(of: sheet, theme: state.grid.theme)))
            self.show(view)
        }
        do {
            try show(options)
        } catch let error as RequestError {
            do {
                guard try Document.mayBecomeValid(error, of: opened.input, options) else { throw error }
                return continueReading(opened.input)
            } catch let error as RequestError where error.isUsageError && showWithoutDefaults(error, show) {
                // The input is shown without the default options.
            } catch let error as RequestError where sheet.id > 0 {
                // The options may be for columns of the first file.
                var plain = LaunchOptions()
                (plain.followsFile, plain.reloadsChanges) = (options.followsFile, options.reloadsChanges)
                try show(plain)
                send(.show(.openingFailed(error.message)))
            }
        }
        startReading()
    }

    /// Shows an opened input without the default options of the settings file, because they are not valid for it.
    /// - Returns: False without default options, or if the other options are not valid either.
    private func showWithoutDefaults(_ error: RequestError, _ show: (LaunchOptions) throws -> Void) -> Bool {
        guard let plain = options.fallback?(error), (try? show(plain)) != nil else { return false }
        // The options of the settings file still apply to other files.
        if sheet.id == 0 { use(fallback: plain) } else { send(.settingsIgnored(plain.settingsProblems)) }
        return true
    }

    /// Reads an awaited input to its end, because the options may name columns that only later rows have.
    private func continueReading(_ input: any TableSource) {
        let options = options
        startJob(.open, "finding the columns", .bytes(input.byteCount)) { control, outbox in
            try input.readToEnd(threads: options.affordableThreads) { progress in
                if control.total != progress.bytesTotal { control.begin(total: progress.bytesTotal) }
                control.advance(by: progress.bytesDone - control.completed)
                return !control.isCancelled
            }
            let opened = OpenedInput(input, deriving: options)
            outbox.post { $0.show(opened) }
        }
    }

    /// Reports that an awaited input cannot be shown. For the only sheet, ``run()`` throws the error.
    func fail(_ error: any Error) {
        guard state.sheets.count == 1 else {
            return send(.openingFailed(.openingFailed(JobFailure.sentence(about: error, "opening"))))
        }
        openingFailure = error
        send(.terminate(status: 1))
    }

    /// Shows the rows appended to a file. Queries run again when all rows are known.
    /// - Parameter new: the reopened file. If the file was small before, more of its properties may be detectable now.
    private func showGrowth(of new: Document, _ accept: () -> Void) {
        jobs.cancelAll()
        accept()
        document.source.refreshAfterGrowth()
        // The missing rows may have arrived.
        sheet.earlyEnd = nil
        // The last row may have become longer. The types of columns may have changed, which changes the values of derived fields.
        (sheet.matches, sheet.filtered) = (nil, document.derivedFields.isEmpty ? sheet.filtered?.withoutLastRow : nil)
        // Never make a column narrower: new values may be wider, but existing values have not changed.
        // A column that was narrowed for the first screen stays narrow unless a new value is the widest.
        let widths = Dictionary(state.sheet.opened.columns.map { ($0.id, $0.measuredWidth) }) { first, _ in first }
        let measured = Dictionary(document.columns.map { ($0.id, $0.measuredWidth) }) { first, _ in first }
        let found = Set(new.columns.map(\.id))
        // A column without a width is a derived column that was removed by undo, or a new column that is added when its rows are read.
        let columns = (new.columns + document.columns.filter { !found.contains($0.id) }).compactMap { column -> Column? in
            guard let width = widths[column.id] else { return nil }
            var column = column
            column.measuredWidth = column.measuredWidth > measured[column.id] ?? width ? max(column.measuredWidth, width) : width
            return column
        }
        send(.grown(document.info(problems: sheet.problems), columns: columns))
        applyColumnTypes()
        watchFile()
        perform(.startIndexing)
    }

    /// Reads values as the types of the visible columns.
    private func applyColumnTypes() {
        for column in state.grid.columns.all { document.source.setKind(of: column) }
    }
}
