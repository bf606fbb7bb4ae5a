/// A list of records in an order of its own. Immutable; equal only to itself, so that comparing states costs nothing.
public final class RowPermutation: Sendable, Equatable {
    /// The record at each position.
    public let records: [UInt32]

    /// Takes the records as they are; none may occur twice.
    public init(_ records: [UInt32]) { self.records = records }

    /// Whether it is the same object, O(1).
    public static func == (a: RowPermutation, b: RowPermutation) -> Bool { a === b }
}

/// Which row stands at which position: the map between identity and place.
public enum RowOrder: Equatable, Sendable {
    /// The order of the source: the row at position p is row p.
    case natural(count: Int)
    /// The first rows of the source, and its last ones, while what lies between is not known yet. The last are counted from the end.
    case spliced(head: Int, tail: Int)
    /// An order found by sorting, grouping or filtering.
    case permuted(RowPermutation)

    /// The number of positions.
    public var count: Int {
        switch self {
        case .natural(let count): count
        case .spliced(let head, let tail): head + tail
        case .permuted(let permutation): permutation.records.count
        }
    }

    /// The row at a position in `0 ..< count`. O(1).
    public subscript(position: Int) -> RowID {
        switch self {
        case .natural: RowID(position)
        case .spliced(let head, let tail): RowID(position < head ? position : position - head - tail)
        case .permuted(let permutation): RowID(Int(permutation.records[position]))
        }
    }

    /// The position of a row; `nil` when it is not in this order. O(1), but O(count) for permuted orders: not for every frame.
    public func position(of row: RowID) -> Int? {
        switch self {
        case .natural(let count):
            let position = row.isCountedFromEnd ? count + row.rawValue : row.rawValue
            return (0..<count).contains(position) ? position : nil
        case .spliced(let head, let tail):
            if row.isCountedFromEnd { return row.rawValue >= -tail ? head + tail + row.rawValue : nil }
            return row.rawValue < head ? row.rawValue : nil
        case .permuted(let permutation):
            guard let record = UInt32(exactly: row.rawValue) else { return nil }
            return permutation.records.firstIndex(of: record)
        }
    }
}
