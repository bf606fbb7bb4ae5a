import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables

extension AppState {
    /// Replaces a column of JSON text by one column for each member of its objects or arrays. If columns for the members exist, shows them
    /// again; otherwise starts a job that finds the members.
    mutating func expand(_ column: Column) -> [AppEffect] {
        let members = memberColumns(of: column)
        guard !members.isEmpty else { return [.expand(column)] }
        show(members, insteadOf: column)
        return show(.expanded(Message.name(column.title), count: members.count, collapseKey: key(.collapseColumn)))
    }

    /// Inserts the columns that a job has derived from the members of JSON text, and hides the column of the text.
    /// - Parameters:
    ///   - hasMore: true if there are more members than columns.
    ///   - rows: the number of rows that were searched for members; `nil` if all were searched.
    mutating func showExpandedColumns(
        _ id: ColumnID, _ fields: [DerivedField], _ newColumns: [Column], hasMore: Bool, rows: Int?
    ) -> [AppEffect] {
        guard let column = grid.columns[id], let place = grid.columns.all.firstIndex(where: { $0.id == id }) else { return [] }
        guard !newColumns.isEmpty else { return show(.nothingToExpand(Message.name(column.title), rows: rows)) }
        sheet.derivedFields += fields
        sheet.memberNames.formUnion(fields.map(\.field.name))
        controller.perform(.insertColumns(newColumns, atPlace: place + 1))
        sheet.openedView.columns += newColumns
        show(newColumns, insteadOf: column)
        sheet.history.title = ViewHistory.columnExpansionTitle(Message.name(column.title))
        show(.expanded(Message.name(column.title), count: newColumns.count, hasMore: hasMore, collapseKey: key(.collapseColumn)))
        return zip(fields, newColumns).map { .columnsAdded([$1], deriving: $0) }
    }

    /// Reverses ``expand(_:)``: shows the column of JSON text from which the current column was derived, and hides all columns of its
    /// members.
    mutating func collapse(_ column: Column) -> [AppEffect] {
        guard
            let parent = grid.columns.all.first(where: { candidate in memberColumns(of: candidate).contains { $0.field == column.field } })
        else {
            return show(.nothingToCollapse(Message.name(column.title), expandKey: key(.expandColumn)))
        }
        var hidden: Set<ColumnID> = []
        func add(_ column: Column) {
            for member in memberColumns(of: column) where hidden.insert(member.id).inserted { add(member) }
        }
        add(parent)
        _ = setHidden([parent.id], false)
        _ = setHidden(hidden, true, keeping: parent.id)
        if let index = grid.columns.index(of: parent.id) { controller.perform(.move(.column(index))) }
        sheet.history.title = ViewHistory.columnCollapseTitle(Message.name(parent.title))
        return show(.columnCollapsed(Message.name(parent.title), expandKey: key(.expandColumn)))
    }

    /// The columns after a reset of the view. The members of expanded columns are hidden, because the expanded columns are shown again.
    var resetColumns: [Column] {
        sheet.openedView.columns.map { opened in
            var column = opened
            if column.field.isDerived, sheet.memberNames.contains(column.valueKey) { column.isHidden = true }
            return column
        }
    }

    /// The existing columns that were derived from members of the JSON text in `column`.
    private func memberColumns(of column: Column) -> [Column] {
        let formulas = Dictionary(sheet.derivedFields.map { ($0.field.id, $0.formula) }) { first, _ in first }
        let (text, path) = (formulas[column.field] ?? .field(column.field)).jsonTextAndPath
        return grid.columns.all.filter { other in
            guard let parts = formulas[other.field]?.jsonTextAndPath else { return false }
            return parts.text == text && parts.keys.count == path.count + 1 && parts.keys.starts(with: path)
        }
    }

    /// The number of hidden columns that belong to a collapsed column: the members of its JSON text, and their members.
    var collapsedColumnCount: Int {
        guard grid.columns.count < grid.columns.all.count, !sheet.memberNames.isEmpty else { return 0 }
        func isShown(_ id: FieldID) -> Bool { grid.columns[ColumnID(id)]?.isHidden == false }
        let shown = sheet.derivedFields.filter { isShown($0.field.id) }.map(\.formula.jsonTextAndPath)
        return sheet.derivedFields.count { field in
            guard sheet.memberNames.contains(field.field.name), grid.columns[ColumnID(field.field.id)]?.isHidden == true else {
                return false
            }
            let path = field.formula.jsonTextAndPath
            if case .field(let id) = path.text, isShown(id) { return true }
            let relatives = shown.filter { $0.text == path.text }
            return relatives.isEmpty || relatives.contains { $0.keys.count < path.keys.count && path.keys.starts(with: $0.keys) }
        }
    }

    private mutating func show(_ members: [Column], insteadOf column: Column) {
        _ = setHidden(Set(members.map(\.id)), false)
        _ = setHidden([column.id], true, keeping: members[0].id)
        if let index = grid.columns.index(of: members[0].id) { controller.perform(.move(.column(index))) }
    }
}
