extension Command {
    static let copying: [Command] = [
        Command(
            .copy, .selecting, ["y"], "copy", "Copy the selection or this cell; 3y copies three cells of the row.", also: "yank clipboard"
        ) { state, count in
            state.copy(withHeader: false, count: count.typedNumber)
        },
        Command(.copyWithHeader, .selecting, ["Y"], "copy with header", "Copy the selection with the column names.") { state, count in
            state.copy(withHeader: true, count: count.typedNumber)
        },
        Command(
            .copyAs, .selecting, ["zy"], "copy as", "Copy the selection as TSV, CSV, JSON, Markdown, HTML or SQL.",
            also: "yank clipboard markdown json html sql"
        ) { state, _ in
            state.openCopyList()
        },
    ]
}

extension CommandID {
    static let copy = CommandID("copy")
    static let copyWithHeader = CommandID("copyWithHeader")
    static let copyAs = CommandID("copyAs")
}
