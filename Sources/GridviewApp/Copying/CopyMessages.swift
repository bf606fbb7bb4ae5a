import DataGridTerminal
import TerminalSurface

extension Message {
    /// One cell was copied.
    /// - Parameters:
    ///   - column: the name of the column if its field was copied in the row view; otherwise `nil`.
    ///   - format: the format, if one was chosen.
    ///   - withName: whether the column name was copied too.
    static func copiedCell(of column: String? = nil, as format: String? = nil, withName: Bool = false) -> Message {
        copied(column.map { "the field “\($0)”" } ?? "the cell", format, withName ? " with the column name" : "")
    }

    /// Rows were copied.
    /// - Parameters:
    ///   - format: the format, if one was chosen.
    ///   - withNames: whether the column names were copied too.
    static func copiedRows(_ rows: Int, columns: Int, as format: String? = nil, withNames: Bool = false) -> Message {
        copied(
            "\(Self.rows(rows)) × \(columns) \(columns == 1 ? "column" : "columns")", format, withNames ? " with column names" : "")
    }

    /// Groups were copied, one record for each.
    static func copiedGroups(_ groups: Int, as format: String? = nil, withNames: Bool = false) -> Message {
        copied("\(ValueText.count(groups)) \(groups == 1 ? "group" : "groups")", format, withNames ? " with column names" : "")
    }

    private static func copied(_ cells: String, _ format: String?, _ names: String) -> Message {
        Message(.copied, "Copied \(cells)\(format.map { " as \($0)" } ?? "")\(names).", short: "Copied.")
    }

    static func notCopied(_ reason: String) -> Message {
        Message(.notCopied, "Nothing copied. \(reason)", short: "Nothing copied.", isError: true)
    }

    static let nothingToCopy = Message(.nothingToCopy, "Nothing to copy here.", short: "Nothing to copy.", isError: true)

    /// - Parameters:
    ///   - size: the estimated size in bytes; `nil` if unknown.
    ///   - limit: the size limit of the clipboard in bytes.
    static func tooLargeToCopy(about size: Int?, limit: Int) -> Message {
        let limit = "\(limit >> 20) MiB"
        let sizes = size.map { "about \(ByteText.text($0)), limit \(limit)" } ?? "limit \(limit)"
        return Message(
            .tooLargeToCopy, "Selection too large for the clipboard (\(sizes)). Use --output to write it to a file.",
            short: "Too large to copy.", isError: true)
    }

    static let cellNotRead = Message(.cellNotRead, "The end of this cell has not been read yet.", short: "Still reading.")

    /// A number of rows, with the noun.
    static func rows(_ count: Int) -> String { "\(ValueText.count(count)) \(count == 1 ? "row" : "rows")" }
}
