import DataGrid
import DataGridQuery
import DataGridTerminal

extension AppState {
    /// Sorts by one column: ascending, then descending, then not at all.
    mutating func sort(_ id: ColumnID) -> [AppEffect] {
        guard let column = grid.columns[id], column.sortMode != .none else { return [] }
        if let (level, aggregate) = sectionsInSight(withFigureOf: id) {
            let order = query.wanted.order(ofLevel: level)
            guard order.criterion == .aggregate(aggregate) else { return self.order(level, by: .aggregate(aggregate), isDescending: false) }
            return order.isDescending
                ? arrange { $0.sectionOrders[level] = nil } : self.order(level, by: order.criterion, isDescending: true)
        }
        if query.wanted.sectionOrders[id] != nil { return sort(id, isDescending: false) }
        return arrange { $0.sort = GridState.sort($0.sort, afterActivating: id, mode: column.sortMode) }
    }

    mutating func sort(_ id: ColumnID, isDescending: Bool) -> [AppEffect] {
        if let (level, aggregate) = sectionsInSight(withFigureOf: id) {
            return order(level, by: .aggregate(aggregate), isDescending: isDescending)
        }
        return arrange {
            $0.sort = [SortDescriptor(id, isDescending: isDescending)]
            // The groups by this column follow the sort.
            $0.sectionOrders[id] = nil
        }
    }

    /// Adds the column as the next sort key, reverses it, or removes it.
    mutating func sortFurther(_ id: ColumnID) -> [AppEffect] {
        arrange { $0.sort = GridState.sort($0.sort, afterActivating: id, mode: .threeState, isAdding: true) }
    }

    mutating func group(by id: ColumnID, further: Bool) -> [AppEffect] {
        guard further else {
            return arrange {
                $0.groups = $0.groups == [id] ? [] : [id]
                $0.sectionOrders = [:]
            }
        }
        if query.wanted.groups.contains(id) {
            let name = Message.name(grid.columns[id]?.title ?? "?")
            return say("Already grouped by \(name). \(key(.ungroup)) ungroups.", short: "Already grouped.")
        }
        return arrange { $0.groups.append(id) }
    }

    mutating func ungroup() -> [AppEffect] {
        guard !query.wanted.groups.isEmpty else {
            message = noSections
            return []
        }
        return arrange {
            $0.groups = []
            $0.sectionOrders = [:]
        }
    }

    /// Requests another arrangement. The header shows it as pending; the rows follow when the job is done.
    mutating func arrange(_ change: (inout Arrangement) -> Void) -> [AppEffect] {
        var wanted = query.wanted
        change(&wanted)
        query.ask(for: wanted)
        updateSortBadges()
        showFilters(wanted)
        // Rows that were moved by hand are out of the requested order.
        guard !query.isSettled || grid.rows.isMoved else { return [.cancel(.arrange)] }
        if grid.rows.isMoved, wanted.isNatural, query.shown.isNatural, query.former == nil {
            // File order is available immediately, even if the file is still being read.
            return applyResult(wanted, .natural(count: document.recordCount), nil, false)
        }
        guard !document.isComplete, !wanted.isNatural else { return [.arrange(wanted)] }
        var effects: [AppEffect] = []
        if sheet.isReadingStopped {
            sheet.isReadingStopped = false
            effects.append(.startIndex)
        }
        if wanted.isFilterOnly { return effects + [.arrange(wanted)] }
        let what = wanted.groups.isEmpty ? "Sorts" : "Groups"
        say("\(what) as soon as the whole file is read.", short: "\(what) once read.")
        return wanted.filters == query.shown.filters && query.former == nil ? effects : effects + [.arrange(wanted.unordered)]
    }

    /// Stores the active filters in the grid, for saved views.
    mutating func showFilters(_ arrangement: Arrangement) { controller.perform(.setFilters(arrangement.filters.map(\.text))) }

    /// Shows the current sort and the pending sort in the header.
    mutating func updateSortBadges() {
        let (sort, wanted) = (query.showsFirstOnly ? [] : query.shown.sort, query.wanted.sort)
        controller.perform(.setSort(sort, pending: wanted == sort ? [] : wanted))
    }

    /// Shows the first rows of a sort while the rest is sorted. Does nothing if later rows are visible, or if the filters change too: then
    /// the cursor may belong anywhere.
    mutating func showFirst(_ arrangement: Arrangement, _ rows: RowOrder) -> [AppEffect] {
        let before = query.former?.arrangement ?? query.shown
        guard arrangement == query.wanted, arrangement.filters == before.filters, query.former == nil || query.showsFirstOnly,
            !query.isStale
        else { return [] }
        let height = grid.size.height
        guard let row = grid.cursor.row, row + height < rows.count, grid.scroll.top + height < rows.count else { return [] }
        query.receive(arrangement, former: query.former ?? FormerRows(self))
        controller.perform(.setRows(rows, tree: nil))
        updateSortBadges()
        return [.cancel(.find)]
    }

    /// The message about an arrangement. The remedy is last, because it is dropped first if there is no room.
    /// - Parameter before: The previous arrangement.
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
                title(id) + phrase(about: arrangement.order(ofLevel: id))
            }
            parts.append("Grouped by \(keys.joined(separator: ", then "))")
        }
        // A group column is sorted anyway.
        let sort = arrangement.sort.filter { !arrangement.groups.contains($0.column) }
        if !sort.isEmpty {
            let keys = sort.map { "\(title($0.column)), \($0.isDescending ? "highest" : "lowest") first" }
            parts.append("\(parts.isEmpty ? "Sorted" : "sorted") by \(keys.joined(separator: ", then "))")
        }
        let lost = isSelectionLost ? " The selection was cleared." : ""
        guard !parts.isEmpty else {
            // Do not mention the order if the rows were not sorted.
            let order = ends.isEmpty || !before.sort.isEmpty ? "In the order of the file." : ""
            let text = order.isEmpty ? String(ends.dropLast()) : ends + order
            return Message(text + lost, short: isUnfiltered ? "All rows." : isUngrouped ? "Ungrouped." : "In file order.")
        }
        let hint: String
        if sort.isEmpty {
            hint = " \(key(.collapseAll)) closes all sections. \(key(.expandAll)) opens them. \(key(.ungroup)) ungroups."
        } else if arrangement.sort.count == 1, arrangement.groups.isEmpty {
            hint = arrangement.sort[0].isDescending ? " \(key(.sort)) again: as in the file." : " \(key(.sort)) again: highest first."
        } else {
            hint = ""
        }
        let first = arrangement.groups.first ?? arrangement.sort[0].column
        let short = "By \(Message.name(grid.columns[first]?.title ?? "?", width: 12))."
        return Message(ends + parts.joined(separator: ", ") + "." + lost + hint, short: short)
    }
}
