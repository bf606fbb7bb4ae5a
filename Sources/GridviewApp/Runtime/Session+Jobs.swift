import DataGrid
import DataGridQuery
import DataGridSources
import DelimitedText
import FieldValues

extension Session {
    /// The table that jobs read: what is indexed now.
    private var table: DelimitedTable { DelimitedTable(document.source.snapshot, columnCount: document.file.columnCount) }

    // MARK: The index

    func startIndex() {
        let (generation, control) = jobs.begin(.index, "reading", countsBytes: true)
        let (file, mailbox, threads, cache) = (document.file, mailbox, options.threads, options.indexCache)
        runner.run {
            var failure: String?
            do throws(DelimitedTextError) {
                try file.buildIndex(threads: threads, cache: cache) { progress in
                    // How much a pipe has to give nobody knows.
                    let total = file.isGrowing ? 0 : progress.bytesTotal
                    if control.total != total { control.begin(total: total) }
                    control.advance(by: progress.bytesDone - control.completed)
                    mailbox.post(Mailbox.Letter(kind: .index, generation: generation, content: .grown))
                    return !control.isCancelled
                }
            } catch {
                failure = error.message
            }
            mailbox.post(Mailbox.Letter(kind: .index, generation: generation, content: .ended(failure: failure)))
        }
    }

    // MARK: Sorting and grouping

    func startArranging(_ arrangement: Arrangement) {
        guard state.document.isComplete else { return }
        let work = arranging(arrangement)
        start(.arrange, work.title) { control in
            let (rows, tree) = try work.run(control)
            return .arranged(arrangement, rows, tree)
        }
    }

    /// The rows arranged, on this thread: for output without a screen.
    func arrangedNow(_ arrangement: Arrangement) throws -> (RowOrder, SectionTree?) {
        try arranging(arrangement).run(JobControl())
    }

    private func arranging(_ arrangement: Arrangement) -> ArrangeWork {
        ArrangeWork(
            table: table, arrangement: arrangement, columns: state.grid.columns.all, orderings: sortOrderings, store: columnStore,
            threads: options.threads)
    }

    /// The kinds by which `--sort` asks columns to be read.
    private var sortOrderings: [ColumnID: ValueKind] {
        var kinds: [ColumnID: ValueKind] = [:]
        for request in options.sort { if let kind = request.kind, let id = try? document.id(request.column) { kinds[id] = kind } }
        return kinds
    }

    // MARK: Searching

    private var finding: FindWork { FindWork(table: table, rows: state.grid.rows, threads: options.threads) }

    private func textSearch(_ search: Search) -> TextSearch {
        .smart(search.text, columns: search.column.map { [$0.rawValue] } ?? state.grid.columns.visible.map(\.id.rawValue))
    }

    func startFinding(_ search: Search, from position: Int, isForward: Bool, includingCurrent: Bool) {
        let (work, text) = (finding, textSearch(search))
        start(.find, "searching “\(search.text)”") { control in
            guard
                let (match, wrapped) = try work.first(text, from: position, isForward: isForward, includingStart: includingCurrent, control)
            else { return .found(position: nil, column: nil, wrapped: false) }
            return .found(position: match.position, column: ColumnID(match.column), wrapped: wrapped)
        }
    }

    /// Counts the matches, unless they have been counted already.
    func startCounting(_ search: Search) {
        if tellRank() { return }
        let (work, text, rows, mailbox) = (finding, textSearch(search), state.grid.rows, mailbox)
        let (generation, control) = jobs.begin(.count, "counting “\(search.text)”")
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
                failure = Self.sentence(about: error)
            }
            mailbox.post(Mailbox.Letter(kind: .count, generation: generation, content: .ended(failure: failure)))
        }
    }

    /// Tells which match the cursor is on, when all are known.
    /// - Returns: whether they are.
    @discardableResult
    func tellRank() -> Bool {
        guard let matches, let search = state.search, matches.search.text == search.text, matches.search.column == search.column,
            matches.rows == state.grid.rows
        else { return false }
        send(.counted(matches.positions.count, current: state.grid.cursor.row.flatMap { matches.rank(of: $0) }, isComplete: true))
        return true
    }

    func startFindingDifferent(_ column: ColumnID, from position: Int, isForward: Bool) {
        let work = finding
        start(.find, "looking for another value") { control in
            .differs(position: try work.firstDifferent(column: column.rawValue, from: position, isForward: isForward, control))
        }
    }

    // MARK: Starting

    /// Starts a job that ends in one action.
    private func start(_ kind: JobKind, _ title: String, _ work: @escaping @Sendable (JobControl) throws -> AppAction) {
        let (generation, control) = jobs.begin(kind, title)
        let mailbox = mailbox
        runner.run {
            var failure: String?
            do {
                let action = try work(control)
                mailbox.post(Mailbox.Letter(kind: kind, generation: generation, content: .action(action)))
            } catch is JobCancelled {
                // Whoever cancelled it knows.
            } catch {
                failure = Self.sentence(about: error)
            }
            mailbox.post(Mailbox.Letter(kind: kind, generation: generation, content: .ended(failure: failure)))
        }
    }

    private nonisolated static func sentence(about error: any Error) -> String {
        switch error {
        case let error as DelimitedTextError: error.message
        case is RecordsMissing: "The file has changed while it was read. Open it again."
        default: "\(error)"
        }
    }
}
