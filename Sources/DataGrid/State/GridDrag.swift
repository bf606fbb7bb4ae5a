/// A drag with the pointer, from the press of a button to its release.
public enum GridDrag: Hashable, Sendable {
    /// A column or rows are moved.
    case reorder(Reordering)
    /// A cell is pressed. The direction of the drag decides if its row moves, its column moves, or the grid pans.
    case cell(CellDrag)
    /// The edge of a column is dragged, which resizes the column.
    case separator(ColumnResizeDrag)
    /// The edge of a row in a transposed grid is dragged, which resizes all rows. `rows` is the number of visible rows before the edge.
    /// `startRule` is the row width that was set before the drag.
    case rowSeparator(startX: Int, startWidth: Int, rows: Int, startRule: Int?)
    /// A block of cells, or of whole rows if `wholeRows` is true, is selected. It extends from `start` to the pointer at `now`.
    case selection(wholeRows: Bool, start: GridPoint, now: GridPoint, hasMoved: Bool)
    /// The grid pans with the middle button or, with ``GridInteraction/pansByDragging``, with the primary button.
    case pan(PanDrag)
    /// The thumb of the scroll bar is dragged. `unknownRow` is the row at the pointer, if this row is expected but not loaded yet.
    case scrollBar(unknownRow: Int? = nil)

    /// True if the host must perform ``GridAction/dragTick`` while the pointer is held at an edge, to continue this drag.
    public var needsTicks: Bool {
        switch self {
        case .reorder(let reordering): reordering.target != nil
        case .selection(_, _, _, let hasMoved): hasMoved
        case .cell, .separator, .rowSeparator, .pan, .scrollBar: false
        }
    }
}

/// The state of the grid before a drag. It is restored if the drag is cancelled.
struct DragOrigin: Equatable, Sendable {
    var cursor: GridCursor
    var scroll: GridScroll
    var selection: Selection
    var anchor: SelectionAnchor?
    /// True if releasing the button at the point of the press opens the editor of the pressed cell.
    var opensEditor = false
}

extension GridState {
    mutating func pointerDown(at point: GridPoint, _ press: PointerPress) -> [GridEvent] {
        dragOrigin = DragOrigin(cursor: cursor, scroll: scroll, selection: selection, anchor: selectionAnchor)
        defer { if drag == nil { dragOrigin = nil } }
        drag = nil
        let layout = layout
        let hit = layout.hit(point)
        if press.button == .middle {
            drag = .pan(PanDrag(start: point, scroll: scroll))
            return []
        }
        if press.button == .secondary {
            // Keep cursor and selection. The application decides if the menu applies to the row or to the selected cells.
            switch hit {
            case .header(let index), .separator(let index): return [.headerMenuRequested(columns[index].id)]
            case .cell(let row, let column): return [.rowMenuRequested(rows[row], columns[column].id)]
            case .rowHeader(.row(let row)), .accessory(let row): return [.rowMenuRequested(rows[row], nil)]
            default: return []
            }
        }
        switch hit {
        case .header(let index):
            var reordering = Reordering(.column(columns[index].id), at: point, press)
            reordering.edge = columnResizeDrag(before: index, at: point.x, layout)
            drag = .reorder(reordering)
        case .separator(let index):
            let column = columns[index]
            if press.clicks >= 2 { return [.columnFitRequested(column.id)] }
            guard column.isResizable else { return [] }
            drag = .separator(columnResizeDrag(of: index, from: point.x, layout))
        case .rowSeparator(let row):
            if press.clicks >= 2 { return [.rowFitRequested] }
            let tiles = layout.tiles.filter { !$0.item.isHeader }
            guard let tileIndex = tiles.firstIndex(where: { $0.item == .row(row) }) else { return [] }
            drag = .rowSeparator(
                startX: point.x, startWidth: tiles[tileIndex].fullWidth, rows: tileIndex + 1, startRule: metrics.transposedRowWidth)
        case .corner:
            selectAll()
        case .rowHeader(let item):
            if let reordering = rowReordering(at: point, item, press) {
                cursor.item = item
                drag = .reorder(reordering)
                return []
            }
            if interaction.singleClick.isSelecting, case .row = item {
                selectByClick(item, column: cursor.column, wholeRows: true, press, interaction.singleClick)
            } else {
                select(item, column: cursor.column, wholeRows: true, press)
            }
            beginSelectionDrag(wholeRows: true, at: point, press)
        case .sectionHeader(let section, let onToggle):
            let header = SectionHeaderPress(
                keyPath: outline.tree?.keyPath(of: section) ?? [], section: section, toggles: onToggle || press.clicks >= 2)
            guard interaction.pansByDragging, !press.isAdding, !press.isExtending, !press.isMoving else {
                self.press(header)
                return []
            }
            drag = .pan(PanDrag(start: point, scroll: scroll, header: header))
        case .cell(let row, let column):
            return pressCell(row: row, column: column, at: point, press)
        case .accessory(let row):
            cursor.item = .row(row)
            revealCursor()
            return [.accessoryActivated(rows[row])]
        case .scrollBar(let fraction):
            scrollTo(fraction)
        case .nothing:
            if interaction.pansByDragging { drag = .pan(PanDrag(start: point, scroll: scroll)) }
        }
        return []
    }

    /// A drag that resizes the column before a pressed header, if the press at `x` is on the first terminal cell of this header. `nil` if
    /// that cell does not resize a column.
    private func columnResizeDrag(before index: Int, at x: Int, _ layout: GridLayout) -> ColumnResizeDrag? {
        guard metrics.showsColumnEdges, layout.presentation == .table,
            let spanIndex = layout.columns.firstIndex(where: { $0.index == index }), spanIndex > 0
        else { return nil }
        let (previous, span) = (layout.columns[spanIndex - 1], layout.columns[spanIndex])
        guard span.x == x, span.width > 2, !previous.isClippedTrailing, previous.range.upperBound < x, columns[previous.index].isResizable
        else { return nil }
        return columnResizeDrag(of: previous.index, from: x, layout)
    }

    private func columnResizeDrag(of index: Int, from x: Int, _ layout: GridLayout) -> ColumnResizeDrag {
        ColumnResizeDrag(of: columns[index], startX: x, startWidth: layout.geometry.widths[index], scrollX: scroll.x)
    }

    private mutating func press(_ header: SectionHeaderPress) {
        guard let tree = outline.tree, header.section < tree.count, tree.keyPath(of: header.section) == header.keyPath else { return }
        cursor.item = .header(header.section)
        if header.toggles { setCollapsed(header.section, !outline.collapsed[header.section]) } else { revealCursor() }
    }

    /// Starts a drag that extends the selection. No effect if the press has deselected a cell, because there is then no selection to
    /// extend.
    mutating func beginSelectionDrag(wholeRows: Bool, at point: GridPoint, _ press: PointerPress) {
        if press.isAdding, !press.isExtending, selectionAnchor == nil { return }
        drag = .selection(wholeRows: wholeRows, start: point, now: point, hasMoved: false)
    }

    /// Handles a press on a cell or row header: moves the cursor, and starts or extends the selection. With Ctrl, selects or deselects
    /// the cell or row.
    mutating func select(_ item: GridItem, column: Int, wholeRows: Bool, _ press: PointerPress) {
        let target = GridCursor(item: item, column: column)
        if press.isExtending { beginExtending() } else if press.isAdding { selectCurrentCell(beforeAdding: target, wholeRows: wholeRows) }
        cursor = target
        if press.isExtending {
            extendSelection()
        } else if press.isAdding {
            return toggleSelection(wholeRows: wholeRows)
        } else {
            clearSelection()
            if wholeRows { beginSelection(.rows) }
        }
        selectionAnchor?.extendsOnMotion = false
        if wholeRows, selectionMode.allowsMany {
            selectionAnchor?.shape = .rows
            extendSelection()
        }
    }

    /// Selects the current cell or row if nothing is selected, before a click with Ctrl adds the clicked cell or row.
    private mutating func selectCurrentCell(beforeAdding target: GridCursor, wholeRows: Bool) {
        let isRowwise = selectionMode.isRowwise
        guard selectionMode.allowsMany, wholeRows == isRowwise, selection.isEmpty, selection.absentRows.isEmpty, currentRow != nil,
            let row = cursor.row, let column = currentColumn, isRowwise ? target.item != cursor.item : target != cursor
        else { return }
        selection.blocks = [SelectionBlock(rows: row..<row + 1, columns: isRowwise ? nil : [column.id])]
    }

    mutating func pointerMoved(to point: GridPoint) -> [GridEvent] {
        switch drag {
        case .reorder(let reordering):
            if let edge = reordering.edge, point.x != edge.startX { return updateColumnResize(edge, to: point) }
            updateReordering(reordering, to: point)
        case .cell(let cell): updateCellDrag(cell, to: point)
        case .separator(let edge): return updateColumnResize(edge, to: point)
        case .rowSeparator(let startX, let startWidth, let rows, _):
            // All rows before the edge change their widths. Divide the distance by their number, so that the edge follows the pointer.
            return setTransposedRowWidth(max(metrics.minimumColumnWidth, startWidth + (point.x - startX) / rows))
        case .selection(let wholeRows, let start, _, let hasMoved):
            let moved = hasMoved || point != start
            drag = .selection(wholeRows: wholeRows, start: start, now: point, hasMoved: moved)
            if moved { extendToPointer(point, wholeRows: wholeRows, isScrolling: false) }
        case .pan(let pan): updatePan(pan, to: point)
        case .scrollBar:
            scrollTo(layout.scrollFraction(atY: point.y))
        case nil:
            break
        }
        return []
    }

    mutating func pointerUp(at point: GridPoint) -> [GridEvent] {
        defer {
            drag = nil
            dragOrigin = nil
        }
        switch drag {
        case .reorder(let reordering): return endReordering(reordering)
        case .cell(let cell): return endCellDrag(cell, at: point)
        case .selection(_, _, _, false) where dragOrigin?.opensEditor == true: return requestEdit(typed: nil)
        case .pan(let pan):
            if let header = pan.header, pan.directions == nil || point == pan.start { press(header) }
            return releasePull()
        case .scrollBar(let row?): return [.rowRequested(row)]
        case .selection, .separator, .rowSeparator, .scrollBar, nil: break
        }
        return []
    }

    mutating func cancelDrag() {
        if case .pan = drag { pull?.uncovered = 0 }
        if case .separator(let edge) = drag { restoreWidths(changedBy: edge) }
        if case .rowSeparator(_, _, _, let rule) = drag { metrics.transposedRowWidth = rule }
        if let origin = dragOrigin {
            cursor = origin.cursor
            scroll = origin.scroll
            selection = origin.selection
            selectionAnchor = origin.anchor
            cursor.column = cursor.column.clampedIndex(count: columns.count)
            leaveHiddenItem()
        }
        drag = nil
        dragOrigin = nil
        clampScroll()
    }

    mutating func dragTick() -> [GridEvent] {
        switch drag {
        case .reorder(let reordering) where reordering.target != nil: scrollAtEdge(reordering)
        case .selection(let wholeRows, _, let now, true):
            extendToPointer(now, wholeRows: wholeRows, isScrolling: true)
        default:
            break
        }
        return []
    }

    /// Extends the selection to the visible item and column nearest to the pointer. With `isScrolling`, extends it by one more item or
    /// column if the pointer is at an edge.
    private mutating func extendToPointer(_ point: GridPoint, wholeRows: Bool, isScrolling: Bool) {
        guard outline.itemCount > 0, columns.count > 0 else { return }
        // If the press has deselected a cell, the drag must not select this cell again.
        if selectionAnchor == nil, interaction.singleClick.contains(.toggle) { return }
        beginExtending()
        if selectionAnchor == nil { return }
        if let tiles = tileGeometry { return extendAmongTiles(tiles, to: point, wholeRows: wholeRows, isScrolling: isScrolling) }
        let layout = layout
        let step = isScrolling ? 1 : 0
        if let first = layout.itemSpans.first(where: { $0.pane == .scrolling }),
            let last = layout.itemSpans.last(where: { $0.pane == .scrolling })
        {
            var index = layout.itemIndex(atY: point.y) ?? first.index
            // A stuck header can have any index, but is above all scrolling items.
            let isAbove = point.y < first.y && (point.y >= layout.pane.lowerBound || scroll.top > layout.frozenItemCount)
            if isAbove { index = max(layout.frozenItemCount, first.index - step) }
            if point.y >= layout.pane.upperBound - 1 { index = last.index + step }
            cursor.item = outline.item(at: index.clampedIndex(count: outline.itemCount))
        }
        let scrolling = layout.columns.filter { $0.pane == .scrolling }
        if !wholeRows, let first = scrolling.first, let last = scrolling.last {
            var index = layout.columnIndex(atX: point.x) ?? (point.x < layout.rowHeaderWidth ? first.index : last.index)
            if point.x < max(1, layout.rowHeaderWidth) { index = first.index - step }
            if point.x >= layout.size.width - 1 { index = last.index + step }
            cursor.column = index.clampedIndex(count: columns.count)
        }
        extendSelection()
        revealCursor()
    }
}
