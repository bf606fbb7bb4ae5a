/// A set of records, a bit for each of a table. Threads may insert at the same time, each into words of its own: 64 records are one.
struct RecordBits: Sendable {
    private let words: Storage<UInt64>

    /// None of `count` records.
    init(count: Int) { words = Storage(count: count / 64 + 1, repeating: 0) }

    func insert(_ record: Int) { words[record / 64] |= 1 << UInt64(record % 64) }

    @inline(__always)
    subscript(record: UInt32) -> Bool { words[Int(record / 64)] &>> UInt64(record % 64) & 1 != 0 }

    /// All of them, ascending. O(records / 64).
    var records: [UInt32] {
        var records: [UInt32] = []
        records.reserveCapacity((0..<words.count).reduce(0) { $0 + words[$1].nonzeroBitCount })
        for index in 0..<words.count {
            var rest = words[index]
            while rest != 0 {
                records.append(UInt32(index * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return records
    }

    /// For each of `wanted`, which are all of the set, its place among the records. O(records / 64 + wanted).
    func places(of wanted: [UInt32]) -> [UInt32] {
        var before: [UInt32] = []
        before.reserveCapacity(words.count)
        var count: UInt32 = 0
        for index in 0..<words.count {
            before.append(count)
            count += UInt32(words[index].nonzeroBitCount)
        }
        return wanted.map { record in
            let lower = words[Int(record / 64)] & ((1 << UInt64(record % 64)) - 1)
            return before[Int(record / 64)] + UInt32(lower.nonzeroBitCount)
        }
    }
}
