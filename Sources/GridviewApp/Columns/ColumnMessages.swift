import FieldValues

extension Message {
    static let tooNarrowToFreeze = Message(
        .tooNarrowToFreeze, "Too narrow to freeze all of them. The others scroll.", short: "Too narrow.")

    static func unfrozen(columns: Bool, rows: Bool) -> Message {
        Message(.unfrozen, "\(columns ? rows ? "Columns and rows" : "Columns" : "Rows") unfrozen.", short: "Unfrozen.")
    }

    /// - Parameters:
    ///   - columns: frozen columns; `nil` where they are not what was asked for.
    ///   - rows: the same for rows.
    static func frozen(columns: Int?, rows: Int?, key: String) -> Message {
        func first(_ count: Int, _ noun: String) -> String { count == 1 ? "first \(noun)" : "first \(count) \(noun)s" }
        let parts = [columns.map { first($0, "column") }, rows.map { first($0, "row") }].compactMap(\.self)
        return Message(
            .frozen, "Frozen: \(parts.joined(separator: ", ")). Press \(key) again to unfreeze.", short: "Frozen.")
    }

    static let lastColumn = Message(.lastColumn, "The last column cannot be hidden.", short: "Cannot hide it.")

    static func columnHidden(_ name: String, show: String) -> Message {
        Message(.columnHidden, "Column \(name) hidden. \(show) lists all columns.", short: "Hidden. \(show) lists.")
    }

    static func columnDuplicated(_ name: String, as copy: String) -> Message {
        Message(.columnDuplicated, "Column \(name) duplicated as \(copy).", short: "Duplicated.")
    }

    static func columnType(_ name: String, _ kind: ValueKind) -> Message {
        let type =
            switch kind {
            case .text: "a text"
            case .integer: "an integer"
            case .decimal: "a decimal"
            case .date: "a date"
            case .dateTime: "a datetime"
            case .time: "a time"
            case .flag: "a flag"
            }
        let note = kind == .text ? "." : "; values that do not parse are underlined."
        return Message(
            .columnType, "\(name) is now \(type) column\(note)", short: "Type: \(StatisticsFacts.name(of: kind)).")
    }
}
