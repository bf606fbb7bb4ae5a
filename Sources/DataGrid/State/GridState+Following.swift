/// Another order of the same rows, in which what is selected, or under the cursor, is looked for anew.
extension GridState {
    /// The most rows that are looked for; a selection of more ends.
    private static let mostFollowed = 1_000_000

    struct Followed {
        fileprivate var ids: [RowID] = []
        /// The places in ``ids`` of the rows of each block; `nil`: all rows.
        fileprivate var blocks: [(rows: Range<Int>?, columns: Set<ColumnID>?)] = []
        fileprivate var isInverted = false
        fileprivate var cursor: Int?
        fileprivate var isInSight = false
        /// Lines of the cursor's row below the upper edge of the pane, when that is in sight.
        fileprivate var line: Int?
        fileprivate var top: Int?
        /// The same where the header of a section is at the top.
        fileprivate var topHeader: Int?
    }

    /// What is to be kept of what there is now. O(rows selected).
    func followed(_ keeping: RowKeeping) -> Followed {
        var followed = Followed()
        if keeping.contains(.selection), selection.blocks.reduce(0, { $0 + ($1.rows?.count ?? 0) }) <= Self.mostFollowed {
            followed.isInverted = selection.isInverted
            for block in selection.blocks {
                let start = followed.ids.count
                if let range = block.rows { followed.ids += range.clamped(to: 0..<rows.count).map { rows[$0] } }
                followed.blocks.append((block.rows.map { _ in start..<followed.ids.count }, block.columns))
            }
        }
        if !keeping.isDisjoint(with: [.cursor, .scroll]) {
            followed.line = cursorLine
            followed.isInSight = showsCursor
        }
        if keeping.contains(.cursor), let row = currentRow {
            followed.cursor = followed.ids.count
            followed.ids.append(row)
        }
        if keeping.contains(.scroll), scroll.top < outline.itemCount {
            switch outline.item(at: scroll.top) {
            case .row(let row):
                followed.top = followed.ids.count
                followed.ids.append(rows[row])
            case .header(let section): followed.topHeader = section
            }
        }
        return followed
    }

    /// Finds in the present order what was kept. O(rows), O(rows selected · log) for the source's order.
    mutating func restore(_ followed: Followed, _ sections: SectionMatching?) {
        var positions = [Int?](repeating: nil, count: followed.ids.count)
        for (position, index) in rows.positions(of: followed.ids) { positions[index] = position }
        // Rows of which the same columns are selected make blocks together.
        var whole: [SelectionBlock] = []
        var bands: [Set<ColumnID>?: Set<Int>] = [:]
        var order: [Set<ColumnID>?] = []
        for block in followed.blocks {
            guard let places = block.rows else {
                whole.append(SelectionBlock(rows: nil, columns: block.columns))
                continue
            }
            if bands[block.columns] == nil { order.append(block.columns) }
            bands[block.columns, default: []].formUnion(places.compactMap { positions[$0] })
        }
        let blocks = order.flatMap { columns in bands[columns]!.sorted().runs.map { SelectionBlock(rows: $0, columns: columns) } }
        selection = Selection(blocks: blocks + whole, isInverted: followed.isInverted)
        if let cursor = followed.cursor, let row = positions[cursor] { self.cursor.item = .row(row) }
        leaveHiddenItem()
        if let top = followed.top, let row = positions[top] {
            scroll.top = outline.index(ofRow: row)
        } else if let header = followed.topHeader.flatMap({ sections?.place(of: $0) }) {
            scroll.top = outline.index(ofHeader: header)
        } else if followed.cursor != nil, let line = followed.line, outline.itemCount > 0 {
            scroll(placing: outline.index(of: cursor.item), atLine: line)
        }
        if followed.isInSight || followed.top == nil { revealCursor() } else { clampScroll() }
    }
}
