extension Command {
    static let program: [Command] = [
        Command(
            .reload, .program, ["R"], "reload",
            "Reads what has come to a file that has grown, else the file again; where reading was stopped, goes on with it."),
        Command(.palette, .program, [":"], "commands", "Finds a command by its name."),
        Command(.help, .program, ["?", "F1"], "help", "Shows all keys."),
        Command(.about, .program, ["C-g"], "about this file", "Shows how the file is read, and what is odd about it."),
        Command(.hints, .program, ["z?"], "hints", "Shows or hides the line of hints."),
        Command(.mouse, .program, ["M-m"], "mouse", "Leaves the mouse to the terminal, or takes it back."),
        Command(.escape, .program, ["Escape"], "leave", "Leaves one thing: a prompt, a selection, a highlight, a job, the last filter."),
        Command(.cancel, .program, ["C-c"], "cancel", "Cancels what runs; with a selection, copies it."),
        Command(.suspend, .program, ["C-z"], "suspend", "Back to the shell; fg returns."),
        Command(.close, .program, ["q"], "quit", "Closes what is open on top; then leaves the program."),
        Command(.quit, .program, ["C-q"], "quit at once", "Leaves the program."),
    ]

    static let dragging: [Command] = [
        Command(.escape, in: .drag, ["Escape"], "cancels", "Cancel the drag.")
    ]
}
