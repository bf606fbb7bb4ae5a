import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Session {
    /// The maximum number of rows in a view that is read completely. In larger views, ``sampleRunCount`` evenly spaced blocks of
    /// ``sampleRunLength`` adjacent rows are read.
    private nonisolated static let exactRowLimit = 100_000
    private nonisolated static let sampleRunCount = 64
    private nonisolated static let sampleRunLength = 256

    /// Starts a job that finds the smallest and largest number of a column in the filtered rows, to list widths of ranges that fit.
    func startFindingRange(of id: ColumnID) {
        guard let field = state.schema[id.field] else { return }
        let (table, engine) = (table, engine)
        let records = state.query.shown.filters.isEmpty ? nil : state.grid.rows.unmoved.records
        let count = records?.count ?? table.recordCount
        startJob(.lookUp, "reading the column", .rows(min(count, Self.exactRowLimit))) { control, outbox in
            var rows = records
            let isSample = count > Self.exactRowLimit
            if isSample {
                let positions = (0..<Self.sampleRunCount).lazy.flatMap { run in
                    let start = (count - Self.sampleRunLength) / (Self.sampleRunCount - 1) * run
                    return start..<start + Self.sampleRunLength
                }
                rows = RowNumbers(positions.map { records?[$0] ?? $0 }, ofRows: table.recordCount)
            }
            let found = try engine.statistics(
                of: [field], in: table, rows: rows, exactLimit: 1 << 10, topCount: 0, details: [], control: control)
            guard let low = found.first.flatMap({ StatisticsFormat.number($0.minimum) }),
                let high = found.first.flatMap({ StatisticsFormat.number($0.maximum) })
            else { return }
            outbox.send(.rangeFound(id, minimum: low, maximum: high, isSample: isSample))
        }
    }
}
