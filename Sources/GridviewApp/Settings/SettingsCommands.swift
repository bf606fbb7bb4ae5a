extension Command {
    static let settings: [Command] = [
        Command(
            .saveSettings, .program, [], "save settings", "Save the changed theme, hints and mouse for the next time.",
            also: "keep preferences configuration options"
        ) { state, _ in state.saveSettings() }
    ]
}

extension CommandID {
    static let saveSettings = CommandID("saveSettings")
}
