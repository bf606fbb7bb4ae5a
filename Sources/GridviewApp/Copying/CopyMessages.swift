import DataGridTerminal
import TerminalSurface

extension Message {
    /// One cell is in the clipboard.
    /// - Parameter format: the format, if one was chosen.
    static func copiedCell(of column: String? = nil, as format: String? = nil) -> Message {
        copied("the cell\(column.map { " “\($0)”" } ?? "")", format)
    }

    /// Rows are in the clipboard.
    static func copiedRows(_ rows: Int, columns: Int, as format: String? = nil) -> Message {
        copied("\(Self.rows(rows)) of \(columns) \(columns == 1 ? "column" : "columns")", format)
    }

    private static func copied(_ what: String, _ format: String?) -> Message {
        Message(.copied, "Copied \(what)\(format.map { " as \($0)" } ?? "").", short: "Copied.")
    }

    static func notCopied(_ reason: String) -> Message {
        Message(.notCopied, "Nothing copied. \(reason)", short: "Nothing copied.", isError: true)
    }

    static let nothingToCopy = Message(.nothingToCopy, "Nothing to copy here.", short: "Nothing to copy.", isError: true)

    /// - Parameters:
    ///   - size: the estimated bytes, where they are known.
    ///   - limit: the most bytes that the clipboard takes.
    static func tooLargeToCopy(about size: Int?, limit: Int) -> Message {
        let limit = "\(limit >> 20) MB"
        let sizes = size.map { "about \(ByteText.text($0)), limit \(limit)" } ?? "limit \(limit)"
        return Message(
            .tooLargeToCopy, "Selection too large for the clipboard (\(sizes)). --output writes any amount.",
            short: "Too large to copy.", isError: true)
    }

    static let cellNotRead = Message(.cellNotRead, "The end of this cell is not read yet.", short: "Still reading.")

    /// Rows with their number.
    static func rows(_ count: Int) -> String { "\(ValueText.count(count)) \(count == 1 ? "row" : "rows")" }
}
