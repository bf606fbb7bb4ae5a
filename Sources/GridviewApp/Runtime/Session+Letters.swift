import DataGrid
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

/// What jobs have found.
extension Session {
    /// Takes what a job has found, or news of a file, for the sheet that it is about.
    func take(_ letter: Letter) { with(letter.sheet) { open(letter) } }

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

    /// Takes a letter that is still wanted.
    private func open(_ letter: Letter) {
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
            application.setNeedsDisplay()
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
