/// The cells that are copied: those of some columns in some rows.
public struct CopiedCells: Hashable, Sendable {
    /// The columns in which something is copied, as they stand; not empty.
    public let columns: [Column]
    /// The positions of the rows in which something is copied, ascending; not empty.
    public let rows: [Range<Int>]
    /// Of other cells nothing is copied; empty: all cells of ``rows`` and ``columns``.
    private let selection: Selection

    /// All cells of these columns and rows. Neither may be empty.
    public init(_ columns: [Column], rows: [Range<Int>]) { self.init(columns, rows: rows, of: Selection()) }

    fileprivate init(_ columns: [Column], rows: [Range<Int>], of selection: Selection) {
        (self.columns, self.rows, self.selection) = (columns, rows, selection)
    }

    /// How many rows there are. O(ranges).
    public var rowCount: Int { rows.reduce(0) { $0 + $1.count } }

    /// Whether it is the cell under the cursor, as nothing is selected.
    public var isOne: Bool { selection.isEmpty && columns.count == 1 && rowCount == 1 }

    /// Whether each cell of ``rows`` and ``columns`` is copied, which is quicker to ask once than of each.
    public var areAll: Bool { selection.isEmpty || selection.blocks.count == 1 && !selection.isInverted }

    /// Whether the cell of one of the columns in one of the rows is copied. O(blocks of the selection).
    public func contains(row: Int, column: ColumnID) -> Bool { selection.isEmpty || selection.contains(row: row, column: column) }
}

extension GridState {
    /// What copying takes: the visible columns and the rows in which something is selected; without a selection the cell under the cursor.
    /// `nil` when there is nothing. O(columns · blocks of the selection).
    /// - Parameter selection: other cells than those that are selected.
    public func cellsToCopy(of selection: Selection? = nil) -> CopiedCells? {
        let selection = selection ?? self.selection
        if selection.isEmpty {
            guard let column = currentColumn, currentRow != nil, let row = cursor.row else { return nil }
            return CopiedCells([column], rows: [row..<row + 1])
        }
        let columns = columns.visible.filter { !selection.rows(rowCount: rows.count, columns: [$0.id]).isEmpty }
        let ranges = selection.rows(rowCount: rows.count, columns: columns.map(\.id)).filter { !$0.isEmpty }
        return ranges.isEmpty ? nil : CopiedCells(columns, rows: ranges, of: selection)
    }
}
