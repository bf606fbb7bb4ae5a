import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Session {
    /// The filters, bound to the columns as they are now.
    /// - Throws: ``RequestError`` when one does not fit them any more.
    func bound(_ filters: [Filter]) throws(RequestError) -> [Filter] {
        let schema = state.schema
        var bound: [Filter] = []
        for filter in filters {
            do {
                bound.append(try Filter(filter.formula, in: schema))
            } catch {
                throw RequestError("Filter \(filter.text) no longer works: \(error.message)")
            }
        }
        return bound
    }

    func filterByCell(isLike: Bool) {
        guard let row = state.grid.currentRow, let id = state.grid.currentColumn?.id else { return }
        let (schema, table) = (state.schema, table)
        guard schema[id.field] != nil, let record = document.source.record(row) else { return }
        let failure = Message.cannotFilterByValue(filter: state.key(.filter))
        startJob(.lookUp, "reading the cell", .rows(1)) { _, outbox in
            let limit = 1 << 16
            var text = ""
            func read(_ fields: UnsafeBufferPointer<FieldBytes>) { text = String(decoding: fields[0].bytes.prefix(limit), as: UTF8.self) }
            if row.isCountedFromEnd {
                try table.scan(record, columns: [id.field.rawValue], read)
            } else {
                try table.read(row.rawValue, columns: [id.field.rawValue], read)
            }
            guard text.utf8.count < limit, !text.unicodeScalars.contains("\u{FFFD}") else {
                return outbox.send(.say(failure))
            }
            outbox.send(.addFilter(Filter.text(id.field, hasValue: text, isNegated: !isLike, in: schema)))
        }
    }

    // MARK: Rows that come while filters are on

    /// Whether there are rows that the filters have not seen, and nothing looks at them.
    var isFollowing: Bool {
        guard !state.query.wanted.filters.isEmpty, !state.document.isComplete, state.sheet.rowsBeforeGrowth == nil,
            !jobs.isRunning(.arrange)
        else { return false }
        return (sheet.filtered?.result.scanned ?? 0) < document.source.snapshot.recordCount
    }

    /// Gives the filters what has come: often at first, and then in pieces that are worth their while.
    func follow() {
        guard isFollowing, (try? bound(state.query.wanted.filters)) != nil else { return }
        let (seen, now) = (sheet.filtered?.result.scanned ?? 0, document.source.snapshot.recordCount)
        guard now - seen > seen || ContinuousClock.now - sheet.lastFollowed > .milliseconds(250) else { return }
        sheet.lastFollowed = .now
        perform(.arrange(state.query.wanted.unordered))
    }
}

extension ArrangeWork {
    /// Whether the rows that are shown are what the same filters have left so far, so that others are added to them.
    @MainActor
    func continues(_ state: AppState) -> Bool {
        guard let known, known.result.filters == filters, arrangement.isFilterOnly else { return false }
        guard arrangement == state.query.shown, state.query.former == nil, case .permuted(let shown) = state.grid.rows else { return false }
        return shown == known.rows
    }
}
