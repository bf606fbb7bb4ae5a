import DataGrid
import DataGridTerminal

extension Command {
    static let sorting: [Command] = [
        Command(
            .sort, .sorting, like: .sort,
            summary: "Sort by this column: ascending, descending, file order; with all groups collapsed, sort the groups."
        ) { state, count in state.withTargetColumns(count.typedNumber) { $0.sort($1) } },
        Command(.sortAscending, .sorting, ["["], "sort ascending", "Sort by this column, ascending.") { state, count in
            state.withTargetColumns(count.typedNumber) { $0.sort($1.map(\.id), isDescending: false) }
        },
        Command(.sortDescending, .sorting, ["]"], "sort descending", "Sort by this column, descending.") { state, count in
            state.withTargetColumns(count.typedNumber) { $0.sort($1.map(\.id), isDescending: true) }
        },
        Command(
            .addSortKey, .sorting, like: .addSortKey,
            summary: "Add this column as the next sort key; press again to reverse, then to remove it."
        ) { state, count in state.withTargetColumns(count.typedNumber) { $0.addSortKeys($1.map(\.id)) } },
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
