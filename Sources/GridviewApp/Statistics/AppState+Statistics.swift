import DataGrid
import DataGridQuery

extension AppState {
    mutating func openStatistics(_ subject: StatisticsPanel.Subject, from previous: StatisticsPanel? = nil) -> [AppEffect] {
        guard !grid.columns.visible.isEmpty else { return show(.noColumns) }
        var panel = StatisticsPanel(subject)
        panel.previous = previous.map { [$0] } ?? []
        overlay = panel
        return [.statistics(subject, isExact: false)]
    }

    /// True if statistics of all rows of the view can be computed. A server does not need the sort and the groups of the view, nor its
    /// number of rows.
    var hasAllRows: Bool {
        if document.canBeQueriedWhileIncomplete { return query.shown.filters == query.requested.filters }
        return document.isComplete && query.isSettled
    }

    /// The statistics that wait for all rows, if these are known now.
    func awaitedStatistics() -> [AppEffect] {
        guard let panel = overlay as? StatisticsPanel, panel.result == nil || panel.wantsExact, hasAllRows else { return [] }
        return [.awaitedStatistics(panel.subject, isExact: panel.wantsExact)]
    }

    mutating func applyResult(_ result: StatisticsPanel.Result, of subject: StatisticsPanel.Subject) {
        guard var panel = overlay as? StatisticsPanel, panel.subject == subject else { return }
        // The values of an estimate may have another order.
        if panel.isEstimate { panel.item = nil }
        panel.result = result
        if !panel.isEstimate { panel.wantsExact = false }
        overlay = panel
    }
}
