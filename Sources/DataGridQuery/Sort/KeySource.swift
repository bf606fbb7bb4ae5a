/// Provides the integer keys of a sort, one for each slot.
protocol KeySource: Sendable {
    var count: Int { get }
    /// A lower bound of the keys; greater than ``maximum`` if there are no keys.
    var minimum: UInt64 { get }
    /// An upper bound of the keys.
    var maximum: UInt64 { get }
    func key(_ slot: Int) -> UInt64
    /// Writes the keys at `slots` to `keys`. The slots must be within one block of ``rangeSize`` slots.
    func decode(_ slots: Range<Int>, into keys: UnsafeMutablePointer<UInt64>)
}

extension ValueVector: KeySource {}

/// The ranks of fields as the keys of a sort.
struct RankKeys: KeySource {
    private let numbers: UnsafeArray<UInt32>?
    private let ranks: UnsafeArray<UInt32>
    let count: Int
    let minimum: UInt64 = 0
    let maximum: UInt64

    /// - Parameter ranks: the rank of each field of the column, indexed by field number.
    init(_ column: NumberedColumn, ranks: [UInt32]) throws {
        (numbers, count, maximum) = (column.numbers, column.slotCount, UInt64(ranks.max() ?? 0))
        self.ranks = try UnsafeArray(ranks)
    }

    @inline(__always)
    func key(_ slot: Int) -> UInt64 { UInt64(ranks[numbers.map { Int($0[slot]) } ?? slot]) }

    func decode(_ slots: Range<Int>, into keys: UnsafeMutablePointer<UInt64>) {
        let ranks = ranks.base
        guard let numbers = numbers?.base else {
            for slot in slots { keys[slot - slots.lowerBound] = UInt64(ranks[slot]) }
            return
        }
        for slot in slots { keys[slot - slots.lowerBound] = UInt64(ranks[Int(numbers[slot])]) }
    }
}
