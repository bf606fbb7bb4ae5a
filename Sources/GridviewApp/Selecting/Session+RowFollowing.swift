import DataGrid
import DataGridQuery
import DataGridSources

extension Session {
    /// Starts a job that finds the marked and selected rows, and the cursor's row, in the order that a server shows now.
    func startFollowingRows() {
        // Look up rows of the newest orders first. The limit then leaves out rows of older orders first. These are rows that the later
        // queries did not contain.
        let all = state.rowsOfOtherOrders.sorted { ($1.order, $0) < ($0.order, $1) }
        let rows = Array(all.prefix(AppState.maximumSelectedRows))
        let (cursor, order) = (state.sheet.followedCursor?.record, state.grid.rows.unmoved)
        guard order.count > 0 else { return }
        let (engine, table, sequence, first) = (engine, table, order.sequence, order[0].rawValue)
        let title = rows.isEmpty ? "finding the row of the cursor" : "finding marked rows"
        startJob(.follow, title, .rows(max(1, rows.count))) { control, outbox in
            let records = Set(rows.map(\.rawValue)).union(cursor.map { [$0] } ?? [])
            let found = try engine.positions(ofRecords: Array(records), of: table, order: sequence, control: control)
            var position = cursor.flatMap { found?[$0] }
            if let cursor, position == nil {
                position = try engine.insertionPosition(ofRecord: cursor, of: table, order: sequence, control: control)
            }
            var ids: [RowID: RowID]?
            if let found {
                ids = Dictionary(rows.compactMap { row in found[row.rawValue].map { (row, RowID(first + $0)) } }) { id, _ in id }
            }
            outbox.post { session in
                session.showKnownRows()
                session.send(.rowsFollowed(ids, cursor: position))
            }
        }
    }
}
