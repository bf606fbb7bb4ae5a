extension Command {
    static let reloading: [Command] = [
        Command(.reload, .program, ["R"], "reload", "Load new rows, reload the file, or resume stopped reading.", also: "refresh") { _, _ in
            [.reload]
        }
    ]
}

extension CommandID {
    static let reload = CommandID("reload")
}
