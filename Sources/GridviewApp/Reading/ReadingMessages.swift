import DataGridTerminal
import Tables

extension Message {
    /// - Parameter undoKey: the key that undoes the change of reading options.
    static func readAgain(_ name: String, undoKey: String) -> Message {
        Message(.readAgain, "“\(name)” was read again with the new options. \(undoKey) undoes it.", short: "Read again.")
    }

    static func cannotReadAgain(_ name: String) -> Message {
        Message(.cannotReadAgain, "Cannot change how “\(name)” is read: it is not delimited text.", short: "Cannot change.", isError: true)
    }

    static let notReadYet = Message(.notReadYet, "The input has not arrived yet.", short: "No input yet.")

    /// The row is too far from the start of the file to be its header, or files of the format have no header.
    static let rowCannotBeHeader = Message(
        .rowCannotBeHeader, "This row cannot be the header: it is too far down, or its format has no header.",
        short: "Cannot be header.", isError: true)

    /// - Parameter acceptKey: the key that accepts the suggestion.
    static func suggested(_ suggestion: ReadingSuggestion, acceptKey: String) -> Message {
        switch suggestion {
        case .linesBeforeTable(let count):
            let lines = count == 1 ? "1 line" : "\(ValueText.count(count)) lines"
            return Message(
                .readingSuggested, "\(lines) before the table. \(acceptKey) skips \(count == 1 ? "it" : "them").",
                short: "\(acceptKey) skips \(count == 1 ? "it" : "them").")
        case .commentLines(let prefix, let count):
            let lines = count == 1 ? "The first line begins" : "The first \(ValueText.count(count)) lines begin"
            return Message(
                .readingSuggested, "\(lines) with “\(prefix)”. \(acceptKey) skips all such lines (--comment).",
                short: "\(acceptKey) skips \(prefix).")
        case .commentedHeader:
            return Message(
                .readingSuggested, "The last comment may have the column names. \(acceptKey) reads them.",
                short: "\(acceptKey) sets header.")
        case .unitsRow:
            return Message(
                .readingSuggested, "The first row has units. \(acceptKey) adds them to the column names.",
                short: "\(acceptKey) moves units.")
        case .header:
            return Message(
                .readingSuggested, "The first row was read as data. \(acceptKey) reads it as the column names.",
                short: "\(acceptKey) sets header.")
        case .totalsRow(_, let value):
            // Do not call it the last row, because rows with remarks may follow the totals.
            let row = value.isEmpty ? "A row at the end has totals" : "A row at the end has totals: “\(name(value))”"
            return Message(.readingSuggested, "\(row). \(acceptKey) omits it.", short: "\(acceptKey) omits total.")
        }
    }
}

extension ViewHistory {
    static let readingOptionsTitle = "change reading options"
}
