import DataGrid
import DataGridSources
import Tables

/// Showing rows of a server before their row numbers are known.
extension Session {
    /// Shows rows near a position with approximate row numbers, if the input can return such rows.
    ///
    /// Shows no such rows if one of them is marked, because a marked row must keep its row number.
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

    /// Shows rows near an unknown row, with approximate row numbers. If this is not possible, fetches the exact row.
    func sampleUnknownRows(near rowNumber: Int) {
        let first = state.isUncounted ? state.sheet.uncountedQuery?.firstRow ?? 0 : 0
        guard let rows = document.input.beginSampling(atRow: first + rowNumber - 1),
            !state.grid.marks.contains(where: { rows.contains($0.rawValue) })
        else {
            endSampling()
            if state.sheet.sampledRows != nil { send(.rowsSampled(nil)) }
            // If the row is known, the user has scrolled back to known rows. Then there is nothing to fetch, and the cursor stays where it
            // is.
            if rowNumber > state.numberedRowCount { startSeeking(rowNumber, ofQueryStartingAt: first) }
            return
        }
        document.source.approximateRows = rows
        send(.unknownRowsSampled(rows.lowerBound - first..<rows.upperBound - first, at: rowNumber - 1))
    }

    func endSampling() {
        document.input.endSampling()
        document.source.approximateRows = nil
    }

    /// Shows the exact row numbers once the server has counted the rows. If it cannot count them, stops showing approximate numbers.
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
            // Even if the server has not counted all rows, the rows up to the exact positions are known now.
            showKnownRows()
            document.source.approximateRows = nil
            send(.sampledRowsCounted(shift: shift))
        }
    }
}
