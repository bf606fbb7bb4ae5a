extension Command {
    static let copying: [Command] = [
        Command(.copy, .selecting, ["y"], "copy", "Copy the selection or this cell.") { state, _ in state.copy(withHeader: false) },
        Command(.copyWithHeader, .selecting, ["Y"], "copy with header", "Copy the selection with the column names.") { state, _ in
            state.copy(withHeader: true)
        },
        Command(.copyAs, .selecting, ["zy"], "copy as", "Copy the selection as TSV, CSV, JSON, Markdown, HTML or SQL.") { state, _ in
            state.openCopyList()
        },
    ]
}

extension CommandID {
    static let copy = CommandID("copy")
    static let copyWithHeader = CommandID("copyWithHeader")
    static let copyAs = CommandID("copyAs")
}
