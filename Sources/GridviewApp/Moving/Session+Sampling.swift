import DataGrid
import DataGridSources
import Tables

/// Sampled rows: rows of a server that are shown before their row numbers are known.
extension Session {
    /// Shows sampled rows from a position onwards, if the input has any. If one of them is marked, shows no sampled rows: a marked row must
    /// keep its row number.
    func sampleRows(at position: Int) {
        let row = state.grid.rows[position].rawValue
        var rows = document.input.beginSampling(atRow: row)
        if let sampled = rows, state.grid.marks.contains(where: { sampled.contains($0.rawValue) }) {
            document.input.endSampling()
            rows = nil
        }
        document.source.approximateRows = rows
        let positions = rows.map { $0.lowerBound - row + position..<$0.upperBound - row + position }
        if positions != state.sheet.sampledRows { send(.rowsSampled(positions)) }
    }

    func endSampling() {
        document.input.endSampling()
        document.source.approximateRows = nil
    }

    /// Shows the exact row numbers if they are known now, or ends sampling if they cannot be counted.
    func updateSampling() {
        guard state.sheet.sampledRows != nil, state.grid.rows.count > 0 else { return }
        let (top, count) = (state.grid.scroll.top, state.grid.rows.count)
        let row = state.grid.rows[min(top, count - 1)].rawValue
        let visible = row..<row + max(1, min(count - top, state.grid.layout.pageItemCount + 1))
        switch document.input.sampledPositions(showing: visible) {
        case .approximate: break
        case .none:
            document.source.approximateRows = nil
            send(.rowsSampled(nil))
        case .exact(let shift):
            document.source.approximateRows = nil
            send(.sampledRowsCounted(shift: shift))
        }
    }
}
