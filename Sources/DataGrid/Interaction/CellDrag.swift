/// A mouse press on a cell that can become a drag. The direction of the drag decides if the row moves, the column moves, or the grid
/// pans.
public struct CellDrag: Hashable, Sendable {
    /// The current position of the pressed row. It is updated when rows are inserted, removed or reordered.
    public internal(set) var row: Int
    /// The column of the pressed cell.
    public let column: ColumnID
    /// The point at which the button was pressed.
    public let start: GridPoint
    /// The directions in which the drag may move the row or the column; empty if it pans.
    public let directions: DragDirections
    /// True if a drag pans the grid in any direction, and moves neither row nor column.
    var isPanning = false
    let press: PointerPress
}

extension GridState {
    mutating func pressCell(row: Int, column: Int, at point: GridPoint, _ press: PointerPress) -> [GridEvent] {
        if press.clicks >= 2, !interaction.doubleClick.isEmpty {
            cursor = GridCursor(item: .row(row), column: column)
            if interaction.doubleClick.isSelecting {
                selectByClick(.row(row), column: column, wholeRows: selectionMode.isRowwise, PointerPress(), interaction.doubleClick)
            }
            return interaction.doubleClick.contains(.edit) ? requestEdit(typed: nil) : []
        }
        let directions = directions(ofCellIn: columns[column], press)
        dragOrigin?.opensEditor = interaction.singleClick.contains(.edit) && !press.isAdding && !press.isExtending
        let isPlain = !press.isAdding && !press.isExtending && !press.isMoving
        if interaction.pansByDragging, isPlain {
            let id = columns[column].id
            drag = .cell(CellDrag(row: row, column: id, start: point, directions: [], isPanning: true, press: press))
            return []
        }
        let isHeader = rowsActAsHeaders && !press.isAdding && !press.isExtending && isDraggableByHeader(row)
        let permitted = press.isMoving ? directions : isHeader ? directions.intersection(.rows) : []
        if !permitted.isEmpty {
            if isHeader { cursor = GridCursor(item: .row(row), column: column) }
            drag = .cell(CellDrag(row: row, column: columns[column].id, start: point, directions: permitted, press: press))
            return []
        }
        click(row: row, column: column, press)
        beginSelectionDrag(wholeRows: selectionMode.isRowwise, at: point, press)
        return []
    }

    /// True for cards, which have no row headers, and for grids without selection. Dragging a cell then moves its row, as dragging a row
    /// header does.
    private var rowsActAsHeaders: Bool { effectivePresentation == .cards || selectionMode == .none }

    private mutating func click(row: Int, column: Int, _ press: PointerPress) {
        if interaction.singleClick.isSelecting {
            selectByClick(.row(row), column: column, wholeRows: selectionMode.isRowwise, press, interaction.singleClick)
        } else {
            select(.row(row), column: column, wholeRows: selectionMode.isRowwise && press.isAdding, press)
        }
    }

    /// True if a drag that began with `press` may move a column.
    func permits(_ press: PointerPress, movingColumn id: ColumnID) -> Bool {
        columns[id]?.isReorderable == true && press.permittedDirections?.contains(.columns) ?? true
    }

    /// The directions in which a cell can be dragged. If `press` permits no direction, the row can be moved if users can move rows. A drag
    /// on a card never moves a column.
    private func directions(ofCellIn column: Column, _ press: PointerPress) -> DragDirections {
        var directions = press.permittedDirections ?? (interaction.allowsRowReordering ? .rows : [])
        if !canMoveRows { directions.remove(.rows) }
        if !column.isReorderable || effectivePresentation == .cards { directions.remove(.columns) }
        return directions
    }

    /// Starts to move the column or the rows when the pointer has moved far enough in a permitted direction, or pans the grid.
    mutating func updateCellDrag(_ cell: CellDrag, to point: GridPoint) {
        if cell.isPanning {
            if point != cell.start { updatePan(PanDrag(start: cell.start, scroll: scroll), to: point) }
            return
        }
        let (across, down) = (abs(point.x - cell.start.x), 2 * abs(point.y - cell.start.y))
        // The distance in the direction that moves columns, and the distance in the direction that moves rows.
        let distances =
            switch effectivePresentation {
            case .table, .adaptive: (columns: across, rows: down)
            case .transposed: (columns: down, rows: across)
            case .cards: (columns: 0, rows: max(across, down))
            }
        let isFar = (
            columns: distances.columns >= 2 && cell.directions.contains(.columns),
            rows: distances.rows >= 2 && cell.directions.contains(.rows)
        )
        if isFar.columns, !isFar.rows || distances.columns > distances.rows {
            updateReordering(Reordering(.column(cell.column), at: cell.start, cell.press), to: point)
        } else if isFar.rows, let range = rowsMoving(with: cell.row) {
            cursor.item = .row(cell.row)
            updateReordering(Reordering(.rows(range), at: cell.start, cell.press), to: point)
        }
    }

    /// Ends the drag. The release is a click if the pointer is at the point of the press or, for a card, anywhere on the card.
    mutating func endCellDrag(_ cell: CellDrag, at point: GridPoint) -> [GridEvent] {
        guard cell.row < rows.count, let column = columns.index(of: cell.column) else { return [] }
        let isCard = effectivePresentation == .cards
        guard point == cell.start || isCard && !cell.isPanning && layout.tile(nearest: point)?.item == .row(cell.row) else { return [] }
        click(row: cell.row, column: column, cell.press)
        return (rowsActAsHeaders || cell.isPanning) && dragOrigin?.opensEditor == true ? requestEdit(typed: nil) : []
    }
}
