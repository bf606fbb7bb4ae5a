import DataGrid
import DataGridQuery
import DataGridTerminal
import Tables
import TerminalSurface

extension AppState {
    /// Sorts by columns; the first one is the most significant. If the rows are already sorted by them, the order becomes descending and,
    /// after that, the sort is removed.
    mutating func sort(_ columns: [Column]) -> [AppEffect] {
        if columns.count == 1 { return sort(columns[0].id) }
        let (ids, sort) = (columns.filter { $0.sortMode != .none }.map(\.id), query.requested.sort)
        let isRepeated = sort.map(\.column) == ids
        if isRepeated, sort.allSatisfy(\.isDescending) { return arrange { $0.sort = [] } }
        return self.sort(ids, isDescending: isRepeated && sort.allSatisfy { !$0.isDescending })
    }

    /// Sorts by one column: ascending, then descending, then not at all.
    mutating func sort(_ id: ColumnID) -> [AppEffect] {
        guard let column = grid.columns[id], column.sortMode != .none else { return [] }
        if let (level, aggregate) = groupsToSort(byAggregateOf: id) {
            let order = query.requested.order(ofLevel: level)
            guard order.criterion == .aggregate(aggregate) else { return self.order(level, by: .aggregate(aggregate), isDescending: false) }
            return order.isDescending
                ? arrange { $0.sectionOrders[level] = nil } : self.order(level, by: order.criterion, isDescending: true)
        }
        if query.requested.sectionOrders[id] != nil { return sort([id], isDescending: false) }
        return arrange { $0.sort = GridState.sort($0.sort, afterActivating: id, mode: column.sortMode) }
    }

    /// Sorts by columns in one direction; the first column is the most significant.
    mutating func sort(_ ids: [ColumnID], isDescending: Bool) -> [AppEffect] {
        if ids.count == 1, let (level, aggregate) = groupsToSort(byAggregateOf: ids[0]) {
            return order(level, by: .aggregate(aggregate), isDescending: isDescending)
        }
        return arrange {
            $0.sort = ids.map { ColumnSort($0, isDescending: isDescending) }
            // The order of groups by these columns follows the new sort. Remove the order that the user has set for the groups.
            for id in ids { $0.sectionOrders[id] = nil }
        }
    }

    /// Adds each column as the least significant sort key. If a column is a sort key already, an ascending key becomes descending, and a
    /// descending key is removed.
    mutating func addSortKeys(_ ids: [ColumnID]) -> [AppEffect] {
        arrange { arrangement in
            for id in ids { arrangement.sort = GridState.sort(arrangement.sort, afterActivating: id, mode: .threeState, isAdding: true) }
        }
    }

    /// Requests an arrangement with other filters, sort keys or groups. The header shows it as pending until a job has arranged the rows.
    /// - Parameter moves: the moves of rows to repeat when the rows are arranged; empty for none.
    mutating func arrange(moves: [Range<Int>] = [], _ change: (inout Arrangement) -> Void) -> [AppEffect] {
        var new = query.requested
        change(&new)
        var unchanged = query.requested
        unchanged.disabledFilters = new.disabledFilters
        let isIdle =
            query.isSettled && document.canBeQueried && !grid.rows.isMoved && moves.isEmpty && !jobs.contains { $0.kind == .arrange }
        if unchanged == new, new != query.requested, isIdle {
            // Only filters that are turned off have changed, so the rows stay as they are.
            let removed = query.requested.disabledFilters.count - new.disabledFilters.count
            query = .settled(new)
            if removed > 0 {
                show(
                    .fileOrder(
                        after: Message.removalSentences(filterCount: removed, isUngrouped: false), isUnfiltered: true, isUngrouped: false,
                        wasSorted: false, isSelectionLost: false))
            }
            return []
        }
        (sheet.reloadAnchor, sheet.awaitedMoves) = (nil, moves)
        query.requestArrangement(new, isFileRead: document.canBeQueried)
        updateSortBadges()
        showFilters(new)
        // If the rows already have the requested arrangement, no job is needed, unless rows were moved by hand.
        guard !query.isSettled || grid.rows.isMoved else {
            // The pending query is cancelled. It may have replaced a job that filtered the last rows of the file, so filter these again.
            if new.isFilterOnly, document.canBeQueried { return [.arrange(new)] }
            sheet.awaitedMoves = nil
            return [.cancel(.arrange)] + restoreMoves(moves) + followRows()
        }
        if grid.rows.isMoved, new.isFileOrder, query.shown.isFileOrder, query.previousRows == nil {
            // File order needs no job, even if the file is still being read.
            return applyResult(new, .natural(count: document.recordCount), nil, extendsVisibleRows: false)
        }
        guard !document.canBeQueried, !new.isFileOrder else { return [.arrange(new)] }
        let effects = resumeReading()
        if new.isFilterOnly { return effects + [.arrange(new)] }
        show(.waitsForFile(isGrouping: !new.groups.isEmpty))
        guard let runnable = query.runnableBeforeFileIsRead else { return effects }
        return effects + [.arrange(runnable)]
    }

    /// Stores the texts of the active filters in the grid, which includes them in saved views.
    mutating func showFilters(_ arrangement: Arrangement) { controller.perform(.setFilters(arrangement.filters.map(\.text))) }

    /// Updates the sort marks in the header, for the current sort and for a requested sort that is not done yet.
    mutating func updateSortBadges() {
        let (sort, requested) = (query.showsOnlyFirstRows ? [] : query.shown.sort, query.requested.sort)
        controller.perform(.setSort(sort, pending: requested == sort ? [] : requested))
    }

    /// Shows the first rows of a sort while a job sorts the rest.
    ///
    /// Does nothing if later rows are visible. Also does nothing if the filters change, because the new position of the cursor is unknown.
    mutating func showFirstRows(_ arrangement: Arrangement, _ rows: RowOrder) -> [AppEffect] {
        let before = query.previousRows?.arrangement ?? query.shown
        guard arrangement == query.requested, arrangement.filters == before.filters, query.previousRows == nil || query.showsOnlyFirstRows,
            !query.isStale, sheet.reloadAnchor == nil
        else { return [] }
        let height = grid.size.height
        guard let row = grid.cursor.row, row + height < rows.count, grid.scroll.top + height < rows.count else { return [] }
        query.receive(arrangement, previous: query.previousRows ?? PreviousRows(self))
        controller.perform(.setRows(rows, tree: nil, keeping: stateToKeep))
        updateSortBadges()
        return [.cancel(.find)]
    }

    /// The message about a new arrangement. Advice comes last, because the last sentence is dropped first if there is no room.
    /// - Parameter before: the previous arrangement.
    func message(about arrangement: Arrangement, after before: Arrangement, isSelectionLost: Bool) -> Message {
        func title(_ id: ColumnID) -> String { Message.quoted(grid.columns[id]?.title ?? "?") }
        let isUngrouped = !before.groups.isEmpty && arrangement.groups.isEmpty
        let isUnfiltered = !before.filters.isEmpty && arrangement.filters.isEmpty
        let isTurnedOff = before.filters.allSatisfy { filter in arrangement.disabledFilters.contains { $0.filter == filter } }
        let removals = Message.removalSentences(
            filterCount: isUnfiltered ? before.filters.count : 0, isTurnedOff: isTurnedOff, isUngrouped: isUngrouped)
        let isFiltered = !arrangement.filters.isEmpty && arrangement.filters != before.filters
        if isFiltered || !arrangement.filters.isEmpty && (arrangement.isFilterOnly || grid.rows.count == 0) {
            var message = filterMessage(arrangement)
            message.text = removals + (isSelectionLost ? Message.selectionCleared.dropFirst() + " " : "") + message.text
            return message
        }
        let groups = arrangement.groups.map { title($0) + (arrangement.groupIntervals[$0].map { " by \($0.text)" } ?? "") }
        let omission = grid.outline.tree?.omission
        let groupOrders = arrangement.groups.compactMap { level -> String? in
            let order = arrangement.order(ofLevel: level)
            // If groups are left out, another sentence of the message already names their order.
            guard omission == nil else { return nil }
            // Do not mention the default order, unless the user has requested it or it replaces another order.
            guard order != SectionOrder(.title, isDescending: false) || arrangement.changesOrder(ofLevel: level, from: before) else {
                return nil
            }
            return (groups.count == 1 ? "" : "\(title(level)) ") + phrase(about: order, of: level)
        }
        // A sort column that is also a group column orders the groups, not the rows.
        let sort = arrangement.sort.filter { !arrangement.groups.contains($0.column) }
        guard !groups.isEmpty || !sort.isEmpty else {
            return .fileOrder(
                after: removals, isUnfiltered: isUnfiltered, isTurnedOff: isTurnedOff, isUngrouped: isUngrouped,
                wasSorted: !before.sort.isEmpty,
                isSelectionLost: isSelectionLost)
        }
        let keys = sort.map { key in
            "\(title(key.column)) (\(Message.direction(of: grid.columns[key.column]?.kind, isDescending: key.isDescending)))"
        }
        // In a panel that was opened meanwhile, the keys of the table have no effect.
        let namesKeys = overlay == nil
        let subtotals = before.groups == arrangement.groups || !namesKeys ? "" : subtotalHint(arrangement)
        let hint: String
        if let omission {
            hint = " " + omission + subtotals
        } else if !namesKeys {
            hint = ""
        } else if sort.isEmpty {
            hint =
                subtotals + Message.groupHint(collapseAllKey: key(.collapseAll), expandAllKey: key(.expandAll), ungroupKey: key(.ungroup))
        } else if arrangement.sort.count == 1, arrangement.groups.isEmpty {
            hint = Message.sortHint(key(.sort), isDescending: arrangement.sort[0].isDescending)
        } else {
            hint = subtotals
        }
        let reordered = arrangement.groups.first { arrangement.changesOrder(ofLevel: $0, from: before) }
        let news: Message.ArrangementMessage
        if groups.isEmpty || before.groups == arrangement.groups && !sort.isEmpty && before.sort != arrangement.sort {
            news = .sorted(sort.map { title($0.column) })
        } else if before.groups == arrangement.groups, let reordered {
            news = .groupsSorted(criterion(of: arrangement.order(ofLevel: reordered), of: reordered).name)
        } else {
            news = .grouped(groups)
        }
        return .arranged(
            after: removals, groups: groups, groupOrders: groupOrders, sort: keys, isSelectionLost: isSelectionLost, hint: hint,
            short: Message.shortSentence(news, width: size.columns - 2))
    }

    /// A sentence about columns of numbers that have no subtotal because there are too many columns; empty if every column has one.
    private func subtotalHint(_ arrangement: Arrangement) -> String {
        guard !arrangement.groups.isEmpty, let columns = arrangement.unaggregatedColumnCounts(grid.columns.all) else { return "" }
        return Message.subtotalHint(without: columns.count, of: columns.total, aggregatesKey: key(.aggregates))
    }
}
