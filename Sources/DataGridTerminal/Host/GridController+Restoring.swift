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

    /// Tells the source of the rows that a view has moved, one move after the other: first those that go back, then those that were moved in
    /// the view. O(runs²).
    func tellMoves(since old: GridState) {
        let (before, after) = (old.rows.movedRuns, state.rows.movedRuns)
        guard before != after else { return }
        tellMoves(from: before, to: before.sorted { $0.lowerBound < $1.lowerBound })
        tellMoves(from: after.sorted { $0.lowerBound < $1.lowerBound }, to: after)
    }

    /// Tells the source how the same runs of rows come from one sequence into another.
    private func tellMoves(from old: [Range<Int>], to new: [Range<Int>]) {
        var standing = old
        var position = 0
        for (index, run) in new.enumerated() {
            if let from = standing.firstIndex(of: run), from != index {
                let start = standing[..<from].reduce(0) { $0 + $1.count }
                dataSource?.didMove(rows: start..<start + run.count, to: position)
                standing.insert(standing.remove(at: from), at: index)
            }
            position += run.count
        }
    }
}
