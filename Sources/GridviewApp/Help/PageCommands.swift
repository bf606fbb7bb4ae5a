extension Command {
    /// Pages of text: all keys, what is known of the file.
    static let pages: [Command] = [
        Command(.top, in: .page, ["C-Home"], "top", "Go to the top."),
        Command(.bottom, in: .page, ["C-End"], "end", "Go to the end."),
        Command(.close, in: .page, ["Escape", "q", "?", "F1", "Enter", "C-c", "C-q"], "back", "Close the page."),
    ]
}
