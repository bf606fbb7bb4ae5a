/// Where a sort gets its keys from: a number of 64 bits for each slot.
protocol KeySource: Sendable {
    /// How many slots there are.
    var count: Int { get }
    /// No key is less; greater than ``greatest`` when there is no key.
    var least: UInt64 { get }
    /// No key is greater.
    var greatest: UInt64 { get }
    func key(_ slot: Int) -> UInt64
    /// Writes the keys at `slots` to `keys`; the slots lie in one range of ``rangeSize``.
    func decode(_ slots: Range<Int>, into keys: UnsafeMutablePointer<UInt64>)
}

extension ValueVector: KeySource {}

/// A rank for each slot as keys.
struct SlotRanks: KeySource {
    let ranks: [UInt32]
    var count: Int { ranks.count }
    var least: UInt64 { 0 }
    var greatest: UInt64 { UInt64(ranks.max() ?? 0) }

    @inline(__always)
    func key(_ slot: Int) -> UInt64 { UInt64(ranks[slot]) }

    func decode(_ slots: Range<Int>, into keys: UnsafeMutablePointer<UInt64>) {
        for slot in slots { keys[slot - slots.lowerBound] = UInt64(ranks[slot]) }
    }
}

/// The ranks of a column's different fields as keys.
struct RankKeys<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable>: KeySource {
    /// The number of the field at each slot.
    let numbers: Storage<Number>
    /// The rank of each field.
    private let ranks: Storage<UInt32>
    let count: Int
    let least: UInt64 = 0
    let greatest: UInt64

    init(_ numbers: Storage<Number>, count: Int, ranks: [UInt32]) throws {
        self.numbers = numbers
        self.count = count
        self.ranks = try Storage(count: ranks.count)
        for (number, rank) in ranks.enumerated() { self.ranks[number] = rank }
        greatest = UInt64(ranks.max() ?? 0)
    }

    @inline(__always)
    func key(_ slot: Int) -> UInt64 { UInt64(ranks[Int(numbers[slot])]) }

    func decode(_ slots: Range<Int>, into keys: UnsafeMutablePointer<UInt64>) {
        for slot in slots { keys[slot - slots.lowerBound] = UInt64(ranks[Int(numbers[slot])]) }
    }
}
