import FieldValues

/// The kind of selection that users can make with keys and mouse.
public enum SelectionMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Users cannot select.
    case none
    /// One cell at a time.
    case cell
    /// Any cells, including ranges, whole rows and whole columns.
    case cells
    /// One whole row at a time.
    case row
    /// Any whole rows.
    case rows

    /// True if the mode selects whole rows, not single cells.
    public var isRowwise: Bool { self == .row || self == .rows }
    /// True if more than one cell or row can be selected.
    public var allowsMany: Bool { self == .cells || self == .rows }
}

/// A block of cells: all cells that are in one of its rows and in one of its columns.
public struct SelectionBlock: Hashable, Sendable, Codable {
    /// The positions of the rows; `nil` for all rows.
    public var rows: Range<Int>?
    /// The columns; `nil` for all columns.
    public var columns: Set<ColumnID>?

    /// Creates a block of the cells that are in both `rows` and `columns`; `nil` means all rows or all columns.
    public init(rows: Range<Int>?, columns: Set<ColumnID>?) {
        self.rows = rows
        self.columns = columns
    }

    private enum CodingKeys: CodingKey { case rows, columns }

    /// Decodes a block. Invalid positions are an error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        rows = try values.decodeIfPresent(DecodedRows.self, forKey: .rows)?.range
        columns = try values.contains(.columns) && !values.decodeNil(forKey: .columns) ? Set(values.decodeElements(.columns)) : nil
    }

    /// True if the block contains the cell at position `row`. O(1).
    public func contains(row: Int, column: ColumnID) -> Bool {
        (rows?.contains(row) ?? true) && (columns?.contains(column) ?? true)
    }
}

/// A set of selected cells: the cells in a list of blocks or, if it is inverted, all cells outside these blocks.
public struct Selection: Hashable, Sendable, Codable {
    /// The blocks, which may overlap. Extending the selection changes the last block.
    public var blocks: [SelectionBlock] { didSet { updateBlockOrder() } }
    /// True if the cells outside the blocks are selected.
    public var isInverted: Bool
    /// Selected rows that are not in the current order, such as rows hidden by a filter. Each key is the set of columns that are selected
    /// in these rows; `nil` means all columns.
    ///
    /// Only actions that preserve the selection add rows here. The rows are selected again when an order contains them. Absent rows are not
    /// encoded.
    private(set) var absentRows: [Set<ColumnID>?: Set<RowID>] = [:]

    /// Creates a selection of the cells in `blocks` or, with `isInverted`, of all cells outside them.
    public init(blocks: [SelectionBlock] = [], isInverted: Bool = false) {
        self.blocks = blocks
        self.isInverted = isInverted
        updateBlockOrder()
    }

    init(blocks: [SelectionBlock], isInverted: Bool, absentRows: [Set<ColumnID>?: Set<RowID>]) {
        self.init(blocks: blocks, isInverted: isInverted)
        self.absentRows = absentRows
    }

    /// Replaces the ids in ``absentRows``. A row for which `newID` returns `nil` is removed. O(absent rows).
    mutating func renumberAbsentRows(_ newID: (RowID) -> RowID?) {
        guard !absentRows.isEmpty else { return }
        absentRows = absentRows.mapValues { Set($0.compactMap(newID)) }.filter { !$0.value.isEmpty }
    }

    /// True if there are more than 8 blocks, with ascending rows that do not overlap. A binary search can then find the block of a row.
    private(set) var hasOrderedBlocks = false

    private mutating func updateBlockOrder() {
        hasOrderedBlocks =
            blocks.count > 8
            && zip(blocks, blocks.dropFirst()).allSatisfy { block, next in
                guard let rows = block.rows, let following = next.rows else { return false }
                return rows.upperBound <= following.lowerBound
            }
    }

    private enum CodingKeys: CodingKey { case blocks, isInverted }

    /// Decodes a selection of at most 65,536 blocks.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            blocks: try values.decodeElements(.blocks, upTo: DecodingLimits.blocks),
            isInverted: try values.decode(Bool.self, forKey: .isInverted))
    }

    /// The selection to store in a saved view: without ``absentRows``, and empty if there are too many blocks to decode it again.
    var clampedToLimits: Selection { blocks.count > DecodingLimits.blocks ? .empty : Selection(blocks: blocks, isInverted: isInverted) }

    /// The empty selection.
    public static let empty = Selection()

    /// The selection of every cell.
    public static let all = Selection(blocks: [SelectionBlock(rows: nil, columns: nil)])

    /// True if nothing is selected.
    public var isEmpty: Bool { isInverted ? blocks.contains { $0.rows == nil && $0.columns == nil } : blocks.isEmpty }

    /// True if the cell at position `row` is selected. O(blocks); O(log blocks) for more than 8 blocks with ascending rows, such as
    /// scattered rows.
    public func contains(row: Int, column: ColumnID) -> Bool {
        if hasOrderedBlocks {
            let index = blocks.indices.partitioningIndex { blocks[$0].rows!.upperBound > row }
            return (index < blocks.count && blocks[index].contains(row: row, column: column)) != isInverted
        }
        return blocks.contains { $0.contains(row: row, column: column) } != isInverted
    }

    /// The positions of rows with at least one selected cell among `columns`, as disjoint ascending ranges.
    ///
    /// O(blocks log blocks), plus O(columns) calls of ``contains(row:column:)`` for each block.
    public func rows(rowCount: Int, columns: [ColumnID]) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        return Self.uniformRowRanges(of: blocks, rowCount: rowCount)
            .filter { range in columns.contains { contains(row: range.lowerBound, column: $0) } }.joinedRuns
    }

    /// All rows, split wherever a block starts or ends. In all rows of one range, the same columns are selected. O(blocks log blocks).
    static func uniformRowRanges(of blocks: [SelectionBlock], rowCount: Int) -> [Range<Int>] {
        let edges = blocks.compactMap(\.rows).flatMap { [$0.lowerBound, $0.upperBound] }.map { $0.clamped(to: 0...rowCount) }
        let sorted = Set(edges + [0, rowCount]).sorted()
        return zip(sorted, sorted.dropFirst()).map { $0..<$1 }
    }

    /// The fully selected rows around position `row`. `nil` if that row is not fully selected, or if the selection is inverted.
    /// O(blocks²).
    func wholeRows(around row: Int) -> Range<Int>? {
        guard !isInverted else { return nil }
        let ranges = blocks.filter { $0.columns == nil }.map { $0.rows ?? 0..<Int.max }
        guard var all = ranges.first(where: { $0.contains(row) }) else { return nil }
        while let more = ranges.first(where: {
            $0.lowerBound <= all.upperBound && $0.upperBound >= all.lowerBound && $0.clamped(to: all) != $0
        }) {
            all = min(all.lowerBound, more.lowerBound)..<max(all.upperBound, more.upperBound)
        }
        return all
    }

    /// A selection of the same cells that is not inverted, so that blocks of selected cells can be added. O(blocks²).
    ///
    /// Rows added later are selected only if all existing rows have the same selected columns.
    func uninverted(rowCount: Int, columns: [ColumnID]) -> Selection {
        guard isInverted else { return self }
        let ranges = Self.uniformRowRanges(of: blocks, rowCount: rowCount)
        return Selection(
            blocks: ranges.compactMap { range in
                let selectedColumns = columns.filter { contains(row: range.lowerBound, column: $0) }
                if selectedColumns.isEmpty { return nil }
                return SelectionBlock(
                    rows: ranges.count > 1 ? range : nil, columns: selectedColumns.count == columns.count ? nil : Set(selectedColumns))
            })
    }

    /// Updates the blocks after rows were moved, inserted or removed. Inserted rows are not selected. O(blocks).
    /// - Parameter newPositions: returns, for a range of old positions, the new positions of its rows.
    mutating func updatePositions(_ newPositions: (Range<Int>) -> [Range<Int>]) {
        blocks = blocks.flatMap { block in
            block.rows.map { newPositions($0).map { SelectionBlock(rows: $0, columns: block.columns) } } ?? [block]
        }
    }

    /// Updates the blocks after the rows from `position` onward have moved by `shift` positions; negative is up.
    mutating func move(rowsFrom position: Int, by shift: Int) {
        blocks = blocks.map { block in
            guard let rows = block.rows, rows.upperBound > position else { return block }
            let low = rows.lowerBound >= position ? max(0, rows.lowerBound + shift) : rows.lowerBound
            return SelectionBlock(rows: low..<max(low, rows.upperBound + shift), columns: block.columns)
        }
    }
}
