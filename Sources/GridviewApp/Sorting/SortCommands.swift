extension Command {
    static let sorting: [Command] = [
        Command(
            .sort, .sorting, ["s"], "sort",
            "Sorts by this column: lowest first, then highest first, then as in the file; while all sections are closed, sorts these."),
        Command(.sortAscending, .sorting, ["["], "sort up", "Sorts by this column, lowest first."),
        Command(.sortDescending, .sorting, ["]"], "sort down", "Sorts by this column, highest first."),
        Command(
            .sortFurther, .sorting, ["S"], "sort further", "Adds this column as a further sort key; again: turns it, then takes it away."),
    ]
}
