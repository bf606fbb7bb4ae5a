import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal

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

    /// A phrase about the values that aggregates leave out; `nil` without such values.
    static func leftOutValues(_ values: [LeftOutValues], in columns: [Column]) -> String? {
        guard !values.isEmpty else { return nil }
        let named = values.prefix(3).map { one in
            let title = columns.first { $0.field == one.field }?.title ?? "?"
            let count = one.count == 1 ? "" : "\(ValueText.count(one.count)) values, such as "
            return "\(quoted(title)) (\(count)\(quoted(one.firstText)) in row \(ValueText.count(one.firstRecord + 1)))"
        }
        let rest = values.count - named.count
        let more = rest == 0 ? "" : rest == 1 ? " and 1 more column" : " and \(ValueText.count(rest)) more columns"
        let list = named.joined(separator: ", ") + more
        return "some values are not in the aggregates, because they are not written as the others: \(list)"
    }
}
