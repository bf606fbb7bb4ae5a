import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Synchronization
import Tables

extension Session {
    /// The table that jobs read: what is indexed now.
    var table: any Table { document.source.snapshot }

    // MARK: The index

    func startIndex() {
        // Where reading goes on, what was read before says nothing of how fast it is.
        let start = document.input.indexedByteCount
        let (generation, control) = jobs.begin(.index, "reading", .bytes(document.input.byteCount - start))
        let (input, mailbox, threads) = (document.input, mailbox, options.threads)
        let known = Atomic(document.inputColumnCount)
        runner.run {
            var failure: String?
            let toldNotes = Mutex(ContinuousClock.now)
            do {
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
                    let notes = isDue ? input.oddities : nil
                    let columns = Self.laterColumns(input, known)
                    mailbox.post(Mailbox.Letter(kind: .index, generation: generation, content: .grown(notes: notes, columns: columns)))
                    return !control.isCancelled
                }
            } catch {
                failure = JobFailure.sentence(about: error, "reading")
            }
            let (notes, columns) = (input.oddities, Self.laterColumns(input, known))
            mailbox.post(Mailbox.Letter(kind: .index, generation: generation, content: .grown(notes: notes, columns: columns)))
            mailbox.post(Mailbox.Letter(kind: .index, generation: generation, content: .ended(failure: failure)))
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
        startReading(.lookUp, "reading the end of the file") {
            .tail(try TableGridSource.readTail(of: source, completedBy: table, atLeast: count), from: cursor)
        }
    }

    /// Starts a job that reads little, and ends in one letter.
    func startReading(_ kind: JobKind, _ title: String, _ work: @escaping @Sendable () throws -> Mailbox.Letter.Content) {
        let (generation, _) = jobs.begin(kind, title, .rows(1))
        let mailbox = mailbox
        runner.run {
            var failure: String?
            do {
                mailbox.post(Mailbox.Letter(kind: kind, generation: generation, content: try work()))
            } catch {
                failure = JobFailure.sentence(about: error, title)
            }
            mailbox.post(Mailbox.Letter(kind: kind, generation: generation, content: .ended(failure: failure)))
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
            return send(.jobEnded(.arrange, failure: Message(error.message, isError: true)))
        }
        let mailbox = mailbox
        // Rows that have come are added to those that are shown, if these are what the same filters left of the others.
        let continues = Atomic(work.continues(state))
        start(.arrange, work.title, rows: work.rowCount) { control, generation in
            let arranged = try work.run(control) { rows in
                let action: AppAction =
                    arrangement.isFilterOnly
                    ? .filtering(arrangement, .permuted(rows), continues: continues.exchange(true, ordering: .relaxed))
                    : .sorting(arrangement, .permuted(rows))
                mailbox.post(Mailbox.Letter(kind: .arrange, generation: generation, content: .action(action)))
            }
            if let filtered = arranged.filtered {
                mailbox.post(Mailbox.Letter(kind: .arrange, generation: generation, content: .filtered(filtered)))
            }
            return .arranged(arrangement, arranged.rows, arranged.tree, continues: continues.load(ordering: .relaxed))
        }
    }

    /// The rows arranged, on this thread: for output without a screen.
    func arrangedNow(_ arrangement: Arrangement) throws -> (RowOrder, SectionTree?) {
        let work = try arranging(arrangement)
        let arranged = try JobFailure.telling(work.title) { try work.run(JobControl()) }
        return (arranged.rows, arranged.tree)
    }

    private func arranging(_ arrangement: Arrangement) throws(RequestError) -> ArrangeWork {
        ArrangeWork(
            table: table, arrangement: arrangement, filters: try bound(arrangement.filters), known: filtered,
            columns: state.grid.columns.all, orderings: sortOrderings, alphabet: options.alphabet, store: columnStore,
            threads: options.threads)
    }

    /// How `--sort` asks columns to be compared.
    private var sortOrderings: [ColumnID: SortOrdering] {
        var orderings: [ColumnID: SortOrdering] = [:]
        for request in options.sort {
            guard let comparison = request.comparison, let id = try? document.id(request.column) else { continue }
            switch comparison {
            case .natural: orderings[id] = .natural(options.alphabet)
            case .text: orderings[id] = .text
            case .number: orderings[id] = .number
            case .date: orderings[id] = .temporal(.dateTime)
            }
        }
        return orderings
    }

    // MARK: Searching

    private var finding: FindWork { FindWork(table: table, rows: state.grid.rows, threads: options.threads) }

    /// `nil` for what is no regular expression: nobody is let search for that.
    private func textSearch(_ search: Search) -> TextSearch? {
        try? search.textSearch(
            columns: search.column.map { [$0.field.rawValue] } ?? state.grid.columns.visible.map(\.field.rawValue),
            notation: state.notation(of: search))
    }

    func startFinding(_ search: Search, from position: Int, isForward: Bool, includingCurrent: Bool) {
        guard let text = textSearch(search) else { return }
        let work = finding
        let columns = search.column.map { [$0] } ?? state.grid.columns.visible.map(\.id)
        start(.find, "searching \(search.name(width: 24))", rows: work.count) { control, _ in
            guard
                let (match, wrapped) = try work.first(text, from: position, isForward: isForward, includingStart: includingCurrent, control)
            else { return .found(position: nil, column: nil, wrapped: false) }
            return .found(position: match.position, column: columns.first { $0.field.rawValue == match.column }, wrapped: wrapped)
        }
    }

    /// Counts the matches, unless they have been counted already.
    func startCounting(_ search: Search) {
        if tellRank() { return }
        guard let text = textSearch(search) else { return }
        let (work, rows, mailbox) = (finding, state.grid.rows, mailbox)
        let title = "counting \(search.name(width: 24))"
        let (generation, control) = jobs.begin(.count, title, .rows(work.table.recordCount))
        runner.run {
            var failure: String?
            do {
                let positions = try work.all(text, control) { count in
                    mailbox.post(
                        Mailbox.Letter(
                            kind: .count, generation: generation, content: .action(.counted(count, current: nil, isComplete: false))))
                }
                mailbox.post(
                    Mailbox.Letter(
                        kind: .count, generation: generation,
                        content: .matches(MatchIndex(search: search, rows: rows, positions: positions))))
            } catch is JobCancelled {
            } catch {
                failure = JobFailure.sentence(about: error, title)
            }
            mailbox.post(Mailbox.Letter(kind: .count, generation: generation, content: .ended(failure: failure)))
        }
    }

    /// Tells which match the cursor is on, when all are known.
    /// - Returns: whether they are.
    @discardableResult
    func tellRank() -> Bool {
        guard let matches, let search = state.search, matches.search.finds(thatOf: search), matches.rows == state.grid.rows else {
            return false
        }
        let row = state.isAtTitle ? nil : state.grid.cursor.row
        send(.counted(matches.positions.count, current: row.flatMap { matches.rank(of: $0) }, isComplete: true))
        return true
    }

    func startFindingDifferent(_ column: ColumnID, from position: Int, isForward: Bool) {
        let work = finding
        start(.find, "looking for another value", rows: work.count) { control, _ in
            .differs(position: try work.firstDifferent(column: column.field.rawValue, from: position, isForward: isForward, control))
        }
    }

    // MARK: Starting

    /// Starts a job that ends in one action.
    /// - Parameter rows: how many it goes through.
    func start(
        _ kind: JobKind, _ title: String, rows: Int, _ work: @escaping @Sendable (JobControl, _ generation: Int) throws -> AppAction
    ) {
        let (generation, control) = jobs.begin(kind, title, .rows(rows))
        let mailbox = mailbox
        runner.run {
            var failure: String?
            do {
                let action = try work(control, generation)
                mailbox.post(Mailbox.Letter(kind: kind, generation: generation, content: .action(action)))
            } catch is JobCancelled {
                // Whoever cancelled it knows.
            } catch {
                failure = JobFailure.sentence(about: error, title)
            }
            mailbox.post(Mailbox.Letter(kind: kind, generation: generation, content: .ended(failure: failure)))
        }
    }
}
