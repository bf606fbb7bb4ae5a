import DataGrid
import DataGridSources
import Tables

extension Session {
    /// Handles a message from a job, in the sheet of the job. Ignores the message if the job was cancelled or replaced.
    func receive(_ message: JobMessage, from kind: JobKind, _ generation: Int, sheet id: Int) {
        withSheet(id) {
            guard jobs.isCurrent(kind, generation) else { return }
            showNeedToReload()
            message(self)
        }
        // Show the requested sheet only if the user has not gone to another sheet since.
        if let sheet = sheetToShow, state.sheet.id == id { send(.sheetRequested(sheet)) }
        sheetToShow = nil
    }

    func endJob(_ kind: JobKind, _ generation: Int, failure: String?) {
        jobs.end(kind, generation)
        if [.open, .pivot].contains(kind), sheet.openInput != nil, let failure { return failOpening(RequestError(failure)) }
        showNeedToReload()
        if kind == .index {
            showIndex()
            showKnownRows()
        }
        var failure = failure.map { message(aboutFailure: $0, isReload: kind == .open) }
        if kind == .index, state.document.canBeQueriedWhileIncomplete {
            failure = failure.map { .notCounted(because: $0, reloadKey: recountKey) }
        }
        send(.jobEnded(kind, failure: failure))
        // More rows have numbers now, perhaps also the row in the row view. Read it again.
        if kind == .index, state.overlay is RowView { readRecord() }
    }

    func showIndex(problems: [String]? = nil, columns addedColumns: AddedColumns? = nil) {
        sheet.inputProblems = problems ?? sheet.inputProblems
        document.source.refresh()
        let columns = document.makeColumns(addedColumns)
        if !columns.isEmpty { send(.columnsAdded(columns)) }
        send(.recordsIndexed(document.info(problems: sheet.problems)))
    }

    /// Shows the types of columns that have no value in the sample of rows.
    func showRareTypes(_ found: RareTypes.Found) {
        let columns = document.setRareTypes(found)
        if !columns.isEmpty { send(.typesFound(columns)) }
    }

    /// Shows the rows of a server that have become known since the last call of this function.
    func showKnownRows() {
        guard state.document.canBeQueriedWhileIncomplete else { return }
        showNeedToReload()
        if !state.document.isComplete {
            let table = document.input.snapshot()
            if table.isComplete || table.recordCount > state.document.recordCount { showIndex() }
        }
        guard state.isUncounted, let first = state.sheet.uncountedQuery?.firstRow,
            let known = document.input.knownRowCount(ofQueryStartingAt: first),
            known.isComplete || known.count > state.numberedRowCount
        else { return }
        send(.rowsKnown(known.count, isComplete: known.isComplete))
    }

    /// Updates the state if the last request to the server has failed, or if requests succeed again.
    private func showNeedToReload() {
        let isNeeded = document.input.needsReload
        if isNeeded != state.document.needsReload { send(.reloadNeeded(isNeeded)) }
    }

    /// Moves the cursor to a fetched row, unless the user has moved it since the request.
    func goToFetchedRow(_ rowNumber: Int, ofQueryStartingAt first: Int, isPageMotion: Bool, from row: RowID?) {
        // If all rows were counted during the request, the query is no longer uncounted, but its rows are still shown.
        guard first > 0 ? state.showsQuery(startingAt: first) : state.query.shown.isFileOrder else { return showIndex() }
        // If the cursor is on one of the last rows, its position changes although the user has not moved it. Compare rows instead of
        // positions.
        let isCursorUnmoved = row.map { state.grid.rows.position(of: $0) == state.grid.cursor.row } ?? true
        if first > 0 { showKnownRows() } else { showIndex() }
        if isCursorUnmoved { send(.rowFetched(rowNumber, ofQueryStartingAt: first, isPageMotion: isPageMotion)) }
    }

    /// Shows the last rows, unless the user has moved the cursor to another row.
    func showTail(_ tail: TailRecords, ofQueryStartingAt first: Int, from cursor: GridCursor) {
        guard cursor.item == state.grid.cursor.item else { return }
        if state.lacksLastRows(ofQueryStartingAt: first), first > 0 || !document.source.snapshot.isComplete {
            document.source.show(tail, ofQueryStartingAt: first)
        }
        send(.tailRead(records: tail.records.count, ofQueryStartingAt: first))
    }
}
