import FieldValues

extension Message {
    /// Sorting or grouping was asked for before the whole file is read.
    static func waitsForFile(isGrouping: Bool) -> Message {
        isGrouping
            ? Message(.groupsWhenRead, "Grouping waits until the whole file is read.", short: "Grouping waits.")
            : Message(.sortsWhenRead, "Sorting waits until the whole file is read.", short: "Sorting waits.")
    }

    /// The first sentences of a query message: the filters or groups that were removed.
    static func ended(filterCount: Int, isUngrouped: Bool) -> String {
        (filterCount == 0 ? "" : filterCount == 1 ? "Filter removed. " : "Filters removed. ") + (isUngrouped ? "Ungrouped. " : "")
    }

    static let selectionCleared = " Selection cleared."

    /// The rows are in file order and not grouped.
    /// - Parameters:
    ///   - ended: see ``ended(filterCount:isUngrouped:)``.
    ///   - wasSorted: whether they were in another order before.
    static func fileOrder(after ended: String, isUnfiltered: Bool, isUngrouped: Bool, wasSorted: Bool, isSelectionLost: Bool) -> Message {
        // An order is news only where there was another.
        let isOrderNews = ended.isEmpty || wasSorted
        let text = isOrderNews ? ended + "Back to file order." : String(ended.dropLast())
        let id: ID = isUnfiltered ? .filterRemoved : isUngrouped ? .ungrouped : .fileOrder
        let short = isUnfiltered ? "Filter removed." : isUngrouped ? "Ungrouped." : "In file order."
        return Message(id, text + (isSelectionLost ? selectionCleared : ""), short: short)
    }

    /// The rows are grouped or sorted.
    /// - Parameters:
    ///   - groups: the columns grouped by, each with its order: `sector`, `side, by row count, largest first`.
    ///   - sort: the columns sorted by, each with its direction: `price, smallest first`.
    ///   - hint: what to press next.
    static func arranged(
        after ended: String, groups: [String], sort: [String], isSelectionLost: Bool, hint: String, shortName: String
    ) -> Message {
        var parts: [String] = []
        if !groups.isEmpty { parts.append("Grouped by \(groups.joined(separator: ", then "))") }
        if !sort.isEmpty { parts.append("\(parts.isEmpty ? "Sorted" : "sorted") by \(sort.joined(separator: ", then "))") }
        let text = ended + parts.joined(separator: ", ") + "." + (isSelectionLost ? selectionCleared : "") + hint
        return Message(groups.isEmpty ? .sorted : .grouped, text, short: "By \(shortName).")
    }

    /// The effect of pressing the sort key again.
    static func sortHint(_ key: String, isDescending: Bool) -> String {
        isDescending ? " Press \(key) again for file order." : " Press \(key) again to reverse."
    }

    static func groupHint(collapseAll: String, expandAll: String, ungroup: String) -> String {
        " \(collapseAll) collapses all groups. \(expandAll) expands them. \(ungroup) ungroups."
    }

    /// How values of a type follow each other: `A to Z`, `newest first`.
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
