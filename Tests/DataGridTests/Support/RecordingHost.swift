import DataGrid

/// A test object shown in a grid.
struct Instrument: Identifiable {
    var id: Int
    var name: String
    var price: Double = 0
    var amount: Int?
    var isOpen = false
    var kind = "share"
}

/// A grid without a screen that records calls.
@MainActor
final class RecordingHost: GridHost {
    var state = grid("", rows: 0, frame: (40, 12))
    weak var dataSource: (any GridDataSource)?
    var actions: [GridAction] = []
    var changes: [CellChange] = []
    var reloads = 0

    @discardableResult
    func perform(_ action: GridAction) -> Bool {
        actions.append(action)
        for event in state.apply(action) { if case .rowsMoved(let rows, let to) = event { dataSource?.didMove(rows: rows, to: to) } }
        return true
    }

    func reload() { reloads += 1 }
    func reloadRows(_ rows: [RowID]?) { reloads += 1 }
    func reportChanges(_ changes: [CellChange]) { self.changes += changes }

    /// The rows removed last.
    var removedRows: [RowID] {
        if case .discardRowState(let rows) = actions.last { return rows }
        return []
    }
}
