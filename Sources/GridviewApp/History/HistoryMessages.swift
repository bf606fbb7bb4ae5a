import DataGrid
import FieldValues

extension Message {
    static func undone(_ title: String, redo: String) -> Message {
        Message(.undone, "Undone: \(title). \(redo) redoes it.", short: "Undone.")
    }

    static func redone(_ title: String, undo: String) -> Message {
        Message(.redone, "Redone: \(title). \(undo) undoes it.", short: "Redone.")
    }

    static let nothingToUndo = Message(.nothingToUndo, "Nothing to undo.")

    static let nothingToRedo = Message(.nothingToRedo, "Nothing to redo.")
}

/// The titles of changes in the undo history.
extension ViewHistory {
    static let several = "change several settings"
    static let columns = "change several columns"
    static let widths = "resize columns"
    static let reset = "reset view"
    static let restored = "restore view"
    static let frozenColumns = "change frozen columns"
    static let moved = "move columns"
    static let movedRows = "move rows"
    static let layout = "change row layout"
    static let wrapped = "wrap long text"
    static let rowWidth = "resize rows"
    static let ungrouped = "ungroup"
    static let subtotals = "change subtotals"
    static let unsorted = "remove sorting"

    static func moved(_ name: String) -> String { "move “\(name)”" }
    static func frozen(_ name: String, _ side: ColumnSide?) -> String { frozen(columns: "“\(name)”", side) }
    static func frozen(_ count: Int, _ side: ColumnSide?) -> String { frozen(columns: Message.columns(count), side) }
    private static func frozen(columns: String, _ side: ColumnSide?) -> String {
        "\(side == nil ? "unfreeze" : "freeze") \(columns)\(side == .trailing ? " at the right" : "")"
    }
    static func frozenRows(_ count: Int) -> String { count == 0 ? "unfreeze rows" : "freeze \(Message.rows(count))" }
    static func frozenColumnsAndRows(_ isFrozen: Bool) -> String { "\(isFrozen ? "freeze" : "unfreeze") columns and rows" }
    static func presentation(_ presentation: GridPresentation) -> String {
        switch presentation {
        case .table, .adaptive: "show as a table"
        case .transposed: "transpose"
        case .cards: "show as cards"
        }
    }
    static func rowHeight(_ lines: Int) -> String { lines == 1 ? "show one line per row" : "show \(lines) lines per row" }
    static func gridLines(_ lines: GridLines) -> String {
        switch lines {
        case .none: "hide grid lines"
        case .columns: "show grid lines between columns"
        case .rows: "show grid lines between rows"
        case .both: "show all grid lines"
        }
    }
    static func marks(_ before: Int, _ after: Int) -> String {
        if after == 0 { return before == 1 ? "unmark a row" : "clear marks" }
        return abs(after - before) == 1 ? after > before ? "mark a row" : "unmark a row" : "change marks"
    }
    static func removedFilter(_ text: String) -> String { "remove filter “\(text)”" }
    static func removedFilters(_ count: Int, areAll: Bool) -> String { areAll ? "remove all filters" : "remove \(count) filters" }
    static func changedFilter(_ text: String) -> String { "change filter to “\(text)”" }
    static func filter(_ text: String) -> String { "filter “\(text)”" }
    static func switched(_ filter: String, isOn: Bool) -> String { "turn \(isOn ? "on" : "off") filter “\(filter)”" }
    static func grouped(_ names: String) -> String { "group by \(names)" }
    static func direction(_ isDescending: Bool) -> String { isDescending ? " (descending)" : "" }
    static func sortedGroups(_ criterion: String, isDescending: Bool) -> String { "sort groups by \(criterion)\(direction(isDescending))" }
    static func renamed(_ count: Int) -> String { "rename \(Message.columns(count))" }
    static func digits(_ count: Int, _ isGrouped: Bool) -> String {
        "\(isGrouped ? "show" : "hide") thousands separators in \(Message.columns(count))"
    }
    static func dayAndMonth(_ count: Int) -> String { "swap day and month of \(Message.columns(count))" }
    static func sorted(_ names: String) -> String { "sort by \(names)" }
    static func added(_ name: String) -> String { "add “\(name)”" }
    static func expanded(_ name: String) -> String { "expand “\(name)”" }
    static func collapsed(_ name: String) -> String { "collapse “\(name)”" }
    static func renamed(_ name: String, _ new: String) -> String { "rename “\(name)” to “\(new)”" }
    static func hide(_ name: String, isHidden: Bool) -> String { "\(isHidden ? "hide" : "show") “\(name)”" }
    static func hide(_ count: Int, isHidden: Bool) -> String { "\(isHidden ? "hide" : "show") \(Message.columns(count))" }
    static func types(_ count: Int) -> String { "change the type of \(Message.columns(count))" }
    static func width(_ name: String) -> String { "resize “\(name)”" }
    static func digits(_ name: String, _ isGrouped: Bool) -> String { "\(isGrouped ? "show" : "hide") thousands separators in “\(name)”" }
    static func dayAndMonth(_ name: String) -> String { "swap day and month of “\(name)”" }
    static func type(_ name: String, _ kind: ValueKind) -> String { "change the type of “\(name)” to \(NamedStatistics.name(of: kind))" }
}
