import DataGrid

extension Command {
    static let filtering: [Command] = [
        Command(
            .filter, .filtering, ["&"], "filter",
            "Show only rows that match a condition: price > 100 and side = 'BUY'. A single word searches every cell.",
            also: "where query select regex regexp regular expression pattern match"
        ) { state, _ in state.open(FormulaPrompt()) },
        Command(
            .filterByCell, .filtering, ["@", ","], "filter by cell",
            "Show only rows with this value in this column; on a group, show only the group."
        ) { state, _ in state.filterByCell(in: state.grid.currentColumn, isNegated: false) },
        Command(
            .filterExcludingCell, .filtering, ["~"], "exclude cell", "Hide rows with this value in this column; on a group, hide the group."
        ) { state, _ in state.filterByCell(in: state.grid.currentColumn, isNegated: true) },
        Command(.removeFilter, .filtering, ["\\"], "remove filter", "Remove the last filter.") { state, _ in state.removeFilter() },
        Command(.removeFilters, .filtering, ["|"], "remove all filters", "Remove all filters.") { state, _ in state.removeAllFilters() },
        Command(
            .filters, .filtering, ["M-&"], "filters", "List the filters, to edit, turn off or remove one.",
            also: "conditions disable enable edit"
        ) { state, _ in state.openFilters() },
    ]

    static let filterPrompt: [Command] = [
        Command(.previousFilter, in: .filter, ["Up", "C-p"], "previous filter", "Show the previous filter of this session."),
        Command(.nextFilter, in: .filter, ["Down", "C-n"], "next filter", "Show the next filter of this session."),
        Command(.nextCompletion, in: .filter, ["Tab"], "complete", "Complete the column name or value; press again for the next one."),
        Command(.previousCompletion, in: .filter, ["S-Tab"], "previous completion", "Complete with the previous column name or value."),
    ]

    static let filterList: [Command] = [
        Command(.toggleFilter, in: .filterList, ["C-o"], "turn off or on", "Turn the filter off, or on again."),
        Command(.removeFilter, in: .filterList, ["C-x", "Delete"], "remove", "Remove the filter."),
    ]
}

extension CommandID {
    static let filter = CommandID("filter")
    static let filterByCell = CommandID("filterLikeCell")
    static let filterExcludingCell = CommandID("filterUnlikeCell")
    static let removeFilter = CommandID("removeFilter")
    static let removeFilters = CommandID("removeAllFilters")
    static let previousFilter = CommandID("previousFilter")
    static let nextFilter = CommandID("nextFilter")
    static let filters = CommandID("filters")
    static let toggleFilter = CommandID("toggleFilter")
    static let nextCompletion = CommandID("complete")
    static let previousCompletion = CommandID("completeBack")
}

extension Command.Chapter {
    static let filtering = Self("Filtering")
}

extension KeyContext {
    static let filter = Self("filter-prompt", title: "Filter prompt")
    static let filterList = Self("filter-list", title: "List of filters")
}
