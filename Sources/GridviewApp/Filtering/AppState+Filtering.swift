import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables

extension AppState {
    // MARK: Adding and removing filters

    mutating func addFilter(_ text: String) -> [AppEffect] {
        guard let filter = typedFilter(text) else { return [] }
        guard !query.requested.filters.contains(where: { $0.formula == filter.formula }) else {
            return show(.filterAlreadyOn)
        }
        if let index = query.requested.allFilters.firstIndex(where: { $0.filter.formula == filter.formula }) {
            return toggleFilter(at: index)
        }
        return arrange { $0.filters.append(filter) }
    }

    /// Parses a typed filter, and adds it to the history of the prompt. If the text is invalid, shows a message and returns `nil`.
    private mutating func typedFilter(_ text: String) -> Filter? {
        do {
            let filter = try Filter(text, in: schema)
            filterHistory.remember(filter.text)
            return filter
        } catch {
            show(.filterInvalid(error.message))
            return nil
        }
    }

    /// Replaces a filter and turns it on. If the text is empty, removes the filter.
    mutating func replaceFilter(_ old: Filter, with text: String) -> [AppEffect] {
        guard let index = query.requested.allFilters.firstIndex(where: { $0.filter == old }) else {
            return text.allSatisfy({ $0 == " " }) ? [] : addFilter(text)
        }
        if text.allSatisfy({ $0 == " " }) { return removeFilter(at: index) }
        guard let filter = typedFilter(text) else { return [] }
        return arrange { arrangement in
            var all = arrangement.allFilters
            all[index] = ShownFilter(filter: filter, isOn: true)
            // Remove other filters that are equal to the new one.
            arrangement.allFilters = all.indices.filter { $0 == index || all[$0].filter.formula != filter.formula }.map { all[$0] }
        }
    }

    /// Opens the prompt with the filter at an index in the list of all filters.
    mutating func editFilter(at index: Int) -> [AppEffect] {
        guard query.requested.allFilters.indices.contains(index) else { return [] }
        return open(FormulaPrompt(editing: query.requested.allFilters[index].filter))
    }

    /// Opens the prompt with the text of a new filter. Closing it returns to the row view, if that is open.
    mutating func editFilter(_ text: String) -> [AppEffect] {
        var prompt = FormulaPrompt()
        prompt.rowView = overlay as? RowView
        return prompt.edit({ $0 = LineEditor(text) }, in: &self)
    }

    /// Turns a filter off, or on again.
    mutating func toggleFilter(at index: Int) -> [AppEffect] {
        guard query.requested.allFilters.indices.contains(index) else { return [] }
        return arrange { $0.allFilters[index].isOn.toggle() }
    }

    mutating func removeFilter(at index: Int) -> [AppEffect] {
        guard query.requested.allFilters.indices.contains(index) else { return [] }
        return arrange { $0.allFilters.remove(at: index) }
    }

    /// Adds a filter for the rows with, or without, the value of the current cell.
    mutating func filterByCell(isLike: Bool) -> [AppEffect] {
        guard grid.currentRow != nil else { return show(.noCell) }
        return [.filterByCell(isLike: isLike)]
    }

    /// Closes the panel and adds a filter for the rows with, or without, one of these values of a column.
    mutating func filter(_ id: ColumnID, byOneOf values: [String], isNegated: Bool) -> [AppEffect] {
        let schema = schema
        guard schema[id.field] != nil else { return [] }
        guard values.allSatisfy({ $0.utf8.count < 1 << 16 && !$0.unicodeScalars.contains("\u{FFFD}") }) else {
            return show(.cannotFilterByValue(filter: key(.filter)))
        }
        overlay = nil
        return addFilter(Filter.text(id.field, hasOneOf: values, isNegated: isNegated, in: schema))
    }

    mutating func removeFilter() -> [AppEffect] {
        guard !query.requested.allFilters.isEmpty else {
            return show(.noFilter(filter: key(.filter), filterLike: key(.filterLike)))
        }
        return arrange { $0.allFilters.removeLast() }
    }

    mutating func removeAllFilters() -> [AppEffect] {
        query.requested.allFilters.isEmpty ? removeFilter() : arrange { $0.allFilters = [] }
    }

    // MARK: Incoming rows

    /// Shows the rows that match so far, while filters are still being applied. If `continues` is true, these rows start with the visible
    /// rows.
    mutating func showFiltered(_ arrangement: Arrangement, _ rows: RowOrder, _ continues: Bool) -> [AppEffect] {
        // While the query runs again for new rows of the input, keep the old rows until the whole result is known.
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
        if let anchor = sheet.reloadAnchor { return anchor }
        guard arrangement.filters != query.shown.filters else { return nil }
        // The row of an earlier cursor position is still being searched in the shown rows.
        if let anchor = sheet.followedCursor, anchor.placed == grid.cursor { return anchor }
        return CursorAnchor(grid, isInFileOrder: query.shown.isInFileOrder && !grid.rows.isMoved)
    }

    /// Shows rows. Moves the cursor to the row that `anchor` finds in them: the same row, or the nearest later row that remains.
    mutating func show(
        _ arrangement: Arrangement, _ rows: RowOrder, _ tree: SectionTree?, _ continues: Bool, _ anchor: inout CursorAnchor?
    ) {
        if let placed = anchor?.placed, placed != grid.cursor { anchor = nil }
        // After a reload, the job has found the row of the cursor in the sorted rows, and the grid keeps the cursor on this row.
        let isFound = sheet.reloadAnchor != nil && anchor != nil && !arrangement.isInFileOrder
        controller.perform(continues ? .growRows(rows) : .setRows(rows, tree: tree, keeping: keptByQuery))
        if let current = anchor {
            if isFound {
                scrollCursor(toLine: current.line)
            } else if let position = current.position(in: rows, isInFileOrder: arrangement.isInFileOrder) {
                controller.perform(.move(.row(position)))
                scrollCursor(toLine: current.line)
            }
            anchor?.placed = grid.cursor
        }
        if sheet.reloadAnchor != nil { sheet.reloadAnchor = anchor }
    }

    func scrollCursor(toLine line: Int) {
        let top = grid.outline.index(of: grid.cursor.item) - line
        controller.perform(.scroll(items: top - grid.scroll.top, columns: 0))
    }

    /// After a reload, moves the cursor back to its row number and its screen line, if the rows are in file order.
    /// - Parameter count: the number of rows before the newest rows were added. If these rows already filled the screen from the cursor's
    ///   row onwards, the cursor is not moved.
    mutating func restoreCursor(after count: Int) {
        guard var anchor = sheet.reloadAnchor else { return }
        if let placed = anchor.placed, placed != grid.cursor || grid.selectionAnchor != nil { return sheet.reloadAnchor = nil }
        if anchor.record >= count - grid.size.height, let position = anchor.position(in: grid.rows, isInFileOrder: true) {
            controller.perform(.move(.row(position)))
            scrollCursor(toLine: anchor.line)
        }
        anchor.placed = grid.cursor
        sheet.reloadAnchor = document.isComplete && query.isSettled ? nil : anchor
    }

    func filterMessage(_ arrangement: Arrangement) -> Message {
        let (count, filters) = (grid.rows.count, arrangement.filters)
        let total = document.isComplete ? document.recordCount : nil
        let isComplete = document.canBeQueried
        guard count == 0 else {
            return .filtered(count, of: total, isComplete: isComplete, filterCount: filters.count, remove: key(.removeFilter))
        }
        return .noMatches(
            filters.last?.text ?? "", containing: filters.last?.bareText, filterCount: filters.count, isComplete: isComplete,
            remove: key(.removeFilter))
    }
}
