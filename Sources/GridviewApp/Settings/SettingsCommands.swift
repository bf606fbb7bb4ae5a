extension Command {
    static let settings: [Command] = [
        Command(
            .keepSettings, .program, [], "keep settings", "Keep the changed theme, hints and mouse for the next time.",
            also: "save preferences configuration options"
        ) { state, _ in state.keepSettings() }
    ]
}

extension CommandID {
    static let keepSettings = CommandID("keepSettings")
}
