import FieldValues

/// What can be selected by hand.
public enum SelectionMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing is selected by hand.
    case none
    /// One cell at a time.
    case cell
    /// Any cells: ranges, whole rows and columns.
    case cells
    /// One whole row at a time.
    case row
    /// Any whole rows.
    case rows

    /// Whether whole rows are selected.
    public var isRowwise: Bool { self == .row || self == .rows }
    /// Whether several things can be selected at once.
    public var allowsMany: Bool { self == .cells || self == .rows }
}

/// A rectangle of grid cells: some rows or all, by some columns or all.
public struct SelectionBlock: Hashable, Sendable, Codable {
    /// Positions; `nil`: all rows.
    public var rows: Range<Int>?
    /// `nil`: all columns.
    public var columns: Set<ColumnID>?

    /// The cells that are both in `rows` and in `columns`; `nil` stands for all.
    public init(rows: Range<Int>?, columns: Set<ColumnID>?) {
        self.rows = rows
        self.columns = columns
    }

    private enum CodingKeys: CodingKey { case rows, columns }

    /// Reads a block.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        rows = try values.decodeIfPresent(DecodedRows.self, forKey: .rows)?.range
        columns = try values.contains(.columns) && !values.decodeNil(forKey: .columns) ? Set(values.decodeElements(.columns)) : nil
    }

    /// Whether the cell at position `row` is in the block. O(1).
    public func contains(row: Int, column: ColumnID) -> Bool {
        (rows?.contains(row) ?? true) && (columns?.contains(column) ?? true)
    }
}

/// What is selected: the union of blocks, or all but that.
public struct Selection: Hashable, Sendable, Codable {
    /// They may overlap; the last one is the one being extended.
    public var blocks: [SelectionBlock] { didSet { order() } }
    /// Whether it is everything outside of the blocks that is selected.
    public var isInverted: Bool

    /// The union of `blocks`, or all but that.
    public init(blocks: [SelectionBlock] = [], isInverted: Bool = false) {
        self.blocks = blocks
        self.isInverted = isInverted
        order()
    }

    /// Whether the blocks are many, and ascend without overlapping, so that one is found without looking at all.
    private var isOrdered = false

    private mutating func order() {
        isOrdered =
            blocks.count > 8
            && zip(blocks, blocks.dropFirst()).allSatisfy { block, next in
                guard let rows = block.rows, let behind = next.rows else { return false }
                return rows.upperBound <= behind.lowerBound
            }
    }

    private enum CodingKeys: CodingKey { case blocks, isInverted }

    /// Reads up to 65,536 blocks.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            blocks: try values.decodeElements(.blocks, upTo: DecodingLimits.blocks),
            isInverted: try values.decode(Bool.self, forKey: .isInverted))
    }

    /// With what can be decoded again: nothing where there are too many blocks.
    var limited: Selection { blocks.count > DecodingLimits.blocks ? .empty : self }

    /// No cell.
    public static let empty = Selection()

    /// Every cell.
    public static let all = Selection(blocks: [SelectionBlock(rows: nil, columns: nil)])

    /// Whether nothing is selected.
    public var isEmpty: Bool { isInverted ? blocks.contains { $0.rows == nil && $0.columns == nil } : blocks.isEmpty }

    /// Whether a cell is selected. O(blocks); O(log blocks) for many that ascend, as those of scattered rows do.
    public func contains(row: Int, column: ColumnID) -> Bool {
        if isOrdered {
            let place = blocks.indices.partitioningIndex { blocks[$0].rows!.upperBound > row }
            return (place < blocks.count && blocks[place].contains(row: row, column: column)) != isInverted
        }
        return blocks.contains { $0.contains(row: row, column: column) } != isInverted
    }

    /// The positions of rows with at least one selected cell among `columns`, as disjoint ascending ranges.
    /// O(blocks log blocks) and, for each block, O(columns), each as ``contains(row:column:)``.
    public func rows(rowCount: Int, columns: [ColumnID]) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        return Self.bands(of: blocks, rowCount: rowCount)
            .filter { band in columns.contains { contains(row: band.lowerBound, column: $0) } }.joinedRuns
    }

    /// Ranges of rows in which all are alike: those between neighbouring edges of blocks. O(blocks log blocks).
    static func bands(of blocks: [SelectionBlock], rowCount: Int) -> [Range<Int>] {
        let edges = blocks.compactMap(\.rows).flatMap { [$0.lowerBound, $0.upperBound] }.map { $0.clamped(to: 0...rowCount) }
        let sorted = Set(edges + [0, rowCount]).sorted()
        return zip(sorted, sorted.dropFirst()).map { $0..<$1 }
    }

    /// The positions around `row` whose rows are selected whole, as far as they follow each other; `nil` when that row is not, or the
    /// selection is inverted. O(blocks²).
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

    /// The same cells as blocks that are selected, none left out, so that more can be added. O(blocks²).
    ///
    /// Rows that come later are selected only when every row there is is alike.
    func uninverted(rowCount: Int, columns: [ColumnID]) -> Selection {
        guard isInverted else { return self }
        let bands = Self.bands(of: blocks, rowCount: rowCount)
        return Selection(
            blocks: bands.compactMap { band in
                let rest = columns.filter { contains(row: band.lowerBound, column: $0) }
                if rest.isEmpty { return nil }
                return SelectionBlock(rows: bands.count > 1 ? band : nil, columns: rest.count == columns.count ? nil : Set(rest))
            })
    }

    /// Follows rows to where they stand now; rows that have come are not selected. O(blocks).
    /// - Parameter places: where what stood in a range stands now.
    mutating func follow(_ places: (Range<Int>) -> [Range<Int>]) {
        blocks = blocks.flatMap { block in
            block.rows.map { places($0).map { SelectionBlock(rows: $0, columns: block.columns) } } ?? [block]
        }
    }

    /// Follows rows to where they went when those from `position` on have moved by `shift`.
    mutating func move(rowsFrom position: Int, by shift: Int) {
        blocks = blocks.map { block in
            guard let rows = block.rows, rows.upperBound > position else { return block }
            let low = rows.lowerBound >= position ? max(0, rows.lowerBound + shift) : rows.lowerBound
            return SelectionBlock(rows: low..<max(low, rows.upperBound + shift), columns: block.columns)
        }
    }
}
