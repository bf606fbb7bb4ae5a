import DataGrid

extension AppState {
    /// Sorts by a column alone: up, then down, then not.
    mutating func sort(_ id: ColumnID) -> [AppEffect] {
        guard let column = grid.columns[id], column.sortMode != .none else { return [] }
        switch wanted.sort.first(where: { $0.column == id }) {
        case nil: return arrange { $0.sort = [SortDescriptor(id)] }
        case let current? where !current.isDescending: return arrange { $0.sort = [SortDescriptor(id, isDescending: true)] }
        default: return arrange { $0.sort = column.sortMode == .twoState ? [SortDescriptor(id)] : [] }
        }
    }

    mutating func sort(_ id: ColumnID, isDescending: Bool) -> [AppEffect] {
        arrange { $0.sort = [SortDescriptor(id, isDescending: isDescending)] }
    }

    /// Adds a further key, turns it, takes it away.
    mutating func sortFurther(_ id: ColumnID) -> [AppEffect] {
        arrange { arrangement in
            guard let index = arrangement.sort.firstIndex(where: { $0.column == id }) else {
                arrangement.sort.append(SortDescriptor(id))
                return
            }
            if arrangement.sort[index].isDescending {
                arrangement.sort.remove(at: index)
            } else {
                arrangement.sort[index].isDescending = true
            }
        }
    }

    mutating func group(by id: ColumnID, further: Bool) -> [AppEffect] {
        arrange { arrangement in
            if !further {
                arrangement.groups = arrangement.groups == [id] ? [] : [id]
            } else if let index = arrangement.groups.firstIndex(of: id) {
                arrangement.groups.remove(at: index)
            } else {
                arrangement.groups.append(id)
            }
        }
    }

    mutating func ungroup() -> [AppEffect] {
        guard !wanted.groups.isEmpty else {
            message = Message("There are no sections. zg groups by the column under the cursor.")
            return []
        }
        return arrange { $0.groups = [] }
    }

    /// Asks for another arrangement. The header says at once what is wanted; the rows follow when it is done.
    mutating func arrange(_ change: (inout Arrangement) -> Void) -> [AppEffect] {
        change(&wanted)
        _ = grid.apply(.setSort(wanted.sort))
        _ = grid.apply(.setFilters(wanted.filters))
        guard isArranging else { return [.cancel(.arrange)] }
        guard !document.isComplete, !wanted.isNatural else { return [.arrange(wanted)] }
        var effects: [AppEffect] = []
        if isReadingStopped {
            isReadingStopped = false
            effects.append(.startIndex)
        }
        if wanted.isFilterOnly { return effects + [.arrange(wanted)] }
        message = Message("\(wanted.groups.isEmpty ? "Sorts" : "Groups") as soon as the whole file is read.")
        return wanted.filters == arranged.filters && standing == nil ? effects : effects + [.arrange(wanted.unordered)]
    }

    /// Whether the rows are not yet those that are wanted.
    var isArranging: Bool { wanted != arranged || standing != nil }

    /// What an arrangement is, in words.
    func sentence(about arrangement: Arrangement) -> String {
        func title(_ id: ColumnID) -> String { grid.columns[id]?.title ?? "?" }
        if !arrangement.filters.isEmpty, arrangement.isFilterOnly || grid.rows.count == 0 { return filterSentence(arrangement) }
        var parts: [String] = []
        if !arrangement.groups.isEmpty { parts.append("Grouped by \(arrangement.groups.map(title).joined(separator: ", then "))") }
        if let first = arrangement.sort.first {
            let keys = arrangement.sort.map { "\(title($0.column)), \($0.isDescending ? "highest" : "lowest") first" }
            parts.append("\(parts.isEmpty ? "Sorted" : "sorted") by \(keys.joined(separator: ", then "))")
            let hint = first.isDescending ? "s again: as in the file" : "s again: highest first"
            return parts.joined(separator: ", ") + "." + (arrangement.sort.count == 1 && arrangement.groups.isEmpty ? " \(hint)." : "")
        }
        if parts.isEmpty { return "In the order of the file." }
        return parts.joined() + ". zM closes all sections, zR opens them, zu ungroups."
    }
}
