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

/// The titles of changes.
extension ViewHistory {
    static let several = "several settings"
    static let columns = "several columns"
    static let widths = "column widths"
    static let frozenColumns = "freeze columns"
    static let frozenRows = "freeze rows"
    static let moved = "move columns"
    static let movedRows = "move rows"
    static let layout = "row layout"
    static let removedFilter = "remove filters"
    static let ungrouped = "ungroup"
    static let groupOrder = "group order"
    static let unsorted = "remove sorting"

    static func filter(_ text: String) -> String { "filter “\(text)”" }
    static func switched(_ filter: String, isOn: Bool) -> String { "switch \(isOn ? "on" : "off") “\(filter)”" }
    static func grouped(_ names: String) -> String { "group by \(names)" }
    static func sorted(_ names: String) -> String { "sort by \(names)" }
    static func added(_ name: String) -> String { "add “\(name)”" }
    static func renamed(_ name: String, _ new: String) -> String { "rename “\(name)” to “\(new)”" }
    static func hidden(_ name: String, _ isHidden: Bool) -> String { "\(isHidden ? "hide" : "show") “\(name)”" }
    static func hidden(_ count: Int, _ isHidden: Bool) -> String { "\(isHidden ? "hide" : "show") \(Message.columns(count))" }
    static func types(_ count: Int) -> String { "type of \(Message.columns(count))" }
    static func width(_ name: String) -> String { "width of “\(name)”" }
    static func digits(_ name: String, _ isGrouped: Bool) -> String { "\(isGrouped ? "group" : "ungroup") digits of “\(name)”" }
    static func dayAndMonth(_ name: String) -> String { "swap day and month of “\(name)”" }
    static func type(_ name: String, _ kind: ValueKind) -> String { "type of “\(name)”: \(StatisticsFacts.name(of: kind))" }
}
