extension Command {
    static let rows: [Command] = [
        Command(.moveRowUp, .rows, ["K", "M-Up"], "move row up", "Move this row or the selected rows up, in this view only.") {
            state, count in
            state.moveRows(by: -count.times)
        },
        Command(
            .moveRowDown, .rows, ["J", "M-Down"], "move row down",
            "Move this row or the selected rows down, in this view only."
        ) { state, count in state.moveRows(by: count.times) },
        Command(
            .rowDragging, .rows, [], "drag rows", "Turn row dragging on or off: when on, dragging a row number moves the row."
        ) { state, _ in
            state.toggleRowDragging()
        },
    ]
}

extension CommandID {
    static let moveRowUp = CommandID("moveRowUp")
    static let moveRowDown = CommandID("moveRowDown")
    static let rowDragging = CommandID("rowDragging")
}

extension Command.Chapter {
    static let rows = Self("Rows")
}
