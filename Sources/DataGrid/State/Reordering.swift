/// A drag of a column or rows to another position. They move when the button is released.
public struct Reordering: Hashable, Sendable {
    /// The dragged columns or rows.
    public enum Subject: Hashable, Sendable {
        /// A column.
        case column(ColumnID)
        /// The rows at these positions, which follow the rows when others are inserted, removed or reordered.
        case rows(Range<Int>)
    }

    /// The dragged column or rows.
    public internal(set) var subject: Subject
    /// The point of the press.
    public let start: GridPoint
    /// The current point of the pointer.
    public internal(set) var now: GridPoint
    /// The column index or row position before which to insert; `nil` until the pointer has moved far enough for a drag.
    public internal(set) var target: Int?
    /// True after a drag of a column that users cannot move.
    var isRefused = false
    /// If the press was on the first cell of a header, the edge before this cell. A drag then moves this edge instead of the column, and a
    /// click activates the header.
    var edge: ColumnResizeDrag?
    let press: PointerPress

    init(_ subject: Subject, at point: GridPoint, _ press: PointerPress) {
        self.subject = subject
        self.press = press
        (start, now) = (point, point)
    }
}

extension GridState {
    /// The reordering that a press on a row header starts; `nil` if the press selects.
    func rowReordering(at point: GridPoint, _ item: GridItem, _ press: PointerPress) -> Reordering? {
        let isAllowed = press.permittedDirections?.contains(.rows) ?? interaction.allowsRowReordering
        guard isAllowed, case .row(let row) = item, !press.isAdding, !press.isExtending, canMoveRows else { return nil }
        guard isDraggableByHeader(row), let range = rowsMoving(with: row) else { return nil }
        return Reordering(.rows(range), at: point, press)
    }

    /// True if the row can be dragged by its header: the current row and selected rows. Other headers select.
    func isDraggableByHeader(_ row: Int) -> Bool { cursor.item == .row(row) || selection.wholeRows(around: row) != nil }

    mutating func move(_ reordering: Reordering, to point: GridPoint) {
        var reordering = reordering
        reordering.now = point
        if case .column(let id) = reordering.subject, !permits(reordering.press, movingColumn: id) {
            reordering.isRefused = reordering.isRefused || isFarEnough(reordering)
            drag = .reorder(reordering)
            return
        }
        if reordering.target != nil || isFarEnough(reordering) { reordering.target = target(of: reordering) }
        drag = .reorder(reordering)
    }

    /// True if the pointer moved far enough to start a drag in the direction in which its subject moves: two cells, or one line.
    private func isFarEnough(_ reordering: Reordering) -> Bool {
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

    /// The target of a transposed column: the place of the column under the pointer.
    private func lineTarget(of id: ColumnID, atY y: Int) -> Int? {
        guard let from = columns.index(of: id), let field = layout.field(nearestY: y) else { return nil }
        return field.index <= from ? field.index : field.index + 1
    }

    /// The target of rows: the place of the row under the pointer, within their section.
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
            return move(reordering, to: now)
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
        move(reordering, to: now)
    }

    mutating func drop(_ reordering: Reordering) -> [GridEvent] {
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

    /// The positions of the dragged rows or of the pressed row.
    private var draggedRows: Range<Int>? {
        switch drag {
        case .reorder(let reordering):
            if case .rows(let range) = reordering.subject { return range }
            return nil
        case .cell(let cell): return cell.row..<cell.row + 1
        default: return nil
        }
    }

    /// The identities of the dragged rows, to find them in another order; `nil` if no rows are dragged, empty if there are too many.
    var draggedRowIDs: [RowID]? {
        draggedRows.map { $0.count > Self.maximumKeptRows ? [] : $0.clamped(to: 0..<rows.count).map { rows[$0] } }
    }

    /// Updates a drag to the new positions of the rows with these identities. If they are no longer adjacent, only the run of rows with the
    /// first one is still dragged. O(rows).
    mutating func followRowDrag(_ ids: [RowID]) {
        let places = rows.positions(of: ids)
        let first = places.min { $0.index < $1.index }?.position
        let runs = places.map(\.position).runs.filter { run in first.map { run.contains($0) } == true }
        followRowDrag { _ in runs }
    }

    /// Keeps a drag on its rows after they have moved; ends it if they were removed.
    /// - Parameter places: a function from an old range of positions to its new ranges.
    mutating func followRowDrag(_ places: (Range<Int>) -> [Range<Int>]) {
        guard let range = draggedRows else { return }
        guard let now = places(range).first(where: { !$0.isEmpty }), let bounds = bounds(ofRow: now.lowerBound) else { return endRowDrag() }
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
