import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

/// Working out the numbers of columns, about the rows in the view.
struct StatisticsWork: Sendable {
    let engine: any QueryEngine
    let table: any Table
    /// The records in the view; `nil` for all.
    let records: RowNumbers?
    let columns: [Column]

    /// - Throws: ``JobCancelled``, or what reading the table threw.
    func result(of subject: StatisticsPanel.Subject, _ control: JobControl) throws -> StatisticsPanel.Result {
        switch subject {
        case .column(let id):
            // One column may have more of its values counted than each of many.
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
            return .summary(try summary(columns.count <= Self.mostHistograms ? .histogram : [], topCount: 0, control))
        }
    }

    /// Up to how many columns of a summary have histograms: of a million, these would take 300 MB.
    static let mostHistograms = 100_000

    /// Every column that is not hidden, in the order of the view.
    func summary(_ details: ColumnStatistics.Details, topCount: Int, _ control: JobControl) throws -> [ColumnStatistics] {
        try engine.statistics(
            of: columns.filter { !$0.isHidden }.map(field), in: table, rows: records, exactLimit: 1 << 16, topCount: topCount,
            details: details, control: control)
    }

    private func field(_ id: ColumnID) -> Field {
        columns.first { $0.id == id }.map(field) ?? Field(id.field, name: "", kind: .text)
    }

    private func field(_ column: Column) -> Field {
        Field(column.field, name: column.title, kind: column.kind, notation: column.notation)
    }
}

extension Session {
    /// Works out what a panel shows, once the rows it is about are known.
    func startStatistics(_ subject: StatisticsPanel.Subject) {
        guard state.hasAllRows else { return }
        let work = StatisticsWork(
            engine: engine, table: table, records: state.query.shown.filters.isEmpty ? nil : state.grid.rows.records,
            columns: state.grid.columns.visible)
        startJob(.statistics, "computing statistics", .rows(work.records?.count ?? work.table.recordCount)) { control, outbox in
            outbox.send(.statistics(subject, try work.result(of: subject, control)))
        }
    }
}
