extension Command {
    static let settings: [Command] = [
        Command(
            .saveSettings, .program, [], "save settings", "Save the current theme, hints and mouse settings for the next start.",
            also: "keep preferences configuration options"
        ) { state, _ in state.saveSettings() }
    ]
}

extension CommandID {
    static let saveSettings = CommandID("saveSettings")
}
