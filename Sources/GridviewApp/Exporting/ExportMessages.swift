import DataGridTerminal

extension Message {
    /// An export was written.
    /// - Parameters:
    ///   - amount: the number of written rows or groups, with the noun.
    ///   - path: the path as the user typed it.
    ///   - changedCells: the number of cells changed to neutralize formulas; `nil` if this was not requested.
    ///   - notes: the differences between the output and the input, one sentence each.
    ///   - isIncomplete: true if the input ended early, so that rows are missing.
    ///   - replacesCharacters: true if U+FFFD replaces characters of the input.
    static func exported(
        _ amount: String, to path: String, byteCount: Int, changedCells: Int? = nil, notes: [String] = [], isIncomplete: Bool = false,
        replacesCharacters: Bool = false, renamesColumns: Bool = false
    ) -> Message {
        let changed = changedCells.map { count in
            switch count {
            case 0: "No cells were escaped, because none begins like a formula."
            case 1: "Escaped 1 cell that begins like a formula."
            default: "Escaped \(ValueText.count(count)) cells that begin like formulas."
            }
        }
        let origin = isIncomplete ? " of an incomplete file" : ""
        // The notes often do not fit on the status line, so the first sentence already says what differs from the file.
        let differences = (replacesCharacters ? ["replaced characters"] : []) + (renamesColumns ? ["renamed columns"] : [])
        let remark = differences.isEmpty ? "" : ", with \(differences.joined(separator: " and "))"
        let sentences =
            ["Exported \(amount)\(origin) to \(path) (\(ByteText.text(byteCount)))\(remark)."] + (changed.map { [$0] } ?? []) + notes
        let result = isIncomplete ? "Exported in part" : "Exported"
        return Message(
            .exported, sentences.joined(separator: " "), short: replacesCharacters ? "Lossy export." : result + ".")
    }

    /// The message with the number of its notes and the key that lists them, at every width of the screen.
    func withNotes(_ count: Int, listKey: String) -> Message {
        var message = self
        message.ending = " · \(count) \(count == 1 ? "note" : "notes"): \(listKey)"
        return message
    }

    /// A number of rows or groups with the noun, such as `3 rows`.
    static func amount(_ count: Int, areGroups: Bool) -> String {
        areGroups ? "\(ValueText.count(count)) \(count == 1 ? "group" : "groups")" : rows(count)
    }

    static func fileExists(_ name: String, acceptKey: String) -> Message {
        Message(.fileExists, "\(name) exists. Press \(acceptKey) again to replace it.", short: "Replace the file?", isError: true)
    }

    static func fileIsOpen(_ name: String, acceptKey: String) -> Message {
        Message(
            .fileIsOpen, "\(name) is the open file. Press \(acceptKey) again to replace its content.", short: "Replace the open file?",
            isError: true)
    }

    /// - Parameter reason: the reason for the failure and its remedy, as sentences.
    static func notExported(_ reason: String) -> Message { Message(.notExported, reason, isError: true) }

    static let cannotExportYet = Message(
        .cannotExportYet, "Rows can be exported once reading, filtering and sorting are done.", short: "Not ready yet.")

    static func exportRunning(cancelKey: String) -> Message {
        Message(.exportRunning, "Still exporting another file. \(cancelKey) cancels it.", short: "Still exporting.")
    }

    static func exportStopsOnQuit(quitKey: String, cancelKey: String) -> Message {
        Message(
            .exportStopsOnQuit, "An export is running. Press \(quitKey) again to stop it and quit. \(cancelKey) stops it without quitting.",
            short: "\(quitKey) stops exporting.")
    }

    static let nothingToExport = Message(.nothingToExport, "Nothing to export here.", short: "Nothing to export.", isError: true)
}
