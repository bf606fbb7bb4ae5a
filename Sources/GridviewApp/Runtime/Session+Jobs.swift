import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Locks
import Tables

extension Session {
    var table: any Table { document.source.snapshot }

    // MARK: The index

    func startIndex() {
        // Where reading goes on, what was read before says nothing of how fast it is.
        let start = document.input.indexedByteCount
        let (input, threads) = (document.input, options.affordableThreads)
        let known = Atomic(document.inputColumnCount)
        startJob(.index, "reading", .bytes(input.byteCount - start)) { control, outbox in
            let toldNotes = Mutex(ContinuousClock.now)
            defer { Self.report(input, known, withNotes: true, to: outbox) }
            try input.readAll(threads: threads) { progress in
                // How much a pipe has to give nobody knows.
                let total = input.isGrowing ? 0 : progress.bytesTotal - start
                if control.total != total { control.begin(total: total) }
                control.advance(by: progress.bytesDone - start - control.completed)
                // Finding the lines of oddities reads the file: here, and now and then only.
                let isDue = toldNotes.withLock { told in
                    let isDue = ContinuousClock.now - told > .milliseconds(200)
                    if isDue { told = .now }
                    return isDue
                }
                Self.report(input, known, withNotes: isDue, to: outbox)
                return !control.isCancelled
            }
        }
    }

    /// Reports what the index knows now, with the columns that have come since the last report.
    private nonisolated static func report(
        _ input: any TableSource, _ known: borrowing Atomic<Int>, withNotes: Bool, to outbox: JobOutbox
    ) {
        let (first, count) = (known.load(ordering: .relaxed), input.columnCount)
        var later: LaterColumns?
        if count > first {
            known.store(count, ordering: .relaxed)
            later = LaterColumns(first: first, profiles: Array(input.profiles(ofColumnsFrom: first).prefix(count - first)))
        }
        let (notes, columns) = (withNotes ? input.oddities : nil, later)
        outbox.post { $0.showIndex(notes: notes, columns: columns) }
    }

    /// Reads the last rows, which have no numbers before all are counted. They are shown unless the person has gone elsewhere meanwhile.
    func startReadingTail(_ count: Int) {
        let (source, table, cursor) = (document.input, table, state.grid.cursor)
        startJob(.lookUp, "reading the end of the file", .rows(1)) { _, outbox in
            let tail = try TableGridSource.readTail(of: source, completedBy: table, atLeast: count)
            outbox.post { $0.showTail(tail, from: cursor) }
        }
    }

    // MARK: Filtering, sorting and grouping

    func startArranging(_ arrangement: Arrangement) {
        // Only an order needs the whole file.
        guard state.document.isComplete || arrangement == arrangement.unordered else { return }
        let work: ArrangeWork
        do {
            work = try arranging(arrangement)
        } catch {
            jobs.cancel(.arrange)
            return send(.jobEnded(.arrange, failure: .filterInvalid(error.message)))
        }
        // Rows that have come are added to those that are shown, if these are what the same filters left of the others.
        let continues = Atomic(work.continues(state))
        startJob(.arrange, work.title, .rows(work.rowCount)) { control, outbox in
            let arranged = try work.run(control) { rows in
                outbox.send(
                    arrangement.isFilterOnly
                        ? .filtering(arrangement, .permuted(rows), continues: continues.exchange(true, ordering: .relaxed))
                        : .sorting(arrangement, .permuted(rows)))
            }
            let isContinued = continues.load(ordering: .relaxed)
            outbox.post { session in
                if let filtered = arranged.filtered { session.sheet.filtered = filtered }
                session.send(.arranged(arrangement, arranged.rows, arranged.tree, continues: isContinued))
                session.beginWithSearch()
            }
        }
    }

    /// The rows arranged, on this thread: for output without a screen.
    /// - Parameter needsRows: whether the rows within sections are wanted; otherwise only their number may be right.
    func arrangedNow(_ arrangement: Arrangement, needsRows: Bool = true) throws -> (RowOrder, SectionTree?) {
        var work = try arranging(arrangement)
        work.query.needsRows = needsRows
        let arranged = try JobFailure.telling(work.title) { try work.run(JobControl()) }
        return (arranged.rows, arranged.tree)
    }

    private func arranging(_ arrangement: Arrangement) throws(RequestError) -> ArrangeWork {
        ArrangeWork(
            engine: engine, table: document.source.inputSnapshot, schema: state.schema, arrangement: arrangement,
            query: state.query(for: arrangement), filters: try bound(arrangement.filters), known: sheet.filtered,
            columns: state.grid.columns.all)
    }

    // MARK: Starting

    /// Starts a job for the current sheet, and cancels the one of its kind that runs. All jobs start here.
    /// - Parameters:
    ///   - title: what it does, such as “sorting by price”.
    ///   - work: runs where ``runner`` says. What it throws is shown, unless that is ``JobCancelled``: whoever cancelled a job knows.
    func startJob(
        _ kind: JobKind, _ title: String, _ amount: JobAmount, _ work: @escaping @Sendable (JobControl, JobOutbox) throws -> Void
    ) {
        let (generation, control) = jobs.begin(kind, title, amount)
        let (mailbox, id, reference) = (application.mailbox, sheet.id, SessionReference(self))
        let outbox = JobOutbox { message in
            mailbox.post { reference.session?.receive(message, from: kind, generation, sheet: id) }
        }
        runner.run {
            let failure: String?
            do {
                try work(control, outbox)
                failure = nil
            } catch {
                failure = error is JobCancelled ? nil : JobFailure.sentence(about: error, title)
            }
            outbox.post { $0.end(kind, generation, failure: failure) }
        }
    }
}
