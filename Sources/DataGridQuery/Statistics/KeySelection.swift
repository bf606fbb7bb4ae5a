/// Finds the keys at given ranks of the sorted order without sorting all keys.
///
/// Keys are counted by their leading bits. Only keys with the same leading bits as a key at a requested rank are examined further. This is
/// a radix selection for several ranks at once, after C. A. R. Hoare, "Algorithm 65: Find", 1961.
enum KeySelection {
    /// The keys at `ranks`. Ranks are from 0, distinct, ascending, and less than `keys.count`.
    /// - Complexity: O(`keys.count` × bits / 11) at worst, usually O(`keys.count`).
    static func select(_ ranks: [Int], of keys: [UInt64], control: JobControl) throws -> [UInt64] {
        try control.checkCancellation()
        guard let minimum = keys.min(), let maximum = keys.max(), minimum < maximum else { return ranks.map { _ in keys[0] } }
        // Check memory for copies of the keys that are examined further.
        try Memory.check(byteCount: keys.count * MemoryLayout<UInt64>.stride)
        if keys.count <= 1 << 12 {
            let sorted = keys.sorted()
            return ranks.map { sorted[$0] }
        }
        let digits = Digits(minimum: minimum, maximum: maximum, bits: 11)
        var counts = [Int](repeating: 0, count: digits.count)
        try control.checkCancellation()
        for key in keys { counts[digits.digit(of: key)] += 1 }
        let plan = Plan(ranks, counts)
        try control.checkCancellation()
        if digits.shift == 0 { return plan.digits.map { minimum + UInt64($0) } }
        var selected: [UInt64] = []
        for digit in Set(plan.digits).sorted() {
            let digitRanks = zip(plan.digits, ranks).filter { $0.0 == digit }.map { $0.1 - plan.smallerKeyCounts[digit]! }
            selected += try select(digitRanks, of: keys.filter { digits.digit(of: $0) == digit }, control: control)
        }
        return selected
    }

    /// Extracts the leading bits of keys, called a digit, after subtracting the minimum.
    struct Digits {
        let minimum: UInt64
        let shift: UInt64
        let count: Int

        init(minimum: UInt64, maximum: UInt64, bits: Int) {
            self.minimum = minimum
            shift = UInt64(max(0, 64 - (maximum - minimum).leadingZeroBitCount - bits))
            count = Int((maximum - minimum) >> shift) + 1
        }

        @inline(__always)
        func digit(of key: UInt64) -> Int { Int(truncatingIfNeeded: (key &- minimum) &>> shift) }
    }

    /// For each requested rank, the digit (see ``Digits``) of the key at that rank, and the rank of that key among all keys that are
    /// examined further.
    struct Plan {
        private(set) var digits: [Int] = []
        private(set) var ranks: [Int] = []
        private(set) var shouldContinue: [Bool]
        /// For each requested digit, the number of keys with smaller digits.
        private(set) var smallerKeyCounts: [Int: Int] = [:]

        init(_ ranks: [Int], _ counts: [Int]) {
            shouldContinue = [Bool](repeating: false, count: counts.count)
            // `before` counts the keys with smaller digits. `skipped` counts the keys among them that are not examined further.
            var (before, skipped, digit) = (0, 0, 0)
            for rank in ranks {
                while rank >= before + counts[digit] {
                    before += counts[digit]
                    if !shouldContinue[digit] { skipped += counts[digit] }
                    digit += 1
                }
                shouldContinue[digit] = true
                self.smallerKeyCounts[digit] = before
                digits.append(digit)
                self.ranks.append(rank - skipped)
            }
        }
    }
}
