import DataGridTerminal
import TerminalSurface

extension Message {
    /// One cell was copied.
    /// - Parameters:
    ///   - column: the name of the column if its field was copied in the row view; otherwise `nil`.
    ///   - format: the format, if one was chosen.
    ///   - withName: true if the column name was copied, too.
    ///   - route: the route of the copy.
    ///   - losses: sentences about replaced characters.
    static func copiedCell(
        of column: String? = nil, as format: String? = nil, withName: Bool = false, by route: CopyRoute = .terminal(),
        losses: [String] = []
    ) -> Message {
        copied(column.map { "the field “\($0)”" } ?? "the cell", format, withName ? " with the column name" : "", route, losses)
    }

    /// Rows were copied.
    /// - Parameters:
    ///   - format: the format, if one was chosen.
    ///   - withNames: true if the column names were copied, too.
    ///   - route: the route of the copy.
    ///   - losses: sentences about replaced characters.
    static func copiedRows(
        _ rows: Int, columns: Int, as format: String? = nil, withNames: Bool = false, by route: CopyRoute = .terminal(),
        losses: [String] = []
    ) -> Message {
        copied("\(Self.rows(rows)) × \(Self.columns(columns))", format, withNames ? " with column names" : "", route, losses)
    }

    /// Groups were copied, one record for each.
    static func copiedGroups(
        _ groups: Int, as format: String? = nil, withNames: Bool = false, by route: CopyRoute = .terminal(), losses: [String] = []
    ) -> Message {
        copied(amount(groups, areGroups: true), format, withNames ? " with column names" : "", route, losses)
    }

    /// Text that the program generates was copied. The name describes the text, as in "the command line".
    static func copiedText(_ name: String, by route: CopyRoute = .terminal()) -> Message { copied(name, nil, "", route) }

    private static func copied(
        _ cells: String, _ format: String?, _ names: String, _ route: CopyRoute, _ losses: [String] = []
    ) -> Message {
        // The sentences often do not fit the line, so the first one names the loss.
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

    /// A clipboard program failed, and the text is too large for the terminal.
    static func notCopied(by program: String, limit: Int) -> Message {
        notCopied("\(program) failed, and the terminal accepts at most \(limit >> 20) MiB. Export to a file instead.")
    }

    static let nothingToCopy = Message(.nothingToCopy, "Nothing to copy here.", short: "Nothing to copy.", isError: true)

    /// - Parameters:
    ///   - size: the estimated size in bytes; `nil` if unknown.
    ///   - limit: the size limit of the clipboard in bytes.
    static func tooLargeToCopy(about size: Int?, limit: Int) -> Message {
        let limit = "\(limit >> 20) MiB"
        let sizes = size.map { "about \(ByteText.text($0)), limit \(limit)" } ?? "limit \(limit)"
        return Message(
            .tooLargeToCopy, "Selection too large for the clipboard (\(sizes)). Export it to a file instead.",
            short: "Too large to copy.", isError: true)
    }

    static let cellNotRead = Message(.cellNotRead, "The end of this cell has not been read yet.", short: "Still reading.")

    /// A number of rows, with the noun.
    static func rows(_ count: Int) -> String { "\(ValueText.count(count)) \(count == 1 ? "row" : "rows")" }
}
