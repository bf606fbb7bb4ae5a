import DataGridQuery
import FieldValues

extension Message {
    static let tooNarrowToFreeze = Message(
        .tooNarrowToFreeze, "Not enough room to freeze everything. The rest scrolls.", short: "Not enough room.")

    /// - Parameters:
    ///   - columns: the number of columns that fit and were frozen.
    ///   - count: the number of columns to freeze.
    static func frozenPartly(_ columns: Int, of count: Int) -> Message {
        Message(
            .tooNarrowToFreeze, "Frozen: \(columns) of \(count) columns; the screen is too narrow for more.",
            short: "Frozen: \(columns) of \(count).")
    }

    static func unfrozen(columns: Bool, rows: Bool) -> Message {
        Message(.unfrozen, "\(columns ? rows ? "Columns and rows" : "Columns" : "Rows") unfrozen.", short: "Unfrozen.")
    }

    /// - Parameters:
    ///   - columns: the number of frozen columns; `nil` if the command freezes only rows.
    ///   - rows: the number of frozen rows; `nil` if the command freezes only columns.
    static func frozen(columns: Int?, rows: Int?, key: String) -> Message {
        func first(_ count: Int, _ noun: String) -> String { count == 1 ? "first \(noun)" : "first \(count) \(noun)s" }
        let parts = [columns.map { first($0, "column") }, rows.map { first($0, "row") }].compactMap(\.self)
        return Message(
            .frozen, "Frozen: \(parts.joined(separator: " and ")). Press \(key) again to unfreeze.", short: "Frozen.")
    }

    static let lastColumn = Message(.lastColumn, "The only visible column cannot be hidden.", short: "Cannot hide it.")

    static func columnHidden(_ name: String, show: String) -> Message {
        Message(.columnHidden, "Column “\(name)” hidden. \(show) shows it again.", short: "Column hidden.")
    }

    static func columnExists(_ name: String) -> Message {
        Message(.columnExists, FilterError.columnExists(name), short: "Name exists.", isError: true)
    }

    /// - Parameter key: the key that pinned the column.
    static func pinned(_ name: String, isLeft: Bool, key: String) -> Message {
        Message(
            .pinned, "Pinned on the \(isLeft ? "left" : "right"): “\(name)”. Press \(key) again to unpin.",
            short: isLeft ? "Pinned left." : "Pinned right.")
    }

    static func unpinned(_ name: String) -> Message { Message(.unpinned, "Unpinned: “\(name)”.", short: "Unpinned.") }

    static func columnDuplicated(_ name: String, as copy: String) -> Message {
        Message(.columnDuplicated, "Column “\(name)” duplicated as “\(copy)”.", short: "Duplicated.")
    }

    static func digitsGrouped(_ name: String, _ isGrouped: Bool, key: String) -> Message {
        Message(
            .digitsGrouped, "“\(name)” is shown \(isGrouped ? "with" : "without") thousands separators. Press \(key) again to go back.",
            short: isGrouped ? "Grouped." : "Not grouped.")
    }

    static func noNumbers(_ name: String) -> Message {
        Message(.noNumbers, "“\(name)” has no numbers. Only numbers have thousands separators.", short: "No numbers.")
    }

    static func dayOrder(_ name: String, isDayFirst: Bool, key: String) -> Message {
        let order = isDayFirst ? "day/month/year" : "month/day/year"
        return Message(
            .dayOrder, "“\(name)” is read as \(order). Press \(key) again to go back.", short: isDayFirst ? "Day first." : "Month first.")
    }

    static func noDayOrder(_ name: String) -> Message {
        Message(.noDayOrder, "“\(name)” has no dates such as 01/02/2024.", short: "No such dates.")
    }

    static func columnType(_ name: String, _ kind: ValueKind, next: String) -> Message {
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
            .columnType, "“\(name)” is now \(type) column\(note) Press \(next) for the next type.",
            short: "Type: \(StatisticsFacts.name(of: kind)).")
    }
}
