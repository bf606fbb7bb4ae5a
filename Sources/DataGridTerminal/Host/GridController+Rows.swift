public import DataGrid

/// Rows and sections that come and go while the grid is there. Scroll position, cursor, selection, marks, heights and collapsed sections stay
/// with their rows. Content of the others is not asked for again.
extension GridController {
    /// Takes in the rows that the source has now at these positions, counted over all sections; it numbers its rows in order.
    /// - Parameter section: matters only where one ends and the next begins.
    /// - Complexity: O(sections); O(rows) where rows stand in another order than the source's.
    public func insertRows(at range: Range<Int>, inSection section: Int? = nil) {
        insertRows(RowInsertion(at: range.lowerBound, count: range.count, section: section))
    }

    /// Takes in rows with ids of their own, for sources that give rows names that stay. O(rows).
    public func insertRows(_ ids: [RowID], at position: Int, inSection section: Int? = nil) {
        insertRows(RowInsertion(ids, at: position, section: section))
    }

    private func insertRows(_ insertion: RowInsertion) {
        let old = state.rows.count
        perform(.insertRows(insertion))
        guard state.rows.count > old else { return }
        noteInserted(insertion.position..<insertion.position + insertion.count)
    }

    /// Lets the rows at these positions go, counted over all sections. The source has let go of them before.
    /// - Parameter renumbering: whether the source numbers its rows in order, so that those behind have lesser numbers now.
    /// - Complexity: O(sections); O(rows) unless the rows stand in the source's order.
    public func removeRows(at range: Range<Int>, renumbering: Bool = true) {
        perform(.removeRows(range, renumbering: renumbering))
    }

    /// Takes in the section that the source has now at this index: asks for its level, its title and its number of rows. Sections nested in
    /// it come afterwards, one by one. O(sections).
    public func insertSection(_ section: Int) {
        guard let source = dataSource else { return }
        let count = max(0, source.numberOfRows(inSection: section))
        perform(
            .insertSection(
                section, level: source.level(ofSection: section), title: source.title(ofSection: section) ?? "",
                rows: RowInsertion(at: 0, count: count)))
        if let tree = state.outline.tree, tree.count > 0 { noteInserted(tree.rows(of: min(max(0, section), tree.count - 1))) }
    }

    /// Lets a section go, with those nested in it and their rows. O(sections), and O(rows) as for ``removeRows(at:renumbering:)``.
    public func removeSection(_ section: Int, renumbering: Bool = true) {
        perform(.removeSection(section, renumbering: renumbering))
    }

    /// Lights up the row that closes the gap where others have gone, as far as it is in sight.
    func noteGap(leftBy action: GridAction, from old: GridState) {
        let position: Int?
        switch action {
        case .removeRows(let range, _): position = range.lowerBound
        case .removeSection(let section, _) where old.outline.collapsed.indices.contains(section):
            position = old.outline.tree?.rows(of: section).lowerBound
        default: position = nil
        }
        guard let position, state.rows.count < old.rows.count, state.rows.count > 0 else { return }
        let seam = min(max(0, position), state.rows.count - 1)
        if state.layout.positions.contains(seam) { note([CellChange(.closedUp, row: state.rows[seam])]) }
    }

    private func noteInserted(_ positions: Range<Int>) {
        note(state.layout.positions.filter(positions.contains).map { CellChange(.inserted, row: state.rows[$0]) })
    }
}

/// Columns that come and go while the grid is there. Cursor, frozen panes, widths, sort keys and selection stay with their columns.
extension GridController {
    /// All columns in the order shown, hidden ones included. Set it to replace them all. O(columns).
    public var columns: [Column] {
        get { state.columns.all }
        set { perform(.replaceColumns(newValue)) }
    }

    /// Adds a column at the end. O(columns).
    public func addColumn(_ column: Column) { addColumns([column]) }

    /// Adds columns at the end. O(columns).
    public func addColumns(_ columns: [Column]) { insertColumns(columns, atPlace: state.columns.all.count) }

    /// Inserts columns before the one at a place among all, hidden ones included. Those whose id is there already are passed over. O(columns).
    public func insertColumns(_ columns: [Column], atPlace place: Int) { perform(.insertColumns(columns, atPlace: place)) }

    /// Takes a column away; nothing happens when it is not there. O(columns).
    public func removeColumn(_ id: ColumnID) { perform(.removeColumns([id])) }

    /// Takes the column at a place among all away; nothing happens when there is none. O(columns).
    public func removeColumn(atPlace place: Int) {
        guard state.columns.all.indices.contains(place) else { return }
        removeColumn(state.columns.all[place].id)
    }

    /// Moves a visible column so that it stands at `index` among the visible ones; asks the delegate. O(columns).
    public func moveColumn(_ id: ColumnID, toIndex index: Int) { perform(.moveColumn(id, toIndex: index)) }
}
