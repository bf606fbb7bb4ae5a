public import DataGrid

/// Insertion and removal of rows and sections. Scroll position, cursor, selection, marks, heights and collapsed sections follow their rows.
/// Other rows are not read again.
extension GridController {
    /// Inserts rows that the source has added at these positions, counted over all sections. The source must number its rows in order.
    /// - Parameter section: the section of the rows, needed only at the boundary of two sections.
    /// - Complexity: O(sections), or O(rows) if the row order is not that of the source.
    public func insertRows(at range: Range<Int>, inSection section: Int? = nil) {
        insertRows(RowInsertion(at: range.lowerBound, count: range.count, section: section))
    }

    /// Inserts rows with the given IDs, for sources with persistent row IDs. O(rows).
    public func insertRows(_ ids: [RowID], at position: Int, inSection section: Int? = nil) {
        insertRows(RowInsertion(ids, at: position, section: section))
    }

    private func insertRows(_ insertion: RowInsertion) {
        let old = state.rows.count
        perform(.insertRows(insertion))
        guard state.rows.count > old else { return }
        highlightInserted(insertion.position..<insertion.position + insertion.count)
    }

    /// Removes the rows at these positions, counted over all sections. The source must have removed them already.
    /// - Parameter renumbering: true if the source numbers its rows in order, so that the IDs of later rows decrease.
    /// - Complexity: O(sections), or O(rows) if the row order is not that of the source.
    public func removeRows(at range: Range<Int>, renumbering: Bool = true) {
        perform(.removeRows(range, renumbering: renumbering))
    }

    /// Inserts the section that the source has added at this index, and reads its level, title and row count. Insert its subsections
    /// afterwards, one at a time. O(sections).
    public func insertSection(_ section: Int) {
        guard let source = dataSource else { return }
        let count = max(0, source.numberOfRows(inSection: section))
        perform(
            .insertSection(
                section, level: source.level(ofSection: section), title: source.title(ofSection: section) ?? "",
                rows: RowInsertion(at: 0, count: count)))
        if let tree = state.outline.tree, tree.count > 0 { highlightInserted(tree.rows(of: min(max(0, section), tree.count - 1))) }
    }

    /// Removes a section with its subsections and rows. O(sections), plus the cost of ``removeRows(at:renumbering:)``.
    public func removeSection(_ section: Int, renumbering: Bool = true) {
        perform(.removeSection(section, renumbering: renumbering))
    }

    /// Highlights the row that follows removed rows, if it is visible, to show where rows were removed.
    func highlightGap(leftBy action: GridAction, from old: GridState) {
        let position: Int?
        switch action {
        case .removeRows(let range, _): position = range.lowerBound
        case .removeSection(let section, _) where old.outline.collapsed.indices.contains(section):
            position = old.outline.tree?.rows(of: section).lowerBound
        default: position = nil
        }
        guard let position, state.rows.count < old.rows.count, state.rows.count > 0 else { return }
        let next = min(max(0, position), state.rows.count - 1)
        if state.layout.positions.contains(next) { reportChanges([CellChange(.movedUp, row: state.rows[next])]) }
    }

    private func highlightInserted(_ positions: Range<Int>) {
        reportChanges(state.layout.positions.filter(positions.contains).map { CellChange(.inserted, row: state.rows[$0]) })
    }
}

/// Insertion and removal of columns. Cursor, frozen panes, widths, sort keys and selection follow their columns.
extension GridController {
    /// All columns in display order, including hidden ones. Setting it replaces all columns. O(columns).
    public var columns: [Column] {
        get { state.columns.all }
        set { perform(.replaceColumns(newValue)) }
    }

    /// Adds a column at the end. O(columns).
    public func addColumn(_ column: Column) { addColumns([column]) }

    /// Adds columns at the end. O(columns).
    public func addColumns(_ columns: [Column]) { insertColumns(columns, atPlace: state.columns.all.count) }

    /// Inserts columns before a place among all columns, including hidden ones. Columns with an existing ID are skipped. O(columns).
    public func insertColumns(_ columns: [Column], atPlace place: Int) { perform(.insertColumns(columns, atPlace: place)) }

    /// Removes a column. Has no effect if it does not exist. O(columns).
    public func removeColumn(_ id: ColumnID) { perform(.removeColumns([id])) }

    /// Removes the column at a place among all columns. Has no effect if the place is out of range. O(columns).
    public func removeColumn(atPlace place: Int) {
        guard state.columns.all.indices.contains(place) else { return }
        removeColumn(state.columns.all[place].id)
    }

    /// Moves a visible column to `index` among the visible columns. The delegate can veto. O(columns).
    public func moveColumn(_ id: ColumnID, toIndex index: Int) { perform(.moveColumn(id, toIndex: index)) }
}
