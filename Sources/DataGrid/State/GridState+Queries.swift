extension GridState {
    /// The number of sections; rows that are in none count as one.
    public var numberOfSections: Int { outline.tree?.count ?? (rows.count > 0 ? 1 : 0) }

    /// The number of rows in a section, those of nested sections included, collapsed or not; `nil` when there is no such section. O(1).
    public func numberOfRows(inSection section: Int) -> Int? {
        guard isValid(section: section) else { return nil }
        return outline.tree?.rows(of: section).count ?? rows.count
    }

    /// Whether the grid has this section; rows that are in none are in section 0. O(1).
    public func isValid(section: Int) -> Bool { (0..<numberOfSections).contains(section) }

    /// Whether a section has a row at this place, counted from its first, collapsed or not. O(1).
    public func isValid(row: Int, inSection section: Int) -> Bool {
        numberOfRows(inSection: section).map { (0..<$0).contains(row) } ?? false
    }

    /// Whether a section is collapsed; `false` when there is no such section. O(1).
    public func isCollapsed(section: Int) -> Bool {
        outline.collapsed.indices.contains(section) && outline.collapsed[section]
    }

    /// Whether the grid has this row. O(1); O(rows) for orders found by sorting or grouping.
    public func isValid(_ row: RowID) -> Bool { rows.position(of: row) != nil }

    /// The rows in sight, from top to bottom; those under a header that sticks are not. O(columns + visible items).
    public var visibleRows: [RowID] { layout.positions.map { rows[$0] } }

    /// The columns in sight, also those of which only a part is: from left to right, across from top to bottom, of cards those that stand in a
    /// slot, in their own order. O(columns).
    public var visibleColumns: [ColumnID] {
        switch shownPresentation {
        case .table, .adaptive: return layout.columns.map(\.id)
        case .transposed: return layout.fields.map(\.id)
        case .cards: return layout.slots.map(\.index).sorted().map { columns[$0].id }
        }
    }

    /// Where a cell is on the screen: its upper left terminal cell and the part of it in sight; `nil` when it is out of sight. On a card it is
    /// the slot in which its column stands. O(columns + visible items), as a layout is made.
    public func visibleFrame(ofRow row: RowID, column: ColumnID) -> (origin: GridPoint, size: GridSize)? {
        let layout = layout
        if let tile = layout.tiles.first(where: { isTile($0, of: row) }) {
            if let slot = layout.slots.first(where: { $0.id == column }) { return layout.frame(of: slot, on: tile) }
            guard let field = layout.fields.first(where: { $0.id == column }) else { return nil }
            return (GridPoint(x: tile.x, y: field.y), GridSize(width: tile.width, height: 1))
        }
        guard let span = layout.columns.first(where: { $0.id == column }) else { return nil }
        for line in layout.lines {
            guard case .row(let position) = line.item, rows[position] == row else { continue }
            return (GridPoint(x: span.x, y: line.y), GridSize(width: span.width, height: line.height))
        }
        return nil
    }

    private func isTile(_ tile: TileSpan, of row: RowID) -> Bool {
        if case .row(let position) = tile.item { return rows[position] == row }
        return false
    }

    /// Where one types while a cell is being edited: the cell or, where that is a narrow slot of a card, more of its line; `nil` when no cell
    /// in sight is.
    public var editorFrame: (origin: GridPoint, size: GridSize)? {
        guard let editing else { return nil }
        let layout = layout
        guard let slot = layout.slots.first(where: { $0.id == editing.column }), let slots = layout.cardSlots,
            let tile = layout.tiles.first(where: { isTile($0, of: editing.row) })
        else { return visibleFrame(ofRow: editing.row, column: editing.column) }
        let place = slots.typingPlace(of: slot)
        // Where the slot itself is cut off below, one sees what is typed nevertheless.
        let y = tile.y + min(slot.line, tile.height - 1)
        return (GridPoint(x: tile.x + place.lowerBound, y: y), GridSize(width: place.count, height: 1))
    }

    /// The cell that a point of the frame shows, and the part of it in sight; `nil` where there is none, as between the slots of a card.
    /// O(columns + visible items), as a layout is made.
    public func visibleCell(at point: GridPoint) -> (row: RowID, column: ColumnID, origin: GridPoint, size: GridSize)? {
        let layout = layout
        guard case .cell(let position, let column) = layout.hit(point), layout.slots.isEmpty || layout.slot(at: point) != nil else {
            return nil
        }
        let (row, id) = (rows[position], columns[column].id)
        return visibleFrame(ofRow: row, column: id).map { (row, id, $0.origin, $0.size) }
    }

    /// The lines of all rows above `position`, in `0 ... rows.count`; `nil` where they are not known: among sections, and for automatic
    /// heights, which are found for rows near the pane only. O(1) for rows of one height, O(log rows) for others.
    public func lines(aboveRow position: Int) -> Int? {
        outline.tree == nil ? LineGeometry(self).lines(above: position) : nil
    }

    /// The position of the row at a line, counted from the first row's first; `nil` where lines are not known (see ``lines(aboveRow:)``)
    /// or there are not so many. O(1) for rows of one height, O(log rows) for others.
    public func row(atLine line: Int) -> Int? {
        guard line >= 0, outline.tree == nil, let row = LineGeometry(self).item(atLine: line), row < rows.count else { return nil }
        return row
    }

    /// The rows with a selected cell, in the order shown, as long as they are no more than `limit`; `nil` when they are more. O(rows selected),
    /// and as `Selection.rows(rowCount:columns:)`; with rows moved by hand O(log runs) a row.
    public func selectedRows(limit: Int = 1_000_000) -> [RowID]? {
        let ranges = selection.rows(rowCount: rows.count, columns: columns.visible.map(\.id))
        guard ranges.reduce(0, { $0 + $1.count }) <= limit else { return nil }
        return ranges.flatMap { $0.map { rows[$0] } }
    }

    /// The selected cells, row by row, as long as they are no more than `limit`; `nil` when they are more. For each row with a selected cell
    /// O(columns), each column as `Selection.contains(row:column:)`.
    public func selectedCells(limit: Int = 1_000_000) -> [(row: RowID, column: ColumnID)]? {
        let ids = columns.visible.map(\.id)
        var cells: [(row: RowID, column: ColumnID)] = []
        for range in selection.rows(rowCount: rows.count, columns: ids) {
            for position in range {
                for id in ids where selection.contains(row: position, column: id) {
                    guard cells.count < limit else { return nil }
                    cells.append((rows[position], id))
                }
            }
        }
        return cells
    }
}
