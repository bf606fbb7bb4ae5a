/// A drag of a column or of rows to another position. The column or rows move when the button is released.
public struct Reordering: Hashable, Sendable {
    /// The column or rows that are dragged.
    public enum Subject: Hashable, Sendable {
        /// The column with this id.
        case column(ColumnID)
        /// The rows at these positions. The positions are updated when other rows are inserted, removed or reordered.
        case rows(Range<Int>)
    }

    /// The column or rows that are dragged.
    public internal(set) var subject: Subject
    /// The point at which the button was pressed.
    public let start: GridPoint
    /// The current point of the pointer.
    public internal(set) var now: GridPoint
    /// The column index or row position before which the column or rows are inserted. `nil` until the pointer has moved far enough for a
    /// drag.
    public internal(set) var target: Int?
    /// True if the user has dragged a column that users cannot move.
    var isRefused = false
    /// The drag that resizes the previous column, if the press was on the first cell of a header. The drag then resizes the previous column
    /// instead of moving the pressed one, and a click activates the header.
    var edge: ColumnResizeDrag?
    let press: PointerPress

    init(_ subject: Subject, at point: GridPoint, _ press: PointerPress) {
        self.subject = subject
        self.press = press
        (start, now) = (point, point)
    }
}

extension GridState {
    /// The drag that a press on a row header starts. `nil` if the press selects rows instead.
    func rowReordering(at point: GridPoint, _ item: GridItem, _ press: PointerPress) -> Reordering? {
        let isAllowed = press.permittedDirections?.contains(.rows) ?? interaction.allowsRowReordering
        guard isAllowed, case .row(let row) = item, !press.isAdding, !press.isExtending, canMoveRows else { return nil }
        guard isDraggableByHeader(row), let range = rowsMoving(with: row) else { return nil }
        return Reordering(.rows(range), at: point, press)
    }

    /// True if users can drag the row by its header: if it is the current row or is fully selected. Pressing the header of any other row
    /// selects that row.
    func isDraggableByHeader(_ row: Int) -> Bool { cursor.item == .row(row) || selection.wholeRows(around: row) != nil }

    mutating func updateReordering(_ reordering: Reordering, to point: GridPoint) {
        var reordering = reordering
        reordering.now = point
        if case .column(let id) = reordering.subject, !permits(reordering.press, movingColumn: id) {
            reordering.isRefused = reordering.isRefused || exceedsDragThreshold(reordering)
            drag = .reorder(reordering)
            return
        }
        if reordering.target != nil || exceedsDragThreshold(reordering) { reordering.target = target(of: reordering) }
        drag = .reorder(reordering)
    }

    /// True if the pointer has moved far enough to start the drag: two cells or one line, in the direction in which the column or rows
    /// can move.
    private func exceedsDragThreshold(_ reordering: Reordering) -> Bool {
        let isAcross = abs(reordering.now.x - reordering.start.x) >= 2
        let isDown = reordering.now.y != reordering.start.y
        switch (effectivePresentation, reordering.subject) {
        case (.cards, _): return isAcross || isDown
        case (.transposed, .column), (.table, .rows), (.adaptive, .rows): return isDown
        case (.transposed, .rows), (.table, .column), (.adaptive, .column): return isAcross
        }
    }

    private func target(of reordering: Reordering) -> Int? {
        switch reordering.subject {
        case .column(let id) where effectivePresentation == .transposed: lineTarget(of: id, atY: reordering.now.y)
        case .column: layout.insertionIndex(atX: reordering.now.x)
        case .rows(let range): rowTarget(of: range, at: reordering.now)
        }
    }

    /// The index before which to insert a dragged column of a transposed grid, if the pointer is at line `y`.
    private func lineTarget(of id: ColumnID, atY y: Int) -> Int? {
        guard let from = columns.index(of: id), let field = layout.field(nearestY: y) else { return nil }
        return field.index <= from ? field.index : field.index + 1
    }

    /// The position before which to insert dragged rows, if the pointer is at `point`. The position stays within the section of these rows.
    private func rowTarget(of range: Range<Int>, at point: GridPoint) -> Int? {
        guard let bounds = bounds(ofRow: range.lowerBound), let index = layout.itemIndex(nearest: point) else { return nil }
        let row: Int
        switch outline.item(at: index) {
        case .row(let position): row = position
        case .header(let section): row = outline.tree!.rows(of: section).lowerBound
        }
        let target = row < range.lowerBound ? row : row < range.upperBound ? range.lowerBound : row + 1
        return target.clamped(to: bounds.lowerBound...bounds.upperBound)
    }

    mutating func scrollAtEdge(_ reordering: Reordering) {
        let layout = layout
        let now = reordering.now
        if let tiles = tileGeometry {
            scrollAtEdge(reordering, tiles, layout)
            return updateReordering(reordering, to: now)
        }
        switch reordering.subject {
        case .column:
            if now.x <= layout.geometry.pane.lowerBound {
                scroll.x = layout.geometry.x(afterScrollingFrom: scroll.x, by: -1)
            } else if now.x >= layout.geometry.pane.upperBound - 1 {
                scroll.x = layout.geometry.x(afterScrollingFrom: scroll.x, by: 1)
            }
        case .rows:
            if now.y < layout.itemSpans.first(where: { $0.pane == .scrolling })?.y ?? 0 {
                scroll.top -= 1
            } else if now.y >= layout.pane.upperBound - 1 {
                scroll.top += layout.pageSize ?? 1
            }
            clampScroll()
        }
        updateReordering(reordering, to: now)
    }

    mutating func endReordering(_ reordering: Reordering) -> [GridEvent] {
        switch (reordering.subject, reordering.target) {
        case (.column(let id), nil) where reordering.isRefused:
            return [.moveRefused(.column(id))]
        case (.column(let id), nil):
            return [.headerActivated(id, isAdding: reordering.press.isAdding)]
        case (.column(let id), let target?):
            guard let from = columns.index(of: id) else { return [] }
            return moveColumn(id, toIndex: target > from ? target - 1 : target)
        case (.rows, nil):
            if interaction.singleClick.isSelecting {
                selectByClick(cursor.item, column: cursor.column, wholeRows: true, reordering.press, interaction.singleClick)
            } else {
                select(cursor.item, column: cursor.column, wholeRows: true, reordering.press)
            }
            return []
        case (.rows(let range), let target?):
            return moveRows(range, to: target > range.lowerBound ? target - range.count : target)
        }
    }

    /// The positions of the rows that are dragged, or of the row of a pressed cell.
    private var draggedRows: Range<Int>? {
        switch drag {
        case .reorder(let reordering):
            if case .rows(let range) = reordering.subject { return range }
            return nil
        case .cell(let cell): return cell.row..<cell.row + 1
        default: return nil
        }
    }

    /// The identities of the dragged rows, to find these rows in another order. `nil` if no rows are dragged; empty if there are too many
    /// rows.
    var draggedRowIDs: [RowID]? {
        draggedRows.map { $0.count > Self.maximumKeptRows ? [] : $0.clamped(to: 0..<rows.count).map { rows[$0] } }
    }

    /// Updates a drag of the rows with these identities after the order has changed. If these rows are no longer adjacent, only the first
    /// one and the rows adjacent to it are still dragged. O(rows).
    mutating func followRowDrag(_ ids: [RowID]) {
        let found = rows.positions(of: ids)
        let first = found.min { $0.index < $1.index }?.position
        let runs = found.map(\.position).runs.filter { run in first.map { run.contains($0) } == true }
        followRowDrag { _ in runs }
    }

    /// Updates the positions of dragged rows after rows have moved. Ends the drag if the dragged rows were removed.
    /// - Parameter newPositions: returns, for a range of old positions, the new positions of its rows.
    mutating func followRowDrag(_ newPositions: (Range<Int>) -> [Range<Int>]) {
        guard let range = draggedRows else { return }
        guard let now = newPositions(range).first(where: { !$0.isEmpty }), let bounds = bounds(ofRow: now.lowerBound) else {
            return endRowDrag()
        }
        switch drag {
        case .reorder(var reordering) where canMoveRows:
            reordering.subject = .rows(now.clamped(to: bounds))
            if reordering.target != nil { reordering.target = target(of: reordering) }
            drag = .reorder(reordering)
        case .cell(var cell):
            cell.row = now.lowerBound
            drag = .cell(cell)
        default: endRowDrag()
        }
    }

    /// Ends a drag of rows, because another change has moved them.
    mutating func endRowDrag() {
        switch drag {
        case .reorder(let reordering):
            if case .column = reordering.subject { return }
        case .cell: break
        default: return
        }
        drag = nil
        dragOrigin = nil
    }
}
