import DataGrid
import DataGridQuery
import DataGridSources
import DelimitedText
import FieldValues

extension Session {
    /// The table that jobs read: what is indexed now.
    private var table: DelimitedTable { DelimitedTable(document.source.snapshot, columnCount: document.file.columnCount) }

    /// The rows' order as records, or `nil` when it is the file's own.
    private var orderOfRows: [UInt32]? {
        if case .permuted(let permutation) = state.grid.rows { return permutation.records }
        return nil
    }

    // MARK: The index

    func startIndex() {
        let (generation, control) = jobs.begin(.index, "reading", countsBytes: true)
        let (file, mailbox, threads) = (document.file, mailbox, options.threads)
        runner.run {
            var failure: String?
            do throws(DelimitedTextError) {
                try file.buildIndex(threads: threads) { progress in
                    control.total = progress.bytesTotal
                    control.completed = progress.bytesDone
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
            table: table, arrangement: arrangement, columns: state.grid.columns.all, orderings: sortOrderings, threads: options.threads)
    }

    /// The kinds by which `--sort` asks columns to be read.
    private var sortOrderings: [ColumnID: ValueKind] {
        var kinds: [ColumnID: ValueKind] = [:]
        for request in options.sort { if let kind = request.kind, let id = try? document.id(request.column) { kinds[id] = kind } }
        return kinds
    }

    // MARK: Searching

    func startFinding(_ search: Search, from position: Int, isForward: Bool, includingCurrent: Bool) {
        let work = FindWork(
            table: table, order: orderOfRows, text: search.text, columns: columns(of: search), isForward: isForward, threads: options.threads)
        start(.find, "searching “\(search.text)”") { control in
            guard let hit = try work.first(from: position, includingCurrent: includingCurrent, control) else {
                return .found(position: nil, column: nil, wrapped: false)
            }
            return .found(position: hit.position, column: nil, wrapped: hit.wrapped)
        }
    }

    func startCounting(_ search: Search) {
        let position = state.grid.cursor.row ?? 0
        let work = FindWork(table: table, order: orderOfRows, text: search.text, columns: columns(of: search), isForward: true, threads: options.threads)
        start(.count, "counting “\(search.text)”") { control in
            let (count, current) = try work.count(cursor: position, control)
            return .counted(count, current: current, isComplete: true)
        }
    }

    func startFindingDifferent(_ column: ColumnID, from position: Int, isForward: Bool) {
        let work = FindWork(table: table, order: orderOfRows, text: "", columns: [column.rawValue], isForward: isForward, threads: 1)
        start(.find, "looking for another value") { control in
            .found(position: try work.firstDifferent(from: position, control), column: nil, wrapped: false)
        }
    }

    private func columns(of search: Search) -> [Int] {
        search.column.map { [$0.rawValue] } ?? state.grid.columns.visible.map(\.id.rawValue)
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
            } catch let error as DelimitedTextError {
                failure = error.message
            } catch {
                failure = "\(error)"
            }
            mailbox.post(Mailbox.Letter(kind: kind, generation: generation, content: .ended(failure: failure)))
        }
    }
}
