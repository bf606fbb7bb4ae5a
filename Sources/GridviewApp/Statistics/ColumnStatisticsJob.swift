import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

/// A job that computes column statistics of the rows in the view.
struct ColumnStatisticsJob: Sendable {
    let engine: any QueryEngine
    let table: any Table
    /// The numbers of the records in the view; `nil` for all records.
    let records: RowNumbers?
    let columns: [Column]

    /// Computes the content of a panel.
    ///
    /// - Throws: `JobCancelled`, and errors of the table.
    func result(of subject: StatisticsPanel.Subject, _ control: JobControl) throws -> StatisticsPanel.Result {
        switch subject {
        case .column(let id):
            // For a single column, more distinct values can be counted exactly, because only one column needs memory.
            return .column(
                try engine.statistics(
                    of: [field(id)], in: table, rows: records, exactLimit: 1 << 20, topCount: 20, details: [.quantiles, .histogram],
                    control: control)[0])
        case .frequencies(let id):
            do {
                return .frequencies(try engine.frequencies(of: field(id), in: table, rows: records, control: control))
            } catch let error as TooManyValues {
                return .tooMany(error.estimate)
            }
        case .summary:
            return .summary(try summary(columns.count <= Self.maximumHistograms ? .histogram : [], topCount: 0, control))
        }
    }

    /// An estimate of the statistics of one column, if the view has no filters. `nil` if there is no estimate.
    func estimate(of subject: StatisticsPanel.Subject, _ control: JobControl) throws -> StatisticsPanel.Result? {
        guard case .column(let id) = subject, records == nil else { return nil }
        return try engine.estimatedStatistics(of: field(id), in: table, control: control).map { .column($0) }
    }

    /// The maximum number of columns for which a summary has histograms. For a million columns, histograms would take 300 MB.
    static let maximumHistograms = 100_000

    /// The statistics of all visible columns, in display order.
    func summary(_ details: ColumnStatistics.Details, topCount: Int, _ control: JobControl) throws -> [ColumnStatistics] {
        try engine.statistics(
            of: columns.filter { !$0.isHidden }.map(field), in: table, rows: records, exactLimit: 1 << 16, topCount: topCount,
            details: details, control: control)
    }

    private func field(_ id: ColumnID) -> Field {
        columns.first { $0.id == id }.map(field) ?? Field(id.field, name: "", kind: .text)
    }

    private func field(_ column: Column) -> Field {
        Field(column.field, name: column.title, kind: column.kind, notation: column.notation, dateNotation: column.dateNotation)
    }
}

extension Session {
    /// Starts a job that computes the content of a panel. If `isExact` is false, an estimate is enough. The exact content needs all rows.
    func startStatistics(_ subject: StatisticsPanel.Subject, isExact: Bool) {
        let hasAllRows = state.hasAllRows
        let mayEstimate = !isExact && state.query.requested.filters.isEmpty && (hasAllRows || state.document.canBeQueried)
        guard hasAllRows || mayEstimate else { return }
        let job = ColumnStatisticsJob(
            engine: engine, table: table, records: state.query.shown.filters.isEmpty ? nil : state.allRows.unmoved.records,
            columns: state.grid.columns.visible)
        startJob(.statistics, "computing statistics", .rows(state.isOpenEnded ? 0 : job.records?.count ?? job.table.recordCount)) {
            control, outbox in
            if mayEstimate, let estimate = try job.estimate(of: subject, control) {
                outbox.send(.statistics(subject, estimate))
            } else if hasAllRows {
                outbox.send(.statistics(subject, try job.result(of: subject, control)))
            }
        }
    }
}
