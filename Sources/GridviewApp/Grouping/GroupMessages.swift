extension Message {
    static func alreadyGrouped(by name: String, ungroup: String) -> Message {
        Message(.alreadyGrouped, "Already grouped by “\(name)”. \(ungroup) ungroups.", short: "Already grouped.")
    }

    static func noGroups(group: String) -> Message {
        Message(.noGroups, "The rows are not grouped. \(group) groups them by this column.", short: "\(group) groups rows.")
    }

    static func noIntervals(of name: String) -> Message {
        Message(
            .noIntervals, "Cannot group by period or range: “\(name)” has no dates or numbers.", short: "No date or number.")
    }

    static func noSubtotal(of name: String) -> Message {
        Message(.noSubtotal, "No subtotal for “\(name)”: it is not numeric.", short: "No subtotal.")
    }
}
