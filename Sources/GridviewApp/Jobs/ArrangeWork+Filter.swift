import DataGrid
import DataGridQuery
import Synchronization

/// What filters have left of the records they have seen.
struct FilterResult: Sendable {
    let filters: [Filter]
    /// The records that are left, ascending.
    let rows: RowPermutation
    /// The records that were looked at: all before this one.
    let scanned: Int
}

extension ArrangeWork {
    /// The records that are left: of those that were looked at before, only what was left then; and of those that have come since.
    func filtered(_ control: JobControl, _ report: (@Sendable (RowPermutation) -> Void)?) throws -> FilterResult {
        var left: [UInt32] = []
        var scanned = 0
        let reports = arrangement.isFilterOnly ? report.map { Reports($0) } : nil
        if let known, filters.starts(with: known.filters) {
            scanned = min(known.scanned, table.recordCount)
            if filters.count == known.filters.count {
                if scanned == table.recordCount { return known }
                left = known.rows.records
                reports?.begin(with: left)
            } else {
                left = try filteredRecords(
                    of: table, by: Array(filters.dropFirst(known.filters.count)), within: known.rows.records, threads: threads,
                    control: control
                ) { reports?.add($0) }
            }
        }
        if scanned < table.recordCount {
            left += try filteredRecords(
                of: table, by: filters, from: scanned, store: store, threads: threads, control: control
            ) { reports?.add($0) }
        }
        return FilterResult(filters: filters, rows: RowPermutation(left), scanned: table.recordCount)
    }

    /// Tells of what is found: the first rows at once, then as they become many more, and not often.
    private final class Reports: Sendable {
        private struct State {
            var found: [UInt32] = []
            var told = 0
            var last: ContinuousClock.Instant?
        }

        private let state = Mutex(State())
        private let report: @Sendable (RowPermutation) -> Void

        init(_ report: @escaping @Sendable (RowPermutation) -> Void) { self.report = report }

        func begin(with records: [UInt32]) { state.withLock { ($0.found, $0.told) = (records, records.count) } }

        /// Each report copies what was found, so the time between them grows with it.
        func add(_ records: [UInt32]) {
            let snapshot = state.withLock { state -> RowPermutation? in
                state.found += records
                let now = ContinuousClock.now
                let pause = Duration.milliseconds(100 + state.found.count / 20_000)
                guard state.found.count > state.told, state.last.map({ now - $0 > pause }) ?? true else { return nil }
                (state.last, state.told) = (now, state.found.count)
                return RowPermutation(state.found)
            }
            if let snapshot { report(snapshot) }
        }
    }
}
