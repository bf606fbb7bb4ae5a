import DataGrid
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables

extension AppState {
    /// Freezes columns or rows up to the cursor, or unfreezes them.
    mutating func freeze(columns: Bool, rows: Bool) -> [AppEffect] {
        let panes = grid.frozenPanes(togglingColumns: columns, rows: rows)
        let isFreed = columns ? panes.leading == 0 : panes.rows == 0
        let effects = change(.freeze(panes))
        let now = grid.frozen
        if !isFreed, grid.layout.isOverflowing {
            let layout = grid.layout
            let frozen = layout.geometry.leading
            let isKnown = columns && layout.tiles.isEmpty && frozen > 0 && frozen < now.leading
            say(isKnown ? .frozenPartly(frozen, of: now.leading) : .tooNarrowToFreeze)
        } else if isFreed {
            say(.unfrozen(columns: columns, rows: rows))
        } else {
            let command: CommandID = columns ? rows ? .freezeBoth : .freezeColumns : .freezeRows
            say(.frozen(columns: columns ? now.leading : nil, rows: rows ? now.rows : nil, key: key(command)))
        }
        return effects
    }

    /// Sets the width of the column; without one, fits it to its content.
    mutating func fitColumn(toWidth width: Int?) -> [AppEffect] {
        guard let width else { return perform(.fitColumn, times: 1) }
        return withColumn { $0.change(.setWidth($1.id, .fixed(min(width, 10_000)))) }
    }

    mutating func hideColumn() -> [AppEffect] {
        guard let column = grid.currentColumn else { return [] }
        guard grid.columns.count > 1 else { return say(.lastColumn) }
        say(.columnHidden(Message.name(column.title), show: key(.showColumns)))
        return change(.setHidden(column.id, true))
    }

    /// Pins the column on one side, or unpins it.
    mutating func pin(_ column: Column, isLeft: Bool) -> [AppEffect] {
        let side: ColumnSide = isLeft ? .leading : .trailing
        let effects = change(isLeft ? .pinLeading(column.id) : .pinTrailing(column.id))
        let name = Message.name(column.title)
        if grid.columns[column.id]?.frozenSide == side {
            say(.pinned(name, isLeft: isLeft, key: key(isLeft ? .pinLeft : .pinRight)))
        } else if column.frozenSide == side {
            say(.unpinned(name))
        }
        return effects
    }

    mutating func moveColumn(by count: Int) -> [AppEffect] {
        guard let column = grid.currentColumn else { return [] }
        return change(.moveColumn(column.id, toIndex: grid.cursor.column + count))
    }

    /// Opens the prompt for another title of the column.
    mutating func openRenamePrompt() -> [AppEffect] { withColumn { $0.open(RenamePrompt(column: $1.id, field: LineEditor($1.title))) } }

    /// Adjusts the widths of all columns to the visible rows.
    mutating func fitAllColumns() -> [AppEffect] {
        controller.fitColumns()
        return []
    }

    mutating func rename(_ id: ColumnID, to title: String) -> [AppEffect] {
        guard var column = grid.columns[id] else { return [] }
        if !title.isEmpty, grid.columns.all.contains(where: { $0.id != id && $0.title == title }) {
            return say(.columnExists(Message.name(title)))
        }
        // A column without a name is named by its number, as on opening.
        column.title = !title.isEmpty ? title : column.field.isDerived ? column.valueKey : "#\(id.field.rawValue + 1)"
        return change(.updateColumn(column))
    }

    /// Adds another column for the same field, to the right of the column.
    mutating func duplicate(_ column: Column) -> [AppEffect] {
        let all = grid.columns.all
        guard let place = all.firstIndex(where: { $0.id == column.id }) else { return [] }
        let number = 1 + (all.filter { $0.field == column.field }.map(\.id.copy).max() ?? 0)
        let name = all.first { $0.id == ColumnID(column.field) }?.title ?? column.title
        let title = (2...).lazy.map { "\(name) \($0)" }.first { title in !all.contains { $0.title == title } }!
        var copy = Column(
            id: ColumnID(column.field, copy: number), title: title, kind: column.kind, notation: column.notation, width: column.width)
        (copy.format, copy.flagMarks, copy.measuredWidth) = (column.format, column.flagMarks, column.measuredWidth)
        copy.isIdentifier = column.isIdentifier
        (copy.dateNotation, copy.hasAmbiguousDates) = (column.dateNotation, column.hasAmbiguousDates)
        controller.perform(.insertColumns([copy], atPlace: place + 1))
        if let index = grid.columns.index(of: copy.id) { controller.perform(.move(.column(index))) }
        say(.columnDuplicated(Message.name(name), as: Message.name(title)))
        return [.typesChanged([copy.id])]
    }

    mutating func changeType(of column: Column) -> [AppEffect] {
        var column = column
        let kinds = ValueKind.allCases
        // Once the user has chosen a type, all flag words are shown as marks.
        column.flagMarks = .everyWord
        column.kind = kinds[(kinds.firstIndex(of: column.kind)! + 1) % kinds.count]
        say(.columnType(Message.name(column.title, width: 16), column.kind, next: key(.columnType)))
        return change(.updateColumn(column)) + [.typesChanged([column.id])] + rearrangement(afterRetyping: [column.id])
    }

    /// Reads the dates of the column with day and month swapped.
    mutating func swapDayAndMonth(of column: Column) -> [AppEffect] {
        guard column.kind == .date || column.kind == .dateTime, let notation = column.dateNotation.withDayAndMonthExchanged else {
            return say(.noDayOrder(Message.name(column.title)))
        }
        var column = column
        (column.dateNotation, column.hasAmbiguousDates) = (notation, false)
        say(.dayOrder(Message.name(column.title, width: 16), isDayFirst: notation == .dayFirst, key: key(.dayAndMonth)))
        return change(.updateColumn(column)) + [.typesChanged([column.id])] + rearrangement(afterRetyping: [column.id])
    }

    /// Shows or hides the thousands separators of the column. With them, an automatic width may grow.
    mutating func toggleDigitGroups(of column: Column) -> [AppEffect] {
        guard column.kind.isNumber else { return say(.noNumbers(Message.name(column.title))) }
        var column = column
        column.format.groupsThousands.toggle()
        say(.digitsGrouped(Message.name(column.title, width: 16), column.format.groupsThousands, key: key(.groupDigits)))
        let effects = change(.updateColumn(column))
        controller.widen(column: column.id)
        return effects
    }

    /// The effects that filter and sort the rows again after the types of columns have changed.
    func rearrangement(afterRetyping ids: [ColumnID]) -> [AppEffect] {
        guard !ids.isEmpty else { return [] }
        let wanted = query.requested
        if !wanted.filters.isEmpty { return [.arrange(document.isComplete ? wanted : wanted.unordered)] }
        let isArranged = ids.contains { id in
            wanted.groups.contains(id) || wanted.sort.contains { $0.column == id } || wanted.isOrdered(byAggregateOf: id)
        }
        return isArranged && document.isComplete ? [.arrange(wanted)] : []
    }

    // MARK: Lists

    mutating func openColumnList(_ purpose: ListPanel.Purpose) -> [AppEffect] {
        let all = purpose == .showColumns ? grid.columns.all : grid.columns.visible
        let title = purpose == .showColumns ? "Show or hide columns" : "Go to column"
        let rows = all.map {
            ListPanel.Row(text: $0.title, detail: purpose == .showColumns ? ($0.isHidden ? "hidden" : "shown") : "", tag: $0.id.rawValue)
        }
        var panel = ListPanel(purpose: purpose, title: title, rows: rows)
        if let current = grid.currentColumn, let index = rows.firstIndex(where: { $0.tag == current.id.rawValue }) {
            panel.selected = index
        }
        return open(panel)
    }

    mutating func openColumnMenu(_ id: ColumnID) {
        guard let index = grid.columns.index(of: id), let column = grid.columns[id] else { return }
        controller.perform(.moveCursor(GridCursor(item: grid.cursor.item, column: index)))
        let commands: [CommandID] = [
            .sortAscending, .sortDescending, .addSortKey, .filterLike, .filterExcludingCell, .group, .addGroupLevel, .freezeColumns,
            .pinLeft,
            .pinRight, .fitColumn,
            .hideColumn,
            .renameColumn, .columnType,
        ]
        overlay = ListPanel(purpose: .commands, title: column.title, rows: rows(commands), of: id)
    }
}

extension ListPanel.Purpose {
    /// Goes to the selected column.
    static let goToColumn = Self("goToColumn") { state, _, row in
        guard let index = state.grid.columns.index(of: ColumnID(row.tag)) else { return [] }
        state.remember(state.grid.cursor)
        return state.change(.move(.column(index)))
    }

    /// Shows or hides the selected column. The list stays open.
    static let showColumns = Self("showColumns", hint: "show or hide") { state, panel, row in
        let id = ColumnID(row.tag)
        let effects = state.change(.setHidden(id, state.grid.columns[id]?.isHidden == false))
        var panel = panel
        if let place = panel.rows.firstIndex(where: { $0.tag == row.tag }) {
            panel.rows[place].detail = state.grid.columns[id]?.isHidden == true ? "hidden" : "shown"
        }
        state.overlay = panel
        return effects
    }
}
