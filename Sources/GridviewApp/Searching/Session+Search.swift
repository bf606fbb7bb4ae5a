import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Session {
    /// The search in the form that jobs run; `nil` for an invalid regular expression, which the prompt does not accept.
    private func textSearch(_ search: Search) -> TextSearch? {
        try? search.textSearch(
            columns: search.column.map { [$0.field.rawValue] } ?? state.grid.columns.visible.map(\.field.rawValue),
            notation: state.notation(of: search))
    }

    func startFinding(_ search: Search, from position: Int, isForward: Bool, includingCurrent: Bool) {
        guard let text = textSearch(search) else { return send(.jobEnded(.find, failure: nil)) }
        let (engine, table, order) = (engine, table, state.grid.rows)
        let rows = order.sequence
        let columns = search.column.map { [$0] } ?? state.grid.columns.visible.map(\.id)
        let start = includingCurrent ? position : isForward ? position + 1 : position - 1
        startJob(.find, "searching \(search.name(width: 24))", .rows(rows.count(ofRows: table.recordCount))) { control, outbox in
            let match = try engine.firstMatch(
                of: text, in: table, order: rows, from: start, direction: isForward ? .forward : .backward, control: control)
            let column = match.flatMap { match in columns.first { $0.field.rawValue == match.column } }
            let hasWrapped = match.map { isForward ? $0.position < start : $0.position > start } == true
            outbox.post {
                // If the search has found no match, the number of matches is 0 and need not be counted.
                if match == nil { $0.sheet.matchIndex = MatchIndex(search: search, rows: order, positions: RowNumbers([])) }
                // The server may have found a match beyond the known rows, so that more rows are known now.
                $0.showKnownRows()
                $0.send(.matchFound(position: match?.position, column: column, hasWrapped: hasWrapped))
                $0.updateMatchIndex()
            }
        }
    }

    func startCounting(_ search: Search) {
        if updateMatchIndex() { return }
        guard let text = textSearch(search) else { return }
        let (engine, table, rows) = (engine, table, state.grid.rows)
        startJob(.count, "counting \(search.name(width: 24))", .rows(table.recordCount)) { control, outbox in
            let matches: MatchIndex
            do {
                let positions = try engine.positions(matching: text, in: table, order: rows.sequence, control: control) { count in
                    outbox.send(.matchesCounted(count, current: nil, isComplete: false))
                }
                matches = MatchIndex(search: search, rows: rows, positions: positions)
            } catch let error as TooManyMatches {
                matches = MatchIndex(search: search, rows: rows, count: error.count)
            }
            outbox.post {
                $0.sheet.matchIndex = matches
                $0.updateMatchIndex()
            }
        }
    }

    /// Updates the rank of the match at the cursor, if all matches are known.
    /// - Returns: True if all matches are known.
    @discardableResult
    func updateMatchIndex() -> Bool {
        guard let matches = sheet.matchIndex, let search = state.search, matches.search.isEquivalent(to: search),
            matches.rows == state.grid.rows
        else { return false }
        let row = state.isAtTitle || state.sheet.sampledRows != nil ? nil : state.grid.cursor.row
        send(.matchesCounted(matches.count, current: row.flatMap { matches.rank(of: $0) }, isComplete: true))
        return true
    }

    func startFindingDifferentValue(_ column: ColumnID, from position: Int, isForward: Bool) {
        let (engine, table, rows) = (engine, table, state.grid.rows.sequence)
        startJob(.find, "finding a different value", .rows(rows.count(ofRows: table.recordCount))) { control, outbox in
            let found = try engine.firstDifference(
                in: column.field, of: table, order: rows, from: position, direction: isForward ? .forward : .backward, control: control)
            outbox.send(found.map { .moveTo(row: $0, column: nil) } ?? .show(.noDifferentValue))
        }
    }
}
