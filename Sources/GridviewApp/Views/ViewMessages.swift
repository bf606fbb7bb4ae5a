import DataGridTerminal
import FieldValues
import TerminalSurface

extension Message {
    /// - Parameter path: the path as the user typed it.
    static func viewSaved(_ name: String, path: String) -> Message {
        let word = DisplayWidth.printable(ShellWord.path(path))
        return Message(.viewSaved, "View saved to \(name). Open it with --view \(word).", short: "View saved.")
    }

    /// - Parameters:
    ///   - missing: the number of columns of the view that the table does not have.
    ///   - leftOutCount: the number of other settings of the view that are not valid for the table.
    ///   - unknownFields: the names of values that this version of the program does not know.
    ///   - isNewer: true if a newer version of the program has written the view, so that some of its values may have another meaning.
    static func viewRestored(missing: Int, leftOutCount: Int, unknownFields: [String], isNewer: Bool = false) -> Message {
        var sentences = ["View restored."]
        if isNewer { sentences.append("It was saved by a newer version of gridview.") }
        if missing > 0 { sentences.append("\(columns(missing)) of the view \(missing == 1 ? "is" : "are") not in this table.") }
        if leftOutCount > 0 {
            sentences.append(
                leftOutCount == 1
                    ? "1 part of the view (filter, sort key, group or formula) does not fit this table."
                    : "\(leftOutCount) parts of the view (filters, sort keys, groups or formulas) do not fit this table.")
        }
        if let first = unknownFields.first {
            let more = unknownFields.count > 1 ? " and \(ValueText.count(unknownFields.count - 1)) more" : ""
            sentences.append("Ignored settings that this version does not know: \(quoted(DisplayWidth.printable(first)))\(more).")
        }
        return Message(.viewRestored, sentences.joined(separator: " "), short: "View restored.")
    }

    static let noLastView = Message(
        .noLastView, "No view to restore. A changed view is saved when you quit.", short: "No earlier view.",
        isError: true)

    /// No view was stored, because the user has turned this off.
    static let noRecentViews = Message(
        .noRecentViews, "Nothing to restore: automatic saving of views is off.", short: "No earlier view.", isError: true)
}
