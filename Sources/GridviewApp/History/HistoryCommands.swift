import DataGridTerminal

extension Command {
    static let history: [Command] = [
        Command(.undo, .appearance, ["U"], "undo", "Undo the last change to the view: filters, sorting, groups, columns, moved rows.") {
            state, count in
            state.moveInHistory(count.times, isUndoing: true)
        },
        Command(.redo, .appearance, ["C-r"], "redo", "Redo the last undone change.") { state, count in
            state.moveInHistory(count.times, isUndoing: false)
        },
        Command(
            .history, .appearance, [], "undo list", "List the changes to the view, and return to any of them.", also: "history"
        ) { state, _ in state.openHistory() },
    ]
}

extension CommandID {
    static let undo = CommandID("undo")
    static let redo = CommandID("redo")
    static let history = CommandID("history")
}
