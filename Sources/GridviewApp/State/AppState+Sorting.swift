import DataGrid

extension AppState {
    /// Sorts by a column alone: up, then down, then not.
    mutating func sort(_ id: ColumnID) -> [AppEffect] {
        guard let column = grid.columns[id], column.sortMode != .none else { return [] }
        return arrange { $0.sort = GridState.sort($0.sort, afterActivating: id, mode: column.sortMode) }
    }

    mutating func sort(_ id: ColumnID, isDescending: Bool) -> [AppEffect] {
        arrange { $0.sort = [SortDescriptor(id, isDescending: isDescending)] }
    }

    /// Adds a further key, turns it, takes it away.
    mutating func sortFurther(_ id: ColumnID) -> [AppEffect] {
        arrange { $0.sort = GridState.sort($0.sort, afterActivating: id, mode: .threeState, isAdding: true) }
    }

    mutating func group(by id: ColumnID, further: Bool) -> [AppEffect] {
        guard further else { return arrange { $0.groups = $0.groups == [id] ? [] : [id] } }
        if wanted.groups.contains(id) {
            let name = Message.name(grid.columns[id]?.title ?? "?")
            message = Message("Already grouped by \(name). zu ungroups.", short: "Already grouped.")
            return []
        }
        return arrange { $0.groups.append(id) }
    }

    mutating func ungroup() -> [AppEffect] {
        guard !wanted.groups.isEmpty else {
            message = Message("There are no sections. zg groups by the column under the cursor.", short: "No sections: zg.")
            return []
        }
        return arrange { $0.groups = [] }
    }

    /// Asks for another arrangement. The header says at once what is wanted; the rows follow when it is done.
    mutating func arrange(_ change: (inout Arrangement) -> Void) -> [AppEffect] {
        change(&wanted)
        _ = grid.apply(.setSort(wanted.sort))
        _ = grid.apply(.setFilters(wanted.filters))
        // Rows that were moved by hand are out of the order that was asked for.
        guard isArranging || grid.rows.isMoved else { return [.cancel(.arrange)] }
        if grid.rows.isMoved, wanted.isNatural, arranged.isNatural, standing == nil {
            // That is to be had at once, whatever has been read.
            return take(wanted, .natural(count: document.recordCount), nil, false)
        }
        guard !document.isComplete, !wanted.isNatural else { return [.arrange(wanted)] }
        var effects: [AppEffect] = []
        if isReadingStopped {
            isReadingStopped = false
            effects.append(.startIndex)
        }
        if wanted.isFilterOnly { return effects + [.arrange(wanted)] }
        let what = wanted.groups.isEmpty ? "Sorts" : "Groups"
        message = Message("\(what) as soon as the whole file is read.", short: "\(what) once read.")
        return wanted.filters == arranged.filters && standing == nil ? effects : effects + [.arrange(wanted.unordered)]
    }

    /// Whether the rows are not yet those that are wanted.
    var isArranging: Bool { wanted != arranged || standing != nil }

    /// What an arrangement is, in words; what to do about it comes last, as it is the first to go where there is no room.
    /// - Parameter before: how the rows were arranged until now.
    func message(about arrangement: Arrangement, after before: Arrangement, isSelectionLost: Bool) -> Message {
        func title(_ id: ColumnID) -> String { Message.name(grid.columns[id]?.title ?? "?") }
        let isUngrouped = !before.groups.isEmpty && arrangement.groups.isEmpty
        let isUnfiltered = !before.filters.isEmpty && arrangement.filters.isEmpty
        let ends = (isUnfiltered ? "All rows again. " : "") + (isUngrouped ? "Ungrouped. " : "")
        let isFiltered = !arrangement.filters.isEmpty && arrangement.filters != before.filters
        if isFiltered || !arrangement.filters.isEmpty && (arrangement.isFilterOnly || grid.rows.count == 0) {
            var message = filterMessage(arrangement)
            message.text = ends + message.text
            return message
        }
        var parts: [String] = []
        if !arrangement.groups.isEmpty {
            let keys = arrangement.groups.map { id in
                title(id) + (arrangement.sort.contains { $0.column == id && $0.isDescending } ? ", highest first" : "")
            }
            parts.append("Grouped by \(keys.joined(separator: ", then "))")
        }
        // A column that groups stands in order anyway.
        let sort = arrangement.sort.filter { !arrangement.groups.contains($0.column) }
        if !sort.isEmpty {
            let keys = sort.map { "\(title($0.column)), \($0.isDescending ? "highest" : "lowest") first" }
            parts.append("\(parts.isEmpty ? "Sorted" : "sorted") by \(keys.joined(separator: ", then "))")
        }
        let lost = isSelectionLost ? " The selection was cleared." : ""
        guard !parts.isEmpty else {
            // Of an order nothing has to be said where there was none.
            let order = ends.isEmpty || !before.sort.isEmpty ? "In the order of the file." : ""
            let text = order.isEmpty ? String(ends.dropLast()) : ends + order
            return Message(text + lost, short: isUnfiltered ? "All rows." : isUngrouped ? "Ungrouped." : "In file order.")
        }
        let hint: String
        if sort.isEmpty {
            hint = " zM closes all sections. zR opens them. zu ungroups."
        } else if arrangement.sort.count == 1, arrangement.groups.isEmpty {
            hint = arrangement.sort[0].isDescending ? " s again: as in the file." : " s again: highest first."
        } else {
            hint = ""
        }
        let first = arrangement.groups.first ?? arrangement.sort[0].column
        let short = "By \(Message.name(grid.columns[first]?.title ?? "?", width: 12))."
        return Message(ends + parts.joined(separator: ", ") + "." + lost + hint, short: short)
    }
}
