import DataGrid
import Tables

extension Session {
    /// Works out what a panel shows, once the rows it is about are known.
    func startStatistics(_ subject: StatisticsPanel.Subject) {
        guard state.hasAllRows else { return }
        let work = StatisticsWork(
            engine: engine, table: table, records: state.query.shown.filters.isEmpty ? nil : state.grid.rows.records,
            columns: state.grid.columns.visible)
        startJob(.statistics, "counting", .rows(work.records?.count ?? work.table.recordCount)) { control, outbox in
            outbox.send(.statistics(subject, try work.result(of: subject, control)))
        }
    }
}
