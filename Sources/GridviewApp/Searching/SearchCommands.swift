extension Command {
    static let searching: [Command] = [
        Command(
            .search, .searching, ["/"], "search",
            "Finds text while you type, in cells and titles."),
        Command(.searchNext, .searching, ["n"], "next match", "To the next match."),
        Command(.searchPrevious, .searching, ["N"], "previous match", "To the previous match."),
    ]

    static let searchPrompt: [Command] = [
        Command(.searchScope, in: .search, ["Tab"], "change columns", "Search this column alone; again: all columns."),
        Command(.searchPattern, in: .search, ["C-r"], "regex", "Search by a regular expression; again: by plain text."),
    ]
}
