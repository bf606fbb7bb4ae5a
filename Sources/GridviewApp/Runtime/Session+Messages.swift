import DataGrid
import DataGridSources
import Tables

extension Session {
    /// Runs a job's message for the job's sheet, unless the job was cancelled or replaced.
    func receive(_ message: JobMessage, from kind: JobKind, _ generation: Int, sheet id: Int) {
        with(id) { if jobs.isCurrent(kind, generation) { message(self) } }
    }

    func end(_ kind: JobKind, _ generation: Int, failure: String?) {
        jobs.end(kind, generation)
        if kind == .open, sheet.awaitedInput != nil, let failure { return fail(RequestError(failure)) }
        if kind == .index { showIndex() }
        send(.jobEnded(kind, failure: failure.map(message(aboutFailure:))))
        guard kind == .index else { return }
        performLaunchSearch()
        // The row in the row view may have a number now.
        if state.overlay is RowView { readRecord() }
        // A count made while rows were arriving is incomplete.
        if let search = state.search, !search.isCounted { perform(.countMatches(search)) }
    }

    /// Goes to the first match of `--find`, when all rows are known and arranged as requested.
    func performLaunchSearch() {
        guard let wanted = sheet.launchSearch, state.document.isComplete, state.query.requested == state.query.shown else { return }
        sheet.launchSearch = nil
        guard let search = state.search, search.isEquivalent(to: wanted) else { return }
        perform(.find(search, from: 0, isForward: true, includingCurrent: true))
        perform(.countMatches(search))
    }

    func showIndex(notes: [String]? = nil, columns later: AddedColumns? = nil) {
        sheet.notes = notes ?? sheet.notes
        document.source.refresh()
        let columns = document.addColumns(later)
        if !columns.isEmpty { send(.columnsAdded(columns)) }
        send(.indexed(document.info(notes: sheet.notes)))
    }

    /// Shows the last rows, unless the user has moved the cursor to another row.
    func showTail(_ tail: TailRecords, from cursor: GridCursor) {
        guard cursor.item == state.grid.cursor.item else { return }
        if !document.source.snapshot.isComplete { document.source.show(tail) }
        send(.tailRead(records: tail.records.count))
    }
}
