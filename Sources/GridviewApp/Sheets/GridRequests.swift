import DataGrid

/// What a grid asks of the program, until the state takes it.
@MainActor
final class GridRequests: GridInteractionDelegate {
    enum Request {
        /// Sort by a column, alone or after those that the rows are sorted by.
        case sort(ColumnID, isAdding: Bool)
        /// Open the menu of a column.
        case menu(ColumnID)
        /// Show the row under the cursor whole.
        case openRow
        /// Say that rows were moved by hand.
        case rowsMoved
    }

    private var requests: [Request] = []

    var isEmpty: Bool { requests.isEmpty }

    /// Removes the requests and returns them.
    func removeAll() -> [Request] {
        defer { requests = [] }
        return requests
    }

    /// Sorting is a job: the header says so as soon as it is asked for.
    func shouldActivateHeader(ofColumn column: ColumnID, isAdding: Bool) -> Bool {
        requests.append(.sort(column, isAdding: isAdding))
        return false
    }

    func didRequestMenu(ofColumn column: ColumnID) { requests.append(.menu(column)) }
    func didActivate(row: RowID, column: ColumnID) { requests.append(.openRow) }
    func didMove(rows: Range<Int>, to: Int) { requests.append(.rowsMoved) }
}
