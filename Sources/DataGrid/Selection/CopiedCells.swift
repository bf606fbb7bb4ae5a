package import FieldValues

/// The cells that a copy command copies.
public struct CopiedCells: Hashable, Sendable {
    /// The columns with a cell to copy, in display order; not empty.
    public let columns: [Column]
    /// The positions of the rows with a cell to copy, as ascending ranges; not empty.
    public let rows: [Range<Int>]
    /// The selected cells; if empty, all cells of ``rows`` and ``columns`` are copied.
    private let selection: Selection

    /// Creates a rectangle of cells. Neither `columns` nor `rows` may be empty.
    public init(_ columns: [Column], rows: [Range<Int>]) { self.init(columns, rows: rows, of: Selection()) }

    fileprivate init(_ columns: [Column], rows: [Range<Int>], of selection: Selection) {
        (self.columns, self.rows, self.selection) = (columns, rows, selection)
    }

    /// The number of rows. O(ranges).
    public var rowCount: Int { rows.reduce(0) { $0 + $1.count } }

    /// The number of cells. The cost is that of ``Selection/counts(rowCount:columns:)``.
    package var cellCount: Int {
        guard !containsAllCells, let end = rows.last?.upperBound else { return rowCount * columns.count }
        return selection.counts(rowCount: end, columns: columns.map(\.id)).cells
    }

    /// True if nothing is selected, so that only the current cell is copied.
    public var isSingleCell: Bool { selection.isEmpty && columns.count == 1 && rowCount == 1 }

    /// True if every cell of ``rows`` and ``columns`` is copied. Check it before calling ``contains(row:column:)`` for each cell.
    public var containsAllCells: Bool { selection.isEmpty || selection.blocks.count == 1 && !selection.isInverted }

    /// True if this cell of ``rows`` and ``columns`` is copied. O(blocks of the selection).
    public func contains(row: Int, column: ColumnID) -> Bool { selection.isEmpty || selection.contains(row: row, column: column) }

    /// Calls `body` with the fields of a row. The fields of cells that are not copied are missing.
    /// - Parameters:
    ///   - fields: a field for each of ``columns``, and then one for each of `secondFields`.
    ///   - secondFields: the indices of the columns that have a second field.
    package func withFields(
        _ fields: UnsafeBufferPointer<FieldBytes>, secondFields: [Int] = [], at position: Int,
        _ body: (UnsafeBufferPointer<FieldBytes>) -> Void
    ) {
        guard !containsAllCells else { return body(fields) }
        withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: columns.count + secondFields.count) { copied in
            for place in 0..<columns.count + secondFields.count {
                let index = place < columns.count ? place : secondFields[place - columns.count]
                let isCopied = contains(row: position, column: columns[index].id)
                copied.initializeElement(at: place, to: isCopied ? fields[place] : .missing)
            }
            body(UnsafeBufferPointer(copied))
        }
    }
}

extension GridState {
    /// The cells to copy: the selection in visible columns or, without a selection, the current cell; `nil` if there is no current cell
    /// either.
    ///
    /// O(columns · blocks of the selection).
    /// - Parameter selection: the cells to copy instead of the selected cells.
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
