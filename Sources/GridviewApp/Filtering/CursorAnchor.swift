import DataGrid
import FieldValues

/// Keeps the cursor on its row when filters remove rows, or moves it to the nearest later row that remains.
struct CursorAnchor: Equatable, Sendable {
    /// The records from the cursor onwards in their old order, at most ``maximumRecords``. In file order, only the record at the cursor.
    private var following: [Int] = []
    private var wasInFileOrder: Bool
    /// The number of lines between the top of the pane and the cursor.
    let line: Int
    /// The position to which the anchor last moved the cursor. If the cursor is elsewhere now, the user has moved it.
    var placed: GridCursor?

    /// The maximum number of records that are stored if the rows are not in file order.
    private static let maximumRecords = 4_096

    init?(_ grid: GridState, isInFileOrder: Bool) {
        guard let row = grid.cursor.row, row < grid.rows.count else { return nil }
        wasInFileOrder = isInFileOrder
        line = grid.outline.index(of: grid.cursor.item) - grid.scroll.top
        // Rows that are counted from the end follow all numbered rows.
        func record(_ position: Int) -> Int { grid.rows[position].isCountedFromEnd ? Int.max : grid.rows[position].rawValue }
        following = isInFileOrder ? [record(row)] : (row..<min(grid.rows.count, row + Self.maximumRecords)).map(record)
    }

    /// Creates an anchor at the row number of the cursor, for a file that was reloaded; `nil` if the cursor is not on a row.
    init?(reloading grid: GridState) {
        self.init(grid, isInFileOrder: true)
    }

    /// The record of the cursor.
    var record: Int { following[0] }

    /// True if the cursor was on the first row.
    var isAtStart: Bool { RowID(record).number == 0 }

    /// True if a server has numbered the record in another order than `rows`.
    func isOfOtherOrder(than rows: RowOrder) -> Bool { rows.count > 0 && record != .max && RowID(record).order != rows[0].order }

    /// The new position of the cursor: the position of the first stored record that `rows` contains; `nil` if `rows` does not contain any.
    ///
    /// In file order, if the record at the cursor is missing, this is the position of the nearest later record, or the last position. If a
    /// server has numbered the record in another order, the position is 0.
    /// - Parameter isInFileOrder: true if `rows` are in file order.
    /// - Complexity: O(log rows) in file order and for consecutive records, otherwise O(rows).
    func position(in rows: RowOrder, isInFileOrder: Bool) -> Int? {
        guard rows.count > 0 else { return nil }
        // A server numbers its rows separately in each order, so a number of another order identifies another row.
        guard !isOfOtherOrder(than: rows) else { return 0 }
        guard case .permuted(let permutation) = rows else { return following[0] < rows.count ? following[0] : rows.count - 1 }
        let records = permutation.records
        if isInFileOrder {
            for record in wasInFileOrder ? [] : following {
                let index = records.lowerBound(of: record)
                if index < records.count, records[index] == record { return index }
            }
            return min(records.lowerBound(of: following[0]), records.count - 1)
        }
        if records.consecutive != nil { return following.lazy.compactMap { records.firstIndex(of: $0) }.first }
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
