/// Insertion and removal of rows and sections. The selection, heights and other state of rows stay with these rows.
extension GridState {
    /// Inserts rows. No effect while the rows in the middle of the source are unknown (``RowOrder/spliced(first:head:tail:)``), or if no
    /// section can contain the rows.
    mutating func insert(_ insertion: RowInsertion) -> [GridEvent] {
        var insertion = insertion
        insertion.position = insertion.position.clamped(to: 0...rows.count)
        guard insertion.count > 0 else { return [] }
        var tree: SectionTree?
        if let old = outline.tree {
            guard let leaf = old.sectionReceiving(rowsAt: insertion.position, in: insertion.section) else { return [] }
            let range = old.ownRows(of: leaf)
            insertion.position = insertion.position.clamped(to: range.lowerBound...range.upperBound)
            tree = old.inserting(insertion.count, in: leaf)
        }
        guard let (order, newID) = rows.inserting(insertion) else { return [] }
        return splice(
            RowSplice(position: insertion.position, removedCount: 0, insertedCount: insertion.count), rows: order, newID,
            Outline(rowCount: order.count, tree: tree, collapsed: outline.collapsed))
    }

    mutating func removeRows(_ range: Range<Int>, renumbering: Bool) -> [GridEvent] {
        let range = range.clamped(to: 0..<rows.count)
        guard !range.isEmpty, let (order, newID) = rows.removing(range, renumbering: renumbering) else { return [] }
        return splice(
            RowSplice(position: range.lowerBound, removedCount: range.count, insertedCount: 0), rows: order, newID,
            Outline(rowCount: order.count, tree: outline.tree?.removing(range), collapsed: outline.collapsed))
    }

    /// Inserts a section with its rows. Existing rows without a section get a section with an empty title.
    mutating func insert(section index: Int, level: Int, title: String, _ insertion: RowInsertion) -> [GridEvent] {
        let old = existingSections(forInsertionAt: index)
        let index = index.clamped(to: 0...old.sections.count)
        let level = old.validLevel(ofSectionInsertedAt: index, nearest: level)
        let tree = old.inserting(Section(level: level, title: title, rows: 0..<insertion.count), at: index)
        var insertion = insertion
        insertion.position = old.firstRow(of: index)
        guard let (order, newID) = rows.inserting(insertion) else { return [] }
        var collapsed = outline.tree == nil ? Array(repeating: false, count: old.sections.count) : outline.collapsed
        collapsed.insert(false, at: index)
        return splice(
            RowSplice(position: insertion.position, removedCount: 0, insertedCount: insertion.count), rows: order, newID,
            Outline(rowCount: order.count, tree: tree, collapsed: collapsed)
        ) { $0 < index ? $0 : $0 + 1 }
    }

    /// The sections of the grid before a section is inserted at `index`. If the grid has no sections, existing rows get a section with an
    /// empty title. A grid without rows also gets such a section if `index` is above 0.
    private func existingSections(forInsertionAt index: Int) -> SectionTree {
        outline.tree ?? SectionTree(rows.count == 0 && index <= 0 ? [] : [Section(title: "", rows: 0..<rows.count)])
    }

    mutating func remove(section index: Int, renumbering: Bool) -> [GridEvent] {
        guard let old = outline.tree, old.sections.indices.contains(index) else { return [] }
        let range = old.sections[index].rows
        let removed = index..<old.end(of: index)
        guard let (order, newID) = rows.removing(range, renumbering: renumbering) else { return [] }
        var collapsed = outline.collapsed
        collapsed.removeSubrange(removed)
        return splice(
            RowSplice(position: range.lowerBound, removedCount: range.count, insertedCount: 0), rows: order, newID,
            Outline(rowCount: order.count, tree: old.removing(section: index), collapsed: collapsed)
        ) { $0 < index ? $0 : removed.contains($0) ? nil : $0 - removed.count }
    }

    /// Applies an order with rows inserted or removed at one position. The top row stays at the top of the pane, and a visible cursor
    /// stays visible.
    private mutating func splice(
        _ splice: RowSplice, rows order: RowOrder, _ newID: RowIDChange, _ newOutline: Outline, section: (Int) -> Int? = { $0 }
    ) -> [GridEvent] {
        // If the grid is empty, move the cursor to the first new item.
        let wasEmpty = outline.itemCount == 0
        let wasVisible = wasEmpty || withCachedHeights(\.showsCursor)
        let top = scroll.top < outline.itemCount ? outline.item(at: scroll.top) : nil
        rows = order
        loader?.reportedRowCount? -= splice.removedCount
        if outline.tree != newOutline.tree { rowHeightSource = rowHeightSource?.withoutHeaderHeights() }
        outline = newOutline
        marks = Set(marks.compactMap { newID($0) })
        heights.updatePositions(in: rows) { newID($0) }
        if case .none = newID {} else { rowHeightSource = rowHeightSource?.renumbered { newID($0) } }
        let events = renumberEditedRow(newID)
        selection.updatePositions(splice.newRanges(ofRowsIn:))
        selection.renumberAbsentRows { newID($0) }
        if let anchor = selectionAnchor {
            if let row = splice.newPosition(ofRowAt: anchor.row) { selectionAnchor?.row = row } else { selectionAnchor = nil }
        }

        func item(after item: GridItem) -> GridItem {
            switch item {
            case .row(let row): return .row((splice.newPosition(ofRowAt: row) ?? splice.position).clampedIndex(count: order.count))
            case .header(let old):
                let count = newOutline.collapsed.count
                return count == 0 ? .row(0) : .header(section(old) ?? old.clampedIndex(count: count))
            }
        }
        cursor.item = item(after: cursor.item)
        if wasEmpty || outline.itemCount == 0 { cursor.item = .row(0) }
        leaveHiddenItem()
        if let top { scroll.top = outline.itemCount == 0 ? 0 : outline.index(of: item(after: top)) }
        if wasVisible { revealCursor() } else { clampScroll() }
        // Do not extend a selected range that the insertion has split.
        if selectionAnchor != nil, selection.blocks.last != currentBlock() { selectionAnchor = nil }
        // Keep a click that opens an editor. It is still valid for its row.
        dragOrigin = dragOrigin.flatMap { origin in
            guard origin.opensEditor else { return nil }
            return DragOrigin(cursor: cursor, scroll: scroll, selection: selection, anchor: selectionAnchor, opensEditor: true)
        }
        followRowDrag(splice.newRanges(ofRowsIn:))
        return events
    }
}

extension Selection {
    /// The part of the selection that is on the first `rowCount` rows and on `columns`. O(blocks · columns).
    func restricted(rowCount: Int, columns: Set<ColumnID>) -> Selection {
        let kept = blocks.compactMap { block -> SelectionBlock? in
            let rows = block.rows?.clamped(to: 0..<rowCount)
            let ids = block.columns?.intersection(columns)
            return rows?.isEmpty == true || ids?.isEmpty == true ? nil : SelectionBlock(rows: rows, columns: ids)
        }
        return Selection(blocks: kept, isInverted: isInverted, absentRows: absentRows)
    }
}

extension GridState {
    /// Returns a function that maps the id of a row before `action` to the row's id after `action`. The function returns `nil` for a
    /// removed row.
    ///
    /// Call this method before applying `action`. Only insertions and removals change ids. O(removed rows · log rows), then O(log) for
    /// each row.
    public func rowIDMapping(by action: GridAction) -> (RowID) -> RowID? { rowIDMappingIfChanged(by: action) ?? { $0 } }

    /// The function of ``rowIDMapping(by:)``, or `nil` if the action does not change ids.
    package func rowIDMappingIfChanged(by action: GridAction) -> ((RowID) -> RowID?)? {
        let newID: RowIDChange
        switch action {
        case .insertRows(let insertion) where insertion.ids == nil:
            newID = .shifted(from: position(of: insertion), by: insertion.count)
        case .insertSection(let index, _, _, let insertion) where insertion.ids == nil:
            newID = .shifted(from: positionOfSection(insertedAt: index), by: insertion.count)
        case .removeRows(let range, let isRenumbering):
            newID = rows.removing(range.clamped(to: 0..<rows.count), renumbering: isRenumbering)?.newID ?? .none
        case .removeSection(let index, let isRenumbering):
            guard let tree = outline.tree, tree.sections.indices.contains(index) else { return nil }
            newID = rows.removing(tree.sections[index].rows, renumbering: isRenumbering)?.newID ?? .none
        default: newID = .none
        }
        if case .none = newID { return nil }
        return { newID($0) }
    }

    /// Returns a function that maps an item before `action` to the same item after `action`. The function returns `nil` for a removed item.
    ///
    /// Call this method before applying `action`, which must be an insertion or removal that has an effect. O(log sections), then O(1)
    /// for each item.
    package func itemMapping(by action: GridAction) -> (GridItem) -> GridItem? {
        let splice: RowSplice
        var sections = (first: Int.max, removed: 0, inserted: 0)
        switch action {
        case .insertRows(let insertion):
            splice = RowSplice(position: position(of: insertion), removedCount: 0, insertedCount: insertion.count)
        case .removeRows(let range, _):
            let range = range.clamped(to: 0..<rows.count)
            splice = RowSplice(position: range.lowerBound, removedCount: range.count, insertedCount: 0)
        case .insertSection(let index, _, _, let insertion):
            splice = RowSplice(position: positionOfSection(insertedAt: index), removedCount: 0, insertedCount: insertion.count)
            sections = (index, 0, 1)
        case .removeSection(let index, _):
            guard let tree = outline.tree, tree.sections.indices.contains(index) else { return { $0 } }
            let rows = tree.sections[index].rows
            splice = RowSplice(position: rows.lowerBound, removedCount: rows.count, insertedCount: 0)
            sections = (index, tree.end(of: index) - index, 0)
        default: return { $0 }
        }
        return { item in
            switch item {
            case .row(let position): splice.newPosition(ofRowAt: position).map { .row($0) }
            case .header(let section) where section < sections.first: item
            case .header(let section) where section < sections.first + sections.removed: nil
            case .header(let section): .header(section - sections.removed + sections.inserted)
            }
        }
    }

    /// The position of the first inserted row after the insertion. This position is inside the section that receives the rows.
    private func position(of insertion: RowInsertion) -> Int {
        let position = insertion.position.clamped(to: 0...rows.count)
        guard let tree = outline.tree, let leaf = tree.sectionReceiving(rowsAt: position, in: insertion.section) else { return position }
        let leafRows = tree.ownRows(of: leaf)
        return position.clamped(to: leafRows.lowerBound...leafRows.upperBound)
    }

    private func positionOfSection(insertedAt index: Int) -> Int {
        let tree = existingSections(forInsertionAt: index)
        return tree.firstRow(of: index.clamped(to: 0...tree.sections.count))
    }
}
