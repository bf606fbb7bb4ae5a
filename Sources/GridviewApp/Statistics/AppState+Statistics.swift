import DataGrid
import DataGridQuery
import DataGridSources
import Tables

extension AppState {
    mutating func openStatistics(_ subject: StatisticsPanel.Subject, from previous: StatisticsPanel? = nil) -> [AppEffect] {
        guard !grid.columns.visible.isEmpty else { return say(.noColumns) }
        var panel = StatisticsPanel(subject)
        panel.previous = previous.map { [$0] } ?? []
        layer = .statistics(panel)
        return [.statistics(subject)]
    }

    /// True if all rows of the view are known, so that statistics can be computed.
    var hasAllRows: Bool { document.isComplete && query.isSettled }

    /// The statistics that were waiting for all rows.
    func awaitedStatistics() -> [AppEffect] {
        guard case .statistics(let panel) = layer, panel.result == nil, hasAllRows else { return [] }
        return [.statistics(panel.subject)]
    }

    mutating func applyResult(_ result: StatisticsPanel.Result, of subject: StatisticsPanel.Subject) {
        guard case .statistics(var panel) = layer, panel.subject == subject else { return }
        panel.result = result
        layer = .statistics(panel)
    }

    // MARK: Commands

    mutating func runInStatistics(_ id: CommandID, _ panel: StatisticsPanel) -> [AppEffect] {
        switch id {
        case .close:
            layer = panel.previous.first.map { .statistics($0) }
            return panel.result == nil ? [.cancel(.statistics)] : []
        case .sort:
            guard case .frequencies = panel.result else { break }
            var panel = panel
            panel.isByValue.toggle()
            panel.selected = 0
            layer = .statistics(panel)
        case .frequencies:
            if case .column(let id) = panel.subject, panel.result != nil { return openStatistics(.frequencies(id), from: panel) }
        case .accept: return choose(in: panel)
        default: if let lines = id.scrolledLines(ofPage: PanelFrame(pageIn: size).pageHeight) { move(panel, by: lines) }
        }
        return []
    }

    mutating func move(_ panel: StatisticsPanel, by lines: Int) {
        var panel = panel
        if panel.choices > 0 {
            panel.selected = min(max(0, panel.selected + lines), panel.choices - 1)
        } else {
            let all = StatisticsText(self, panel).lines.count
            panel.scroll = min(max(0, panel.scroll + lines), max(0, all - PanelFrame(pageIn: size).pageHeight))
        }
        layer = .statistics(panel)
    }

    /// Filters by the selected value, or opens the selected column.
    mutating func choose(in panel: StatisticsPanel) -> [AppEffect] {
        guard panel.selected < panel.choices else { return [] }
        switch (panel.subject, panel.result) {
        case (.frequencies(let id), .frequencies(let table)):
            let value = table.entry(panel.selected, byValue: panel.isByValue).value
            let field = id.field
            guard schema[field] != nil else { return [] }
            guard value.utf8.count < 1 << 16, !value.unicodeScalars.contains("\u{FFFD}") else {
                return say(.cannotFilterByValue(filter: key(.filter)))
            }
            layer = nil
            return addFilter(Filter.text(field, hasValue: value, isNegated: false, in: schema))
        case (.summary, .summary(let all)):
            return openStatistics(.column(ColumnID(all[panel.selected].column)), from: panel)
        default: return []
        }
    }
}
