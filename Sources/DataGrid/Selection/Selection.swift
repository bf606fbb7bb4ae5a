import FieldValues

/// The kind of selection that users can make.
public enum SelectionMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// No selection.
    case none
    /// One cell at a time.
    case cell
    /// Any cells, including ranges, whole rows and whole columns.
    case cells
    /// One whole row at a time.
    case row
    /// Any whole rows.
    case rows

    /// True if whole rows are selected.
    public var isRowwise: Bool { self == .row || self == .rows }
    /// True if more than one cell or row can be selected.
    public var allowsMany: Bool { self == .cells || self == .rows }
}

/// A rectangle of cells: some or all rows, by some or all columns.
public struct SelectionBlock: Hashable, Sendable, Codable {
    /// The positions of the rows; `nil` for all rows.
    public var rows: Range<Int>?
    /// The columns; `nil` for all columns.
    public var columns: Set<ColumnID>?

    /// Creates a block of the cells in both `rows` and `columns`; `nil` for all.
    public init(rows: Range<Int>?, columns: Set<ColumnID>?) {
        self.rows = rows
        self.columns = columns
    }

    private enum CodingKeys: CodingKey { case rows, columns }

    /// Decodes a block.
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

/// A set of selected cells: the union of blocks, or its complement.
public struct Selection: Hashable, Sendable, Codable {
    /// The blocks, which may overlap. Extending the selection changes the last block.
    public var blocks: [SelectionBlock] { didSet { updateBlockOrder() } }
    /// True if the cells outside the blocks are selected.
    public var isInverted: Bool
    /// Selected rows that the current order does not contain, such as filtered rows. The key is the set of their selected columns; `nil`
    /// means all columns.
    ///
    /// Only actions that preserve the selection add rows here. The rows are selected again when an order contains them. They are not
    /// encoded.
    private(set) var absentRows: [Set<ColumnID>?: Set<RowID>] = [:]

    /// Creates a selection of the union of `blocks`, or its complement.
    public init(blocks: [SelectionBlock] = [], isInverted: Bool = false) {
        self.blocks = blocks
        self.isInverted = isInverted
        updateBlockOrder()
    }

    init(blocks: [SelectionBlock], isInverted: Bool, absentRows: [Set<ColumnID>?: Set<RowID>]) {
        self.init(blocks: blocks, isInverted: isInverted)
        self.absentRows = absentRows
    }

    /// Replaces the ids of absent rows; a row without a new id is removed. O(absent rows).
    mutating func renumberAbsentRows(_ newID: (RowID) -> RowID?) {
        guard !absentRows.isEmpty else { return }
        absentRows = absentRows.mapValues { Set($0.compactMap(newID)) }.filter { !$0.value.isEmpty }
    }

    /// True if there are many blocks with ascending and disjoint rows, which allows binary search.
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

    /// Decodes up to 65,536 blocks.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            blocks: try values.decodeElements(.blocks, upTo: DecodingLimits.blocks),
            isInverted: try values.decode(Bool.self, forKey: .isInverted))
    }

    /// The selection to encode in a saved view: without absent rows, and empty if there are more blocks than decoding allows.
    var limited: Selection { blocks.count > DecodingLimits.blocks ? .empty : Selection(blocks: blocks, isInverted: isInverted) }

    /// The empty selection.
    public static let empty = Selection()

    /// The selection of every cell.
    public static let all = Selection(blocks: [SelectionBlock(rows: nil, columns: nil)])

    /// True if nothing is selected.
    public var isEmpty: Bool { isInverted ? blocks.contains { $0.rows == nil && $0.columns == nil } : blocks.isEmpty }

    /// True if a cell is selected. O(blocks); O(log blocks) for many ascending blocks, such as scattered rows.
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
        return Self.bands(of: blocks, rowCount: rowCount)
            .filter { band in columns.contains { contains(row: band.lowerBound, column: $0) } }.joinedRuns
    }

    /// The rows, split wherever a block starts or ends. All rows of a range have the same selected columns. O(blocks log blocks).
    static func bands(of blocks: [SelectionBlock], rowCount: Int) -> [Range<Int>] {
        let edges = blocks.compactMap(\.rows).flatMap { [$0.lowerBound, $0.upperBound] }.map { $0.clamped(to: 0...rowCount) }
        let sorted = Set(edges + [0, rowCount]).sorted()
        return zip(sorted, sorted.dropFirst()).map { $0..<$1 }
    }

    /// The range of fully selected rows around `row`; `nil` if that row is not fully selected, or the selection is inverted. O(blocks²).
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

    /// The same selected cells, as a selection that is not inverted, so that blocks can be added. O(blocks²).
    ///
    /// Rows added later are selected only if all existing rows have the same selected columns.
    func uninverted(rowCount: Int, columns: [ColumnID]) -> Selection {
        guard isInverted else { return self }
        let bands = Self.bands(of: blocks, rowCount: rowCount)
        return Selection(
            blocks: bands.compactMap { band in
                let selectedColumns = columns.filter { contains(row: band.lowerBound, column: $0) }
                if selectedColumns.isEmpty { return nil }
                return SelectionBlock(
                    rows: bands.count > 1 ? band : nil, columns: selectedColumns.count == columns.count ? nil : Set(selectedColumns))
            })
    }

    /// Updates the blocks after rows moved; inserted rows are not selected. O(blocks).
    /// - Parameter places: a function from an old range of positions to its new ranges.
    mutating func follow(_ places: (Range<Int>) -> [Range<Int>]) {
        blocks = blocks.flatMap { block in
            block.rows.map { places($0).map { SelectionBlock(rows: $0, columns: block.columns) } } ?? [block]
        }
    }

    /// Updates the blocks after the rows from `position` onward moved by `shift`.
    mutating func move(rowsFrom position: Int, by shift: Int) {
        blocks = blocks.map { block in
            guard let rows = block.rows, rows.upperBound > position else { return block }
            let low = rows.lowerBound >= position ? max(0, rows.lowerBound + shift) : rows.lowerBound
            return SelectionBlock(rows: low..<max(low, rows.upperBound + shift), columns: block.columns)
        }
    }
}
