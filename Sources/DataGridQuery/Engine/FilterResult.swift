public import FieldValues
import Locks
import Tables

/// The records that match some filters, among the first ``testedRowCount`` records of a table.
public struct FilterResult: Sendable {
    /// The filters. A matching record satisfies all of them.
    public let filters: [Filter]
    /// The numbers of the matching records, ascending.
    public let rows: RowNumbers
    /// The number of records that have been tested, from the first record of the table.
    public let testedRowCount: Int

    /// Creates the result of an engine.
    /// - Parameters:
    ///   - filters: the filters that each row of `rows` satisfies.
    ///   - rows: the matching rows, ascending.
    ///   - testedRowCount: the number of rows that were tested, from the first row of the table.
    public init(filters: [Filter], rows: RowNumbers, testedRowCount: Int) {
        (self.filters, self.rows, self.testedRowCount) = (filters, rows, testedRowCount)
    }

    /// The number of records to test for `filters` if this result is reused. It is `recordCount` unless `filters` starts with the filters
    /// of this result. O(filters).
    public func remainingRecordCount(of recordCount: Int, for filters: [Filter]) -> Int {
        guard filters.starts(with: self.filters) else { return recordCount }
        return rows.count + max(0, recordCount - testedRowCount)
    }
}

extension LocalQueryEngine {
    /// The records that match `filters`. If `earlierFilterResult` has the result of some of these filters, only the matches of
    /// `earlierFilterResult`, and the records that `earlierFilterResult` does not cover, are tested.
    func filtered(
        _ table: any Table, _ filters: [Filter], earlierFilterResult: FilterResult?, _ control: JobControl,
        _ report: (@Sendable (RowNumbers) -> Void)?
    ) throws -> FilterResult {
        var matches = RowNumbersBuilder(rowCount: table.recordCount)
        var testedRowCount = 0
        let reporter = report.map { FilterReporter(recordCount: table.recordCount, $0) }
        if let earlierFilterResult, filters.starts(with: earlierFilterResult.filters) {
            testedRowCount = min(earlierFilterResult.testedRowCount, table.recordCount)
            if filters.count == earlierFilterResult.filters.count {
                if testedRowCount == table.recordCount { return earlierFilterResult }
                try Memory.check(byteCount: earlierFilterResult.rows.count * 8)
                matches.append(earlierFilterResult.rows)
                reporter?.begin(with: matches.numbers)
            } else {
                matches.append(
                    try filteredRecords(
                        of: table, by: Array(filters.dropFirst(earlierFilterResult.filters.count)), within: earlierFilterResult.rows,
                        threads: threads,
                        control: control
                    ) { reporter?.add($0) })
            }
        }
        if testedRowCount < table.recordCount {
            let new = try filteredRecords(
                of: table, by: filters, from: testedRowCount, store: store, threads: threads, control: control
            ) { reporter?.add($0) }
            try matches.appendChecked(new)
        }
        return FilterResult(filters: filters, rows: matches.numbers, testedRowCount: table.recordCount)
    }
}

/// Reports matches of a running filter to its owner: the first matches at once, later ones in growing batches at increasing intervals.
private final class FilterReporter: Sendable {
    private struct State {
        var matches: RowNumbersBuilder
        var reportedCount = 0
        var isMemoryShort = false
        var lastReport: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let report: @Sendable (RowNumbers) -> Void

    init(recordCount: Int, _ report: @escaping @Sendable (RowNumbers) -> Void) {
        state = Mutex(State(matches: RowNumbersBuilder(rowCount: recordCount)))
        self.report = report
    }

    func begin(with records: RowNumbers) {
        state.withLock {
            $0.matches.append(records)
            $0.reportedCount = records.count
        }
    }

    /// Adds matches. If enough time has passed since the last report, reports all matches found until now.
    ///
    /// A report copies all matches, so the interval grows with their number. If memory is short, there are no more reports.
    func add(_ records: RowNumbers) {
        let snapshot = state.withLock { state -> RowNumbers? in
            guard !state.isMemoryShort, (try? state.matches.appendChecked(records)) != nil else {
                state.isMemoryShort = true
                state.matches = RowNumbersBuilder(rowCount: 0)
                return nil
            }
            let now = ContinuousClock.now
            let pause = Duration.milliseconds(100 + state.matches.count / 20_000)
            guard state.matches.count > state.reportedCount, state.lastReport.map({ now - $0 > pause }) ?? true else { return nil }
            // The receiver of the report shares the array of matches, so the next append copies the array. If memory does not suffice for
            // the copy, there are no more reports.
            guard (try? Memory.check(byteCount: state.matches.numbers.byteCount * 2)) != nil else { return nil }
            (state.lastReport, state.reportedCount) = (now, state.matches.count)
            return state.matches.numbers
        }
        if let snapshot { report(snapshot) }
    }
}
