/// Keeping the selection, cursor and scroll position when rows get another order.
extension GridState {
    /// The maximum number of selected rows to find in another order. Larger selections are cleared.
    static let maximumKeptRows = 1_000_000

    struct KeptRows {
        fileprivate var ids: [RowID] = []
        /// For each block of the selection, the indices of its rows in ``ids``; `nil` for a block of all rows.
        fileprivate var blocks: [(rows: Range<Int>?, columns: Set<ColumnID>?)] = []
        fileprivate var isInverted = false
        fileprivate var cursorIndex: Int?
        fileprivate var isCursorVisible = false
        /// The line of the cursor's row, counted from the top of the pane; `nil` if the row is not visible.
        fileprivate var cursorLine: Int?
        fileprivate var topIndex: Int?
        /// The section whose header is at the top of the pane; `nil` if a row is at the top.
        fileprivate var topHeader: Int?
    }

    /// The number of rows whose positions in another order are needed to keep the selection: selected rows or, in an inverted selection,
    /// deselected rows. Blocks of all rows are not counted, and rows in several blocks are counted several times. O(blocks).
    package var selectedRowCount: Int {
        selection.blocks.reduce(0) { $0 + ($1.rows?.count ?? 0) } + selection.absentRows.values.reduce(0) { $0 + $1.count }
    }

    /// The rows whose new positions are needed to keep the parts of the state that `keeping` lists. O(selected rows).
    package func keptRowIDs(_ keeping: PreservedState) -> [RowID] { keptRows(keeping).ids }

    /// The rows of ``keptRowIDs(_:)``, with the other values that ``restore(_:_:)`` needs. O(selected rows).
    func keptRows(_ keeping: PreservedState) -> KeptRows {
        var kept = KeptRows()
        if keeping.contains(.selection), selectedRowCount <= Self.maximumKeptRows {
            kept.isInverted = selection.isInverted
            for block in selection.blocks {
                let start = kept.ids.count
                if let range = block.rows { kept.ids += range.clamped(to: 0..<rows.count).map { rows[$0] } }
                kept.blocks.append((block.rows.map { _ in start..<kept.ids.count }, block.columns))
            }
            for (columns, rows) in selection.absentRows {
                kept.blocks.append((kept.ids.count..<kept.ids.count + rows.count, columns))
                kept.ids += rows
            }
        }
        if !keeping.isDisjoint(with: [.cursor, .scroll]) {
            kept.cursorLine = cursorLine
            kept.isCursorVisible = showsCursor
        }
        if keeping.contains(.cursor), let row = currentRow {
            kept.cursorIndex = kept.ids.count
            kept.ids.append(row)
        }
        if keeping.contains(.scroll), scroll.top < outline.itemCount {
            switch outline.item(at: scroll.top) {
            case .row(let row):
                kept.topIndex = kept.ids.count
                kept.ids.append(rows[row])
            case .header(let section): kept.topHeader = section
            }
        }
        return kept
    }

    /// Restores selection, cursor and scroll position after the order of rows has changed, by finding the recorded rows. O(rows);
    /// O(selected rows · log rows) for the source's order.
    mutating func restore(_ kept: KeptRows, _ sections: SectionMatching?) {
        var positions = [Int?](repeating: nil, count: kept.ids.count)
        for (position, index) in rows.positions(of: kept.ids) { positions[index] = position }
        // Combine rows with the same selected columns into blocks.
        var whole: [SelectionBlock] = []
        var bands: [Set<ColumnID>?: Set<Int>] = [:]
        var order: [Set<ColumnID>?] = []
        var absent: [Set<ColumnID>?: Set<RowID>] = [:]
        for block in kept.blocks {
            guard let indices = block.rows else {
                whole.append(SelectionBlock(rows: nil, columns: block.columns))
                continue
            }
            if bands[block.columns] == nil { order.append(block.columns) }
            bands[block.columns, default: []].formUnion(indices.compactMap { positions[$0] })
            // Skip rows that were counted from the end. They have other ids as soon as all rows are known.
            let missing = indices.filter { positions[$0] == nil && !kept.ids[$0].isCountedFromEnd }.map { kept.ids[$0] }
            // Keep the rows that are not in this order. In an inverted selection, they are deselected again when an order contains them.
            if !missing.isEmpty { absent[block.columns, default: []].formUnion(missing) }
        }
        let blocks = order.flatMap { columns in bands[columns]!.sorted().runs.map { SelectionBlock(rows: $0, columns: columns) } }
        selection = Selection(blocks: blocks + whole, isInverted: kept.isInverted, absentRows: absent)
        if let cursor = kept.cursorIndex, let row = positions[cursor] { self.cursor.item = .row(row) }
        leaveHiddenItem()
        if let top = kept.topIndex, let row = positions[top] {
            scroll.top = outline.index(ofRow: row)
        } else if let header = kept.topHeader.flatMap({ sections?.newIndex(of: $0) }) {
            scroll.top = outline.index(ofHeader: header)
        } else if kept.cursorIndex != nil, let line = kept.cursorLine, outline.itemCount > 0 {
            scroll(placing: outline.index(of: cursor.item), atLine: line)
        }
        if kept.isCursorVisible || kept.topIndex == nil { revealCursor() } else { clampScroll() }
    }

    /// Finds items of this state in the later state `new`. The result maps each item to the same row, or to the section with the same
    /// titles. Items that `new` does not contain are omitted. O(items · log rows) for the source's order, otherwise O(rows).
    package func matchingItems(of items: [GridItem], in new: GridState) -> [GridItem: GridItem] {
        let positions = items.compactMap { item in
            if case .row(let position) = item, position < rows.count { position } else { nil }
        }
        var matches: [GridItem: GridItem] = [:]
        for (position, index) in new.rows.positions(of: positions.map { rows[$0] }) { matches[.row(positions[index])] = .row(position) }
        guard let old = outline.tree, let tree = new.outline.tree else { return matches }
        let sections = items.compactMap { item in
            if case .header(let section) = item, section < old.count { section } else { nil }
        }
        for (section, newIndex) in SectionMatching(old, rows, to: tree, new.rows).newIndices(of: sections) {
            matches[.header(section)] = .header(newIndex)
        }
        return matches
    }

    /// The rows that have a mark or a height that was set, and the selected rows that are not in the current order. O(number of these
    /// rows).
    package var rowsWithState: Set<RowID> {
        selection.absentRows.values.reduce(into: marks.union(heights.all.keys)) { $0.formUnion($1) }
    }

    mutating func renumberRowState(_ ids: [RowID: RowID]) {
        marks = Set(marks.map { ids[$0] ?? $0 })
        heights.updatePositions(in: rows) { ids[$0] ?? $0 }
        selection.renumberAbsentRows { ids[$0] ?? $0 }
        selectArrivedRows(from: 0)
    }

    /// Selects the rows of ``Selection/absentRows`` that are now at position `start` or later. O(absent rows), plus the time to find them.
    mutating func selectArrivedRows(from start: Int) {
        guard !selection.absentRows.isEmpty else { return }
        var (arrived, absent) = ([SelectionBlock](), selection.absentRows)
        for (columns, rows) in selection.absentRows {
            let ids = Array(rows)
            let found = self.rows.positions(of: ids).filter { $0.position >= start }
            arrived += found.map(\.position).runs.map { SelectionBlock(rows: $0, columns: columns) }
            absent[columns] = rows.subtracting(found.map { ids[$0.index] })
        }
        // Insert the blocks before the block that is being extended, which must be the last block.
        var blocks = selection.blocks
        blocks.insert(contentsOf: arrived, at: selectionAnchor == nil ? blocks.count : max(0, blocks.count - 1))
        selection = Selection(blocks: blocks, isInverted: selection.isInverted, absentRows: absent.filter { !$0.value.isEmpty })
    }
}
