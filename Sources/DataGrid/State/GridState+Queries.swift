extension GridState {
    /// The number of sections. 1 for rows without sections, and 0 without rows.
    public var numberOfSections: Int { outline.tree?.count ?? (rows.count > 0 ? 1 : 0) }

    /// The number of rows in a section, including rows of nested and collapsed sections; `nil` if there is no such section. O(1).
    public func numberOfRows(inSection section: Int) -> Int? {
        guard isValid(section: section) else { return nil }
        return outline.tree?.rows(of: section).count ?? rows.count
    }

    /// True if the grid has this section; rows without sections are in section 0. O(1).
    public func isValid(section: Int) -> Bool { (0..<numberOfSections).contains(section) }

    /// True if a section has a row at this index, counted from its first row. The section may be collapsed. O(1).
    public func isValid(row: Int, inSection section: Int) -> Bool {
        numberOfRows(inSection: section).map { (0..<$0).contains(row) } ?? false
    }

    /// True if a section is collapsed; false if there is no such section. O(1).
    public func isCollapsed(section: Int) -> Bool {
        outline.collapsed.indices.contains(section) && outline.collapsed[section]
    }

    /// True if the grid contains this row. O(1); O(rows) for orders that are the result of sorting or grouping.
    public func isValid(_ row: RowID) -> Bool { rows.position(of: row) != nil }

    /// The visible rows from top to bottom. Rows covered by a sticky header are omitted. O(columns + visible items).
    public var visibleRows: [RowID] { layout.positions.map { rows[$0] } }

    /// The visible columns, including partly visible ones. O(columns).
    ///
    /// The order is from left to right in a table, and from top to bottom in a transposed grid. Cards have only the columns with a slot, in
    /// column order.
    public var visibleColumns: [ColumnID] {
        switch effectivePresentation {
        case .table, .adaptive: return layout.columns.map(\.id)
        case .transposed: return layout.fields.map(\.id)
        case .cards: return layout.slots.map(\.index).sorted().map { columns[$0].id }
        }
    }

    /// The visible part of a cell or, on a card, of the column's slot, as its upper left point and its size. `nil` if it is not visible.
    ///
    /// Computes a layout: O(columns + visible items).
    public func visibleFrame(ofRow row: RowID, column: ColumnID) -> (origin: GridPoint, size: GridSize)? {
        let layout = layout
        if let tile = layout.tiles.first(where: { isTile($0, of: row) }) {
            if let slot = layout.slots(of: tile).first(where: { $0.id == column }) { return layout.frame(of: slot, on: tile) }
            guard let field = layout.fields.first(where: { $0.id == column }) else { return nil }
            return (GridPoint(x: tile.x, y: field.y), GridSize(width: tile.width, height: 1))
        }
        guard let span = layout.columns.first(where: { $0.id == column }) else { return nil }
        for line in layout.itemSpans {
            guard case .row(let position) = line.item, rows[position] == row else { continue }
            return (GridPoint(x: span.x, y: line.y), GridSize(width: span.width, height: line.height))
        }
        return nil
    }

    private func isTile(_ tile: TileSpan, of row: RowID) -> Bool {
        if case .row(let position) = tile.item { return rows[position] == row }
        return false
    }

    /// The area of the editor: its cell, widened to neighboring terminal cells if the cell is a narrow slot of a card. `nil` if no editor
    /// is visible.
    public var editorFrame: (origin: GridPoint, size: GridSize)? {
        guard let editing else { return nil }
        let layout = layout
        guard let slots = layout.cardSlots, let tile = layout.tiles.first(where: { isTile($0, of: editing.row) }),
            let slot = layout.slots(of: tile).first(where: { $0.id == editing.column })
        else { return visibleFrame(ofRow: editing.row, column: editing.column) }
        let cells = slots.editorCells(of: slot)
        // Show the text in the last visible line, even if the slot is clipped at the bottom.
        let y = tile.y + min(slot.cardLine, tile.height - 1)
        return (GridPoint(x: tile.x + cells.lowerBound, y: y), GridSize(width: cells.count, height: 1))
    }

    /// The cell at a point of the frame, and the visible part of this cell. `nil` outside cells, such as between the slots of a card.
    ///
    /// Computes a layout: O(columns + visible items).
    public func visibleCell(at point: GridPoint) -> (row: RowID, column: ColumnID, origin: GridPoint, size: GridSize)? {
        let layout = layout
        guard case .cell(let position, let column) = layout.hit(point), layout.slots.isEmpty || layout.slot(at: point) != nil else {
            return nil
        }
        let (row, id) = (rows[position], columns[column].id)
        return visibleFrame(ofRow: row, column: id).map { (row, id, $0.origin, $0.size) }
    }

    /// The total height, in lines, of all rows before `position`, which is in `0 ... rows.count`.
    ///
    /// `nil` if this height is unknown: for rows in sections, and for automatic heights, which are computed only near the pane. O(1) for
    /// equal heights, O(log rows) for others.
    public func lines(aboveRow position: Int) -> Int? {
        outline.tree == nil ? LineGeometry(self).lines(above: position) : nil
    }

    /// The position of the row that contains a line, counted from the first line of the first row. O(1) for equal heights, O(log rows)
    /// for others.
    ///
    /// `nil` after the last row, or if heights are not known (see ``lines(aboveRow:)``).
    public func row(atLine line: Int) -> Int? {
        guard line >= 0, outline.tree == nil, let row = LineGeometry(self).item(atLine: line), row < rows.count else { return nil }
        return row
    }

    /// The rows with a selected cell, in display order.
    ///
    /// O(selected rows), plus the cost of `Selection.rows(rowCount:columns:)`; if users have moved rows, O(log moved ranges) for each
    /// row.
    public func selectedRows() -> [RowID] {
        selection.rows(rowCount: rows.count, columns: columns.visible.map(\.id)).flatMap { $0.map { rows[$0] } }
    }

    /// The visible columns that are selected as whole columns, in display order. Empty if single cells or whole rows are selected too, or
    /// if all cells are selected.
    ///
    /// O(columns) calls of `Selection.contains(row:column:)`.
    public func selectedColumns() -> [Column] {
        let blocks = selection.blocks
        guard !blocks.isEmpty, blocks.allSatisfy({ $0.rows == nil && $0.columns != nil }) else { return [] }
        return columns.visible.filter { selection.contains(row: 0, column: $0.id) }
    }

    /// The selected cells, row by row; `nil` if there are more than `limit`.
    ///
    /// O(columns) calls of `Selection.contains(row:column:)` for each row with a selected cell.
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
