package import FieldValues

/// The cells that a copy command copies, as rows and columns of a grid.
public struct CopiedCells: Hashable, Sendable {
    /// The columns in which at least one cell is copied, in display order; never empty.
    public let columns: [Column]
    /// The positions of the rows in which at least one cell is copied, as ascending ranges; never empty.
    public let rows: [Range<Int>]
    /// The selection that tells which cells are copied; if it is empty, all cells of ``rows`` and ``columns`` are copied.
    private let selection: Selection

    /// Creates a rectangle of cells to copy. Neither `columns` nor `rows` may be empty.
    public init(_ columns: [Column], rows: [Range<Int>]) { self.init(columns, rows: rows, of: Selection()) }

    fileprivate init(_ columns: [Column], rows: [Range<Int>], of selection: Selection) {
        (self.columns, self.rows, self.selection) = (columns, rows, selection)
    }

    /// The number of rows in which cells are copied. O(ranges of rows).
    public var rowCount: Int { rows.reduce(0) { $0 + $1.count } }

    /// The number of cells to copy. The cost is that of ``Selection/counts(rowCount:columns:)``.
    package var cellCount: Int {
        guard !containsAllCells, let end = rows.last?.upperBound else { return rowCount * columns.count }
        return selection.counts(rowCount: end, columns: columns.map(\.id)).cells
    }

    /// True if no cell is selected, so that only the cell under the cursor is copied.
    public var isSingleCell: Bool { selection.isEmpty && columns.count == 1 && rowCount == 1 }

    /// True if every cell of ``rows`` and ``columns`` is copied. Check it before calling ``contains(row:column:)`` for each cell.
    public var containsAllCells: Bool { selection.isEmpty || selection.blocks.count == 1 && !selection.isInverted }

    /// True if the cell at position `row` is copied. The cell must be in ``rows`` and ``columns``. O(blocks of the selection).
    public func contains(row: Int, column: ColumnID) -> Bool { selection.isEmpty || selection.contains(row: row, column: column) }

    /// Calls `body` with the fields of the row at `position`. Missing fields replace the fields of cells that are not copied.
    /// - Parameters:
    ///   - fields: the field of each column in ``columns``, followed by the second field of each column in `secondFields`.
    ///   - secondFields: the indices of the columns that have a second field, which contains the value as JSON.
    package func withFields(
        _ fields: UnsafeBufferPointer<FieldBytes>, secondFields: [Int] = [], at position: Int,
        _ body: (UnsafeBufferPointer<FieldBytes>) -> Void
    ) {
        guard !containsAllCells else { return body(fields) }
        withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: columns.count + secondFields.count) { copied in
            for target in 0..<columns.count + secondFields.count {
                let index = target < columns.count ? target : secondFields[target - columns.count]
                let isCopied = contains(row: position, column: columns[index].id)
                copied.initializeElement(at: target, to: isCopied ? fields[target] : .missing)
            }
            body(UnsafeBufferPointer(copied))
        }
    }
}

extension GridState {
    /// The cells to copy: the selected cells in visible columns. If nothing is selected, the cell under the cursor; `nil` if the cursor
    /// is not on a cell.
    ///
    /// O(columns · blocks of the selection).
    /// - Parameter selection: the cells to copy; `nil` means the selection of the grid.
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
