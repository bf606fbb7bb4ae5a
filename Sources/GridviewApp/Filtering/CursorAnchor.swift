import DataGrid
import FieldValues

/// Where the cursor belongs among the rows that filters leave: on its own row, or on the nearest behind it that is left.
struct CursorAnchor: Equatable, Sendable {
    /// The cursor's record and those behind it, as they stood; the first ones, where there are many.
    private var following: [Int] = []
    private var wasInFileOrder: Bool
    /// Lines between the top of the pane and the cursor's row.
    let line: Int
    /// Where the cursor was put last: when it is elsewhere, the person has moved on.
    var placed: GridCursor?

    /// Rows behind the cursor that are kept in mind, where they do not stand as in the file.
    private static let limit = 4_096

    init?(_ grid: GridState, isInFileOrder: Bool) {
        guard let row = grid.cursor.row, row < grid.rows.count else { return nil }
        wasInFileOrder = isInFileOrder
        line = grid.outline.index(of: grid.cursor.item) - grid.scroll.top
        // A row that is counted from the end is behind all that have numbers.
        func record(_ position: Int) -> Int { grid.rows[position].isCountedFromEnd ? Int.max : grid.rows[position].rawValue }
        following = isInFileOrder ? [record(row)] : (row..<min(grid.rows.count, row + Self.limit)).map(record)
    }

    /// The position in `rows`; `nil` when none of the rows that are known is there.
    /// - Parameter isInFileOrder: whether `rows` stand as in the file.
    /// - Complexity: O(log rows) in file order, otherwise O(rows).
    func position(in rows: RowOrder, isInFileOrder: Bool) -> Int? {
        guard rows.count > 0 else { return nil }
        guard case .permuted(let permutation) = rows else { return following[0] < rows.count ? following[0] : rows.count - 1 }
        let records = permutation.records
        if isInFileOrder {
            for record in wasInFileOrder ? [] : following {
                let place = records.partition(from: record)
                if place < records.count, records[place] == record { return place }
            }
            return min(records.partition(from: following[0]), records.count - 1)
        }
        let ranks = Dictionary(zip(following, 0...), uniquingKeysWith: { first, _ in first })
        var best: (rank: Int, position: Int)?
        records.forEach { position, record in
            guard let rank = ranks[record], rank < best?.rank ?? .max else { return true }
            best = (rank, position)
            return rank > 0
        }
        return best?.position
    }
}
