import FieldValues

/// Rows that come into a grid at one place.
public struct RowInsertion: Hashable, Sendable {
    /// The position of the first of them afterwards.
    public var position: Int
    /// How many they are.
    public var count: Int
    /// Which rows they are; `nil`: the source numbers its rows in order, so those behind have greater numbers now.
    public var ids: [RowID]?
    /// The section they come into, which matters only where one ends and the next begins; `nil`: the one whose rows are there.
    public var section: Int?

    /// `count` rows that a source which numbers its rows in order has put before number `position`.
    public init(at position: Int, count: Int, section: Int? = nil) {
        self.position = position
        self.count = max(0, count)
        self.section = section
    }

    /// These rows, none of which is in the grid.
    public init(_ ids: [RowID], at position: Int, section: Int? = nil) {
        self.position = position
        count = ids.count
        self.ids = ids
        self.section = section
    }
}

/// What stays with its rows when these are put in another order.
public struct RowKeeping: OptionSet, Hashable, Sendable {
    /// What is in the set, a bit each.
    public let rawValue: UInt8
    /// A set by its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What is selected stays selected: the same rows, wherever they are now.
    public static let selection = RowKeeping(rawValue: 1)
    /// The cursor stays on its row, and the row on its line of the screen.
    public static let cursor = RowKeeping(rawValue: 2)
    /// The row at the top of the pane stays there.
    public static let scroll = RowKeeping(rawValue: 4)
    /// What is collapsed among sections that are not there for now: when they come again, with the next rows that have any, it is collapsed
    /// again.
    public static let sections = RowKeeping(rawValue: 8)
    /// All but the sections.
    public static let all: RowKeeping = [.selection, .cursor, .scroll]
}

/// At one place rows are taken out, and others put in.
struct RowSplice {
    let position: Int
    let removed: Int
    let inserted: Int

    /// Where what stood at `position` stands afterwards; `nil` when it has been taken out.
    func position(after position: Int) -> Int? {
        if position < self.position { return position }
        return position < self.position + removed ? nil : position - removed + inserted
    }

    /// Where what stood in `range` stands afterwards, ascending, without what has been taken out and what has come in.
    func ranges(after range: Range<Int>) -> [Range<Int>] {
        range.parts(between: [position, position + removed], at: position(after:))
    }
}

/// What becomes of the numbers of rows when the source puts rows in, or takes some out.
enum RowRenaming {
    /// From the first number on, greater by so many.
    case raised(from: Int, by: Int)
    /// These, ascending, have gone; those behind have lesser numbers, if the source numbers its rows in order.
    case gone([Int], closingUp: Bool)
    /// Every row is called as before.
    case none

    /// What the row is called now; `nil` when it has gone. O(log rows that have gone).
    func callAsFunction(_ row: RowID) -> RowID? {
        switch self {
        case .none: return row
        case .raised(let first, let count): return row.rawValue >= first ? RowID(row.rawValue + count) : row
        case .gone(let numbers, let isClosingUp):
            let before = numbers.indices.partitioningIndex { numbers[$0] >= row.rawValue }
            if before < numbers.count, numbers[before] == row.rawValue { return nil }
            return isClosingUp ? RowID(row.rawValue - before) : row
        }
    }
}
