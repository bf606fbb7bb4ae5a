/// A cell that was taken hold of to move its row or its column; which of them, the pointer's way tells.
public struct CellDrag: Hashable, Sendable {
    /// The position of its row.
    public let row: Int
    /// Its column.
    public let column: ColumnID
    /// Where it was taken hold of.
    public let start: GridPoint
    /// Which ways it may go.
    public let directions: DragDirections
    let press: PointerPress
}

extension GridState {
    mutating func pressCell(row: Int, column: Int, at point: GridPoint, _ press: PointerPress) -> [GridEvent] {
        if press.clicks >= 2, !interaction.doubleClick.isEmpty {
            cursor = GridCursor(item: .row(row), column: column)
            if interaction.doubleClick.contains(.select) {
                clickSelect(.row(row), column: column, rows: selectionMode.isRowwise, PointerPress())
            }
            return interaction.doubleClick.contains(.edit) ? requestEdit(typed: nil) : []
        }
        let directions = directions(ofCellIn: columns[column], press)
        dragOrigin?.isClick = interaction.singleClick.contains(.edit) && !press.isAdding && !press.isExtending
        // A card has no header by which its row is held: where a header would be, all of it is one.
        let isHeader = shownPresentation == .cards && !press.isAdding && !press.isExtending && isHeldByHeader(row)
        if press.isMoving || isHeader, !directions.isEmpty {
            if isHeader { cursor = GridCursor(item: .row(row), column: column) }
            drag = .cell(CellDrag(row: row, column: columns[column].id, start: point, directions: directions, press: press))
            return []
        }
        click(row: row, column: column, press)
        drag = .selection(rows: selectionMode.isRowwise, start: point, now: point, hasMoved: false)
        return []
    }

    private mutating func click(row: Int, column: Int, _ press: PointerPress) {
        if interaction.singleClick.contains(.select) {
            clickSelect(.row(row), column: column, rows: selectionMode.isRowwise, press)
        } else {
            select(.row(row), column: column, rows: selectionMode.isRowwise && press.isAdding, press)
        }
    }

    /// Whether a drag that began with `press` may move a column.
    func permits(_ press: PointerPress, movingColumn id: ColumnID) -> Bool {
        columns[id]?.isReorderable == true && press.permittedDirections?.contains(.columns) ?? true
    }

    /// What a cell may drag: as the delegate says, otherwise its row where rows may be moved by the pointer. Of a card only the row moves.
    private func directions(ofCellIn column: Column, _ press: PointerPress) -> DragDirections {
        var directions = press.permittedDirections ?? (interaction.allowsRowReordering ? .rows : [])
        if !canMoveRows { directions.remove(.rows) }
        if !column.isReorderable || shownPresentation == .cards { directions.remove(.columns) }
        return directions
    }

    /// Makes a drag of a column or of rows of it, as soon as the pointer has gone far enough one way.
    mutating func move(_ cell: CellDrag, to point: GridPoint) {
        let (across, down) = (abs(point.x - cell.start.x), 2 * abs(point.y - cell.start.y))
        // How far it has gone the way on which columns change places, and the way of rows.
        let gone =
            switch shownPresentation {
            case .table, .adaptive: (columns: across, rows: down)
            case .transposed: (columns: down, rows: across)
            case .cards: (columns: 0, rows: max(across, down))
            }
        let isFar = (
            columns: gone.columns >= 2 && cell.directions.contains(.columns), rows: gone.rows >= 2 && cell.directions.contains(.rows)
        )
        if isFar.columns, !isFar.rows || gone.columns > gone.rows {
            move(Reordering(.column(cell.column), at: cell.start, cell.press), to: point)
        } else if isFar.rows, let range = rowsMoving(with: cell.row) {
            cursor.item = .row(cell.row)
            move(Reordering(.rows(range), at: cell.start, cell.press), to: point)
        }
    }

    /// What is let go of where it was pressed was clicked; of a card that is anywhere on it.
    mutating func drop(_ cell: CellDrag, at point: GridPoint) -> [GridEvent] {
        guard cell.row < rows.count, let column = columns.index(of: cell.column) else { return [] }
        let isCard = shownPresentation == .cards
        guard point == cell.start || isCard && layout.tile(nearest: point)?.item == .row(cell.row) else { return [] }
        click(row: cell.row, column: column, cell.press)
        return isCard && dragOrigin?.isClick == true ? requestEdit(typed: nil) : []
    }
}
