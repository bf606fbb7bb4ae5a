extension Command {
    static let help: [Command] = [
        Command(.help, .program, ["?", "F1"], "help", "Show all keys.") { state, _ in state.open(Page.help) },
        Command(.about, .program, ["M-g"], "file details", "Show file details and problems found.") { state, _ in
            state.open(Page.about)
        },
    ]
}

extension CommandID {
    static let help = CommandID("help")
    static let about = CommandID("about")
}
