extension Command {
    static let views: [Command] = [
        Command(
            .saveView, .appearance, [], "save view", "Write filters, sorting, groups, columns and types to a file for --view.",
            also: "keep store write"
        ) { state, _ in state.openSaveView() },
        Command(
            .restoreView, .appearance, [], "restore last view", "Restore the view that the file had when it was last closed.",
            also: "recent previous load"
        ) { _, _ in [.restoreLastView] },
        Command(
            .commandLine, .appearance, [], "command line", "Show and copy the gridview command that opens this view.",
            also: "options shell script"
        ) { state, _ in state.showCommandLine() },
    ]
}

extension CommandID {
    static let saveView = CommandID("saveView")
    static let restoreView = CommandID("restoreView")
    static let commandLine = CommandID("commandLine")
}
