import DataGrid

extension Message {
    static func rowHeight(_ lines: Int) -> Message {
        lines == 1
            ? Message(.rowHeight, "One line per row.")
            : Message(.rowHeight, "\(lines) lines per row; long text wraps.", short: "\(lines) lines per row.")
    }

    /// Each row is as high as its wrapped text, at most `maximumLines` lines.
    static func automaticRowHeight(maximumLines: Int, wrapKey: String) -> Message {
        Message(
            .rowHeight, "Long text wraps, up to \(maximumLines) lines per row. Press \(wrapKey) again for one line.",
            short: "Long text wraps."
        )
    }

    static func wrapUnavailable(openKey: String) -> Message {
        Message(.wrapUnavailable, "Long text wraps only in the table view. \(openKey) shows the whole row.", short: "\(openKey) shows all.")
    }

    static func presentation(_ presentation: GridPresentation, key: String) -> Message {
        switch presentation {
        case .table, .adaptive: Message(.presentation, "Back to the table.", short: "Table.")
        case .transposed:
            Message(.presentation, "Transposed: one line per column. Press \(key) again to go back.", short: "\(key) goes back.")
        case .cards:
            Message(
                .presentation, "One card per row; Tab goes through its columns. Press \(key) again to go back.", short: "\(key) goes back.")
        }
    }

    static func gridLines(_ lines: GridLines) -> Message {
        switch lines {
        case .none: Message(.gridLines, "No grid lines.")
        case .columns: Message(.gridLines, "Grid lines between columns.", short: "Column lines.")
        case .rows: Message(.gridLines, "Grid lines between rows.", short: "Row lines.")
        case .both: Message(.gridLines, "Grid lines between columns and rows.", short: "All grid lines.")
        }
    }

    static func panning(_ isOn: Bool) -> Message {
        isOn
            ? Message(.panning, "Panning on: drag cells to pan; Ctrl-drag selects.", short: "Panning on.")
            : Message(.panning, "Panning off: dragging cells selects them.", short: "Panning off.")
    }

    /// - Parameter saveKey: the key or palette entry of the command that saves the theme; `nil` if it cannot be saved.
    static func theme(_ name: String, saveKey: String? = nil) -> Message {
        Message(.theme, "Theme: \(name).\(saveHint(saveKey))", short: saveKey.map { _ in "Theme: \(Message.name(name, width: 10))." })
    }

    private static func saveHint(_ saveKey: String?) -> String { saveKey.map { " “\($0)” saves it." } ?? "" }

    /// - Parameter undoKey: the key that undoes the reset; `nil` if the reset changed nothing that can be undone.
    static func viewReset(undoKey: String?) -> Message {
        Message(.viewReset, "View reset.\(undoKey.map { " \($0) restores it." } ?? "")", short: "View reset.")
    }

    /// - Parameter saveKey: the key or palette entry of the command that saves the setting; `nil` if it cannot be saved.
    static func hintsOff(hintsKey: String, saveKey: String? = nil) -> Message {
        Message(.hintsOff, "Hints off. \(hintsKey) shows them.\(saveHint(saveKey))", short: "\(hintsKey) shows hints.")
    }

    static let mouseOn = Message(.mouseOn, "Mouse on.")

    static func mouseOff(mouseKey: String) -> Message {
        Message(.mouseOff, "Mouse off: the terminal selects text. \(mouseKey) turns the mouse on.", short: "Mouse off.")
    }
}
