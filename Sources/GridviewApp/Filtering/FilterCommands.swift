extension Command {
    static let filtering: [Command] = [
        Command(
            .filter, .filtering, ["&"], "filter",
            "Show only rows that match a condition: price > 100 and side = 'BUY'. A single word searches every cell."),
        Command(.filterLike, .filtering, ["@"], "filter by cell", "Show only rows with this value in this column."),
        Command(.filterExcludingCell, .filtering, ["~"], "exclude cell", "Hide rows with this value in this column."),
        Command(.removeFilter, .filtering, ["\\"], "remove filter", "Remove the last filter."),
        Command(.removeFilters, .filtering, ["|"], "remove all filters", "Remove all filters."),
    ]

    static let filterPrompt: [Command] = [
        Command(.previousFilter, in: .filter, ["Up", "C-p"], "previous filter", "Show the previous filter of this session."),
        Command(.nextFilter, in: .filter, ["Down", "C-n"], "next filter", "Show the next filter of this session."),
    ]
}
