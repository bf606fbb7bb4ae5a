/// What the pointer is dragging. A value: cancelling it leaves no trace.
public enum GridDrag: Hashable, Sendable {
    /// A header was pressed; the column moves once the pointer has gone two cells. `target` is before which column it would go.
    case column(ColumnID, start: GridPoint, now: GridPoint, target: Int?, isAdding: Bool)
    /// The edge of a column.
    case separator(ColumnID, startX: Int, startWidth: Int, startRule: WidthRule)
    /// A block of cells, or whole rows when `rows`.
    case selection(rows: Bool, start: GridPoint, now: GridPoint, hasMoved: Bool)
    /// The grid itself, held in the middle.
    case pan(start: GridPoint, scroll: GridScroll)
    /// The scroll bar.
    case scrollBar

    /// Whether time moves this drag on while the pointer is held still at an edge.
    public var wantsTicks: Bool {
        switch self {
        case .column(_, _, _, let target, _): target != nil
        case .selection(_, _, _, let hasMoved): hasMoved
        case .separator, .pan, .scrollBar: false
        }
    }
}

extension GridState {
    mutating func pointerDown(at point: GridPoint, _ press: PointerPress) -> [GridEvent] {
        let layout = layout
        let hit = layout.hit(point)
        if press.button == .middle {
            drag = .pan(start: point, scroll: scroll)
            return []
        }
        switch hit {
        case .header(let index):
            let id = columns[index].id
            if press.button == .secondary { return [.headerMenu(id)] }
            drag = .column(id, start: point, now: point, target: nil, isAdding: press.isAdding)
        case .separator(let index):
            let column = columns[index]
            if press.clicks >= 2 {
                drag = nil
                return [.fitColumn(column.id)]
            }
            guard column.isResizable else { return [] }
            drag = .separator(column.id, startX: point.x, startWidth: layout.geometry.widths[index], startRule: column.width)
        case .corner:
            selectAll()
        case .rowHeader(let item):
            select(item, column: cursor.column, rows: true, press)
            drag = .selection(rows: true, start: point, now: point, hasMoved: false)
        case .sectionHeader(let section, let onToggle):
            cursor.item = .header(section)
            if onToggle || press.clicks >= 2 {
                return setCollapsedByPointer(section)
            }
            revealCursor()
        case .cell(let row, let column):
            if press.clicks >= 2 {
                drag = nil
                return [.cellActivated(rows[row], columns[column].id)]
            }
            select(.row(row), column: column, rows: selectionMode.isRowwise && press.isAdding, press)
            drag = .selection(rows: selectionMode.isRowwise, start: point, now: point, hasMoved: false)
        case .scrollBar(let part):
            drag = .scrollBar
            scrollTo(part)
        case .nothing:
            break
        }
        return []
    }

    private mutating func setCollapsedByPointer(_ section: Int) -> [GridEvent] {
        let isCollapsed = !outline.collapsed[section]
        outline.setCollapsed(isCollapsed, section: section)
        revealCursor()
        return [isCollapsed ? .sectionCollapsed(section) : .sectionExpanded(section)]
    }

    /// A press on a cell or a row's header: places the cursor, and begins, extends or adds to the selection.
    private mutating func select(_ item: GridItem, column: Int, rows: Bool, _ press: PointerPress) {
        if press.isExtending { beginExtending() }
        cursor = GridCursor(item: item, column: column)
        if press.isExtending {
            extendSelection()
        } else if press.isAdding {
            addRange()
        } else {
            clearSelection()
            if rows { beginSelection(.rows) }
        }
        selectionAnchor?.isSticky = false
    }

    mutating func pointerMoved(to point: GridPoint) -> [GridEvent] {
        switch drag {
        case .column(let id, let start, _, let target, let isAdding):
            guard columns[id]?.isReorderable == true else { return [] }
            // Two cells make a drag of a click.
            let isMoving = target != nil || abs(point.x - start.x) >= 2
            drag = .column(id, start: start, now: point, target: isMoving ? layout.insertionIndex(atX: point.x) : nil, isAdding: isAdding)
        case .separator(let id, let startX, let startWidth, _):
            return setWidth(id, .fixed(max(1, startWidth + point.x - startX)))
        case .selection(let rows, let start, _, let hasMoved):
            let moved = hasMoved || point != start
            drag = .selection(rows: rows, start: start, now: point, hasMoved: moved)
            if moved { extendToPointer(point, rows: rows) }
        case .pan(let start, let from):
            scroll = from
            scroll.top += start.y - point.y
            scroll.x = max(0, from.x + start.x - point.x)
            clampScroll()
        case .scrollBar:
            if case .scrollBar(let part) = layout.hit(GridPoint(x: size.width - 1, y: point.y)) { scrollTo(part) }
        case nil:
            break
        }
        return []
    }

    mutating func pointerUp(at point: GridPoint) -> [GridEvent] {
        defer { drag = nil }
        switch drag {
        case .column(let id, _, _, let target, let isAdding):
            guard let target else { return [.headerActivated(id, isAdding: isAdding)] }
            guard let from = columns.index(of: id) else { return [] }
            return moveColumn(id, toIndex: target > from ? target - 1 : target)
        case .selection, .separator, .pan, .scrollBar, nil:
            return []
        }
    }

    mutating func cancelDrag() {
        if case .separator(let id, _, _, let rule) = drag { columns.update(id) { $0.width = rule } }
        drag = nil
        clampScroll()
    }

    /// Scrolls on while the pointer is held beyond an edge.
    mutating func dragTick() -> [GridEvent] {
        switch drag {
        case .column(let id, let start, let now, .some, let isAdding):
            let layout = layout
            if now.x <= layout.geometry.pane.lowerBound {
                scroll.x = layout.geometry.x(afterScrollingFrom: scroll.x, by: -1)
            } else if now.x >= layout.geometry.pane.upperBound - 1 {
                scroll.x = layout.geometry.x(afterScrollingFrom: scroll.x, by: 1)
            }
            drag = .column(id, start: start, now: now, target: self.layout.insertionIndex(atX: now.x), isAdding: isAdding)
        case .selection(let rows, _, let now, true):
            let layout = layout
            if now.y < layout.pane.lowerBound || now.y >= layout.size.height - 1 || now.x >= layout.size.width - 1 || now.x < layout.rowHeaderWidth {
                extendToPointer(now, rows: rows)
            }
        default:
            break
        }
        return []
    }

    /// Extends the selection to the pointer; beyond an edge, one further than what is in sight.
    private mutating func extendToPointer(_ point: GridPoint, rows: Bool) {
        guard outline.itemCount > 0, columns.count > 0 else { return }
        let layout = layout
        beginExtending()
        if selectionAnchor == nil { return }
        var index = layout.itemIndex(atY: point.y) ?? 0
        if point.y >= layout.size.height - 1 { index = (layout.lines.last?.index ?? index) + 1 }
        if point.y < layout.pane.lowerBound, scroll.top > layout.frozenItemCount { index = scroll.top - 1 }
        cursor.item = outline.item(at: index.clampedIndex(outline.itemCount))
        if !rows {
            var column = layout.columnIndex(atX: point.x) ?? (point.x < layout.rowHeaderWidth ? layout.columns.first?.index : layout.columns.last?.index) ?? 0
            if point.x >= layout.size.width - 1 { column = (layout.columns.last?.index ?? column) + 1 }
            if point.x < layout.rowHeaderWidth { column -= 1 }
            cursor.column = column.clampedIndex(columns.count)
        }
        extendSelection()
        revealCursor()
    }

    private mutating func scrollTo(_ part: Double) {
        let layout = layout
        let range = max(0, outline.itemCount - max(1, layout.pageItemCount) - layout.frozenItemCount)
        scroll(items: layout.frozenItemCount + Int(Double(range) * min(max(part, 0), 1)) - scroll.top, columns: 0)
    }
}
