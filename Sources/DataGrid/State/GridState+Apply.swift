extension GridState {
    /// Applies an action. This is the only way to change a state.
    ///
    /// O(columns + log sections) for actions of keys and the pointer; O(sections) to collapse sections.
    /// - Returns: the events that the application should handle.
    public mutating func apply(_ action: GridAction) -> [GridEvent] {
        let before = eventBaseline(before: action)
        let anchoredRow = action.splicesRows ? withCachedHeights { $0.anchoredRow(for: action) } : self.anchoredRow(for: action)
        var events = perform(action)
        cursor.column = cursorColumn(nearest: cursor.column)
        if let anchoredRow { keepInPlace(anchoredRow) }
        events += finishAction() + endEditingIfCursorLeft()
        addEvents(since: before, action, to: &events)
        #if DEBUG
            checkInvariants()
        #endif
        return events
    }

    private mutating func perform(_ action: GridAction) -> [GridEvent] {
        switch action {
        case .resize(let size): resize(to: size)
        case .setTheme(let theme, let keepsColumns): apply(theme, keepsColumns)
        case .setStyle(let part, let style): theme[part] = style
        case .setClass(let name, let style): theme.classes[name] = style
        case .setMetrics(let metrics): self.metrics = metrics; revealCursor()
        case .setInteraction(let interaction): self.interaction = interaction
        case .setBlending(let blendsStyles): self.blendsStyles = blendsStyles
        case .setPresentation(let presentation): setPresentation(presentation)
        case .move(let motion, let extending): move(motion, extending: extending)
        case .moveCursor(let cursor, let extending): moveCursor(cursor, extending: extending)
        case .scroll(let items, let columns): scroll(items: items, columns: columns)
        case .scrollLines(let count): scroll(lines: count)

        case .replaceColumns(let columns): replaceColumns(with: columns)
        case .insertColumns(let columns, let place): insert(columns, atPlace: place)
        case .removeColumns(let ids): return removeColumns(ids)
        case .updateColumn(let column): update(column)
        case .resizeColumn(let id, let cells): return resizeByHand(id, to: currentWidth(of: id) + cells)
        case .setWidth(let id, let rule): return setWidth(id, rule)
        case .setTransposedRowWidth(let width): return setTransposedRowWidth(width)
        case .setMeasuredWidths(let widths): setMeasuredWidths(widths)
        case .setDelegatedWidths(let widths): setDelegatedWidths(widths)
        case .fitColumns(let widths): return fitColumns(to: widths)
        case .setHidden(let id, let isHidden): setHidden(id, isHidden)
        case .moveColumn(let id, let index): return moveColumn(id, toIndex: index)
        case .freeze(let panes): freeze(panes)
        case .pinLeading(let id): pin(id, .leading)
        case .pinTrailing(let id): pin(id, .trailing)
        case .activateHeader(let id, let isAdding): return columns[id] == nil ? [] : [.headerActivated(id, isAdding: isAdding)]
        case .requestFit(let id): return columns[id]?.isResizable == true ? [.columnFitRequested(id)] : []
        case .setSort(let sort, let pending): (self.sort, pendingSort) = (sort, pending)
        case .setFilters(let filters): self.filters = filters
        case .restore(let view): restore(view)

        case .setRows(let rows, let tree, let keeping): set(rows: rows, tree: tree, keeping: keeping)
        case .growRows(let rows, let tree): growRows(to: rows, tree: tree)
        case .insertRows(let insertion): return insert(insertion)
        case .removeRows(let range, let renumbering): return removeRows(range, renumbering: renumbering)
        case .insertSection(let index, let level, let title, let rows): return insert(section: index, level: level, title: title, rows)
        case .removeSection(let index, let renumbering): return remove(section: index, renumbering: renumbering)
        case .discardRowState(let rows):
            marks.subtract(rows)
            let removed = Set(rows)
            selection.renumberAbsentRows { removed.contains($0) ? nil : $0 }
            if !removed.isEmpty { rowHeightSource = rowHeightSource?.renumbered { removed.contains($0) ? nil : $0 } }
            for row in rows where heights[row] != nil { setHeight(nil, of: row) }
        case .renumberRowState(let ids): renumberRowState(ids)
        case .setRowHeight(let row, let height): setHeight(height, of: row)
        case .moveRows(let range, let target): return moveRows(range, to: target)
        case .moveCurrentRows(let count): return moveCurrentRows(by: count)
        case .setCollapsed(let section, let isCollapsed): setCollapsed(section, isCollapsed)
        case .toggleSection(let section):
            guard outline.collapsed.indices.contains(section) else { return [] }
            setCollapsed(section, !outline.collapsed[section])
        case .setAllCollapsed(let isCollapsed): setAllCollapsed(isCollapsed)
        case .setCollapsedSections(let sections):
            if outline.tree != nil { changeOutline { $0.setCollapsed { sections.contains($0) } } }
        case .setExpectedRowCount(let count): expectedRowCount = count.map { min(max(0, $0), 1 << 53) }
        case .setLoader(let loader): set(loader: loader)
        case .tickLoader: loader?.tick &+= 1

        case .setPull(let pull): set(pull: pull)
        case .pull(let lines): pull(by: lines)
        case .releasePull: return releasePull()

        case .setSelectionMode(let mode): set(selectionMode: mode)
        case .beginSelection(let shape): beginSelection(shape)
        case .keepRanges: keepRanges()
        case .swapSelectionEnds: swapSelectionEnds()
        case .selectAll: selectAll()
        case .invertSelection: invertSelection()
        case .clearSelection: clearSelection()
        case .setSelection(let selection): self.selection = selection; selectionAnchor = nil
        case .setSelectedRows(let rows): setSelectedRows(rows)
        case .setSelected(let row, let column, let isSelected): setSelected(row, column: column, isSelected)
        case .toggleMark(let row): if marks.remove(row) == nil { marks.insert(row) }
        case .clearMarks: marks = []

        case .performTrigger(let trigger): return self.performTrigger(trigger)
        case .toggleSelection: toggleSelection()
        case .requestEdit(let typed): return requestEdit(typed: typed)
        case .beginEditing(let editing): return beginEditing(editing)
        case .edit(let edit): self.edit(edit)
        case .paste(let text): paste(text)
        case .rejectEdit(let reason): editing?.rejection = reason
        case .endEditing(let committed): return endEditing(committed: committed)
        case .activateAccessory: return currentRow.map { [.accessoryActivated($0)] } ?? []
        case .requestCopy(let withHeader): return [.copyRequested(withHeader: withHeader)]

        case .pointerDown(let point, let press): return pointerDown(at: point, press)
        case .pointerMoved(let point): return pointerMoved(to: point)
        case .pointerUp(let point): return pointerUp(at: point)
        case .cancelDrag: cancelDrag()
        case .dragTick: return dragTick()
        }
        return []
    }

    private mutating func resize(to size: GridSize) {
        changeLayout { $0.size = GridSize(width: max(0, size.width), height: max(0, size.height)) }
    }

    /// Applies a theme. Removes the own styles of the columns unless `keepsColumns` is true.
    private mutating func apply(_ theme: Theme, _ keepsColumns: Bool) {
        self.theme = theme
        guard !keepsColumns else { return }
        columns.updateAll {
            $0.style = nil
            $0.headerStyle = nil
        }
    }

    // MARK: Rows and sections

    private mutating func set(rows: RowOrder, tree: SectionTree?, keeping: PreservedState) {
        // A data source can have more rows in its sections than in its order by mistake.
        let tree = tree.map { $0.limited(toRows: rows.count) }
        let kept = keeping.isEmpty ? nil : keptRows(keeping)
        let before =
            outline.tree == nil
            ? expectedSections : ExpectedSections(rows: self.rows, outline: outline, cursorSection: cursor.section)
        expectedSections = tree == nil && keeping.contains(.sections) ? before : nil
        let matching = before.flatMap { old in tree.map { SectionMatching(old.outline.tree!, old.rows, to: $0, rows) } }
        let collapsed = matching.flatMap { collapsedFlags($0, of: before!.outline, to: tree!) }
        let dragged = draggedRowIDs
        dragOrigin = nil
        self.rows = rows
        heights.updatePositions(in: rows)
        if outline.tree != tree { rowHeightSource = rowHeightSource?.withoutHeaderHeights() }
        outline = Outline(rowCount: rows.count, tree: tree, collapsed: collapsed)
        clearSelection()
        if cursor.item.isHeader || cursor.item == .row(0), let header = before?.cursorSection.flatMap({ matching?.newIndex(of: $0) }) {
            cursor.item = .header(header)
        } else if cursor.item.isHeader {
            cursor.item = .row(0)
        }
        if let row = cursor.row { cursor.item = .row(row.clampedIndex(count: rows.count)) }
        moveCursorToEditedRow()
        let staysOnRow = before?.outline.tree?.columns == tree?.columns && before?.cursorSection == nil
        if let tree, !tree.sections.isEmpty, !staysOnRow, scroll.top == 0, cursor.row == 0 { cursor.item = .header(0) }
        leaveHiddenItem()
        if let kept { restore(kept, matching) } else { revealCursor() }
        if let dragged { followRowDrag(dragged) }
    }

    /// If at least this many sections are collapsed and few are expanded, the expanded sections are looked up in a new tree instead of the
    /// collapsed ones, which is faster.
    private static let largeSectionCount = 1 << 16

    /// For each section of `tree`, true if the matching section of `outline` is collapsed. `nil` if no section is collapsed, or if the
    /// trees are grouped by different columns. The cost is O(sections) plus that of ``SectionMatching/newIndices(of:)``.
    private func collapsedFlags(_ matching: SectionMatching, of outline: Outline, to tree: SectionTree) -> [Bool]? {
        guard let old = outline.tree, outline.collapsed.contains(true) else { return nil }
        if old == tree { return outline.collapsed }
        guard zip(old.columns, tree.columns).allSatisfy(==), tree.columns.isEmpty == old.columns.isEmpty else { return nil }
        // If very many sections are collapsed and few are expanded, new sections are collapsed, too. Only the few expanded sections are
        // then looked up, which is faster.
        let closed = outline.collapsed.count { $0 }
        let isMostlyCollapsed = closed >= Self.largeSectionCount && (old.count - closed) * 16 <= closed && tree.depth == old.depth
        var collapsed = Array(repeating: isMostlyCollapsed, count: tree.count)
        let others = outline.collapsed.indices.filter { outline.collapsed[$0] != isMostlyCollapsed }
        for section in matching.newIndices(of: others).values { collapsed[section] = !isMostlyCollapsed }
        return collapsed
    }

    private mutating func growRows(to grown: RowOrder, tree grownTree: SectionTree?) {
        var new = grown
        // Rows inserted in the unknown middle move the last rows down. If the pane shows the last rows, scroll down with them.
        let oldHead: Int
        var hasTail = false
        switch rows {
        case .spliced(_, let head, _): (oldHead, hasTail) = (head, true)
        case .natural(let count): oldHead = count
        case .permuted(let old):
            guard !grown.isMoved, let records = grown.records, records.count >= old.records.count else { return }
            oldHead = old.records.count
        case .moved(let moved):
            // New rows are added after the moved rows.
            guard case .natural(let count) = grown else { return }
            oldHead = rows.count
            if let all = moved.grown(to: count) { new = .moved(all) }
        }
        let shift = new.count - rows.count
        if case (.natural, .natural) = (rows, new) {} else { heights.updatePositions(in: new) }
        rows = new
        let tree = grownTree ?? outline.tree
        let more = max(0, (tree?.sections.count ?? 0) - outline.collapsed.count)
        outline = Outline(rowCount: new.count, tree: tree, collapsed: outline.collapsed + Array(repeating: false, count: more))
        if let row = cursor.row, shift != 0 {
            // If the cursor or the pane is after the inserted rows, scroll so that the cursor keeps its place on the screen.
            if hasTail, oldHead > 0, row >= oldHead || scroll.top >= oldHead { scroll.top = max(0, scroll.top + shift) }
            if oldHead > 0, row >= oldHead { cursor.item = .row(row + shift) }
            selection.move(rowsFrom: oldHead, by: shift)
            if let anchor = selectionAnchor, anchor.row >= oldHead { selectionAnchor?.row += shift }
        }
        if shift < 0 {
            selection = selection.restricted(rowCount: new.count, columns: Set(columns.all.map(\.id)))
            if let anchor = selectionAnchor, anchor.row >= new.count || selection.isEmpty { selectionAnchor = nil }
        }
        selectArrivedRows(from: oldHead)
        if let row = cursor.row { cursor.item = .row(row.clampedIndex(count: new.count)) }
        moveCursorToEditedRow()
        // Rows added at the end do not change the positions of other rows, so a drag can still be cancelled.
        if case (.natural, true) = (rows, shift >= 0) {} else { dragOrigin = nil }
        clampScroll()
        if shift < 0 { followRowDrag { [$0.clamped(to: 0..<new.count)] } }
    }

    mutating func setCollapsed(_ section: Int, _ isCollapsed: Bool) {
        guard outline.collapsed.indices.contains(section), outline.collapsed[section] != isCollapsed else { return }
        changeOutline { $0.setCollapsed(isCollapsed, section: section) }
    }

    private mutating func setAllCollapsed(_ isCollapsed: Bool) {
        guard outline.tree != nil else { return }
        changeOutline { $0.setAllCollapsed(isCollapsed) }
    }

    /// Changes which sections are collapsed. The top item stays at the top of the pane if the cursor then stays visible.
    mutating func changeOutline(_ change: (inout Outline) -> Void) {
        let top = scroll.top < outline.itemCount ? outline.item(at: scroll.top) : nil
        change(&outline)
        if let top { scroll.top = outline.index(of: top) }
        leaveHiddenItem()
        revealCursor()
    }

    /// If a collapsed section hides the item under the cursor, moves the cursor to the header of this section.
    mutating func leaveHiddenItem() {
        guard outline.itemCount > 0 else { return }
        cursor.item = outline.item(at: outline.index(of: cursor.item))
    }

    // MARK: Invariants

    /// Stops the program if values of the state contradict each other. O(1); for cards, O(columns).
    public func checkInvariants() {
        precondition(outline.rowCount == rows.count, "the outline has \(outline.rowCount) rows, the order \(rows.count)")
        precondition(scroll.top >= 0 && scroll.top <= max(0, outline.itemCount), "scrolled to \(scroll.top) of \(outline.itemCount)")
        precondition(scroll.x >= 0, "scrolled to \(scroll.x)")
        precondition(cursor.column >= 0 && cursor.column < max(1, columns.count), "cursor in column \(cursor.column) of \(columns.count)")
        if let pull { precondition((0...pull.lines).contains(pull.uncovered), "\(pull.uncovered) of \(pull.lines) lines uncovered") }
        switch cursor.item {
        case .row(let row): precondition(row >= 0 && row < max(1, rows.count), "cursor at row \(row) of \(rows.count)")
        case .header(let section): precondition(outline.collapsed.indices.contains(section), "cursor on section \(section)")
        }
        precondition(
            columns.count == 0 || cursor.column == cursorColumn(nearest: cursor.column),
            "cursor in column \(cursor.column), which its card does not show")
        if let editing {
            precondition(
                currentRow == editing.row && currentColumn?.id == editing.column, "the edited cell is not the current cell: \(editing)")
        }
        precondition(frozenRows >= 0 && frozenBottom >= 0, "negative frozen panes")
    }
}
