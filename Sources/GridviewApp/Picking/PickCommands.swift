extension Command {
    static let picking: [Command] = [
        Command(.pick, in: .pick, ["Enter"], "pick", "Print this row and quit; with --multi, print the marked or selected rows.") {
            state, _ in state.pickRows()
        },
        Command(.cancel, in: .pick, ["C-c"], "quit", "Quit without picking, with exit status 130.") { state, _ in state.cancelPicking() },
        Command(.markAndNext, in: .pickMany, ["Space"], "mark", "Mark or unmark this row, and go to the next row.") { state, _ in
            state.markAndGoToNext()
        },
    ]
}

extension CommandID {
    static let pick = CommandID("pick")
    static let markAndNext = CommandID("markAndNext")
}

extension KeyContext {
    /// The context of the table if the user picks rows to print.
    static let pick = Self("pick", title: "Picking (--pick)")
    /// The additional context if the user may pick several rows.
    static let pickMany = Self("pick-many", title: "Picking several rows (--multi)")
}
