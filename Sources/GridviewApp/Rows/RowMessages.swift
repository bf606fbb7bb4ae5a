extension Message {
    static let noRowToMove = Message(.noRowToMove, "No row here to move.", short: "No row here.")

    static let cannotMoveRowsYet = Message(.cannotMoveRowsYet, "Rows can be moved once all rows are known.", short: "Not all rows.")

    /// The row is already at the top or bottom of the table or its group, and cannot be moved further.
    static func alreadyAtEdge(isTop: Bool, isGrouped: Bool) -> Message {
        let edge = isTop ? "top" : "bottom"
        return Message(
            isTop ? .alreadyFirst : .alreadyLast,
            isGrouped
                ? "The row is already \(isTop ? "first" : "last") in its group, and rows cannot leave their group."
                : "The row is already at the \(edge).",
            short: isTop ? "At the top." : "At the bottom.")
    }

    static func rowMoved(undoKey: String) -> Message {
        Message(.rowMoved, "Row moved in this view only (\(undoKey) undoes it).", short: "Moved: \(undoKey) undoes.")
    }

    static let dragInterrupted = Message(
        .dragInterrupted, "Drag cancelled: the rows or the columns have changed.", short: "Drag cancelled.")

    static func rowDragging(_ isOn: Bool) -> Message {
        isOn
            ? Message(.rowDragging, "Row dragging on: drag a row number to move the row.", short: "Row dragging on.")
            : Message(.rowDragging, "Row dragging off: dragging row numbers selects rows.", short: "Row dragging off.")
    }
}
