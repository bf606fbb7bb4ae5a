extension Command {
    static let reloading: [Command] = [
        Command(.reload, .program, ["R"], "reload", "Load new rows, or reload the file; resumes reading if it was stopped.") { _, _ in
            [.reload]
        }
    ]
}
