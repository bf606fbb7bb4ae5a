import DataGrid
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

extension AppState {
    /// Freezes the columns from the left up to the last target column, the rows from the top up to the cursor, or both. If columns or rows
    /// are frozen already, unfreezes them instead.
    /// - Parameter count: the number of columns that the user typed before the key; `nil` if no number was typed.
    mutating func freeze(columns: Bool, rows: Bool, count: Int? = nil) -> [AppEffect] {
        var panes = grid.frozenPanes(togglingColumns: columns, rows: rows)
        let isUnfreezing = columns ? panes.leading == 0 : panes.rows == 0
        if columns, !isUnfreezing, let last = targetColumns(count).last { panes.leading = 1 + (grid.columns.index(of: last.id) ?? 0) }
        let effects = changeGrid(.freeze(panes))
        let now = grid.frozen
        if !isUnfreezing, grid.layout.isOverflowing {
            let layout = grid.layout
            let frozen = layout.geometry.leading
            let isCountKnown = columns && layout.tiles.isEmpty && frozen > 0 && frozen < now.leading
            show(isCountKnown ? .frozenPartly(frozen, of: now.leading) : .tooNarrowToFreeze)
        } else if isUnfreezing {
            show(.unfrozen(columns: columns, rows: rows))
        } else {
            let command: CommandID = columns ? rows ? .freezeBoth : .freezeColumns : .freezeRows
            let frozenColumns = columns && now.leading > 0 ? now.leading : nil
            let frozenRows = rows && now.rows > 0 ? now.rows : nil
            show(
                frozenColumns != nil || frozenRows != nil
                    ? .frozen(columns: frozenColumns, rows: frozenRows, key: key(command))
                    : rows ? .noRows : grid.columns.count == 0 ? .noColumns : .noScrollingColumn)
        }
        return effects
    }

    /// Sets the width of columns. If `width` is `nil`, fits the columns to their content.
    mutating func fit(_ columns: [Column], toWidth width: Int?) -> [AppEffect] {
        guard width != nil || grid.effectivePresentation == .table else { return [] }
        if columns.count > 1 { show(.columnsFitted(columns.count, width: width)) }
        let ids = columns.map(\.id)
        guard let width else {
            let before = columns.count == 1 ? shownWidth(of: columns[0]) : nil
            controller.fit(columns: ids)
            guard let before, let fitted = grid.columns[ids[0]], fitted.measuredWidth > before, shownWidth(of: fitted) == before,
                columns[0].width == .automatic
            else { return [] }
            // The column already had the maximum width that fitting allows. Give it the width of its longest visible value, but at most the
            // width of the pane.
            let fullWidth = min(fitted.measuredWidth, max(before, grid.layout.geometry.paneWidth))
            changeColumns(ids) { if $0.isResizable { $0.width = .fixed(fullWidth) } }
            return []
        }
        changeColumns(ids) { if $0.isResizable { $0.width = .fixed(min(width, 10_000)) } }
        return []
    }

    private func shownWidth(of column: Column) -> Int? {
        grid.columns.index(of: column.id).map { grid.layout.geometry.widths[$0] }
    }

    /// Pins columns: moves them to the frozen columns at the left or right edge. If all are pinned there already, unpins them.
    mutating func pin(_ columns: [Column], isLeft: Bool) -> [AppEffect] {
        let side: ColumnSide = isLeft ? .leading : .trailing
        let isPinned = columns.allSatisfy { $0.frozenSide == side }
        let ids = Set(columns.map(\.id))
        guard isPinned || grid.columns.visible.contains(where: { $0.frozenSide == nil && !ids.contains($0.id) }) else {
            return show(.noScrollingColumn)
        }
        changeColumns(columns.map(\.id)) { $0.frozenSide = isPinned ? nil : side }
        let names = Message.names(columns)
        return show(isPinned ? .unpinned(names) : .pinned(names, isLeft: isLeft, key: key(isLeft ? .pinLeft : .pinRight)))
    }

    /// Moves the target columns by `count` columns: right if it is positive, left if it is negative. Stops at the first or last column.
    mutating func moveColumns(by count: Int) -> [AppEffect] {
        let columns = targetColumns()
        guard columns.count > 1 else {
            guard let id = columns.first?.id, let index = grid.columns.index(of: id) else { return [] }
            return changeGrid(.moveColumn(id, toIndex: index + count))
        }
        let (list, ids) = (grid.columns, Set(columns.map(\.id)))
        let visible = list.visible
        let indices = visible.indices.filter { ids.contains(visible[$0].id) }
        let distance = count < 0 ? max(count, -indices[0]) : min(count, visible.count - 1 - indices.last!)
        guard distance != 0 else { return [] }
        var order = [Column?](repeating: nil, count: visible.count)
        // Adjacent target columns stay together at the edge of the frozen columns: all of them become frozen, or none. The first one in the
        // direction of the move decides. It takes the place of another column, and is frozen if that column was frozen.
        var side: ColumnSide?
        for (offset, index) in (distance > 0 ? indices.reversed() : indices).enumerated() {
            let before = index + (distance > 0 ? 1 : -1)
            if offset == 0 || !visible.indices.contains(before) || !ids.contains(visible[before].id) {
                side = visible[index + distance].frozenSide
            }
            var column = visible[index]
            column.frozenSide = side
            order[index + distance] = column
        }
        var others = visible.lazy.filter { !ids.contains($0.id) }.makeIterator()
        var all = list.all
        for (index, place) in list.visiblePlaces.enumerated() {
            if let column = order[index] ?? others.next() { all[place] = column }
        }
        return changeGrid(.replaceColumns(all))
    }

    /// Opens the prompt for a new title of the current column.
    mutating func openRenamePrompt() -> [AppEffect] { withColumn { $0.open(RenamePrompt(column: $1.id, title: $1.title)) } }

    /// Fits the widths of all columns to the visible rows.
    mutating func fitAllColumns() -> [AppEffect] {
        controller.fitColumns()
        return []
    }

    /// Gives a column a new title. A blank title restores the original name: the name in the file, or the name in the definition of a
    /// derived column.
    mutating func rename(_ id: ColumnID, to title: String) -> [AppEffect] {
        guard var column = grid.columns[id] else { return [] }
        let isRestoring = title.allSatisfy(\.isWhitespace)
        column.title = isRestoring ? column.valueKey : title
        // Several columns of a file can have the same name. Their original names can be restored, but no other name may occur twice.
        let isTaken = grid.columns.all.contains {
            $0.id != id && $0.title == column.title && !(isRestoring && $0.valueKey == column.title)
        }
        if isTaken { return show(.columnExists(Message.name(column.title))) }
        if isRestoring { show(.nameRestored(Message.name(column.title))) }
        return changeGrid(.updateColumn(column))
    }

    /// Adds another column for the same field, to the right of `column`, and moves the cursor to it.
    mutating func duplicate(_ column: Column) -> [AppEffect] {
        let all = grid.columns.all
        guard let place = all.firstIndex(where: { $0.id == column.id }) else { return [] }
        let number = 1 + (all.filter { $0.field == column.field }.map(\.id.copy).max() ?? 0)
        let name = all.first { $0.id == ColumnID(column.field) }?.title ?? column.title
        let title = (2...).lazy.map { "\(name) \($0)" }.first { title in !all.contains { $0.title == title } }!
        var copy = Column(copyOf: column, number: number, title: title)
        // The title of the copy is longer than that of `column`, so it may need a wider column.
        copy.measuredWidth = max(column.measuredWidth, Document.width(of: copy, samples: []))
        controller.perform(.insertColumns([copy], atPlace: place + 1))
        if let index = grid.columns.index(of: copy.id) { controller.perform(.move(.column(index))) }
        show(.columnDuplicated(Message.name(name), as: Message.name(title)))
        return [.typesChanged([copy.id])]
    }

    /// Changes the type of columns to the one after the type of the current column. The cycle is: the type at opening, then text, because
    /// users choose text most often, then all other types.
    mutating func changeType(of columns: [Column]) -> [AppEffect] {
        let current = columns.first { $0.id == grid.currentColumn?.id } ?? columns[0]
        let first = sheet.openedView.columns.first { $0.id == current.id }?.kind ?? .text
        let kinds = [first] + ValueKind.allCases.filter { $0 != first }
        return setType(kinds[(kinds.firstIndex(of: current.kind)! + 1) % kinds.count], of: columns)
    }

    /// Sets the type of columns to date, or to date with time if one of the columns has times. Both types accept dates without a time.
    mutating func readAsDates(_ columns: [Column]) -> [AppEffect] {
        setType(columns.contains { hasTimes($0) } ? .dateTime : .date, of: columns)
    }

    /// True if a column has dates with times. Looks only at its current type, its type at opening, and its value in the current row.
    private func hasTimes(_ column: Column) -> Bool {
        if column.kind == .dateTime || sheet.openedView.columns.contains(where: { $0.field == column.field && $0.kind == .dateTime }) {
            return true
        }
        guard let row = grid.currentRow, let text = controller.dataSource?.content(row: row, column: column.id).text else { return false }
        func isRead(as kind: ValueKind) -> Bool { DateText.text(of: text, kind: kind, notation: column.dateNotation) != nil }
        return !isRead(as: .date) && isRead(as: .dateTime)
    }

    /// The columns whose type was chosen by the user or by a command-line option instead of being detected.
    var columnsWithChosenType: Set<ColumnID> {
        let opened = Dictionary(sheet.openedView.columns.map { ($0.field, $0) }) { first, _ in first }
        let fields = Set(sheet.openedView.typedColumns.map(\.field))
        let chosen = grid.columns.all.filter { column in
            fields.contains(column.field) || opened[column.field].map { ColumnPatch(before: $0, after: column).changesType } == true
        }
        return Set(chosen.map(\.id))
    }

    /// The fields that are text because the user has chosen this type.
    var fieldsChosenAsText: Set<FieldID> {
        let chosen = columnsWithChosenType
        return Set(grid.columns.all.lazy.filter { $0.kind == .text && chosen.contains($0.id) }.map(\.field))
    }

    /// Sets the type of columns. Sorts, filters and groups the rows again if they depend on one of these columns.
    mutating func setType(_ kind: ValueKind, of columns: [Column]) -> [AppEffect] {
        let ids = columns.map(\.id)
        changeColumns(ids) {
            // Draw marks for all words that mean true or false, because the user has chosen this type.
            $0.flagMarks = .everyWord
            $0.kind = kind
            // The header shows the name of the type, and the new name may need a wider column.
            $0.measuredWidth = max($0.measuredWidth, DisplayWidth.of(ValueText.typeName($0)))
        }
        show(.columnType(Message.names(columns, width: 16), count: columns.count, kind, nextTypeKey: key(.columnType)))
        return [.typesChanged(ids)] + rearrange(afterTypeChangeOf: ids) + [kind == .text ? .cancel(.lookUp) : .countUnparsedValues(ids)]
    }

    /// Adds the number of unreadable values to the message about the new column type. Does nothing if this message is no longer shown.
    mutating func showUnparsedValues(_ ids: [ColumnID], _ unparsed: UnparsedValues) {
        let columns = ids.compactMap { grid.columns[$0] }
        guard message?.id == .columnType, let kind = columns.first?.kind else { return }
        show(
            .columnType(
                Message.names(columns, width: 16), count: columns.count, kind, unparsed: unparsed, nextTypeKey: key(.columnType)))
    }

    /// Makes the target columns wider by `cells`, or narrower if `cells` is negative.
    mutating func resizeColumns(by cells: Int) -> [AppEffect] {
        let columns = targetColumns()
        let hasOtherTargets = columns.count > 1 || columns.first.map { $0.id != grid.currentColumn?.id } == true
        guard hasOtherTargets, grid.effectivePresentation == .table else {
            return perform(cells < 0 ? .narrower : .wider, times: abs(cells))
        }
        let (widths, least) = (ColumnGeometry(grid).widths, grid.metrics.minimumColumnWidth)
        let currentWidths = Dictionary(grid.columns.visible.enumerated().map { ($1.id, widths[$0]) }) { first, _ in first }
        changeColumns(columns.map(\.id)) { column in
            guard column.isResizable, let width = currentWidths[column.id] else { return }
            let most = max(column.maximumWidth ?? .max, least)
            column.width = .fixed(max(min(width + cells, most), column.minimumWidth ?? least))
        }
        return []
    }

    /// Reads dates that have two meanings, such as 01/02/2024, with day and month swapped.
    ///
    /// All columns of such dates get the same order: the opposite of the order in the current column. If the current column has no such
    /// dates, the first column that has them decides.
    mutating func swapDayAndMonth(of columns: [Column]) -> [AppEffect] {
        let dates = columns.filter { ($0.kind == .date || $0.kind == .dateTime) && $0.dateNotation.swappingDayAndMonth != nil }
        guard let first = dates.first(where: { $0.id == grid.currentColumn?.id }) ?? dates.first,
            let notation = first.dateNotation.swappingDayAndMonth
        else { return show(.noDayOrder(Message.names(columns, width: 16), count: columns.count)) }
        let ids = dates.map(\.id)
        changeColumns(ids) { ($0.dateNotation, $0.hasAmbiguousDates) = (notation, false) }
        show(.dayOrder(Message.names(dates, width: 16), count: dates.count, isDayFirst: notation == .dayFirst, key: key(.swapDayAndMonth)))
        return [.typesChanged(ids)] + rearrange(afterTypeChangeOf: ids)
    }

    /// After a query, widens the columns that cut off a number or a date in the visible rows. Undoing the query also undoes the new widths.
    mutating func widenTruncatedColumns(for arrangement: Arrangement) {
        guard sheet.history.endsWith(arrangement) else { return }
        let before = grid.columns.all
        controller.widenTruncatedColumns()
        let changed = zip(before, grid.columns.all).filter { $0.measuredWidth != $1.measuredWidth }
        if !changed.isEmpty { sheet.history.extendLast(by: changed.map { ColumnPatch(before: $0, after: $1) }) }
    }

    /// Shows or hides the thousands separators of number columns.
    ///
    /// All number columns get the same setting. If the current column shows separators, they are hidden; otherwise they are shown. If the
    /// current column has no numbers, the first column with numbers decides. Columns with an automatic width may become wider.
    mutating func toggleDigitGroups(of columns: [Column]) -> [AppEffect] {
        let numbers = columns.filter(\.kind.isNumber)
        guard let first = numbers.first(where: { $0.id == grid.currentColumn?.id }) ?? numbers.first else {
            return show(.noNumbers(Message.names(columns), count: columns.count))
        }
        let isGrouped = !first.format.groupsThousands
        changeColumns(numbers.map(\.id)) { $0.format.groupsThousands = isGrouped }
        show(.digitsGrouped(Message.names(numbers, width: 16), count: numbers.count, isGrouped: isGrouped, key: key(.groupDigits)))
        controller.widenTruncatedColumns()
        // If the rows are grouped by ranges of numbers, the group titles contain numbers in the format of the column. Group the rows again
        // to update these titles.
        return rearrange(afterTypeChangeOf: numbers.map(\.id).filter { query.requested.groupIntervals[$0] != nil })
    }

    /// Sorts, filters and groups the rows again after the types of columns have changed. Returns no effects if the rows and the aggregates
    /// of groups do not depend on these types.
    mutating func rearrange(afterTypeChangeOf ids: [ColumnID]) -> [AppEffect] {
        guard !ids.isEmpty else { return [] }
        let requested = query.requested
        if !requested.filters.isEmpty {
            sheet.awaitedMoves = []
            return [.arrange(document.canBeQueried ? requested : requested.withoutOrder)]
        }
        // The group headers may still show aggregates that the new types exclude by default, such as the mean of a column that is now text.
        let aggregates =
            requested.groups.isEmpty ? [] : requested.shownAggregates(grid.columns.all) + (grid.outline.tree?.aggregates ?? [])
        let isReordered = ids.contains { id in
            requested.groups.contains(id) || requested.sort.contains { $0.column == id } || requested.isOrdered(byAggregateOf: id)
        }
        guard isReordered || aggregates.contains(where: { ids.contains($0.column) }), document.canBeQueried else { return [] }
        // A pending sort has already discarded the moves of the shown rows.
        sheet.awaitedMoves = isReordered ? [] : sheet.awaitedMoves ?? grid.rows.movedRuns
        return [.arrange(requested)]
    }

    mutating func openColumnMenu(_ id: ColumnID) {
        guard let index = grid.columns.index(of: id), let column = grid.columns[id] else { return }
        let selected = grid.selectedColumns()
        let isSelected = selected.contains { $0.id == id }
        // A menu of a selected column acts on all selected columns. Before opening any other menu, clear the selection.
        if !selected.isEmpty { controller.perform(isSelected ? .setSelection(grid.selection) : .clearSelection) }
        controller.perform(.moveCursor(GridCursor(item: grid.cursor.item, column: index)))
        let commands: [CommandID] = [
            .sortAscending, .sortDescending, .addSortKey, .filterByCell, .filterExcludingCell, .group, .addGroupLevel, .freezeColumns,
            .pinLeft,
            .pinRight, .fitColumn,
            .hideColumn,
            .renameColumn, .columnType,
        ]
        let title = isSelected && selected.count > 1 ? Message.columns(selected.count) : column.title
        overlay = ListPanel(purpose: .commands, title: title, rows: rows(commands), of: id)
    }
}

extension Column {
    /// Another column for the field of `column`.
    /// - Parameter number: the number of the copy among the copies of columns of this field, from 1.
    init(copyOf column: Column, number: Int, title: String) {
        self.init(
            id: ColumnID(column.field, copy: number), title: title, kind: column.kind, notation: column.notation, width: column.width,
            measuredWidth: column.measuredWidth)
        (format, flagMarks, isIdentifier) = (column.format, column.flagMarks, column.isIdentifier)
        (dateNotation, hasAmbiguousDates) = (column.dateNotation, column.hasAmbiguousDates)
    }
}
