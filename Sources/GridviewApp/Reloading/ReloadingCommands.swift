extension Command {
    static let reloading: [Command] = [
        Command(
            .reload, .program, ["R"], "reload", "Load new rows, reload the file, or resume reading if it was stopped.", also: "refresh"
        ) { _, _ in [.reload] },
        Command(
            .follow, .program, ["M-f"], "follow", "Follow the file: read new rows, and stay on the last row; press again to stop.",
            also: "tail watch grow live"
        ) { state, _ in state.toggleFollowing() },
    ]
}

extension CommandID {
    static let reload = CommandID("reload")
    static let follow = CommandID("follow")
}
