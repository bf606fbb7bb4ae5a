extension Command {
    static let sorting: [Command] = [
        Command(
            .sort, .sorting, ["s"], "sort",
            "Sort by this column: ascending, descending, file order; with all groups collapsed, sort the groups."),
        Command(.sortAscending, .sorting, ["["], "sort ascending", "Sort by this column, ascending."),
        Command(.sortDescending, .sorting, ["]"], "sort descending", "Sort by this column, descending."),
        Command(
            .addSortKey, .sorting, ["S"], "add sort key",
            "Add this column as the next sort key; press again to reverse, then to remove it."),
    ]
}
