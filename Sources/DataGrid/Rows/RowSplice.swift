import FieldValues

/// Rows to insert into a grid at one position.
public struct RowInsertion: Hashable, Sendable {
    /// The position of the first inserted row after the insertion.
    public var position: Int
    /// The number of inserted rows.
    public var count: Int
    /// The ids of the inserted rows. `nil` if the source numbers its rows consecutively; the numbers of later rows then increase.
    public var ids: [RowID]?
    /// The section that receives the rows if the position is on the border of two sections. `nil` means the section of the existing row at
    /// this position, which moves down.
    public var section: Int?

    /// Creates an insertion of `count` rows for a source that numbers its rows consecutively.
    public init(at position: Int, count: Int, section: Int? = nil) {
        self.position = position
        self.count = max(0, count)
        self.section = section
    }

    /// Creates an insertion of rows with these ids, which must not be in the grid yet.
    public init(_ ids: [RowID], at position: Int, section: Int? = nil) {
        self.position = position
        count = ids.count
        self.ids = ids
        self.section = section
    }
}

/// The parts of a grid's state to keep when the order of its rows changes.
public struct PreservedState: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The selected rows stay selected.
    public static let selection = PreservedState(rawValue: 1)
    /// The cursor stays on its row, and the row stays on its line of the screen.
    public static let cursor = PreservedState(rawValue: 2)
    /// The row at the top of the pane stays at the top.
    public static let scroll = PreservedState(rawValue: 4)
    /// The grid remembers the collapsed sections while the rows have no sections, and collapses them again when the rows get sections.
    public static let sections = PreservedState(rawValue: 8)
    /// All properties except ``sections``.
    public static let all: PreservedState = [.selection, .cursor, .scroll]
}

/// A replacement of rows at one position: some rows are removed, and other rows are inserted.
struct RowSplice {
    let position: Int
    let removedCount: Int
    let insertedCount: Int

    /// The new position of the row that was at `position` before the replacement; `nil` if the row was removed.
    func newPosition(ofRowAt position: Int) -> Int? {
        if position < self.position { return position }
        return position < self.position + removedCount ? nil : position - removedCount + insertedCount
    }

    /// The new positions of the rows that were in `range` before the replacement, as ascending ranges. Removed rows have no new position.
    func newRanges(ofRowsIn range: Range<Int>) -> [Range<Int>] {
        range.split(at: [position, position + removedCount], movingTo: newPosition(ofRowAt:))
    }
}

/// The change of row ids when rows are inserted or removed.
enum RowIDChange {
    /// Row numbers from `from` onward increase by `by`.
    case shifted(from: Int, by: Int)
    /// Rows with these ascending numbers are removed. With `renumbering`, the numbers of later rows decrease, because the source numbers
    /// its rows consecutively.
    case removed(RowNumbers, renumbering: Bool)
    /// All rows keep their ids.
    case none

    /// The id of a row after the change; `nil` if the row was removed. O(log removed rows); O(1) if the removed rows are consecutive.
    func callAsFunction(_ row: RowID) -> RowID? {
        switch self {
        case .none: return row
        case .shifted(let first, let count): return row.rawValue >= first ? RowID(row.rawValue + count) : row
        case .removed(let numbers, let isClosingUp):
            let before = numbers.lowerBound(of: row.rawValue)
            if before < numbers.count, numbers[before] == row.rawValue { return nil }
            return isClosingUp ? RowID(row.rawValue - before) : row
        }
    }
}
