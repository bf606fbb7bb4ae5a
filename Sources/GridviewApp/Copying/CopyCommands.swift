extension Command {
    static let copying: [Command] = [
        Command(.copy, .selecting, ["y"], "copy", "Copies the selection, or the cell, to the clipboard."),
        Command(.copyWithHeader, .selecting, ["Y"], "copy with titles", "Copies the selection with the titles of its columns."),
        Command(.copyAs, .selecting, ["zy"], "copy as", "Copies the selection, or the cell, as TSV, CSV, JSON or Markdown."),
    ]
}
