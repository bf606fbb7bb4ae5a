/// Finds the keys that would stand at some places if all were in order, without ordering them.
///
/// Keys are counted by their leading bits; only those that begin like one that is sought are looked at again (a radix selection after
/// C. A. R. Hoare, "Algorithm 65: Find", 1961, at several places at once).
enum KeySelection {
    /// The keys at `ranks`, which are places from 0 and below `keys.count`, ascending, each once.
    /// - Complexity: O(`keys.count` × bits / 11) at worst, nearly always O(`keys.count`).
    static func select(_ ranks: [Int], of keys: [UInt64], control: JobControl) throws -> [UInt64] {
        try control.checkCancellation()
        guard let least = keys.min(), let greatest = keys.max(), least < greatest else { return ranks.map { _ in keys[0] } }
        // Those that begin like a sought one are copied.
        try Memory.check(byteCount: keys.count * MemoryLayout<UInt64>.stride)
        if keys.count <= 1 << 12 {
            let sorted = keys.sorted()
            return ranks.map { sorted[$0] }
        }
        let digits = Digits(least: least, greatest: greatest, bits: 11)
        var counts = [Int](repeating: 0, count: digits.count)
        try control.checkCancellation()
        for key in keys { counts[digits.of(key)] += 1 }
        let plan = Plan(ranks, counts)
        try control.checkCancellation()
        if digits.shift == 0 { return plan.digits.map { least + UInt64($0) } }
        var selected: [UInt64] = []
        for digit in Set(plan.digits).sorted() {
            let own = zip(plan.digits, ranks).filter { $0.0 == digit }.map { $0.1 - plan.before[digit]! }
            selected += try select(own, of: keys.filter { digits.of($0) == digit }, control: control)
        }
        return selected
    }

    /// The leading bits of keys, counted from the least one.
    struct Digits {
        let least: UInt64
        let shift: UInt64
        let count: Int

        init(least: UInt64, greatest: UInt64, bits: Int) {
            self.least = least
            shift = UInt64(max(0, 64 - (greatest - least).leadingZeroBitCount - bits))
            count = Int((greatest - least) >> shift) + 1
        }

        @inline(__always)
        func of(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &- least) &>> shift) }
    }

    /// Where sought keys are: their digits, and their places among the keys that have one of these digits.
    struct Plan {
        private(set) var digits: [Int] = []
        private(set) var ranks: [Int] = []
        private(set) var isWanted: [Bool]
        /// How many keys have lesser digits, by digit.
        private(set) var before: [Int: Int] = [:]

        init(_ ranks: [Int], _ counts: [Int]) {
            isWanted = [Bool](repeating: false, count: counts.count)
            // Keys before the digit, and those of them that are not wanted.
            var (before, skipped, digit) = (0, 0, 0)
            for rank in ranks {
                while rank >= before + counts[digit] {
                    before += counts[digit]
                    if !isWanted[digit] { skipped += counts[digit] }
                    digit += 1
                }
                isWanted[digit] = true
                self.before[digit] = before
                digits.append(digit)
                self.ranks.append(rank - skipped)
            }
        }
    }
}
