/// A stable sort of slots by byte keys. It sorts by seven bytes first; slots that are equal in these bytes are sorted by the next bytes,
/// and so on.
///
/// A radix sort that starts with the most significant bytes and takes several bytes as one character (P. M. McIlroy, K. Bostic, M. D.
/// McIlroy, "Engineering Radix Sort", 1993; R. Sinha, J. Zobel, 2004). Each level uses ``RadixSort``. The common prefix of a run of slots
/// is skipped, so long prefixes and repeated values are compared once. Memory: 32 bytes per slot in addition to the keys.
struct TextSort<Keys: ByteKeys> {
    let column: Keys
    let isDescending: Bool
    let threads: Int
    let control: JobControl

    /// A range of items to sort. The first `depth` bytes of their keys are equal.
    private struct Run {
        var range: Range<Int>
        var depth: Int
    }

    /// The number of slots above which all threads sort a run together. A smaller run is sorted by one thread.
    private static var largeRunSize: Int { 1 << 18 }

    /// A mark that replaces the key of an item at its final position: `repeated` if the item's whole key equals the key of the previous
    /// item.
    private enum Mark: UInt64 { case first, repeated }

    /// The given slots in the order of their keys. Slots with equal keys keep their order.
    /// - Parameter repeated: receives the positions where the key equals the key of the previous slot.
    func sort(_ slots: UnsafeArray<UInt32>, repeated: BitSet? = nil) throws -> UnsafeArray<UInt32> {
        let items = try UnsafeArray<KeyedIndex>(count: slots.count)
        let scratch = try UnsafeArray<KeyedIndex>(count: slots.count)
        try forEachRange(of: slots.count, threads: threads, control: control) { _, range in
            for position in range { items[position] = KeyedIndex(radixKey: Mark.first.rawValue, index: slots[position]) }
        }

        // Sorting by the first bytes counts as half of the work, and moving slots to their final positions as the other half.
        control.begin(total: slots.count * 2)
        var large = [Run(range: 0..<slots.count, depth: 0)]
        var small: [Run] = []
        while let run = large.popLast() {
            if run.range.count < TextSort.largeRunSize {
                try small.makeRoom()
                small.append(run)
                if run.depth == 0 { control.advance(by: run.range.count) }
            } else {
                var decided = run.range.count
                try control.withPart(of: run.depth == 0 ? decided : 0) {
                    try split(run, items, scratch, threads: threads, $0, reportsProgress: true) {
                        decided -= $0.range.count
                        try large.makeRoom()
                        large.append($0)
                    }
                }
                control.advance(by: decided)
            }
        }
        try forEachRange(of: small.count, size: small.count < 4096 ? 1 : 256, threads: threads, control: control) { _, range in
            var pending = Array(small[range])
            while let run = pending.popLast() {
                try split(run, items, scratch, threads: 1, control) {
                    try pending.makeRoom()
                    pending.append($0)
                }
            }
            control.advance(by: small[range].reduce(0) { $0 + $1.range.count })
        }
        let sorted = try UnsafeArray<UInt32>(count: slots.count)
        try forEachRange(of: slots.count, threads: threads, control: control) { _, range in
            for position in range {
                sorted[position] = items[position].index
                if let repeated, items[position].radixKey == Mark.repeated.rawValue { repeated.insert(position) }
            }
        }
        return sorted
    }

    /// Sorts a run of slots by the next bytes of their keys, and passes each run of slots with equal bytes to `handleUndecided`.
    private func split(
        _ run: Run, _ items: UnsafeArray<KeyedIndex>, _ scratch: UnsafeArray<KeyedIndex>, threads: Int, _ control: JobControl,
        reportsProgress: Bool = false, _ handleUndecided: (Run) throws -> Void
    ) throws {
        let range = run.range
        guard range.count > 1 else { return }
        if range.count <= 16 { return insertionSort(range, items, depth: run.depth) }
        try control.checkCancellation()
        guard let depth = try depthOfDifference(run, items) else { return mark(range, items) }
        let (flip, first) = (isDescending ? UInt64.max : 0, column.prefix(Int(items[range.lowerBound].index), depth: depth))
        let differences = try UnsafeArray<UInt64>(count: max(1, threads), repeating: 0)
        try forEachRange(of: range.count, threads: threads, control: control) { thread, part in
            var varyingBits: UInt64 = 0
            for index in part.lowerBound + range.lowerBound..<part.upperBound + range.lowerBound {
                let prefix = column.prefix(Int(items[index].index), depth: depth)
                items[index].radixKey = prefix ^ flip
                varyingBits |= prefix ^ first
            }
            differences[thread] |= varyingBits
        }
        let varyingBits = (0..<differences.count).reduce(0) { $0 | differences[$1] }
        let (from, to) = (items.base + range.lowerBound, scratch.base + range.lowerBound)
        let sort = RadixSort<KeyedIndex>(threads: threads, control: control)
        if try sort.sort(from, scratch: to, count: range.count, varyingBits: varyingBits, reportsProgress: reportsProgress) {
            from.update(from: to, count: range.count)
        }
        var start = range.lowerBound
        while start < range.upperBound {
            let prefix = items[start].radixKey
            var end = start + 1
            if start & 0xFF == 0 { try control.checkCancellation() }
            while end < range.upperBound, items[end].radixKey == prefix { end += 1 }
            if end - start == 1 || (prefix ^ flip) & 0xFF != 8 {
                mark(start..<end, items)
            } else {
                try handleUndecided(Run(range: start..<end, depth: depth + 7))
            }
            start = end
        }
    }

    /// Marks the items of a run as final. All keys of the run are equal.
    @inline(__always)
    private func mark(_ run: Range<Int>, _ items: UnsafeArray<KeyedIndex>) {
        items[run.lowerBound].radixKey = Mark.first.rawValue
        for index in run.dropFirst() { items[index].radixKey = Mark.repeated.rawValue }
    }

    /// An offset in the keys up to which all keys of the run are equal; `nil` if the keys are equal in all bytes.
    private func depthOfDifference(_ run: Run, _ items: UnsafeArray<KeyedIndex>) throws -> Int? {
        let first = Int(items[run.range.lowerBound].index)
        let length = column.key(first).count
        var shared = length - run.depth
        var areSame = true
        for index in run.range.dropFirst() {
            try control.checkCancellation(at: index)
            let other = Int(items[index].index)
            let equalCount = column.sharedLength(first, other, depth: run.depth)
            if equalCount < shared || column.key(other).count != length {
                areSame = false
                shared = min(shared, equalCount)
                // Fewer than seven equal bytes are not skipped, because the next pass compares seven bytes anyway.
                if shared < 7 { return run.depth }
            }
        }
        return areSame ? nil : run.depth + shared
    }

    private func insertionSort(_ range: Range<Int>, _ items: UnsafeArray<KeyedIndex>, depth: Int) {
        for index in range.dropFirst() {
            let item = items[index]
            var position = index
            while position > range.lowerBound, precedes(item, items[position - 1], depth: depth) {
                items[position] = items[position - 1]
                position -= 1
            }
            items[position] = item
        }
        for index in range {
            let isRepeated = index > range.lowerBound && column.hasSameKey(Int(items[index].index), Int(items[index - 1].index))
            items[index].radixKey = (isRepeated ? Mark.repeated : Mark.first).rawValue
        }
    }

    private func precedes(_ a: KeyedIndex, _ b: KeyedIndex, depth: Int) -> Bool {
        let (a, b) = isDescending ? (Int(b.index), Int(a.index)) : (Int(a.index), Int(b.index))
        let offset = depth + column.sharedLength(a, b, depth: depth)
        let (left, leftCount) = column.key(a)
        let (right, rightCount) = column.key(b)
        if offset == rightCount { return false }
        if offset == leftCount { return true }
        return left[offset] < right[offset]
    }
}
