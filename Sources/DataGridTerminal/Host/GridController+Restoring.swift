import DataGrid

/// Views that come back.
extension GridController {
    /// Has the source bring its rows into the filters, groups and order of a view before the view comes back: its selection, cursor and scroll position are
    /// positions in that order.
    func arrange(for view: SavedView) {
        dataSource?.prepare(for: view)
        var restored = state
        _ = restored.apply(.restore(view))
        guard restored.sort != state.sort else { return }
        set(state) { _ = $0.apply(.setSort(restored.sort)) }
        sortSource()
        delegate?.didSort(by: state.sort)
    }

    /// Tells the source of the rows that a view has moved, one move after the other. O(runs²).
    func tellMoves(of view: SavedView, since old: GridState) {
        guard case .moved = state.rows, state.rows != old.rows else { return }
        var standing = view.movedRows.sorted { $0.lowerBound < $1.lowerBound }
        var position = 0
        for (index, run) in view.movedRows.enumerated() {
            if let from = standing.firstIndex(of: run), from != index {
                let start = standing[..<from].reduce(0) { $0 + $1.count }
                dataSource?.didMove(rows: start..<start + run.count, to: position)
                standing.insert(standing.remove(at: from), at: index)
            }
            position += run.count
        }
    }
}
