import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues

extension Message {
    static func alreadyGrouped(by name: String, ungroupKey: String) -> Message {
        Message(.alreadyGrouped, "Already grouped by “\(name)”. \(ungroupKey) ungroups.", short: "Already grouped.")
    }

    static func noGroups(groupKey: String) -> Message {
        Message(.noGroups, "The rows are not grouped. \(groupKey) groups them by this column.", short: "\(groupKey) groups rows.")
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
            let column = columns.first { $0.field == one.field }
            let title = quoted(RowFormat.printable(column?.title ?? "?"))
            guard let record = one.firstRecord, let text = one.firstText else {
                let range = column?.kind == .time ? "at 24:00 or later" : "outside the years 1 to 9999"
                return "\(one.count == 1 ? "a value" : "\(ValueText.count(one.count)) values") of \(title) \(range)"
            }
            let noun = column.map { $0.kind == .time ? "time" : $0.kind.isTemporal ? "date" : "number" } ?? "number"
            let example = "\(quoted(RowFormat.printable(text))) in row \(ValueText.count(record + 1))"
            return one.count == 1
                ? "a value of \(title) that is not a \(noun): \(example)"
                : "\(ValueText.count(one.count)) values of \(title) that are not \(noun)s, such as \(example)"
        }
        let rest = values.count - named.count
        let more = rest == 0 ? [] : ["values of \(rest == 1 ? "1 more column" : "\(ValueText.count(rest)) more columns")"]
        return "aggregates leave out \((named + more).joined(separator: "; "))"
    }
}
