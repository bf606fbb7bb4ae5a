extension GridState {
    mutating func move(_ requested: GridMotion, extending: Bool) {
        let motion = requested.withPositiveCount
        guard columns.count > 0 else { return }
        guard outline.itemCount > 0 else { return moveInEmptyGrid(motion) }
        if extending { beginExtending() }
        scrollToEnd(motion)
        var item = outline.index(of: cursor.item)
        var column = cursor.column
        let last = outline.itemCount - 1

        if let tiles = tileGeometry, let target = scrollTilePage(motion, tiles) ?? moveAmongTiles(motion, tiles) {
            cursor.item = outline.item(at: target.item)
            cursor.column = target.column
            extendOrEndSelection(extending: extending)
            return revealCursor()
        }
        switch motion {
        case .up(let count): item -= min(count, item)
        case .down(let count): item += min(count, last - item)
        case .left(let count): column -= min(count, column)
        case .right(let count): column += min(count, columns.count - 1 - column)
        case .pageUp: item = scrollPage(from: item, isForward: false)
        case .pageDown: item = scrollPage(from: item, isForward: true)
        case .halfPageUp: item = scrollPage(from: item, isForward: false, isHalf: true)
        case .halfPageDown: item = scrollPage(from: item, isForward: true, isHalf: true)
        case .pageLeft: column = scrollPageSideways(from: column, isForward: false)
        case .pageRight: column = scrollPageSideways(from: column, isForward: true)
        case .firstColumn: column = 0
        case .lastColumn: column = columns.count - 1
        case .top: item = 0
        case .bottom: item = last
        case .row(let position):
            if rows.count > 0 {
                let position = position.clampedIndex(count: rows.count)
                outline.reveal(row: position)
                item = outline.index(ofRow: position)
            }
        case .column(let index): column = index
        case .nextColumn:
            if column + 1 < columns.count { column += 1 } else if item < last { column = 0; item += 1 }
        case .previousColumn:
            if column > 0 { column -= 1 } else if item > 0 { column = columns.count - 1; item -= 1 }
        case .nextSection: item = sectionItem(from: item, isForward: true)
        case .previousSection: item = sectionItem(from: item, isForward: false)
        }

        cursor.item = outline.item(at: item.clampedIndex(count: outline.itemCount))
        cursor.column = column.clampedIndex(count: columns.count)
        extendOrEndSelection(extending: extending)
        revealCursor()
    }

    /// Moves the cursor between the columns of a grid without rows.
    private mutating func moveInEmptyGrid(_ motion: GridMotion) {
        let (column, goesDown) = (cursor.column, effectivePresentation == .transposed)
        let target: Int
        switch motion {
        case .left(let count) where !goesDown, .up(let count) where goesDown: target = column - min(count, column)
        case .right(let count) where !goesDown, .down(let count) where goesDown:
            target = column + min(count, columns.count - 1 - column)
        case .previousColumn: target = column - 1
        case .nextColumn: target = column + 1
        case .firstColumn, .pageLeft: target = 0
        case .lastColumn, .pageRight: target = columns.count - 1
        case .column(let index): target = index
        default: target = column
        }
        scrollToEnd(motion)
        cursor.column = cursorColumn(nearest: target.clampedIndex(count: columns.count))
        revealCursor()
    }

    /// Scrolls to the start or end of the grid if the motion goes there. This is needed if the cursor goes to a frozen item or column,
    /// because showing the cursor then does not scroll the grid.
    private mutating func scrollToEnd(_ motion: GridMotion) {
        switch motion {
        case .top: scroll.top = 0
        case .bottom where frozen.bottom > 0: scroll.top = outline.itemCount - 1
        case .firstColumn: scroll.x = 0
        case .lastColumn where frozen.trailing > 0: scroll.x = .max
        default: break
        }
    }

    mutating func moveCursor(_ target: GridCursor, extending: Bool) {
        guard columns.count > 0 else { return }
        guard outline.itemCount > 0 else { return moveInEmptyGrid(.column(target.column)) }
        if extending { beginExtending() }
        switch target.item {
        case .row(let position) where rows.count > 0:
            let position = position.clampedIndex(count: rows.count)
            outline.reveal(row: position)
            cursor.item = outline.item(at: outline.index(ofRow: position))
        case .header(let section) where outline.collapsed.count > 0:
            cursor.item = outline.item(at: outline.index(ofHeader: section.clampedIndex(count: outline.collapsed.count)))
        case .row, .header:
            cursor.item = outline.item(at: 0)
        }
        cursor.column = cursorColumn(nearest: target.column)
        extendOrEndSelection(extending: extending)
        revealCursor()
    }

    /// After a motion of the cursor, extends the selection up to the cursor, or ends the extension.
    private mutating func extendOrEndSelection(extending: Bool) {
        if extending || selectionAnchor?.extendsOnMotion == true { extendSelection() } else { selectionAnchor = nil }
    }

    /// Scrolls by a page or half a page. Returns the item to which the cursor moves: if the grid cannot scroll further, the first or last
    /// item.
    ///
    /// A page is the height of the pane without the lines that sticky headers can take, so that no row is skipped.
    private mutating func scrollPage(from item: Int, isForward: Bool, isHalf: Bool = false) -> Int {
        let top = scroll.top
        let lines = LineGeometry(self)
        let room = max(1, lines.pane.count - (outline.tree?.depth ?? 0) * lines.heights.headerHeight) / (isHalf ? 2 : 1)
        let items = (lines.pageSize ?? lines.itemCount(from: top, isForward: isForward, room: room)) * (isForward ? 1 : -1)
        scroll.top = lines.topItem(from: top, pagedBackTo: lines.topItem(from: top, pagedTo: lines.clampedTop(top + items)))
        if scroll.top == top { return isForward ? outline.itemCount - 1 : 0 }
        // Keep the cursor on a visible item. If rows or headers are taller here, fewer items are visible.
        guard let visible = lines.visibleItems(from: scroll.top) else { return scroll.top }
        let next = (item + items).clamped(to: visible)
        // Moving back by a page must move the cursor, even if headers leave no room for a whole row.
        return isForward ? next : min(next, max(scroll.top, item - 1))
    }

    /// Scrolls sideways by the number of fully visible columns. Returns the column to which the cursor moves.
    private mutating func scrollPageSideways(from column: Int, isForward: Bool) -> Int {
        let geometry = ColumnGeometry(self)
        let x = scroll.x
        scroll.x = geometry.x(pagedFrom: x, isForward: isForward)
        guard scroll.x != x, let before = geometry.wholeColumns(at: x), let after = geometry.wholeColumns(at: scroll.x) else {
            return isForward ? columns.count - 1 : 0
        }
        return min(after.lowerBound + max(0, column - before.lowerBound), after.upperBound)
    }

    private func sectionItem(from item: Int, isForward: Bool) -> Int {
        guard let tree = outline.tree, let section = outline.section(of: outline.item(at: item)) else { return item }
        if isForward {
            // Find the next header that no collapsed section hides.
            let next = outline.collapsed[section] ? tree.end(of: section) : section + 1
            return next < tree.count ? outline.index(ofHeader: next) : item
        }
        let header = outline.index(ofHeader: section)
        if header < item { return header }
        return section > 0 ? outline.index(ofHeader: section - 1) : item
    }
}
