extension Command {
    static let settings: [Command] = [
        Command(
            .keepSettings, .program, [], "save settings", "Save the changed theme, hints and mouse for the next time.",
            also: "keep preferences configuration options"
        ) { state, _ in state.keepSettings() }
    ]
}

extension CommandID {
    static let keepSettings = CommandID("keepSettings")
}
