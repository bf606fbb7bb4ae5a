import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Locks
import Tables

extension Session {
    /// The table that jobs read: what is indexed now.
    var table: any Table { document.source.snapshot }

    // MARK: The index

    func startIndex() {
        // Where reading goes on, what was read before says nothing of how fast it is.
        let start = document.input.indexedByteCount
        let (input, threads) = (document.input, options.affordableThreads)
        let known = Atomic(document.inputColumnCount)
        startJob(.index, "reading", .bytes(input.byteCount - start)) { control, letters in
            let toldNotes = Mutex(ContinuousClock.now)
            defer { letters.post(.grown(notes: input.oddities, columns: Self.laterColumns(input, known))) }
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
                letters.post(.grown(notes: isDue ? input.oddities : nil, columns: Self.laterColumns(input, known)))
                return !control.isCancelled
            }
        }
    }

    /// What columns hold that only longer records have, if some have come since this was asked last.
    private nonisolated static func laterColumns(_ input: any TableSource, _ known: borrowing Atomic<Int>) -> LaterColumns? {
        let (first, count) = (known.load(ordering: .relaxed), input.columnCount)
        guard count > first else { return nil }
        known.store(count, ordering: .relaxed)
        return LaterColumns(first: first, profiles: Array(input.profiles(ofColumnsFrom: first).prefix(count - first)))
    }

    /// Reads the last rows, which have no numbers before all are counted. They are shown unless the person has gone elsewhere meanwhile.
    func startReadingTail(_ count: Int) {
        let (source, table, cursor) = (document.input, table, state.grid.cursor)
        startJob(.lookUp, "reading the end of the file", .rows(1)) { _, letters in
            let tail = try TableGridSource.readTail(of: source, completedBy: table, atLeast: count)
            letters.post(.tail(tail, from: cursor))
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
        startJob(.arrange, work.title, .rows(work.rowCount)) { control, letters in
            let arranged = try work.run(control) { rows in
                letters.post(
                    .action(
                        arrangement.isFilterOnly
                            ? .filtering(arrangement, .permuted(rows), continues: continues.exchange(true, ordering: .relaxed))
                            : .sorting(arrangement, .permuted(rows))))
            }
            if let filtered = arranged.filtered { letters.post(.filtered(filtered)) }
            let isContinued = continues.load(ordering: .relaxed)
            letters.post(.action(.arranged(arrangement, arranged.rows, arranged.tree, continues: isContinued)))
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
            query: state.query(for: arrangement), filters: try bound(arrangement.filters), known: filtered,
            columns: state.grid.columns.all)
    }

    // MARK: Starting

    /// Starts a job for the current sheet, and cancels the one of its kind that runs. All jobs start here.
    /// - Parameters:
    ///   - title: what it does, such as “sorting by price”.
    ///   - amount: what it goes through.
    ///   - work: runs where ``runner`` says. What it throws is shown, unless that is ``JobCancelled``: whoever cancelled a job knows.
    func startJob(
        _ kind: JobKind, _ title: String, _ amount: JobAmount, _ work: @escaping @Sendable (JobControl, JobLetters) throws -> Void
    ) {
        let (generation, control) = jobs.begin(kind, title, amount)
        let letters = JobLetters(box: letterBox, sheet: sheet.id, kind: kind, generation: generation)
        runner.run {
            var failure: String?
            do {
                try work(control, letters)
            } catch is JobCancelled {
            } catch {
                failure = JobFailure.sentence(about: error, title)
            }
            letters.post(.ended(failure: failure))
        }
    }
}
