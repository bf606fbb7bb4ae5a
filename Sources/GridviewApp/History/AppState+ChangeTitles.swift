import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues
import Tables

extension AppState {
    /// A title of a few words for a change to the view, for the list of changes. If a change affects several kinds of settings, the title
    /// is general.
    func title(of patch: ViewPatch, _ before: ViewState, _ after: ViewState) -> String {
        var titles: [String] = []
        if let change = patch.arrangementChange { titles += self.titles(of: change) }
        titles += columnTitles(of: patch, before, after)
        if patch.frozenRows != nil { titles.append(ViewHistory.frozenRowsTitle(after.frozenRows)) }
        if patch.layout != nil { titles.append(title(from: before.layout, to: after.layout)) }
        if !patch.changedMarks.isEmpty { titles.append(ViewHistory.marksTitle(from: before.marks.count, to: after.marks.count)) }
        // Add a title for moved rows only if nothing else has changed, because other changes discard the moves.
        if patch.movedRows != nil, titles.isEmpty { titles.append(ViewHistory.movedRowsTitle) }
        // If columns and rows are frozen together, one title is enough, because one command freezes both.
        if titles.count == 2, patch.frozenRows != nil, patch.columns.contains(where: { $0.before.frozenSide != $0.after.frozenSide }) {
            let isFrozen = after.frozenRows > 0 || after.columns.contains { $0.frozenSide != nil }
            return ViewHistory.frozenColumnsAndRowsTitle(isFrozen)
        }
        return titles.count == 1 ? titles[0] : ViewHistory.severalSettingsTitle
    }

    private func titles(of change: ViewPatch.Change<Arrangement>) -> [String] {
        let (before, after) = (change.before, change.after)
        func name(_ id: ColumnID) -> String { Message.quoted(grid.columns[id]?.title ?? "?") }
        var titles = filterTitle(before, after).map { [$0] } ?? []
        if before.groups != after.groups || before.groupIntervals != after.groupIntervals {
            let levels = after.groups.map { id in name(id) + (after.groupIntervals[id].map { " by \($0.text)" } ?? "") }
            titles.append(levels.isEmpty ? ViewHistory.ungroupedTitle : ViewHistory.groupedTitle(levels.joined(separator: ", ")))
        } else if before.aggregates != after.aggregates {
            titles.append(ViewHistory.subtotalsTitle)
        } else if before.sectionOrders != after.sectionOrders, before.sort == after.sort {
            // Sorting by a group column also orders its groups. Find the level whose order has changed.
            let level = after.groups.first { before.sectionOrders[$0] != after.sectionOrders[$0] } ?? after.groups.first
            titles.append(
                level.map { level in
                    let order = after.order(ofLevel: level)
                    return ViewHistory.sortedGroupsTitle(criterion(of: order, of: level).name, isDescending: order.isDescending)
                } ?? ViewHistory.severalSettingsTitle)
        }
        if before.sort != after.sort {
            let keys = after.sort.map { name($0.column) + ViewHistory.directionSuffix($0.isDescending) }
            titles.append(keys.isEmpty ? ViewHistory.unsortedTitle : ViewHistory.sortedTitle(keys.joined(separator: ", ")))
        }
        return titles
    }

    /// The title for a change of filters; `nil` if no filter has changed.
    private func filterTitle(_ before: Arrangement, _ after: Arrangement) -> String? {
        guard before.filters != after.filters || before.disabledFilters != after.disabledFilters else { return nil }
        let (old, new) = (before.allFilters, after.allFilters)
        if let switched = new.first(where: { old.contains(ShownFilter(filter: $0.filter, isOn: !$0.isOn)) }) {
            return ViewHistory.switchedFilterTitle(Message.name(switched.filter.text), isOn: switched.isOn)
        }
        let removed = old.filter { shown in !new.contains { $0.filter == shown.filter } }
        if let added = new.first(where: { shown in !old.contains { $0.filter == shown.filter } }) {
            let text = Message.name(added.filter.text)
            return removed.isEmpty ? ViewHistory.addedFilterTitle(text) : ViewHistory.changedFilterTitle(text)
        }
        guard removed.count == 1 else { return ViewHistory.removedFiltersTitle(removed.count, removesAll: new.isEmpty) }
        return ViewHistory.removedFilterTitle(Message.name(removed[0].filter.text))
    }

    private func title(from before: ViewState.Layout, to after: ViewState.Layout) -> String {
        var titles: [String] = []
        if before.presentation != after.presentation { titles.append(ViewHistory.presentationTitle(after.presentation)) }
        if (before.rowHeight, before.hasAutomaticRowHeights) != (after.rowHeight, after.hasAutomaticRowHeights) {
            titles.append(after.hasAutomaticRowHeights ? ViewHistory.wrappedTextTitle : ViewHistory.rowHeightTitle(after.rowHeight))
        }
        if before.gridLines != after.gridLines { titles.append(ViewHistory.gridLinesTitle(after.gridLines)) }
        if before.transposedRowWidth != after.transposedRowWidth { titles.append(ViewHistory.rowWidthTitle) }
        return titles.count == 1 ? titles[0] : ViewHistory.rowLayoutTitle
    }

    private func columnTitles(of patch: ViewPatch, _ before: ViewState, _ after: ViewState) -> [String] {
        if let added = patch.addedColumns.first { return [ViewHistory.columnAdditionTitle(Message.name(added.title))] }
        var titles: [String] = []
        func add(_ isChanged: (ColumnPatch) -> Bool, _ title: (ColumnPatch) -> String, several: ([ColumnPatch]) -> String) {
            let changed = patch.columns.filter(isChanged)
            if !changed.isEmpty { titles.append(changed.count == 1 ? title(changed[0]) : several(changed)) }
        }
        func name(_ column: Column) -> String { Message.name(column.title) }
        add(
            { $0.before.title != $0.after.title }, { ViewHistory.columnRenameTitle(name($0.before), to: name($0.after)) },
            several: { ViewHistory.columnRenameTitle($0.count) })
        add(
            { $0.before.isHidden != $0.after.isHidden }, { ViewHistory.columnHidingTitle(name($0.after), isHidden: $0.after.isHidden) },
            several: { changed in
                let isHidden = changed[0].after.isHidden
                return changed.allSatisfy { $0.after.isHidden == isHidden }
                    ? ViewHistory.columnHidingTitle(changed.count, isHidden: isHidden) : ViewHistory.severalColumnsTitle
            })
        add(
            { $0.changesType },
            {
                $0.before.kind == $0.after.kind && $0.before.dateNotation != $0.after.dateNotation
                    ? ViewHistory.dayAndMonthTitle(name($0.after)) : ViewHistory.columnTypeTitle(name($0.after), $0.after.kind)
            },
            several: { changed in
                let areSwapped = changed.allSatisfy { $0.before.kind == $0.after.kind && $0.before.dateNotation != $0.after.dateNotation }
                return areSwapped ? ViewHistory.dayAndMonthTitle(changed.count) : ViewHistory.columnTypesTitle(changed.count)
            })
        add(
            { $0.changesDigitGroups }, { ViewHistory.digitGroupsTitle(name($0.after), isGrouped: $0.after.format.groupsThousands) },
            several: { ViewHistory.digitGroupsTitle($0.count, isGrouped: $0[0].after.format.groupsThousands) })
        add(
            {
                // A new type or new thousands separators can change the measured width, but have their own title.
                !$0.changesDigitGroups && !$0.changesType
                    && ($0.before.width, $0.before.measuredWidth) != ($0.after.width, $0.after.measuredWidth)
            },
            { ViewHistory.columnWidthTitle(name($0.after)) },
            several: { _ in ViewHistory.widthsTitle })
        add(
            { $0.before.frozenSide != $0.after.frozenSide }, { ViewHistory.frozenColumnTitle(name($0.after), $0.after.frozenSide) },
            several: { changed in
                let side = changed[0].after.frozenSide
                return changed.allSatisfy { $0.after.frozenSide == side }
                    ? ViewHistory.frozenColumnTitle(changed.count, side) : ViewHistory.frozenColumnsTitle
            })
        // Pinning and freezing can move columns, too, but have already added a title.
        if patch.columnOrder != nil, titles.isEmpty { titles.append(moveTitle(before, after)) }
        if titles.isEmpty, !patch.columns.isEmpty { titles.append(ViewHistory.severalColumnsTitle) }
        return titles
    }

    /// The title for moved columns. It has the name of the column if only one column was moved. O(columns).
    private func moveTitle(_ before: ViewState, _ after: ViewState) -> String {
        let (old, new) = (before.columns.map(\.id), after.columns.map(\.id))
        guard let first = old.indices.first(where: { $0 < new.count && old[$0] != new[$0] }), old.count == new.count,
            grid.selectedColumns().count < 2
        else {
            return ViewHistory.movedColumnTitle
        }
        // Find one column whose removal makes both orders equal. Usually it is the column of the cursor. Otherwise, it is the column that
        // was, or now is, at the first index that differs.
        for id in [grid.currentColumn?.id ?? old[first], old[first], new[first]] where old.filter({ $0 != id }) == new.filter({ $0 != id })
        {
            return grid.columns[id].map { ViewHistory.movedColumnTitle(Message.name($0.title)) } ?? ViewHistory.movedColumnTitle
        }
        return ViewHistory.movedColumnTitle
    }
}
