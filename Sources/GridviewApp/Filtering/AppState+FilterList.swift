import DataGrid
import DataGridQuery

extension AppState {
    /// Opens a list of all filters, including those that are turned off. Choosing a filter edits it in the prompt.
    mutating func openFilters() -> [AppEffect] {
        let rows = filterRows
        guard !rows.isEmpty else { return show(.noFilter(filterKey: key(.filter), filterByCellKey: key(.filterByCell))) }
        var panel = ListPanel(purpose: .filters, title: "Filters", rows: rows)
        panel.selected = rows.count - 1
        return open(panel)
    }

    private var filterRows: [ListPanel.Row] {
        query.requested.allFilters.enumerated().map { index, shown in
            ListPanel.Row(text: shown.filter.text, detail: shown.isOn ? "on" : "off", tag: index)
        }
    }

    /// Runs a command of the list on the selected filter. The list stays open as long as there are filters.
    fileprivate mutating func run(_ id: CommandID, in panel: ListPanel) -> [AppEffect] {
        guard panel.selected < panel.matches.count else { return [] }
        let index = panel.matches[panel.selected].tag
        let effects = id == .toggleFilter ? toggleFilter(at: index) : removeFilter(at: index)
        guard var panel = overlay as? ListPanel, panel.purpose == .filters else { return effects }
        panel.rows = filterRows
        panel.selected = min(panel.selected, max(0, panel.matches.count - 1))
        overlay = panel.rows.isEmpty ? nil : panel
        return effects
    }
}

extension ListPanel.Purpose {
    /// The list of filters. Choosing one edits it in the prompt.
    static let filters = Self(
        "filters", hint: "edit", context: .filterList, run: { state, panel, id in state.run(id, in: panel) }
    ) { state, _, row in state.editFilter(at: row.tag) }
}
