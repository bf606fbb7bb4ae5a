/// For a column whose values are close together, the number of occurrences of each possible value. Many statistics can be computed from
/// these counts without reading the values again.
struct ValueCounts {
    /// The key of the first counter. The next counter is for the next greater key, and so on.
    let minimum: UInt64
    private(set) var counts: [Int]

    /// Counts all values of a column. O(records).
    ///
    /// `nil` if the values are doubles, or if they need too many counters. The limit is two counters per record, at most 2^20. For fewer
    /// than 512 records, the limit is 16 counters per record, at most 1,024.
    init?(_ values: ValueVector, threads: Int, control: JobControl) throws {
        guard values.representation != .double, values.minimum <= values.maximum else { return nil }
        let span = values.maximum - values.minimum
        let fewest = min(1 << 10, UInt64(values.count) * 16)
        guard span < max(fewest, min(UInt64(values.count) * 2, 1 << 20)) else { return nil }
        let (minimum, width) = (values.minimum, Int(span) + 1)
        self.minimum = minimum
        let threads = min(max(1, threads), values.blockCount)
        let threadCounts = try UnsafeArray<Int>(count: threads * width, repeating: 0)
        try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
            let threadCounts = threadCounts.base + thread * width
            try values.forEachValue(in: range) { _, key in threadCounts[Int(truncatingIfNeeded: key &- minimum)] &+= 1 }
        }
        counts = try [Int](filled: width) { $0.initialize(from: threadCounts.base, count: width) }
        for thread in 1..<max(1, threads) {
            for index in 0..<width { counts[index] &+= threadCounts[thread * width + index] }
        }
    }

    mutating func remove(_ key: UInt64) { counts[Int(key - minimum)] -= 1 }

    /// Calls `body` with each key that occurs, ascending, and its count. A key is passed as its difference from the minimum.
    @inline(__always)
    func forEach(_ body: (_ distance: Int, _ count: Int) throws -> Void) rethrows {
        for (distance, count) in counts.enumerated() where count > 0 { try body(distance, count) }
    }
}
