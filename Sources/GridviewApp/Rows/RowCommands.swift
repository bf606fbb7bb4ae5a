extension Command {
    static let rows: [Command] = [
        Command(.moveRowUp, .rows, ["K", "M-Up"], "move row up", "Moves this row, or the selected ones, up; the file stays as it is."),
        Command(
            .moveRowDown, .rows, ["J", "M-Down"], "move row down", "Moves this row, or the selected ones, down; the file stays as it is."),
        Command(
            .rowDragging, .rows, [], "rows by drag",
            "Lets rows be moved by drag, at their numbers: the cursor's row or selected ones; again: not."
        ),
    ]
}
