import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// Performs an action, and records what it changes in the view of the current sheet.
    mutating func recording(_ action: AppAction, _ perform: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        let (id, count, before) = (sheet.id, sheet.history.doneCount, sheet.history.dragStart ?? ViewState(self))
        let wasSettled = query.isSettled
        let effects = perform(&self)
        guard sheet.id == id, sheet.history.doneCount == count else { return effects }
        let after = ViewState(self)
        guard before != after else {
            if grid.drag == nil { sheet.history.dragStart = nil }
            return effects
        }
        guard action.isFromUser || sheet.history.dragStart != nil else {
            removeCancelledChange(from: before, to: after)
            return effects
        }
        // A drag is one change.
        guard grid.drag == nil else {
            sheet.history.dragStart = before
            return effects
        }
        sheet.history.dragStart = nil
        if !wasSettled, removeCancelledChange(from: before, to: after) { return effects }
        let redoing = ViewPatch(from: before, to: after)
        var change = ViewHistory.Change(title: title(of: redoing), undoing: ViewPatch(from: after, to: before), redoing: redoing)
        if change.isRegrouping {
            let collapsed = collapsedGroups(of: before.arrangement)
            sheet.history.store(collapsed: collapsed)
            change.collapsedBefore = collapsed
        }
        sheet.history.add(change)
        return effects
    }

    /// Removes the last change if it was a query that is cancelled now.
    @discardableResult
    private mutating func removeCancelledChange(from before: ViewState, to after: ViewState) -> Bool {
        guard let last = sheet.history.last, last.undoing.isArrangementOnly, last.redoing.arrangements?.after == before.arrangement,
            last.redoing.arrangements?.before == after.arrangement
        else { return false }
        sheet.history.removeLast()
        return true
    }

    /// The collapsed groups of an arrangement; `nil` if it is not shown.
    private func collapsedGroups(of arrangement: Arrangement) -> CollapsedGroups? {
        grid.outline.tree?.columns == arrangement.groups ? CollapsedGroups(grid.outline) : nil
    }

    /// Undoes or redoes the last changes.
    mutating func moveInHistory(_ times: Int, isUndoing: Bool) -> [AppEffect] {
        var (history, changes) = (sheet.history, [ViewHistory.Change]())
        history.store(derived: definitions(of: sheet.derivedFields))
        if query.isSettled { history.store(collapsed: collapsedGroups(of: query.shown)) }
        for _ in 0..<times { if let change = isUndoing ? history.undo() : history.redo() { changes.append(change) } else { break } }
        guard let last = changes.last else { return say(isUndoing ? .nothingToUndo : .nothingToRedo) }
        if let effects = rereadForHistory(changes, history, isUndoing: isUndoing) { return effects }
        sheet.history = history
        let effects = apply(changes.map { isUndoing ? $0.undoing : $0.redoing })
        if let regrouping = changes.last(where: \.isRegrouping) {
            query.setCollapsed(isUndoing ? regrouping.collapsedBefore : regrouping.collapsedAfter, keepsCursor: true)
        }
        say(isUndoing ? .undone(last.title, redo: key(.redo)) : .redone(last.title, undo: key(.undo)))
        return effects
    }

    /// Applies differences to the view, one after the other. The rows are arranged once, at the end: an arrangement between may need
    /// columns that a later difference removes. The cursor stays on its column and row.
    mutating func apply(_ patches: [ViewPatch]) -> [AppEffect] {
        var retyped: Set<ColumnID> = []
        for patch in patches { retyped.formUnion(apply(patch)) }
        let ids = grid.columns.all.map(\.id).filter(retyped.contains)
        var effects: [AppEffect] = ids.isEmpty ? [] : [.typesChanged(ids)]
        let arrangement = patches.last { $0.arrangements != nil }?.arrangements?.after
        let moves = patches.last { $0.movedRows != nil }?.movedRows
        if let arrangement { effects += arrange(moves: moves ?? []) { $0 = arrangement } }
        // A query that is running reads the new types.
        if arrangement == nil || query.isSettled { effects += rearrangement(afterRetyping: ids) }
        guard let moves else { return effects }
        if sheet.awaitedMoves != nil {
            sheet.awaitedMoves = moves
        } else if arrangement == nil {
            effects += restoreMoves(moves)
        }
        return effects
    }

    /// Applies a difference to the view, except its arrangement.
    /// - Returns: The columns that are new or have another type.
    private mutating func apply(_ patch: ViewPatch) -> [ColumnID] {
        var retyped: [ColumnID] = []
        if patch.changesColumns {
            let all = grid.columns.all
            let columns = patch.applied(to: all)
            if columns != all {
                let old = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
                retyped = columns.filter { column in old[column.id].map { ColumnPatch(before: $0, after: column).isRetyped } ?? true }
                    .map(\.id)
                controller.perform(.replaceColumns(columns))
                // Resetting shows the derived columns that exist.
                sheet.opened.columns.removeAll { patch.removed.contains($0.id) && $0.id.copy == 0 }
                sheet.opened.columns += patch.added.filter { $0.id.copy == 0 }
            }
        }
        apply(layout: patch)
        return retyped
    }

    /// Applies the frozen rows and the layout of a difference.
    mutating func apply(layout patch: ViewPatch) {
        if let rows = patch.frozenRows {
            var panes = grid.frozen
            panes.rows = rows
            controller.perform(.freeze(panes))
        }
        if let layout = patch.layout {
            var metrics = grid.metrics
            metrics.rowHeight = layout.rowHeight
            metrics.hasAutomaticRowHeights = layout.hasAutomaticRowHeights
            metrics.gridLines = layout.gridLines
            metrics.transposedRowWidth = layout.transposedRowWidth
            controller.perform(.setMetrics(metrics))
            controller.perform(.setPresentation(layout.presentation))
        }
    }

    mutating func openHistory() -> [AppEffect] {
        let history = sheet.history
        guard !history.changes.isEmpty else { return say(.nothingToUndo) }
        let titles = ["file opened"] + history.changes.map(\.title)
        // The newest change is at the top.
        let rows = titles.indices.reversed().map { index in
            ListPanel.Row(
                text: titles[index], detail: index == history.doneCount ? "now" : index > history.doneCount ? "undone" : "", tag: index)
        }
        var panel = ListPanel(purpose: .history, title: "Changes of the view", rows: rows)
        panel.selected = history.changes.count - history.doneCount
        return open(panel)
    }
}

extension AppAction {
    /// True if the user has requested the change of the view.
    fileprivate var isFromUser: Bool {
        switch self {
        // A new size of the screen may narrow columns.
        case .terminal(.resize), .terminal(.background), .terminal(.resumed): false
        case .terminal, .repeated, .typed, .run, .addFilter, .derived, .viewRestored, .emptyColumns, .gridRequests: true
        default: false
        }
    }
}

extension ListPanel.Purpose {
    /// Returns to the view after the selected change.
    static let history = Self("history", hint: "return to this view") { state, _, row in
        let count = row.tag - state.sheet.history.doneCount
        return count == 0 ? [] : state.moveInHistory(abs(count), isUndoing: count < 0)
    }
}

// MARK: Titles

extension AppState {
    /// A change of the view in a few words. Changes of several kinds have a common title.
    private func title(of patch: ViewPatch) -> String {
        var titles: [String] = []
        if let change = patch.arrangements { titles += self.titles(of: change) }
        titles += columnTitles(of: patch)
        if patch.frozenRows != nil { titles.append(ViewHistory.frozenRows) }
        if patch.layout != nil { titles.append(ViewHistory.layout) }
        // Other changes discard moves of rows.
        if patch.movedRows != nil, titles.isEmpty { titles.append(ViewHistory.movedRows) }
        // Freezing at the cursor freezes columns and rows.
        if titles.count > 1, Set(titles).isSubset(of: [ViewHistory.frozenColumns, ViewHistory.frozenRows]) {
            return ViewHistory.frozenColumns
        }
        return titles.count == 1 ? titles[0] : ViewHistory.several
    }

    private func titles(of change: ViewPatch.Change<Arrangement>) -> [String] {
        let (before, after) = (change.before, change.after)
        func names(_ ids: [ColumnID]) -> String {
            ids.map { Message.quoted(grid.columns[$0]?.title ?? "?") }.joined(separator: ", ")
        }
        var titles: [String] = []
        if before.filters != after.filters || before.offFilters != after.offFilters {
            let old = before.allFilters
            if let switched = after.allFilters.first(where: { old.contains(ShownFilter(filter: $0.filter, isOn: !$0.isOn)) }) {
                titles.append(ViewHistory.switched(Message.name(switched.filter.text), isOn: switched.isOn))
            } else {
                let new = after.filters.filter { !before.filters.contains($0) }
                titles.append(new.isEmpty ? ViewHistory.removedFilter : ViewHistory.filter(Message.name(new[0].text)))
            }
        }
        if before.groups != after.groups || before.groupIntervals != after.groupIntervals {
            titles.append(after.groups.isEmpty ? ViewHistory.ungrouped : ViewHistory.grouped(names(after.groups)))
        } else if before.sectionOrders != after.sectionOrders || before.aggregates != after.aggregates {
            titles.append(ViewHistory.groupOrder)
        }
        if before.sort != after.sort {
            titles.append(after.sort.isEmpty ? ViewHistory.unsorted : ViewHistory.sorted(names(after.sort.map(\.column))))
        }
        // Sorting by a group column orders the groups as well.
        if titles.count == 2, titles[0] == ViewHistory.groupOrder { titles.removeFirst() }
        return titles
    }

    private func columnTitles(of patch: ViewPatch) -> [String] {
        if let added = patch.added.first { return [ViewHistory.added(Message.name(added.title))] }
        var titles: [String] = []
        func add(_ isChanged: (ColumnPatch) -> Bool, _ title: (ColumnPatch) -> String, several: ([ColumnPatch]) -> String) {
            let changed = patch.columns.filter(isChanged)
            if !changed.isEmpty { titles.append(changed.count == 1 ? title(changed[0]) : several(changed)) }
        }
        func name(_ column: Column) -> String { Message.name(column.title) }
        add(
            { $0.before.title != $0.after.title }, { ViewHistory.renamed(name($0.before), name($0.after)) },
            several: { _ in ViewHistory.columns })
        add(
            { $0.before.isHidden != $0.after.isHidden }, { ViewHistory.hidden(name($0.after), $0.after.isHidden) },
            several: { changed in
                let isHidden = changed[0].after.isHidden
                return changed.allSatisfy { $0.after.isHidden == isHidden }
                    ? ViewHistory.hidden(changed.count, isHidden) : ViewHistory.columns
            })
        add(
            { $0.isRetyped },
            {
                $0.before.kind == $0.after.kind && $0.before.dateNotation != $0.after.dateNotation
                    ? ViewHistory.dayAndMonth(name($0.after)) : ViewHistory.type(name($0.after), $0.after.kind)
            },
            several: { ViewHistory.types($0.count) })
        add(
            { $0.isRegrouped }, { ViewHistory.digits(name($0.after), $0.after.format.groupsThousands) },
            several: { _ in ViewHistory.columns })
        add(
            { !$0.isRegrouped && ($0.before.width, $0.before.measuredWidth) != ($0.after.width, $0.after.measuredWidth) },
            { ViewHistory.width(name($0.after)) },
            several: { _ in ViewHistory.widths })
        if patch.columns.contains(where: { $0.before.frozenSide != $0.after.frozenSide }) { titles.append(ViewHistory.frozenColumns) }
        // Pinning and freezing may move columns.
        if patch.order != nil, titles.isEmpty { titles.append(ViewHistory.moved) }
        if titles.isEmpty, !patch.columns.isEmpty { titles.append(ViewHistory.columns) }
        return titles
    }
}
