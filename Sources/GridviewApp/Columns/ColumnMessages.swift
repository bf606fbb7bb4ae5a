import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues

extension Message {
    static let tooNarrowToFreeze = Message(
        .tooNarrowToFreeze, "Not enough room to freeze everything. The rest scrolls.", short: "Not enough room.")

    /// Fewer columns than requested were frozen, because more would not fit on the screen.
    /// - Parameters:
    ///   - columns: the number of frozen columns.
    ///   - count: the requested number.
    static func frozenPartly(_ columns: Int, of count: Int) -> Message {
        Message(
            .tooNarrowToFreeze, "Frozen: \(columns) of \(count) columns; the screen is too narrow for more.",
            short: "Frozen: \(columns) of \(count).")
    }

    static func unfrozen(columns: Bool, rows: Bool) -> Message {
        Message(.unfrozen, "\(columns ? rows ? "Columns and rows" : "Columns" : "Rows") unfrozen.", short: "Unfrozen.")
    }

    /// - Parameters:
    ///   - columns: the number of columns that the command has frozen; `nil` if it has frozen only rows.
    ///   - rows: the number of rows that the command has frozen; `nil` if it has frozen only columns.
    static func frozen(columns: Int?, rows: Int?, key: String) -> Message {
        func first(_ count: Int, _ noun: String) -> String { count == 1 ? "first \(noun)" : "first \(count) \(noun)s" }
        let parts = [columns.map { first($0, "column") }, rows.map { first($0, "row") }].compactMap(\.self)
        return Message(
            .frozen, "Frozen: \(parts.joined(separator: " and ")). Press \(key) again to unfreeze.", short: "Frozen.")
    }

    static let lastColumn = Message(.lastColumn, "The only visible column cannot be hidden.", short: "Cannot hide it.")

    static func columnHidden(_ name: String, showKey: String) -> Message {
        Message(.columnHidden, "Column “\(name)” hidden. \(showKey) shows it again.", short: "Column hidden.")
    }

    /// - Parameter showKey: the key that shows hidden columns; `nil` to leave this hint out.
    static func columnsHidden(_ count: Int, showKey: String?) -> Message {
        Message(.columnHidden, "\(columns(count)) hidden.\(restoreHint(count, showKey))", short: "Columns hidden.")
    }

    private static func restoreHint(_ count: Int, _ key: String?) -> String {
        key.map { " \($0) shows \(count == 1 ? "it" : "them") again." } ?? ""
    }

    static func columnsShown(_ count: Int) -> Message {
        count == 0
            ? Message(.columnsShown, "No columns are hidden.", short: "No hidden columns.")
            : Message(.columnsShown, "\(columns(count)) shown.", short: "Columns shown.")
    }

    /// Columns without values were hidden.
    /// - Parameters:
    ///   - rows: the number of rows that were searched for values.
    ///   - isComplete: true if these are all rows of the file.
    ///   - showKey: the key that shows hidden columns; `nil` to leave this hint out.
    static func emptyColumnsHidden(_ count: Int, rows: Int, isComplete: Bool, showKey: String?) -> Message {
        let extent = "the \(Self.rows(rows)) read so far"
        if count == 0 {
            return Message(.emptyColumnsHidden, "No empty columns\(isComplete ? "" : " in \(extent)").", short: "No empty columns.")
        }
        let text =
            isComplete
            ? "\(ValueText.count(count)) empty \(count == 1 ? "column" : "columns") hidden."
            : "\(columns(count)) hidden: no values in \(extent)."
        return Message(.emptyColumnsHidden, text + restoreHint(count, showKey), short: "Columns hidden.")
    }

    static let noOtherColumns = Message(.noOtherColumns, "No other column is visible.", short: "No other column.")

    static let noScrollingColumn = Message(.noScrollingColumn, "Not frozen: at least one column must scroll.", short: "Not frozen.")

    /// - Parameter width: the width in terminal cells; `nil` if the columns were fitted to their content.
    static func columnsFitted(_ count: Int, width: Int?) -> Message {
        guard let width else { return Message(.columnsFitted, "\(columns(count)) fitted to the visible rows.", short: "Columns fitted.") }
        let unit = width == 1 ? "character" : "characters"
        return Message(.columnsFitted, "Width of \(columns(count)): \(ValueText.count(width)) \(unit).", short: "Widths set.")
    }

    static func columnExists(_ name: String) -> Message {
        Message(.columnExists, FilterError.columnExists(name), short: "Name exists.", isError: true)
    }

    /// - Parameters:
    ///   - names: the text of ``names(_:width:)``.
    ///   - key: the key that pins columns; pressed again, it unpins them.
    static func pinned(_ names: String, isLeft: Bool, key: String) -> Message {
        Message(
            .pinned, "Pinned on the \(isLeft ? "left" : "right"): \(names). Press \(key) again to unpin.",
            short: isLeft ? "Pinned left." : "Pinned right.")
    }

    /// - Parameter names: the text of ``names(_:width:)``.
    static func unpinned(_ names: String) -> Message { Message(.unpinned, "Unpinned: \(names).", short: "Unpinned.") }

    static func nameRestored(_ name: String) -> Message {
        Message(.nameRestored, "A column needs a name. Original name restored: “\(name)”.", short: "Name restored.")
    }

    static func columnDuplicated(_ name: String, as copy: String) -> Message {
        Message(.columnDuplicated, "Column “\(name)” duplicated as “\(copy)”.", short: "Duplicated.")
    }

    /// - Parameters:
    ///   - names: the text of ``names(_:width:)``.
    ///   - count: the number of columns, for singular or plural.
    static func digitsGrouped(_ names: String, count: Int = 1, isGrouped: Bool, key: String) -> Message {
        let separators = "\(isGrouped ? "with" : "without") thousands separators"
        return Message(
            .digitsGrouped, "\(names) \(count == 1 ? "is" : "are") shown \(separators). Press \(key) again to go back.",
            short: isGrouped ? "Separators on." : "Separators off.")
    }

    /// - Parameters:
    ///   - names: the text of ``names(_:width:)``.
    ///   - count: the number of columns, for singular or plural.
    static func noNumbers(_ names: String, count: Int = 1) -> Message {
        Message(
            .noNumbers, "\(names) \(count == 1 ? "has" : "have") no numbers. Only numbers have thousands separators.", short: "No numbers.")
    }

    /// - Parameters:
    ///   - names: the text of ``names(_:width:)``.
    ///   - count: the number of columns, for singular or plural.
    static func dayOrder(_ names: String, count: Int = 1, isDayFirst: Bool, key: String) -> Message {
        let order = isDayFirst ? "day/month/year" : "month/day/year"
        return Message(
            .dayOrder, "\(names) \(count == 1 ? "is" : "are") read as \(order). Press \(key) again to swap back.",
            short: isDayFirst ? "Day first." : "Month first.")
    }

    /// - Parameters:
    ///   - names: the text of ``names(_:width:)``.
    ///   - count: the number of columns, for singular or plural.
    static func noDayOrder(_ names: String, count: Int = 1) -> Message {
        Message(
            .noDayOrder, "Cannot swap day and month: \(names) \(count == 1 ? "has" : "have") no dates such as 01/02/2024.",
            short: "No such dates.")
    }

    /// - Parameters:
    ///   - names: the text of ``names(_:width:)``.
    ///   - count: the number of columns, for singular or plural.
    ///   - unparsed: the values that cannot be read as the new type; `nil` if they were not counted.
    static func columnType(_ names: String, count: Int = 1, _ kind: ValueKind, unparsed: UnparsedValues? = nil, nextTypeKey: String)
        -> Message
    {
        let name = NamedStatistics.name(of: kind)
        let type = count == 1 ? "is now \(kind == .integer ? "an" : "a") \(name) column" : "are now \(name) columns"
        let note = kind == .text ? "." : unparsed.map { "; \($0.phrase)." } ?? "; invalid values are underlined."
        return Message(.columnType, "\(names) \(type)\(note) Press \(nextTypeKey) for the next type.", short: "Type: \(name).")
    }

    /// The quoted name of a single column, shortened to `width` cells, or the number of several columns, such as `3 columns`.
    static func names(_ columns: [Column], width: Int = 24) -> String {
        columns.count == 1 ? quoted(columns[0].title, width: width) : self.columns(columns.count)
    }

    /// A number of columns with the noun, such as `1 column` or `3 columns`.
    static func columns(_ count: Int) -> String { "\(ValueText.count(count)) \(count == 1 ? "column" : "columns")" }
}
