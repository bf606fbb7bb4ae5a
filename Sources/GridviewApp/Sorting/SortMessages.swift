import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface

extension Message {
    /// A sort or grouping was requested before the whole file was read. It starts after the last row was read.
    static func waitsForFile(isGrouping: Bool) -> Message {
        isGrouping
            ? Message(.groupsWhenRead, "Grouping waits until the whole file has been read.", short: "Grouping waits.")
            : Message(.sortsWhenRead, "Sorting waits until the whole file has been read.", short: "Sorting waits.")
    }

    /// Sentences about filters or groups that were removed, to start a message with.
    /// - Parameter isTurnedOff: true if the filters were not removed but turned off.
    static func removalSentences(filterCount: Int, isTurnedOff: Bool = false, isUngrouped: Bool) -> String {
        let filters = "\(filterCount == 1 ? "Filter" : "Filters") \(isTurnedOff ? "turned off" : "removed"). "
        return (filterCount == 0 ? "" : filters) + (isUngrouped ? "Ungrouped. " : "")
    }

    /// The selection was cleared, because it had too many rows. Finding all of them in the new order would take too long.
    static let selectionCleared = " Selection cleared: it had more than \(rows(AppState.maximumSelectedRows))."

    /// The rows are in file order and not grouped.
    /// - Parameters:
    ///   - removals: the sentences about removed filters and groups; empty for none.
    ///   - wasSorted: true if the rows were in another order before.
    static func fileOrder(
        after removals: String, isUnfiltered: Bool, isTurnedOff: Bool = false, isUngrouped: Bool, wasSorted: Bool, isSelectionLost: Bool
    ) -> Message {
        // Mention the order only if it has changed, or if there is nothing else to say.
        let mentionsOrder = removals.isEmpty || wasSorted
        let text = mentionsOrder ? removals + "Back to file order." : String(removals.dropLast())
        let id: ID = isUnfiltered ? .filterRemoved : isUngrouped ? .ungrouped : .fileOrder
        let short = isUnfiltered ? (isTurnedOff ? "Filter off." : "Filter removed.") : isUngrouped ? "Ungrouped." : "In file order."
        return Message(id, text + (isSelectionLost ? selectionCleared : ""), short: short)
    }

    /// The rows are grouped or sorted.
    /// - Parameters:
    ///   - removals: the sentences about removed filters and groups; empty for none.
    ///   - groups: the quoted names of the group columns.
    ///   - groupOrders: text about each group level whose order is mentioned: `groups sorted by row count (largest first)`.
    ///   - sort: the quoted names of the sort columns, each with its direction: `“price” (smallest first)`.
    ///   - hint: a sentence about the keys to press next.
    ///   - short: the form for narrow screens.
    static func arranged(
        after removals: String, groups: [String], groupOrders: [String], sort: [String], isSelectionLost: Bool, hint: String,
        short: String
    ) -> Message {
        var parts: [String] = []
        if !groups.isEmpty { parts.append("Grouped by \(groups.joined(separator: ", then "))") }
        parts += groupOrders
        if !sort.isEmpty { parts.append("\(parts.isEmpty ? "Sorted" : "rows sorted") by \(sort.joined(separator: ", then "))") }
        let text = removals + parts.joined(separator: "; ") + "." + (isSelectionLost ? selectionCleared : "") + hint
        return Message(groups.isEmpty ? .sorted : .grouped, text, short: short)
    }

    /// The most important change of an arrangement, with the quoted names of its columns, for a short message.
    enum ArrangementMessage {
        case sorted([String])
        /// The groups have another order, which the text describes, such as by their row count.
        case groupsSorted(String)
        case grouped([String])
    }

    /// The longest form of a sentence about this change that fits `width` terminal cells.
    static func shortSentence(_ change: ArrangementMessage, width: Int) -> String {
        func columns(_ names: [String]) -> String { names.count == 1 ? names[0] : "\(names.count) columns" }
        let (words, detail) =
            switch change {
            case .sorted(let names): ("Sorted", columns(names))
            case .groupsSorted(let criterion): ("Groups sorted", criterion)
            case .grouped(let names): ("Grouped", columns(names))
            }
        let sentence = "\(words) by \(detail)."
        return DisplayWidth.of(sentence, limit: max(0, width) + 1) <= width ? sentence : "\(words)."
    }

    /// A sentence about the effect of pressing the sort key on a sorted column, shown after any command or click that has sorted it.
    static func sortHint(_ key: String, isDescending: Bool) -> String {
        isDescending ? " \(key) restores file order." : " \(key) reverses the order."
    }

    /// A sentence about the columns of numbers that have no subtotal by default, because there are too many columns.
    static func subtotalHint(without count: Int, of total: Int, aggregatesKey: String) -> String {
        let (few, all) = (ValueText.count(count), ValueText.count(total))
        return " \(few) of \(all) number columns \(count == 1 ? "has" : "have") no subtotal; \(aggregatesKey) adds one."
    }

    static func groupHint(collapseAllKey: String, expandAllKey: String, ungroupKey: String) -> String {
        " \(collapseAllKey) collapses all groups. \(expandAllKey) expands them. \(ungroupKey) ungroups."
    }

    /// The sort direction in words that suit the type of the values, such as `A to Z` or `newest first`.
    static func direction(of kind: ValueKind?, isDescending: Bool) -> String {
        switch kind ?? .text {
        case .text: isDescending ? "Z to A" : "A to Z"
        case .integer, .decimal: isDescending ? "largest first" : "smallest first"
        case .date, .dateTime: isDescending ? "newest first" : "oldest first"
        case .time: isDescending ? "latest first" : "earliest first"
        case .flag: isDescending ? "true first" : "false first"
        }
    }
}
