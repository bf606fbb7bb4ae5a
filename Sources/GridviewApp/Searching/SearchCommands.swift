import DataGrid

extension Command {
    static let searching: [Command] = [
        Command(
            .search, .searching, ["/"], "search", "Search cells and column names as you type.",
            also: "find grep regex regexp regular expression pattern"
        ) { state, _ in
            state.open(SearchPrompt(in: state.grid))
        },
        Command(.searchCell, .searching, ["*"], "search for cell", "Search for the value of this cell.") { state, _ in
            guard state.grid.currentRow != nil, let column = state.grid.currentColumn else { return state.show(.noCell) }
            return [.searchForCell(column.id)]
        },
        Command(.searchNext, .searching, ["n"], "next match", "Go to the next match.") { state, _ in state.searchAgain(isForward: true) },
        Command(.searchPrevious, .searching, ["N"], "previous match", "Go to the previous match.") { state, _ in
            state.searchAgain(isForward: false)
        },
    ]

    static let searchPrompt: [Command] = [
        Command(.previousSearch, in: .search, ["Up", "C-p"], "previous search", "Show the previous text that you searched for."),
        Command(.nextSearch, in: .search, ["Down", "C-n"], "next search", "Show the next text that you searched for."),
        Command(.searchScope, in: .search, ["Tab"], "this column", "Search this column only; press again for all columns."),
        Command(.searchPattern, in: .search, ["C-r"], "regex", "Search for a regular expression; press again for text."),
    ]
}

extension CommandID {
    static let search = CommandID("search")
    static let searchCell = CommandID("searchCell")
    static let searchNext = CommandID("searchNext")
    static let searchPrevious = CommandID("searchPrevious")
    static let previousSearch = CommandID("previousSearch")
    static let nextSearch = CommandID("nextSearch")
    static let searchScope = CommandID("searchScope")
    static let searchPattern = CommandID("searchPattern")
}

extension Command.Chapter {
    static let searching = Self("Searching")
}

extension KeyContext {
    static let search = Self("search-prompt", title: "Search prompt")
}
