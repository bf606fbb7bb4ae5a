import DataGrid

extension Message {
    static func selectionMode(_ mode: SelectionMode) -> Message {
        Message(.selectionMode, "Selection mode: \(name(of: mode)).", short: "Mode: \(name(of: mode)).")
    }

    private static func name(of mode: SelectionMode) -> String {
        switch mode {
        case .none: "off"
        case .cell: "one cell"
        case .cells: "cells"
        case .row: "one row"
        case .rows: "rows"
        }
    }

    static func selectionModeForbids(_ mode: SelectionMode, changeKey: String) -> Message {
        Message(
            .selectionModeForbids, "Not available in selection mode “\(name(of: mode))”. \(changeKey) changes the mode.",
            short: "\(changeKey) changes mode.")
    }

    /// A command needs a row, but the table is empty.
    static let noRows = Message(.noRows, "No rows.")

    /// Marked and selected rows cannot be found in the new order, because the server table has no key, or only one of a
    /// type that is shown as text, such as an enum.
    static let rowsNotFollowed = Message(
        .rowsNotFollowed, "This order does not show marks and selection: the table has no usable key.",
        short: "No table key.")

    /// More rows are marked than the program can look up in the new order, so some marks are lost.
    static let notAllRowsFollowed = Message(
        .notAllRowsFollowed, "Only \(rows(AppState.maximumSelectedRows)) keep their marks in a new order.", short: "Some marks lost.")

    static func selectionOff(changeKey: String) -> Message {
        Message(.selectionOff, "Selection is off. \(changeKey) changes the selection mode.", short: "Selection is off.")
    }
}
