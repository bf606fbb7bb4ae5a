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

    /// True if statistics of all rows of the view can be computed now. A server can compute them before the view is sorted and grouped, and
    /// before its rows are counted.
    var hasAllRows: Bool {
        if document.canBeQueriedWhileIncomplete { return query.shown.filters == query.requested.filters }
        return document.isComplete && query.isSettled
    }

    /// Starts the statistics of the open panel if they have waited for all rows, and all rows are known now. Otherwise, returns no effects.
    func startAwaitedStatistics() -> [AppEffect] {
        guard let panel = overlay as? StatisticsPanel, panel.result == nil || panel.wantsExact, hasAllRows else { return [] }
        return [.awaitedStatistics(panel.subject, isExact: panel.wantsExact)]
    }

    mutating func applyResult(_ result: StatisticsPanel.Result, of subject: StatisticsPanel.Subject) {
        guard var panel = overlay as? StatisticsPanel, panel.subject == subject else { return }
        // The exact result may list other values, or in another order, so the index of the selected item would mean another item.
        if panel.isEstimate { panel.item = nil }
        panel.result = result
        if case .summary = result { panel.repeatedTitles = repeatedTitles }
        if !panel.isEstimate { panel.wantsExact = false }
        overlay = panel
    }
}
