import DataGridTerminal
import TerminalSurface

extension Message {
    /// One cell was copied.
    /// - Parameters:
    ///   - column: the name of the column if the field was copied in the row view; otherwise `nil`.
    ///   - format: the name of the chosen format; `nil` for plain text.
    ///   - withName: true if the column name was copied, too.
    ///   - route: the way in which the text was copied.
    ///   - losses: sentences about replaced characters.
    static func copiedCell(
        of column: String? = nil, as format: String? = nil, withName: Bool = false, by route: CopyRoute = .terminal(),
        losses: [String] = []
    ) -> Message {
        copied(column.map { "the field “\($0)”" } ?? "the cell", format, withName ? " with the column name" : "", route, losses)
    }

    /// Rows were copied.
    /// - Parameters:
    ///   - format: the name of the chosen format; `nil` for plain text.
    ///   - withNames: true if the column names were copied, too.
    ///   - route: the way in which the text was copied.
    ///   - losses: sentences about replaced characters.
    static func copiedRows(
        _ rows: Int, columns: Int, as format: String? = nil, withNames: Bool = false, by route: CopyRoute = .terminal(),
        losses: [String] = []
    ) -> Message {
        copied("\(Self.rows(rows)) × \(Self.columns(columns))", format, withNames ? " with column names" : "", route, losses)
    }

    /// Groups were copied, with one record for each group.
    static func copiedGroups(
        _ groups: Int, as format: String? = nil, withNames: Bool = false, by route: CopyRoute = .terminal(), losses: [String] = []
    ) -> Message {
        copied(amount(groups, areGroups: true), format, withNames ? " with column names" : "", route, losses)
    }

    /// Text that is not from the table was copied, such as the SQL of the view. `name` describes the text, such as “the command line”.
    static func copiedText(_ name: String, by route: CopyRoute = .terminal()) -> Message { copied(name, nil, "", route) }

    private static func copied(
        _ cells: String, _ format: String?, _ names: String, _ route: CopyRoute, _ losses: [String] = []
    ) -> Message {
        // The sentences about losses often do not fit on the line, so the first sentence already mentions replaced characters.
        let end = losses.isEmpty ? "." : ", with replaced characters."
        let clipboards =
            switch route {
            case .terminal(nil): "the terminal\(end)"
            case .terminal(let problem?): "the terminal\(end) \(problem); if pasting does not work, export to a file."
            case .program(let program, let withTerminal): "\(program)\(withTerminal ? " and the terminal" : "")\(end)"
            }
        let copied = "Copied \(cells)\(format.map { " as \($0)" } ?? "")\(names) via \(clipboards)"
        return Message(.copied, ([copied] + losses).joined(separator: " "), short: losses.isEmpty ? "Copied." : "Lossy copy.")
    }

    static func notCopied(_ reason: String) -> Message {
        Message(.notCopied, "Nothing copied. \(reason)", short: "Nothing copied.", isError: true)
    }

    /// A clipboard program failed, and the text is too large for the terminal to copy.
    static func notCopied(by program: String, limit: Int) -> Message {
        notCopied("\(program) failed, and the terminal accepts at most \(limit >> 20) MiB. Export to a file instead.")
    }

    static let nothingToCopy = Message(.nothingToCopy, "Nothing to copy here.", short: "Nothing to copy.", isError: true)

    static func nothingToCopy(collapseKey: String) -> Message {
        Message(
            .nothingToCopy, "Only a collapsed group can be copied. \(collapseKey) collapses this one.",
            short: "\(collapseKey) collapses it.", isError: true)
    }

    /// - Parameters:
    ///   - size: the estimated size of the text in bytes; `nil` if unknown.
    ///   - limit: the size limit of the clipboard in bytes.
    static func tooLargeToCopy(about size: Int?, limit: Int) -> Message {
        let limit = "\(limit >> 20) MiB"
        let sizes = size.map { "about \(ByteText.text($0)), limit \(limit)" } ?? "limit \(limit)"
        return Message(
            .tooLargeToCopy, "Selection too large for the clipboard (\(sizes)). Export it to a file instead.",
            short: "Too large to copy.", isError: true)
    }

    static let cellNotRead = Message(.cellNotRead, "The end of this cell has not been read yet.", short: "Still reading.")

    /// A number of rows with the noun, such as `1 row` or `3 rows`.
    static func rows(_ count: Int) -> String { "\(ValueText.count(count)) \(count == 1 ? "row" : "rows")" }
}
