import DataGridTerminal

extension Command {
    static let program: [Command] = [
        Command(.hints, .program, ["z?"], "hints", "Show or hide the hint line.") { state, _ in state.toggleHints() },
        Command(.mouse, .program, ["M-m"], "mouse", "Turn the mouse on or off; while it is off, the terminal selects text.") { state, _ in
            state.toggleMouse()
        },
        Command(
            .escape, .program, ["Escape"], "clear or cancel",
            "Close the prompt, or cancel the first of these that is active: copy or export, selection, highlight, other job."
        ) { state, _ in state.handleEscape() },
        Command(
            .cancel, .program, ["C-c"], "cancel", "Copy the selection. Without one, or while a copy or an export runs, cancel the job."
        ) { state, _ in state.handleControlC() },
        Command(
            .redraw, .program, ["C-l"], "redraw", "Redraw the screen, after another program has written to it.", also: "repaint refresh"
        ) { _, _ in [.redraw] },
        Command(.suspend, .program, like: .suspend) { _, _ in [.suspend] },
        Command(.close, .program, ["q"], "quit", "Close the top panel, go back to the sheet that opened this one, or quit.") {
            state, _ in state.askToQuit()
        },
        Command(.quit, .program, ["C-q", "Q", "ZZ"], "quit now", "Quit at once.", also: "exit leave") { state, _ in state.quit() },
    ]

    static let dragging: [Command] = [
        Command(.escape, in: .drag, ["Escape"], "cancel", "Cancel the drag.")
    ]
}

extension CommandID {
    static let hints = CommandID("hints")
    static let mouse = CommandID("mouse")
    static let escape = CommandID("escape")
    static let cancel = CommandID("cancel")
    static let redraw = CommandID("redraw")
    static let suspend = CommandID("suspend")
    static let close = CommandID("close")
    static let quit = CommandID("quit")
}

extension Command.Chapter {
    static let program = Self("Program and files")
}

extension KeyContext {
    /// The context while the user drags with the mouse.
    static let drag = Self("drag", title: "While dragging")
}
