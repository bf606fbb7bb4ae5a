extension Command {
    static let program: [Command] = [
        Command(.reload, .program, ["R"], "reload", "Load new rows, or reload the file; resumes reading if it was stopped."),
        Command(.palette, .program, [":"], "commands", "Find a command by name."),
        Command(.help, .program, ["?", "F1"], "help", "Show all keys."),
        Command(.about, .program, ["C-g"], "file details", "Show file details and problems found."),
        Command(.hints, .program, ["z?"], "hints", "Show or hide the hint line."),
        Command(.mouse, .program, ["M-m"], "mouse", "Turn the mouse on or off; off, the terminal selects text."),
        Command(
            .escape, .program, ["Escape"], "clear or cancel",
            "Close or cancel the top thing: prompt, selection, highlight, job, last filter."),
        Command(.cancel, .program, ["C-c"], "cancel", "Cancel the running job; with a selection, copy it."),
        Command(.suspend, .program, ["C-z"], "suspend", "Suspend and return to the shell; fg resumes."),
        Command(.close, .program, ["q"], "quit", "Close the top panel, then quit."),
        Command(.quit, .program, ["C-q"], "quit now", "Quit at once."),
    ]

    static let dragging: [Command] = [
        Command(.escape, in: .drag, ["Escape"], "cancel", "Cancel the drag.")
    ]
}
