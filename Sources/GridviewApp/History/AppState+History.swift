import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// Performs an action, and adds the changes that it makes to the view of the current sheet to the undo history.
    mutating func record(_ action: AppAction, while perform: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        let (id, count, before) = (sheet.id, sheet.history.undoableCount, sheet.history.dragStart ?? ViewState(self))
        let wasSettled = query.isSettled
        sheet.history.title = nil
        let effects = perform(&self)
        guard sheet.id == id, sheet.history.undoableCount == count else { return effects }
        let after = ViewState(self)
        guard before != after else {
            if grid.drag == nil { sheet.history.dragStart = nil }
            return effects
        }
        guard action.isFromUser || sheet.history.dragStart != nil else {
            removeCancelledChange(from: before, to: after)
            return effects
        }
        // While the mouse drags, many actions change the view. They are recorded as one change when the drag ends.
        guard grid.drag == nil else {
            sheet.history.dragStart = before
            return effects
        }
        sheet.history.dragStart = nil
        if !wasSettled, removeCancelledChange(from: before, to: after) { return effects }
        let redoPatch = ViewPatch(from: before, to: after)
        var change = ViewHistory.Change(
            title: sheet.history.title ?? title(of: redoPatch, before, after), undoPatch: ViewPatch(from: after, to: before),
            redoPatch: redoPatch)
        if change.isRegrouping {
            let collapsed = collapsedGroups(of: before.arrangement)
            sheet.history.store(collapsed: collapsed)
            change.collapsedBefore = collapsed
        }
        sheet.history.add(change)
        return effects
    }

    /// Removes the newest change from the history if its query was cancelled, so that the view is as before. Applies only to changes of the
    /// arrangement.
    /// - Returns: True if a change was removed.
    @discardableResult
    private mutating func removeCancelledChange(from before: ViewState, to after: ViewState) -> Bool {
        guard let last = sheet.history.changeToUndo, last.undoPatch.isArrangementOnly,
            last.redoPatch.arrangementChange?.after == before.arrangement,
            last.redoPatch.arrangementChange?.before == after.arrangement
        else { return false }
        sheet.history.removeLast()
        return true
    }

    /// The collapsed groups of the shown view; `nil` if the view is not grouped as in `arrangement`.
    private func collapsedGroups(of arrangement: Arrangement) -> CollapsedGroups? {
        grid.outline.tree?.columns == arrangement.groups ? CollapsedGroups(grid.outline) : nil
    }

    /// Undoes or redoes the last `times` changes.
    mutating func moveInHistory(_ times: Int, isUndoing: Bool) -> [AppEffect] {
        // An earlier undo may still be reading the file again. Until the file is open, the history does not contain this undo. Therefore
        // undo its changes, too. The same applies to redo.
        let earlier = (sheet.rereadRequest?.undoCount ?? 0) * (isUndoing ? 1 : -1)
        let times = times + max(0, earlier)
        var (history, changes) = (sheet.history, [ViewHistory.Change]())
        history.store(derived: definitions(of: sheet.derivedFields))
        if query.isSettled { history.store(collapsed: collapsedGroups(of: query.shown)) }
        for _ in 0..<times { if let change = isUndoing ? history.undo() : history.redo() { changes.append(change) } else { break } }
        guard let last = changes.last else { return show(isUndoing ? .nothingToUndo : .nothingToRedo) }
        if let effects = rereadForHistory(changes, history, isUndoing: isUndoing) { return effects }
        sheet.history = history
        let effects = apply(changes.map { isUndoing ? $0.undoPatch : $0.redoPatch })
        if let regrouping = changes.last(where: \.isRegrouping) {
            query.setCollapsed(isUndoing ? regrouping.collapsedBefore : regrouping.collapsedAfter, keepsCursor: true)
        }
        show(isUndoing ? .undone(last.title, redoKey: key(.redo)) : .redone(last.title, undoKey: key(.undo)))
        // Restored marks may have the row numbers that a server used for another order. Find the rows in the shown order.
        return query.isSettled ? effects + followRows() : effects
    }

    /// Applies differences to the view, one after the other. The cursor stays on its column and row.
    ///
    /// The rows are arranged once, at the end, because an arrangement in between may need columns that a later difference removes.
    mutating func apply(_ patches: [ViewPatch]) -> [AppEffect] {
        var changed: Set<ColumnID> = []
        for patch in patches { changed.formUnion(apply(patch)) }
        let ids = grid.columns.all.map(\.id).filter(changed.contains)
        var effects: [AppEffect] = ids.isEmpty ? [] : [.typesChanged(ids)]
        let arrangement = patches.last { $0.arrangementChange != nil }?.arrangementChange?.after
        let moves = patches.last { $0.movedRows != nil }?.movedRows
        if let arrangement { effects += arrange(moves: moves ?? []) { $0 = arrangement } }
        // A query that has just started already reads the new types. Otherwise, arrange the rows again if they depend on these types.
        if arrangement == nil || query.isSettled { effects += rearrange(afterTypeChangeOf: ids) }
        guard let moves else { return effects }
        if sheet.awaitedMoves != nil {
            sheet.awaitedMoves = moves
        } else if arrangement == nil {
            effects += restoreMoves(moves)
        }
        return effects
    }

    /// Applies a difference to the view, except its arrangement.
    /// - Returns: The columns that are new or whose type has changed.
    private mutating func apply(_ patch: ViewPatch) -> [ColumnID] {
        var changed: [ColumnID] = []
        if patch.changesColumns {
            let all = grid.columns.all
            let columns = patch.applied(to: all)
            if columns != all {
                let old = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
                changed = columns.filter { column in old[column.id].map { ColumnPatch(before: $0, after: column).changesType } ?? true }
                    .map(\.id)
                controller.perform(.replaceColumns(columns))
                // Resetting the view must show exactly the derived columns that exist now.
                sheet.openedView.columns.removeAll { patch.removedColumns.contains($0.id) && $0.id.copy == 0 }
                sheet.openedView.columns += patch.addedColumns.filter { $0.id.copy == 0 }
            }
        }
        apply(layout: patch)
        return changed
    }

    /// Applies only the frozen rows, the marks and the layout of a difference.
    mutating func apply(layout patch: ViewPatch) {
        if let rows = patch.frozenRows {
            var panes = grid.frozen
            panes.rows = rows
            controller.perform(.freeze(panes))
        }
        for row in patch.changedMarks.sorted() { controller.perform(.toggleMark(row)) }
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
        guard !history.changes.isEmpty else { return show(.nothingToUndo) }
        let titles = ["file opened"] + history.changes.map(\.title)
        // List the newest change at the top.
        let rows = titles.indices.reversed().map { index in
            ListPanel.Row(
                text: titles[index], detail: index == history.undoableCount ? "now" : index > history.undoableCount ? "undone" : "",
                tag: index)
        }
        var panel = ListPanel(purpose: .history, title: "Changes to the view", rows: rows)
        panel.selected = history.changes.count - history.undoableCount
        return open(panel)
    }
}

extension AppAction {
    /// True if the user has requested the action. Only the changes of such actions can be undone.
    fileprivate var isFromUser: Bool {
        switch self {
        // These events may change the view, such as the column widths after a resize, but the user has not requested the change.
        case .terminal(.resize), .terminal(.background), .terminal(.resumed): false
        case .terminal, .keyRepeated, .textTyped, .run, .addFilter, .columnDerived, .columnExpanded, .viewRestored, .emptyColumnsFound,
            .gridRequests:
            true
        default: false
        }
    }
}

extension ListPanel.Purpose {
    /// The list of changes. Choosing one returns to the view after this change.
    static let history = Self("history", hint: "return to this view") { state, _, row in
        let count = row.tag - state.sheet.history.undoableCount
        return count == 0 ? [] : state.moveInHistory(abs(count), isUndoing: count < 0)
    }
}
