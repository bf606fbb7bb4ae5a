/// A set of integers below a limit, such as record numbers, with one bit for each. Several threads may insert at once if they write
/// different words. A word has 64 numbers.
struct BitSet: Sendable {
    private let words: UnsafeArray<UInt64>

    /// Creates an empty set for numbers from 0 to `count`, exclusive.
    init(count: Int) throws { words = try UnsafeArray(count: count / 64 + 1, repeating: 0) }

    func insert(_ record: Int) { words[record / 64] |= 1 << UInt64(record % 64) }

    @inline(__always)
    subscript(record: Int) -> Bool { words[record / 64] &>> UInt64(record % 64) & 1 != 0 }

    var elementCount: Int { (0..<words.count).reduce(0) { $0 + words[$1].nonzeroBitCount } }

    /// The smallest element that is at least `number`; `nil` if all elements are less. O((result − `number`) / 64).
    func firstElement(from number: Int) -> Int? {
        var index = number / 64
        guard index < words.count else { return nil }
        var word = words[index] & (UInt64.max << UInt64(number % 64))
        while word == 0 {
            index += 1
            guard index < words.count else { return nil }
            word = words[index]
        }
        return index * 64 + word.trailingZeroBitCount
    }

    /// The records in the set, ascending. O(capacity / 64).
    func records() throws -> [UInt32] {
        var records = try [UInt32](reserving: elementCount)
        for index in 0..<words.count {
            var rest = words[index]
            while rest != 0 {
                records.append(UInt32(index * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return records
    }

    /// For each of `elements`, the number of smaller elements in the set. All of `elements` must be in the set. O(records / 64 +
    /// `elements`).
    func ranks(of elements: [UInt32]) throws -> [UInt32] {
        var before = try [UInt32](reserving: words.count)
        var count: UInt32 = 0
        for index in 0..<words.count {
            before.append(count)
            count += UInt32(words[index].nonzeroBitCount)
        }
        return try [UInt32](filled: elements.count) { ranks in
            for (index, record) in elements.enumerated() {
                let lower = words[Int(record / 64)] & ((1 << UInt64(record % 64)) - 1)
                ranks[index] = before[Int(record / 64)] + UInt32(lower.nonzeroBitCount)
            }
        }
    }
}
