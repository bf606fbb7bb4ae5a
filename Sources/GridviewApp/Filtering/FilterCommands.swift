extension Command {
    static let filtering: [Command] = [
        Command(
            .filter, .filtering, ["&"], "filter",
            "Shows only the rows that fulfil a condition, such as price > 100 and side = 'BUY'; a single word: rows with it in any cell."),
        Command(.filterLike, .filtering, ["@"], "filter like cell", "Shows only the rows that have the value of this cell in its column."),
        Command(.filterUnlike, .filtering, ["~"], "filter unlike cell", "Leaves out the rows that have the value of this cell."),
        Command(.removeFilter, .filtering, ["\\"], "filter off", "Takes the last filter off."),
        Command(.removeFilters, .filtering, ["|"], "all filters off", "Takes all filters off."),
    ]

    static let filterPrompt: [Command] = [
        Command(.formerFilter, in: .filter, ["Up", "C-p"], "former", "Show the filter that was set before this one."),
        Command(.laterFilter, in: .filter, ["Down", "C-n"], "later", "Show the filter that was set after this one."),
    ]
}
