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

    /// Parses the text of a filter, and adds the text to the history of the prompt. If the text is invalid, shows a message and returns
    /// `nil`.
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

    /// Replaces a filter by the filter in `text`, and turns it on. If the text is empty, removes the filter.
    mutating func replaceFilter(_ old: Filter, with text: String) -> [AppEffect] {
        guard let index = query.requested.allFilters.firstIndex(where: { $0.filter == old }) else {
            return text.allSatisfy({ $0 == " " }) ? [] : addFilter(text)
        }
        if text.allSatisfy({ $0 == " " }) { return removeFilter(at: index) }
        guard let filter = typedFilter(text) else { return [] }
        return arrange { arrangement in
            var all = arrangement.allFilters
            all[index] = ShownFilter(filter: filter, isOn: true)
            // Another filter in the list may be equal to the new one. Remove that filter, so that the list has no duplicates.
            arrangement.allFilters = all.indices.filter { $0 == index || all[$0].filter.formula != filter.formula }.map { all[$0] }
        }
    }

    /// Opens the prompt to edit a filter. `index` counts all filters, including those that are turned off.
    mutating func editFilter(at index: Int) -> [AppEffect] {
        guard query.requested.allFilters.indices.contains(index) else { return [] }
        var prompt = FormulaPrompt(editing: query.requested.allFilters[index].filter)
        prompt.hint = FormulaHint.hints(aboutFilter: prompt.field.string, in: schema).first
        return open(prompt)
    }

    /// Opens the prompt for a new filter with this text. If the row view is open, closing the prompt returns to it.
    mutating func editFilter(_ text: String) -> [AppEffect] {
        var prompt = FormulaPrompt()
        prompt.rowView = overlay as? RowView
        return prompt.edit({ $0 = LineEditor(text) }, in: &self)
    }

    /// Turns a filter off, or on if it is off. `index` counts all filters.
    mutating func toggleFilter(at index: Int) -> [AppEffect] {
        guard query.requested.allFilters.indices.contains(index) else { return [] }
        return arrange { $0.allFilters[index].isOn.toggle() }
    }

    mutating func removeFilter(at index: Int) -> [AppEffect] {
        guard query.requested.allFilters.indices.contains(index) else { return [] }
        return arrange { $0.allFilters.remove(at: index) }
    }

    /// Adds a filter for the rows that have the value of the current row in a column or, if `isNegated`, for the other rows. On the header
    /// of a group, adds a filter for the rows of the group, or for the other rows.
    mutating func filterByCell(in column: Column?, isNegated: Bool) -> [AppEffect] {
        if case .header(let section) = grid.cursor.item { return filterByGroup(section, isNegated: isNegated) }
        guard let row = grid.currentRow, let column else { return show(.noCell) }
        return [.filterByCells([column.id], of: row, isNegated: isNegated)]
    }

    private mutating func filterByGroup(_ section: Int, isNegated: Bool) -> [AppEffect] {
        guard let tree = grid.outline.tree, !tree.columns.isEmpty, let firstRow = tree.rows(of: section).first else { return show(.noCell) }
        let columns = tree.columns.prefix(tree.level(of: section) + 1)
        guard columns.allSatisfy({ query.shown.groupIntervals[$0] == nil }) else {
            return show(.cannotFilterByInterval(filterKey: key(.filter)))
        }
        return [.filterByCells(Array(columns), of: grid.rows[firstRow], isNegated: isNegated)]
    }

    /// Closes the panel, and adds a filter for the rows that have one of these values in a column or, if `isNegated`, for the other rows.
    mutating func filter(_ id: ColumnID, byOneOf values: [String], isNegated: Bool) -> [AppEffect] {
        let schema = schema
        guard schema[id.field] != nil else { return [] }
        guard values.allSatisfy({ $0.utf8.count < 1 << 16 && !$0.unicodeScalars.contains("\u{FFFD}") }) else {
            return show(.cannotFilterByValue(filterKey: key(.filter)))
        }
        overlay = nil
        return addFilter(Filter.text(id.field, hasOneOf: values, isNegated: isNegated, in: schema))
    }

    mutating func removeFilter() -> [AppEffect] {
        guard !query.requested.allFilters.isEmpty else {
            return show(.noFilter(filterKey: key(.filter), filterByCellKey: key(.filterByCell)))
        }
        return arrange { $0.allFilters.removeLast() }
    }

    mutating func removeAllFilters() -> [AppEffect] {
        query.requested.allFilters.isEmpty ? removeFilter() : arrange { $0.allFilters = [] }
    }

    // MARK: Incoming rows

    /// Shows the matching rows that a running filter job has found until now. If `extendsVisibleRows` is true, `rows` begins with the
    /// visible rows, and the grid only adds the rest.
    mutating func showFiltered(_ arrangement: Arrangement, _ rows: RowOrder, extendsVisibleRows: Bool) -> [AppEffect] {
        // A query that runs again for new rows of the input first returns rows that are already visible. Keep the visible rows until the
        // whole result is known.
        guard query.awaits(arrangement), !query.isStale else { return [] }
        var (anchor, previous) = (anchor(for: arrangement), query.previousRows ?? (extendsVisibleRows ? nil : PreviousRows(self)))
        show(arrangement, rows, nil, extendsVisibleRows, &anchor)
        previous?.anchor = anchor
        if let previous { query.receive(arrangement, previous: previous) }
        updateSortBadges()
        return [.cancel(.find)]
    }

    /// The anchor that keeps the cursor on its row when the rows of an arrangement are shown. `nil` if the filters have not changed, or if
    /// the user has moved the cursor since the first of these rows were shown.
    func anchor(for arrangement: Arrangement) -> CursorAnchor? {
        if let previous = query.previousRows { return previous.anchor }
        if let anchor = sheet.reloadAnchor { return anchor }
        guard arrangement.filters != query.shown.filters else { return nil }
        // A job is still searching for the original row of the cursor, which is not among the shown rows. Keep this row as the anchor.
        if let anchor = sheet.followedCursor, anchor.placedCursor == grid.cursor { return anchor }
        return CursorAnchor(grid, isInFileOrder: query.shown.isInFileOrder && !grid.rows.isMoved)
    }

    /// Shows the rows of a query. Moves the cursor to the row that `anchor` finds in them: the same row, or the nearest later row that
    /// remains.
    mutating func show(
        _ arrangement: Arrangement, _ rows: RowOrder, _ tree: SectionTree?, _ extendsVisibleRows: Bool, _ anchor: inout CursorAnchor?
    ) {
        if let placedCursor = anchor?.placedCursor, placedCursor != grid.cursor { anchor = nil }
        // After a reload, the job has found the row of the cursor in the sorted rows, and the grid keeps the cursor on this row. Only the
        // screen line of the cursor must be restored.
        let isFound = sheet.reloadAnchor != nil && anchor != nil && !arrangement.isInFileOrder
        controller.perform(extendsVisibleRows ? .growRows(rows) : .setRows(rows, tree: tree, keeping: stateToKeepForQuery))
        if let current = anchor {
            if isFound {
                scrollCursor(toLine: current.screenLine)
            } else if let position = current.position(in: rows, isInFileOrder: arrangement.isInFileOrder) {
                controller.perform(.move(.row(position)))
                scrollCursor(toLine: current.screenLine)
            }
            anchor?.placedCursor = grid.cursor
        }
        if sheet.reloadAnchor != nil { sheet.reloadAnchor = anchor }
    }

    func scrollCursor(toLine line: Int) {
        let top = grid.outline.index(of: grid.cursor.item) - line
        controller.perform(.scroll(items: top - grid.scroll.top, columns: 0))
    }

    /// Moves the cursor back to its row number and its line on the screen, after the file was reloaded. Requires rows in file order.
    /// - Parameter count: the row count before the newest rows were read. If the row of the cursor is more than a screen height before this
    ///   count, the cursor is already at its row and is not moved.
    mutating func restoreCursor(after count: Int) {
        guard var anchor = sheet.reloadAnchor else { return }
        if let placedCursor = anchor.placedCursor, placedCursor != grid.cursor || grid.selectionAnchor != nil {
            return sheet.reloadAnchor = nil
        }
        if anchor.record >= count - grid.size.height, let position = anchor.position(in: grid.rows, isInFileOrder: true) {
            controller.perform(.move(.row(position)))
            scrollCursor(toLine: anchor.screenLine)
        }
        anchor.placedCursor = grid.cursor
        sheet.reloadAnchor = document.isComplete && query.isSettled ? nil : anchor
    }

    func filterMessage(_ arrangement: Arrangement) -> Message {
        let (count, filters) = (grid.rows.count, arrangement.filters)
        let total = document.isComplete ? document.recordCount : nil
        let isComplete = document.canBeQueried
        guard count == 0 else {
            return .filtered(count, of: total, isComplete: isComplete, filterCount: filters.count, removeKey: key(.removeFilter))
        }
        return .noMatches(
            filters.last?.text ?? "", containing: filters.last?.bareText, filterCount: filters.count, isComplete: isComplete,
            removeKey: key(.removeFilter))
    }
}
