import DataGrid
import FieldValues

extension Message {
    static func undone(_ title: String, redoKey: String) -> Message {
        Message(.undone, "Undone: \(title). \(redoKey) redoes it.", short: "Undone.")
    }

    static func redone(_ title: String, undoKey: String) -> Message {
        Message(.redone, "Redone: \(title). \(undoKey) undoes it.", short: "Redone.")
    }

    static let nothingToUndo = Message(.nothingToUndo, "Nothing to undo.")

    static let nothingToRedo = Message(.nothingToRedo, "Nothing to redo.")
}

/// The titles of changes in the undo history.
extension ViewHistory {
    static let severalSettingsTitle = "change several settings"
    static let severalColumnsTitle = "change several columns"
    static let widthsTitle = "resize columns"
    static let resetTitle = "reset view"
    static let restoredViewTitle = "restore view"
    static let frozenColumnsTitle = "change frozen columns"
    static let movedColumnTitle = "move columns"
    static let movedRowsTitle = "move rows"
    static let rowLayoutTitle = "change row layout"
    static let wrappedTextTitle = "wrap long text"
    static let rowWidthTitle = "resize rows"
    static let ungroupedTitle = "ungroup"
    static let subtotalsTitle = "change subtotals"
    static let unsortedTitle = "remove sorting"

    static func movedColumnTitle(_ name: String) -> String { "move “\(name)”" }
    static func frozenColumnTitle(_ name: String, _ side: ColumnSide?) -> String { frozenColumnTitle(columns: "“\(name)”", side) }
    static func frozenColumnTitle(_ count: Int, _ side: ColumnSide?) -> String { frozenColumnTitle(columns: Message.columns(count), side) }
    private static func frozenColumnTitle(columns: String, _ side: ColumnSide?) -> String {
        "\(side == nil ? "unfreeze" : "freeze") \(columns)\(side == .trailing ? " at the right" : "")"
    }
    static func frozenRowsTitle(_ count: Int) -> String { count == 0 ? "unfreeze rows" : "freeze \(Message.rows(count))" }
    static func frozenColumnsAndRowsTitle(_ isFrozen: Bool) -> String { "\(isFrozen ? "freeze" : "unfreeze") columns and rows" }
    static func presentationTitle(_ presentation: GridPresentation) -> String {
        switch presentation {
        case .table, .adaptive: "show as a table"
        case .transposed: "transpose"
        case .cards: "show as cards"
        }
    }
    static func rowHeightTitle(_ lines: Int) -> String { lines == 1 ? "show one line per row" : "show \(lines) lines per row" }
    static func gridLinesTitle(_ lines: GridLines) -> String {
        switch lines {
        case .none: "hide grid lines"
        case .columns: "show grid lines between columns"
        case .rows: "show grid lines between rows"
        case .both: "show all grid lines"
        }
    }
    static func marksTitle(from before: Int, to after: Int) -> String {
        if after == 0 { return before == 1 ? "unmark a row" : "clear marks" }
        return abs(after - before) == 1 ? after > before ? "mark a row" : "unmark a row" : "change marks"
    }
    static func removedFilterTitle(_ text: String) -> String { "remove filter “\(text)”" }
    static func removedFiltersTitle(_ count: Int, removesAll: Bool) -> String {
        removesAll ? "remove all filters" : "remove \(count) filters"
    }
    static func changedFilterTitle(_ text: String) -> String { "change filter to “\(text)”" }
    static func addedFilterTitle(_ text: String) -> String { "filter “\(text)”" }
    static func switchedFilterTitle(_ filter: String, isOn: Bool) -> String { "turn \(isOn ? "on" : "off") filter “\(filter)”" }
    static func groupedTitle(_ names: String) -> String { "group by \(names)" }
    static func directionSuffix(_ isDescending: Bool) -> String { isDescending ? " (descending)" : "" }
    static func sortedGroupsTitle(_ criterion: String, isDescending: Bool) -> String {
        "sort groups by \(criterion)\(directionSuffix(isDescending))"
    }
    static func columnRenameTitle(_ count: Int) -> String { "rename \(Message.columns(count))" }
    static func digitGroupsTitle(_ count: Int, isGrouped: Bool) -> String {
        "\(isGrouped ? "show" : "hide") thousands separators in \(Message.columns(count))"
    }
    static func dayAndMonthTitle(_ count: Int) -> String { "swap day and month of \(Message.columns(count))" }
    static func sortedTitle(_ names: String) -> String { "sort by \(names)" }
    static func columnAdditionTitle(_ name: String) -> String { "add “\(name)”" }
    static func columnExpansionTitle(_ name: String) -> String { "expand “\(name)”" }
    static func columnCollapseTitle(_ name: String) -> String { "collapse “\(name)”" }
    static func columnRenameTitle(_ name: String, to newName: String) -> String { "rename “\(name)” to “\(newName)”" }
    static func columnHidingTitle(_ name: String, isHidden: Bool) -> String { "\(isHidden ? "hide" : "show") “\(name)”" }
    static func columnHidingTitle(_ count: Int, isHidden: Bool) -> String { "\(isHidden ? "hide" : "show") \(Message.columns(count))" }
    static func columnTypesTitle(_ count: Int) -> String { "change the type of \(Message.columns(count))" }
    static func columnWidthTitle(_ name: String) -> String { "resize “\(name)”" }
    static func digitGroupsTitle(_ name: String, isGrouped: Bool) -> String {
        "\(isGrouped ? "show" : "hide") thousands separators in “\(name)”"
    }
    static func dayAndMonthTitle(_ name: String) -> String { "swap day and month of “\(name)”" }
    static func columnTypeTitle(_ name: String, _ kind: ValueKind) -> String {
        "change the type of “\(name)” to \(NamedStatistics.name(of: kind))"
    }
}
