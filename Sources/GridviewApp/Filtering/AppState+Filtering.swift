import DataGrid
import DataGridQuery
import DataGridTerminal

extension AppState {
    // MARK: Adding and removing filters

    mutating func addFilter(_ text: String) -> [AppEffect] {
        let filter: Filter
        do {
            filter = try Filter(text, in: schema)
        } catch {
            return say(.filterInvalid(error.message))
        }
        filterHistory.removeAll { $0 == filter.text }
        filterHistory.append(filter.text)
        guard !query.requested.filters.contains(where: { $0.formula == filter.formula }) else {
            return say(.filterAlreadyOn)
        }
        return arrange { $0.filters.append(filter) }
    }

    /// Adds a filter for the rows with, or without, the value of the current cell.
    mutating func filterByCell(isLike: Bool) -> [AppEffect] {
        guard grid.currentRow != nil else { return say(.noCell) }
        return [.filterByCell(isLike: isLike)]
    }

    mutating func removeFilter() -> [AppEffect] {
        guard !query.requested.filters.isEmpty else {
            return say(.noFilter(filter: key(.filter), filterLike: key(.filterLike)))
        }
        return arrange { $0.filters.removeLast() }
    }

    mutating func removeAllFilters() -> [AppEffect] {
        query.requested.filters.isEmpty ? removeFilter() : arrange { $0.filters = [] }
    }

    // MARK: Incoming rows

    /// Shows the rows that match so far; more will follow.
    mutating func showFiltered(_ arrangement: Arrangement, _ rows: RowOrder, _ continues: Bool) -> [AppEffect] {
        // While rows are being queried again, the old ones stay until all new rows are known.
        guard query.awaits(arrangement), !query.isStale else { return [] }
        var (anchor, previous) = (anchor(for: arrangement), query.previous ?? (continues ? nil : PreviousRows(self)))
        show(arrangement, rows, nil, continues, &anchor)
        previous?.anchor = anchor
        if let previous { query.receive(arrangement, previous: previous) }
        updateSortBadges()
        return [.cancel(.find)]
    }

    /// The anchor of the cursor for the rows of an arrangement; `nil` if the rows are the same or the user has moved the cursor.
    func anchor(for arrangement: Arrangement) -> CursorAnchor? {
        if let previous = query.previous { return previous.anchor }
        guard arrangement.filters != query.shown.filters else { return nil }
        return CursorAnchor(grid, isInFileOrder: query.shown.isInFileOrder && !grid.rows.isMoved)
    }

    /// Shows rows, with the cursor on the same row or on the nearest later row that remains.
    mutating func show(
        _ arrangement: Arrangement, _ rows: RowOrder, _ tree: SectionTree?, _ continues: Bool, _ anchor: inout CursorAnchor?
    ) {
        // New rows of the input keep the cursor where it is.
        let keeping = query.isStale ? keptState.union(.cursor) : keptState
        controller.perform(continues ? .growRows(rows) : .setRows(rows, tree: tree, keeping: keeping))
        guard let known = anchor else { return }
        if let placed = known.placed, placed != grid.cursor { return anchor = nil }
        if let position = known.position(in: rows, isInFileOrder: arrangement.isInFileOrder) {
            controller.perform(.move(.row(position)))
            let top = grid.outline.index(of: grid.cursor.item) - known.line
            controller.perform(.scroll(items: top - grid.scroll.top, columns: 0))
        }
        anchor?.placed = grid.cursor
    }

    func filterMessage(_ arrangement: Arrangement) -> Message {
        let (count, filters) = (grid.rows.count, arrangement.filters)
        let total = document.isComplete ? document.recordCount : nil
        guard count == 0 else { return .filtered(count, of: total, filterCount: filters.count, remove: key(.removeFilter)) }
        return .noMatches(
            filters.last?.text ?? "", containing: filters.last?.bareText, filterCount: filters.count, isComplete: document.isComplete,
            remove: key(.removeFilter))
    }
}
