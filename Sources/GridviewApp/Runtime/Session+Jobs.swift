import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Locks
import Tables

extension Session {
    var table: any Table { document.source.snapshot }

    // MARK: The index

    func startIndexing() {
        // If reading resumes, the speed must not include the bytes that were read before.
        let start = document.input.indexedByteCount
        let (input, threads) = (document.input, options.affordableThreads)
        let known = (columnCount: document.inputColumnCount, rareTypes: document.rareTypes)
        let title = input.canBeQueriedWhileIncomplete ? "counting rows" : "reading"
        startJob(.index, title, .bytes(input.byteCount - start)) { control, outbox in
            let reported = Mutex(known)
            let lastNotes = Mutex(ContinuousClock.now)
            let reading = Result {
                try input.readAll(threads: threads, priority: .background) { progress in
                    // The number of bytes to read is unknown for a pipe.
                    let total = input.isGrowing ? 0 : progress.bytesTotal - start
                    if control.total != total { control.begin(total: total) }
                    control.advance(by: progress.bytesDone - start - control.completed)
                    // Find the problems of the file on this thread, because finding their lines reads the file. Do so at most every 200 ms.
                    let isDue = lastNotes.withLock { last in
                        let isDue = ContinuousClock.now - last > .milliseconds(200)
                        if isDue { last = .now }
                        return isDue
                    }
                    Self.report(input, reported, withProblems: isDue, to: outbox)
                    if input.isGrowing { Self.findTypes(ofFirstRowsOf: input, reported, to: outbox) }
                    return !control.isCancelled
                }
            }
            Self.report(input, reported, withProblems: true, to: outbox)
            if case .failure(let error) = reading {
                guard let error = error as? any TableError, error.inputEnd != nil else { throw error }
                let reason = JobFailure.sentence(aboutEarlyEnd: error, rows: input.snapshot().recordCount)
                outbox.post { $0.sheet.earlyEndReason = reason }
            }
            let rareTypes = reported.withLock { $0.rareTypes }
            if let found = rareTypes.search(for: .screen, while: { !control.isCancelled }) { outbox.post { $0.showRareTypes(found) } }
            try reading.get()
        }
    }

    /// Reports to the main thread how many records are known, and which columns were added since the last report.
    private nonisolated static func report(
        _ input: any TableSource, _ reported: borrowing Mutex<(columnCount: Int, rareTypes: RareTypes)>, withProblems: Bool,
        to outbox: JobOutbox
    ) {
        let columns = reported.withLock { reported -> AddedColumns? in
            let (first, count) = (reported.columnCount, input.columnCount)
            guard count > first else { return nil }
            let profiles = Array(input.profiles(ofColumnsFrom: first).prefix(count - first))
            reported.columnCount = count
            reported.rareTypes.add(profiles, from: first)
            return AddedColumns(firstIndex: first, profiles: profiles)
        }
        let problems = withProblems ? input.problems : nil
        outbox.post { $0.showIndex(problems: problems, columns: columns) }
    }

    /// Finds the types of columns of a pipe whose first rows had not arrived when it was opened, and shows them.
    private nonisolated static func findTypes(
        ofFirstRowsOf input: any TableSource, _ reported: borrowing Mutex<(columnCount: Int, rareTypes: RareTypes)>, to outbox: JobOutbox
    ) {
        let found = reported.withLock { reported in
            reported.rareTypes.search(for: .firstRows, while: { true }).flatMap { reported.rareTypes.accept($0).isEmpty ? nil : $0 }
        }
        if let found { outbox.post { $0.showRareTypes(found) } }
    }

    /// Reads the last rows, which have no numbers until all rows are counted, and shows them unless the user has moved the cursor.
    /// - Parameter first: the number of the first row of an uncounted query on a server; 0 for the rows of the document.
    func startReadingTail(_ count: Int, ofQueryStartingAt first: Int) {
        let (source, table, cursor) = (document.input, table, state.grid.cursor)
        startJob(.lookUp, first > 0 ? "reading the last rows" : "reading the end of the file", .rows(1)) { control, outbox in
            do {
                let tail = try TableGridSource.readTail(of: source, ofQueryStartingAt: first, completedBy: table, atLeast: count) {
                    control.isCancelled
                }
                outbox.post { $0.showTail(tail, ofQueryStartingAt: first, from: cursor) }
            } catch let error as UnknownEndError {
                outbox.post { session in
                    let advice = session.state.countAdvice.map { Message.notCounted(reloadKey: $0) }
                    session.send(.show(advice ?? .jobFailed(error.message)))
                }
            }
        }
    }

    /// Starts a job that fetches a row by its number. The cursor then goes to this row, unless the user has moved it.
    /// - Parameters:
    ///   - first: the number of the first row of an uncounted query on a server; 0 for the rows of the document.
    ///   - isPageMotion: true if a page motion leads to the row.
    func startSeeking(_ rowNumber: Int, ofQueryStartingAt first: Int, isPageMotion: Bool = false) {
        let (input, row) = (document.input, state.grid.currentRow)
        startJob(.lookUp, "fetching row \(ValueText.count(rowNumber))", .rows(1)) { control, outbox in
            try input.seek(toPosition: rowNumber - 1, ofQueryStartingAt: first) { control.isCancelled }
            outbox.post { $0.goToFetchedRow(rowNumber, ofQueryStartingAt: first, isPageMotion: isPageMotion, from: row) }
        }
    }

    // MARK: Filtering, sorting and grouping

    func startArranging(_ arrangement: Arrangement) {
        let job: QueryJob
        do {
            job = try queryJob(for: arrangement)
        } catch {
            jobs.cancel(.arrange)
            return send(.jobEnded(.arrange, failure: .filterInvalid(error.message)))
        }
        if jobs.isRunning(.follow) { perform(.cancel(.follow)) }
        // If the visible rows are an earlier result of the same filters, the grid only adds the new rows.
        let extendsVisibleRows = Atomic(job.extendsVisibleRows(of: state))
        startJob(.arrange, job.title, .rows(job.rowCount)) { control, outbox in
            let arranged = try job.run(control) { rows in
                outbox.send(
                    arrangement.isFilterOnly
                        ? .filtering(
                            arrangement, .permuted(rows), extendsVisibleRows: extendsVisibleRows.exchange(true, ordering: .relaxed))
                        : .sorting(arrangement, .permuted(rows)))
            }
            let isContinued = extendsVisibleRows.load(ordering: .relaxed)
            outbox.post { $0.show(arranged, of: arrangement, extendsVisibleRows: isContinued, job.title) }
        }
    }

    /// Shows the rows of a query. If the user has marked or selected rows or moved the cursor since the query began, another job first
    /// finds the positions of these rows. This would take too long on the main thread.
    private func show(_ arranged: ArrangedRows, of arrangement: Arrangement, extendsVisibleRows: Bool, _ title: String) {
        if let filtered = arranged.filtered { sheet.filteredRows = filtered }
        // A server may have counted all rows of the table to group them.
        showKnownRows()
        let kept = state.grid.keptRowIDs(state.stateToKeepForQuery)
        guard case .permuted(let rows) = arranged.rows, !rows.hasFastLookup(kept) else {
            send(.arranged(arrangement, arranged.rows, arranged.tree, extendsVisibleRows: extendsVisibleRows))
            guard let uncounted = arranged.uncounted else { return }
            let failure = message(aboutFailure: JobFailure.sentence(about: uncounted, title))
            let message = Message.notCounted(because: failure, reloadKey: recountKey)
            return send(.rowsUncounted(arrangement, estimate: uncounted.estimatedCount, message))
        }
        startJob(.arrange, title, .rows(rows.records.count)) { _, outbox in
            var found = arranged
            found.rows = .permuted(RowPermutation(rows.records, finding: kept))
            outbox.post { [found] in $0.show(found, of: arrangement, extendsVisibleRows: extendsVisibleRows, title) }
        }
    }

    /// The key that counts the rows after a failed count; `nil` if the key reloads the table instead, see `TableSource.needsReload`.
    var recountKey: String? { document.input.needsReload ? nil : state.key(.reload) }

    /// Counts the rows of a server query after its first count was stopped or failed. The rows on the screen stay as they are.
    func startCountingQuery() {
        guard let uncounted = state.sheet.uncountedQuery else { return }
        let (input, arrangement, title) = (document.input, state.query.shown, "counting rows")
        send(.show(.countingResumed))
        startJob(.arrange, title, .rows(state.grid.rows.count), isCounting: true) { control, outbox in
            do {
                try input.countRows(ofQueryStartingAt: uncounted.firstRow) { control.isCancelled }
                outbox.post { $0.showKnownRows() }
            } catch let error where !(error is JobCancelled) {
                let reason = JobFailure.sentence(about: error, title)
                outbox.post {
                    // After a second failure, the key reloads the table.
                    let message = Message.notCounted(because: $0.message(aboutFailure: reason), reloadKey: nil)
                    $0.send(.rowsUncounted(arrangement, estimate: uncounted.estimatedCount, message))
                }
            }
        }
    }

    /// Runs an arrangement synchronously, for batch output.
    /// - Parameters:
    ///   - needsRows: true if the caller uses the rows of groups; if false, only the row counts are valid.
    ///   - count: the number of rows that the caller uses, from the first one. Later rows may be missing in the result.
    func arrangeSynchronously(_ arrangement: Arrangement, needsRows: Bool = true, count: Int = .max) throws -> (RowOrder, SectionTree?) {
        var job = try queryJob(for: arrangement)
        job.query.needsRows = needsRows
        job.query.rowLimit = count == .max ? nil : count
        let arranged = try JobFailure.reportingFailure(job.title) { try job.run(JobControl()) }
        return (arranged.rows, arranged.tree)
    }

    private func queryJob(for arrangement: Arrangement) throws(RequestError) -> QueryJob {
        QueryJob(
            engine: engine, table: document.source.inputSnapshot, schema: state.schema, arrangement: arrangement,
            previousArrangement: state.query.previousRows?.arrangement ?? state.query.shown, query: state.query(for: arrangement),
            filters: try resolvedFilters(arrangement.filters), previousFilter: sheet.filteredRows,
            columns: state.grid.columns.all,
            keptRows: state.grid.keptRowIDs(state.stateToKeepForQuery))
    }

    // MARK: Starting jobs

    /// Starts a job for the current sheet, and cancels the running job of its kind. Every job is started here.
    /// - Parameters:
    ///   - title: the activity to show, such as `sorting by “price”`.
    ///   - delay: the time before the work starts. If a key starts another job of this kind in this time, that job replaces this one.
    ///   - work: the work, which ``runner`` runs on a thread. Errors are shown, except `JobCancelled`.
    func startJob(
        _ kind: JobKind, _ title: String, _ amount: JobAmount, isCounting: Bool = false, after delay: Duration = .zero,
        _ work: @escaping @Sendable (JobControl, JobOutbox) throws -> Void
    ) {
        let (generation, control) = jobs.begin(kind, title, amount, isCounting: isCounting)
        let (mailbox, id, reference) = (application.mailbox, sheet.id, SessionReference(self))
        let outbox = JobOutbox { message in
            mailbox.post { reference.session?.receive(message, from: kind, generation, sheet: id) }
        }
        let urgent = kind == .lookUp ? document.input : nil
        urgent?.beginUrgentRead()
        runner.run(after: delay) {
            defer { urgent?.endUrgentRead() }
            let failure: String?
            do {
                try control.checkCancellation()
                try work(control, outbox)
                failure = nil
            } catch {
                failure = error is JobCancelled ? nil : JobFailure.sentence(about: error, title)
            }
            outbox.post { $0.endJob(kind, generation, failure: failure) }
        }
    }
}
