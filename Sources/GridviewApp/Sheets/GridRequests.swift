import DataGrid

/// The queue of requests from a grid to the program, such as to sort or to copy.
@MainActor
final class GridRequests: GridInteractionDelegate {
    enum Request {
        /// Sort by this column: alone or, if `isAdding` is true, after the existing keys.
        case sort(ColumnID, isAdding: Bool)
        /// Open the menu of this column.
        case menu(ColumnID)
        /// Open the menu of a cell, or of the current column in a row whose number was clicked.
        case cellMenu(RowID, ColumnID?)
        /// Open the row view.
        case openRow
        /// Copy these cells to the clipboard.
        case copy(CopiedCells, withHeader: Bool)
        /// The user has moved rows by hand.
        case rowsMoved
        /// A drag ended because its rows or its column were removed.
        case dragInterrupted
        /// Go to this position, whose row is expected but not known yet.
        case row(Int)
    }

    private var requests: [Request] = []

    var isEmpty: Bool { requests.isEmpty }

    func removeAll() -> [Request] {
        defer { requests = [] }
        return requests
    }

    /// Queues the sort and prevents the grid from sorting by itself. Sorting is a job of the program, and the header shows it as pending.
    func shouldActivateHeader(ofColumn column: ColumnID, isAdding: Bool) -> Bool {
        requests.append(.sort(column, isAdding: isAdding))
        return false
    }

    /// Queues the copy and prevents the grid from copying by itself. Copying is a job of the program, which reads the bytes of the file.
    func shouldCopy(_ cells: CopiedCells, withHeader: Bool) -> Bool {
        requests.append(.copy(cells, withHeader: withHeader))
        return false
    }

    func didRequestMenu(ofColumn column: ColumnID) { requests.append(.menu(column)) }
    func didRequestMenu(ofRow row: RowID, column: ColumnID?) { requests.append(.cellMenu(row, column)) }
    func didActivate(row: RowID, column: ColumnID) { requests.append(.openRow) }
    func didMove(rows: Range<Int>, to: Int) { requests.append(.rowsMoved) }
    func didInterruptDrag() { requests.append(.dragInterrupted) }
    func didRequestRow(at position: Int) { requests.append(.row(position)) }
}
