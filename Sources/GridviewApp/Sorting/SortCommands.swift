import DataGrid

extension Command {
    static let sorting: [Command] = [
        Command(
            .sort, .sorting, ["s"], "sort",
            "Sort by this column: ascending, descending, file order; with all groups collapsed, sort the groups."
        ) { state, _ in state.withColumn { $0.sort($1.id) } },
        Command(.sortAscending, .sorting, ["["], "sort ascending", "Sort by this column, ascending.") { state, _ in
            state.withColumn { $0.sort($1.id, isDescending: false) }
        },
        Command(.sortDescending, .sorting, ["]"], "sort descending", "Sort by this column, descending.") { state, _ in
            state.withColumn { $0.sort($1.id, isDescending: true) }
        },
        Command(
            .addSortKey, .sorting, ["S"], "add sort key",
            "Add this column as the next sort key; press again to reverse, then to remove it."
        ) { state, _ in state.withColumn { $0.addSortKey($1.id) } },
    ]
}

extension CommandID {
    static let sort = CommandID("sort")
    static let sortAscending = CommandID("sortAscending")
    static let sortDescending = CommandID("sortDescending")
    static let addSortKey = CommandID("addSortKey")
}

extension Command.Chapter {
    static let sorting = Self("Sorting")
}
