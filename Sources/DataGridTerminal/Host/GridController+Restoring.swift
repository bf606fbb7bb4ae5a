import DataGrid

/// Restoring of saved views.
extension GridController {
    /// Applies the filters, groups and sort of a saved view to the source before the view is restored. The selection, cursor and scroll
    /// position of the view are positions in the resulting order.
    func prepareSource(for view: SavedView) {
        dataSource?.prepare(for: view)
        var restored = state
        _ = restored.apply(.restore(view))
        guard restored.sort != state.sort else { return }
        setState(state) { _ = $0.apply(.setSort(restored.sort)) }
        sortSource()
        delegate?.didSort(by: state.sort)
    }

    /// Notifies the source of the rows that a restored view moves, one move at a time. First undoes the old moves, then makes the new
    /// ones. O(runs²), where a run is a range of consecutive rows.
    func reportMoves(since old: GridState) {
        let (before, after) = (old.rows.movedRuns, state.rows.movedRuns)
        guard before != after else { return }
        reportMoves(from: before, to: before.sorted { $0.lowerBound < $1.lowerBound })
        reportMoves(from: after.sorted { $0.lowerBound < $1.lowerBound }, to: after)
    }

    /// Notifies the source of the moves that turn one order of row ranges into another.
    private func reportMoves(from old: [Range<Int>], to new: [Range<Int>]) {
        var runs = old
        var position = 0
        for (index, run) in new.enumerated() {
            if let from = runs.firstIndex(of: run), from != index {
                let start = runs[..<from].reduce(0) { $0 + $1.count }
                dataSource?.didMove(rows: start..<start + run.count, to: position)
                runs.insert(runs.remove(at: from), at: index)
            }
            position += run.count
        }
    }
}
