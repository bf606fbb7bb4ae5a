import DataGrid

/// The queue of requests from a grid to the program.
@MainActor
final class GridRequests: GridInteractionDelegate {
    enum Request {
        /// Sorts by a column, alone or after the existing keys.
        case sort(ColumnID, isAdding: Bool)
        /// Opens the menu of a column.
        case menu(ColumnID)
        /// Opens the row view.
        case openRow
        /// Copies cells to the clipboard.
        case copy(CopiedCells, withHeader: Bool)
        /// Reports that rows were moved by hand.
        case rowsMoved
        /// Reports that a drag ended because its rows or its column were removed.
        case dragInterrupted
        /// Goes to the position of a row that is expected but not known yet.
        case row(Int)
    }

    private var requests: [Request] = []

    var isEmpty: Bool { requests.isEmpty }

    /// Removes and returns the requests.
    func removeAll() -> [Request] {
        defer { requests = [] }
        return requests
    }

    /// Queues a sort instead of letting the grid sort: sorting is a job, and the header shows the pending sort.
    func shouldActivateHeader(ofColumn column: ColumnID, isAdding: Bool) -> Bool {
        requests.append(.sort(column, isAdding: isAdding))
        return false
    }

    /// Queues a copy instead of letting the grid copy: copying is a job, which reads bytes.
    func shouldCopy(_ cells: CopiedCells, withHeader: Bool) -> Bool {
        requests.append(.copy(cells, withHeader: withHeader))
        return false
    }

    func didRequestMenu(ofColumn column: ColumnID) { requests.append(.menu(column)) }
    func didActivate(row: RowID, column: ColumnID) { requests.append(.openRow) }
    func didMove(rows: Range<Int>, to: Int) { requests.append(.rowsMoved) }
    func didInterruptDrag() { requests.append(.dragInterrupted) }
    func didRequestRow(at position: Int) { requests.append(.row(position)) }
}
