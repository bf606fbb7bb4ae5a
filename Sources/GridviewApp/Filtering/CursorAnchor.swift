import DataGrid
import FieldValues

/// Keeps the cursor on its row when filters remove rows, or moves it to the nearest later row that remains.
struct CursorAnchor: Equatable, Sendable {
    /// The numbers of the record at the cursor and the records below it, in the order before the change, at most ``maximumRecords``. In
    /// file order, the record at the cursor is enough.
    private var followingRecords: [Int] = []
    private var wereInFileOrder: Bool
    /// The line of the cursor on the screen: the number of lines above it in the scrolling part.
    let screenLine: Int
    /// The cursor position that this anchor has set. If the cursor is at another position, the user has moved it, and the anchor is
    /// obsolete.
    var placedCursor: GridCursor?

    /// The maximum number of records that ``followingRecords`` stores.
    private static let maximumRecords = 4_096

    init?(_ grid: GridState, isInFileOrder: Bool) {
        guard let row = grid.cursor.row, row < grid.rows.count else { return nil }
        wereInFileOrder = isInFileOrder
        screenLine = grid.outline.index(of: grid.cursor.item) - grid.scroll.top
        // Rows without a row number, which are counted from the end of the file, come after all numbered rows.
        func record(_ position: Int) -> Int { grid.rows[position].isCountedFromEnd ? Int.max : grid.rows[position].rawValue }
        followingRecords = isInFileOrder ? [record(row)] : (row..<min(grid.rows.count, row + Self.maximumRecords)).map(record)
    }

    /// Creates an anchor at the row number of the cursor, before a file is reloaded; `nil` if the cursor is not on a row.
    init?(reloading grid: GridState) {
        self.init(grid, isInFileOrder: true)
    }

    /// The number of the record that the cursor was on.
    var record: Int { followingRecords[0] }

    /// True if the cursor was on the first row.
    var isAtStart: Bool { RowID(record).number == 0 }

    /// True if the record number belongs to another row order of a server than `rows`, so it cannot be found in `rows`.
    func belongsToOtherOrder(than rows: RowOrder) -> Bool { rows.count > 0 && record != .max && RowID(record).order != rows[0].order }

    /// The new position of the cursor: the position of the first stored record that `rows` contains; `nil` if `rows` does not contain any.
    ///
    /// In file order, if the record at the cursor is missing, this is the position of the nearest later record, or the last position. If a
    /// server has numbered the record in another order, the position is 0.
    /// - Parameter isInFileOrder: true if `rows` are in file order.
    /// - Complexity: O(log rows) in file order and for consecutive records, otherwise O(rows).
    func position(in rows: RowOrder, isInFileOrder: Bool) -> Int? {
        guard rows.count > 0 else { return nil }
        // A server numbers the rows of each order separately. A record number of another order would find a wrong row here.
        guard !belongsToOtherOrder(than: rows) else { return 0 }
        guard case .permuted(let permutation) = rows else { return followingRecords[0] < rows.count ? followingRecords[0] : rows.count - 1 }
        let records = permutation.records
        if isInFileOrder {
            for record in wereInFileOrder ? [] : followingRecords {
                let index = records.lowerBound(of: record)
                if index < records.count, records[index] == record { return index }
            }
            return min(records.lowerBound(of: followingRecords[0]), records.count - 1)
        }
        if records.consecutive != nil { return followingRecords.lazy.compactMap { records.firstIndex(of: $0) }.first }
        let ranks = Dictionary(zip(followingRecords, 0...), uniquingKeysWith: { first, _ in first })
        var best: (rank: Int, position: Int)?
        records.forEach { position, record in
            guard let rank = ranks[record], rank < best?.rank ?? .max else { return true }
            best = (rank, position)
            return rank > 0
        }
        return best?.position
    }
}
