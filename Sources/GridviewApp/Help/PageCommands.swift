extension Command {
    static let pages: [Command] = [
        Command(.top, in: .page, ["C-Home"], "beginning", "Go to the beginning."),
        Command(.bottom, in: .page, ["C-End"], "end", "Go to the end."),
        Command(.close, in: .page, ["Escape", "q", "?", "F1", "Enter", "C-c", "C-q"], "back", "Close the page."),
    ]
}
