public import FieldValues

/// The place of a field in a sort: its group, then its value.
public struct SortRank {
    /// A value, comparable with values of the same case.
    public enum Value {
        case none, whole(Int64), number(WrittenNumber), bytes([UInt8]), natural(String, NaturalOrder.Alphabet)
    }

    private let group: Int
    private let value: Value
    private let isDescending: Bool

    /// Creates the rank of a field. Only the order of the values can be descending, not that of the groups.
    public init(group: Int, _ value: Value = .none, isDescending: Bool = false) {
        (self.group, self.value, self.isDescending) = (group, value, isDescending)
    }

    /// The indices of ranks in ascending order. Equal ranks stay in their order.
    public static func stableOrder(of ranks: [SortRank]) -> [Int] {
        // The standard library's sort is stable, but does not guarantee it.
        ranks.indices.sorted { a, b in
            let order = Self.order(ranks[a], ranks[b])
            return order == 0 ? a < b : order < 0
        }
    }

    private static func order(_ a: SortRank, _ b: SortRank) -> Int {
        if a.group != b.group { return a.group - b.group }
        let order: Int
        switch (a.value, b.value) {
        case (.whole(let x), .whole(let y)): order = x < y ? -1 : x > y ? 1 : 0
        case (.number(let x), .number(let y)): order = x < y ? -1 : x > y ? 1 : 0
        case (.bytes(let x), .bytes(let y)): order = x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
        case (.natural(let x, let alphabet), .natural(let y, _)): order = NaturalOrder.compare(x, y, alphabet)
        default: order = 0
        }
        return a.isDescending ? -order : order
    }
}
