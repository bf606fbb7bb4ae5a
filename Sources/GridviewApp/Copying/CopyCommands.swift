extension Command {
    /// The clipboard.
    static let copying: [Command] = [
        Command(.copy, .selecting, ["y"], "copy", "Copy the selection or this cell."),
        Command(.copyWithHeader, .selecting, ["Y"], "copy with header", "Copy the selection with the column names."),
        Command(.copyAs, .selecting, ["zy"], "copy as", "Copy the selection as TSV, CSV, JSON or Markdown."),
    ]
}
