import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Session {
    /// The filters with their column names looked up in the current columns.
    /// - Throws: ``RequestError`` if a filter is not valid for these columns.
    func resolvedFilters(_ filters: [Filter]) throws(RequestError) -> [Filter] {
        let schema = state.schema
        var resolved: [Filter] = []
        for filter in filters {
            do {
                resolved.append(try Filter(filter.formula, in: schema))
            } catch {
                throw RequestError("Filter “\(Message.shortened(filter.text))” no longer works: \(error.message)")
            }
        }
        return resolved
    }

    /// Counts the rows that a typed filter would match, for the prompt. Waits 120 ms for the next key first, so that fast typing starts no
    /// jobs.
    func startCountingRows(matching text: String, replacing editedFilter: Filter?) {
        let schema = state.schema
        var arrangement = Arrangement()
        arrangement.filters = state.query.requested.filters.filter { $0 != editedFilter }
        guard let filter = try? Filter(text, in: schema), let filters = try? resolvedFilters(arrangement.filters + [filter]) else { return }
        arrangement.filters = filters
        let (engine, table, query, known) = (
            engine, document.source.inputSnapshot, state.query(for: arrangement), sheet.filteredRows?.result
        )
        let isCounted = state.document.canBeQueried
        startJob(.preview, "counting rows", .rows(table.recordCount), after: .milliseconds(120)) { control, outbox in
            let found = try engine.rows(of: table, schema: schema, matching: query, earlierFilterResult: known, control: control) { rows in
                outbox.send(.rowsCounted(rows.count, isComplete: false))
            }
            outbox.send(.rowsCounted(found.filterResult?.rows.count ?? found.rows?.count ?? table.recordCount, isComplete: isCounted))
        }
    }

    /// Finds the most frequent values of a field to suggest in the prompt: first in a sample, then in all rows. If a field has too many
    /// distinct values to count, the suggestions from the sample stay.
    func startFindingValues(of id: FieldID) {
        guard let field = state.schema[id] else { return }
        let (engine, table, includesAllRows) = (engine, table, state.document.canBeQueried)
        startJob(.values, "counting values", .rows(table.recordCount)) { control, outbox in
            func send(_ values: FrequencyTable, includesAllRows: Bool) {
                let count = min(values.count, FilterValues.valueLimit)
                outbox.send(.valuesFound(id, (0..<count).map { values.entry($0, byValue: false) }, includesAllRows: includesAllRows))
            }
            if table.recordCount > FilterValues.sampleCount {
                let sample = RowNumbers((0..<FilterValues.sampleCount).map { UInt32($0) })
                send(try engine.frequencies(of: field, in: table, rows: sample, control: control), includesAllRows: false)
            }
            do {
                send(try engine.frequencies(of: field, in: table, rows: nil, control: control), includesAllRows: includesAllRows)
            } catch is TooManyValues {
                // Ignore the error: there are too many distinct values to count. The prompt keeps the candidates from the sample.
            }
        }
    }

    /// Adds a filter for the rows that have the same values as `row` in all of these columns or, if `isNegated`, for the other rows.
    func filterByCells(_ columns: [ColumnID], of row: RowID, isNegated: Bool) {
        let schema = state.schema
        readCells(columns, of: row) { texts in
            let conditions = zip(columns, texts).map { column, text in
                Filter.text(column.field, hasValue: text, isNegated: isNegated && columns.count == 1, in: schema)
            }
            let condition = conditions.joined(separator: " and ")
            return .addFilter(isNegated && columns.count > 1 ? "not (\(condition))" : condition)
        }
    }

    /// Starts a job that reads the whole cell of the current row in a column, then sends the action that `makeAction` creates from its
    /// text. A cell that is too long or not valid UTF-8 gives a message instead.
    func readCell(_ id: ColumnID, _ makeAction: @escaping @Sendable (String) -> AppAction) {
        guard let row = state.grid.currentRow, document.source.record(row) != nil else { return }
        readCells([id], of: row) { makeAction($0[0]) }
    }

    /// Reads the cells of a row in these columns, as ``readCell(_:_:)`` does.
    private func readCells(_ ids: [ColumnID], of row: RowID, _ makeAction: @escaping @Sendable ([String]) -> AppAction) {
        let (schema, table) = (state.schema, table)
        let lastRecord = row.isCountedFromEnd ? document.source.record(row) : nil
        guard ids.allSatisfy({ schema[$0.field] != nil }), !row.isCountedFromEnd || lastRecord != nil else { return }
        let failure = Message.cannotFilterByValue(filterKey: state.key(.filter))
        startJob(.lookUp, "reading the cell", .rows(1)) { _, outbox in
            let limit = 1 << 16
            let columns = ids.map(\.field.rawValue)
            var texts = columns.map { _ in "" }
            func read(_ fields: UnsafeBufferPointer<FieldBytes>) {
                texts = fields.map { String(decoding: $0.bytes.prefix(limit), as: UTF8.self) }
            }
            if let lastRecord {
                try table.scan(lastRecord, columns: columns, read)
            } else {
                try table.read(row.rawValue, columns: columns, read)
            }
            guard texts.allSatisfy({ $0.utf8.count < limit && !$0.unicodeScalars.contains("\u{FFFD}") }) else {
                return outbox.send(.show(failure))
            }
            outbox.send(makeAction(texts))
        }
    }

    // MARK: New rows while filters are active

    /// True if ``filterNewRows()`` has work to do: new rows of a file were not filtered yet, or a server has not run the requested query.
    /// False while a job is doing this work.
    var hasUnfilteredRows: Bool {
        guard !state.document.isComplete, !state.query.isStale, !jobs.isRunning(.arrange) else { return false }
        // A server can run the query before all its rows are counted.
        if state.document.canBeQueriedWhileIncomplete { return !state.query.isSettled }
        let testedRowCount = sheet.filteredRows?.result.testedRowCount ?? 0
        return !state.query.requested.filters.isEmpty && testedRowCount < document.source.snapshot.recordCount
    }

    /// Filters the new rows of a file that is still being read. To limit the work, does nothing until the number of rows has more than
    /// doubled or 250 ms have passed. On a server, starts the requested query.
    func filterNewRows() {
        guard hasUnfilteredRows, (try? resolvedFilters(state.query.requested.filters)) != nil else { return }
        let (seen, now) = (sheet.filteredRows?.result.testedRowCount ?? 0, document.source.snapshot.recordCount)
        guard now - seen > seen || ContinuousClock.now - sheet.lastFilterTime > .milliseconds(250) else { return }
        sheet.lastFilterTime = .now
        let requested = state.query.requested
        perform(.arrange(state.document.canBeQueried ? requested : requested.withoutOrder))
    }
}

extension QueryJob {
    /// True if the visible rows are an earlier result of the same filters, so that the new rows can be added below them.
    @MainActor
    func extendsVisibleRows(of state: AppState) -> Bool {
        guard let previousFilter, previousFilter.result.filters == filters, arrangement.isFilterOnly else { return false }
        guard arrangement == state.query.shown, state.query.previousRows == nil, case .permuted(let shown) = state.grid.rows else {
            return false
        }
        return shown == previousFilter.rows
    }
}
