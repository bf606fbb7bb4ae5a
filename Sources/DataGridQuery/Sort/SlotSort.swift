/// A stable sort of slots by 64-bit keys.
///
/// This is a radix sort that starts with the most significant digit (P. M. McIlroy, K. Bostic, M. D. McIlroy, "Engineering Radix Sort",
/// 1993). The leading bits of the keys distribute the slots to buckets that fit in the processor's cache, and each bucket is then sorted.
/// The minimum is subtracted from all keys, so a column of few distinct values has few bits. With 11 bits or fewer, the sort takes one
/// pass.
struct SlotSort {
    let threads: Int
    let control: JobControl
    static let packedLimit = 1 << 24
    /// The maximum number of slots for a fast sort, which stores a slot and 40 bits of its key in one word. Tests set less.
    var packedLimit = SlotSort.packedLimit
    /// The bucket size, in slots, above which all threads sort a bucket together. Tests set less.
    var largeBucketSize = 1 << 18

    /// The given slots in the order of their keys. Slots with equal keys keep their order.
    /// - Parameter slots: the slots to sort; `nil` for 0..<`count`.
    /// - Complexity: O(`count`) for few or uniformly distributed keys, O(`count` × bits / 11) at worst. Memory: 12 bytes per slot; 36 bytes
    ///   if there are more than 2^24 slots.
    func sort<Keys: KeySource>(_ slots: UnsafeArray<UInt32>?, count: Int, keys: Keys, isDescending: Bool) throws -> UnsafeArray<UInt32> {
        let sorted = try UnsafeArray<UInt32>(count: count)
        let work = Work(keys: keys, isDescending: isDescending, minimum: keys.minimum, maximum: max(keys.minimum, keys.maximum))
        if keys.count > packedLimit, work.bits > 11 {
            try sortWide(slots, count, work, sorted)
        } else {
            let items = work.bits > 11 ? try UnsafeArray<UInt64>(count: count) : nil
            try sort(slots?.base, count, work, items?.base, sorted.base)
        }
        return sorted
    }

    /// The keys to sort by, with bounds that contain all of them.
    private struct Work<Keys: KeySource> {
        let keys: Keys
        let isDescending: Bool
        let minimum: UInt64
        let maximum: UInt64

        /// The number of bits that represent the difference of any two keys.
        var bits: Int { 64 - (maximum - minimum).leadingZeroBitCount }

        /// The distance of a key from the key that sorts first. An ascending sort by this distance gives the requested order, even if it is
        /// descending.
        @inline(__always)
        func relative(_ key: UInt64) -> UInt64 { isDescending ? maximum &- key : key &- minimum }

        /// Writes the relative keys of the slots at the positions `range` to `buffer`. At most ``rangeSize`` positions.
        func relativeKeys(_ slots: UnsafePointer<UInt32>?, _ range: Range<Int>, into buffer: UnsafeMutablePointer<UInt64>) {
            guard let slots else {
                keys.decode(range, into: buffer)
                for index in 0..<range.count { buffer[index] = relative(buffer[index]) }
                return
            }
            for index in 0..<range.count { buffer[index] = relative(keys.key(Int(slots[range.lowerBound + index]))) }
        }
    }

    /// Sorts slots that are so few that a slot and a part of its key fit in one word.
    /// - Parameters:
    ///   - items: memory for all slots; `nil` if ``Work/bits`` is at most 11, where one pass suffices.
    ///   - sorted: receives the slots. It may be the same buffer as `slots` only if `items` is not `nil`.
    private func sort<Keys>(
        _ slots: UnsafePointer<UInt32>?, _ count: Int, _ work: Work<Keys>, _ items: UnsafeMutablePointer<UInt64>?,
        _ sorted: UnsafeMutablePointer<UInt32>
    ) throws {
        let digitBits = items == nil ? work.bits : min(work.bits, count < 4096 ? 8 : 11)
        let shift = UInt64(work.bits - digitBits)
        let buckets = 1 << digitBits
        // The slots of each block of positions are counted and moved in order, which keeps the sort stable.
        let ranges = (count + rangeSize - 1) / rangeSize
        let blocks = max(1, min(threads * 4, ranges))
        let blockSize = (ranges + blocks - 1) / blocks * rangeSize
        let counts = try UnsafeArray<Int>(count: blocks * buckets, repeating: 0)
        control.begin(total: count * (shift > 0 ? 3 : 2))
        try forEachChunk(slots, count, blockSize, work) { block, _, keys in
            let blockCounts = counts.base + block * buckets
            for key in keys { blockCounts[Int(truncatingIfNeeded: key &>> shift)] += 1 }
        }
        convertCountsToPositions(counts.base, blocks: blocks, digits: buckets)
        guard shift > 0, let items else {
            return try forEachChunk(slots, count, blockSize, work) { block, start, keys in
                let blockCounts = counts.base + block * buckets
                for index in 0..<keys.count {
                    let bucket = Int(truncatingIfNeeded: keys[index])
                    sorted[blockCounts[bucket]] = slots?[start + index] ?? UInt32(truncatingIfNeeded: start + index)
                    blockCounts[bucket] += 1
                }
            }
        }
        // Copy the start of each bucket, because moving slots changes the positions in `counts`.
        let starts = try UnsafeArray<Int>(count: buckets + 1)
        starts.base.update(from: counts.base, count: buckets)
        starts[buckets] = count
        // A word holds the slot in 24 bits, and the 40 bits of the key that follow the bits of the bucket. The lowest bits of longer keys
        // are cut off.
        let droppedBits = shift > 40 ? shift - 40 : 0
        let rest = UInt64(1) << shift - 1
        try forEachChunk(slots, count, blockSize, work) { block, start, keys in
            let blockCounts = counts.base + block * buckets
            for index in 0..<keys.count {
                let slot = slots?[start + index] ?? UInt32(truncatingIfNeeded: start + index)
                let bucket = Int(truncatingIfNeeded: keys[index] &>> shift)
                items[blockCounts[bucket]] = ((keys[index] & rest) &>> droppedBits) &<< 24 | UInt64(slot)
                blockCounts[bucket] += 1
            }
        }
        var large: [Int] = []
        for bucket in 0..<buckets where starts[bucket + 1] - starts[bucket] > max(largeBucketSize, count / 8) { large.append(bucket) }
        try forEachRange(of: buckets, size: 16, threads: threads, control: control) { _, range in
            for bucket in range where !large.contains(bucket) {
                let (start, end) = (starts[bucket], starts[bucket + 1])
                try sortBucket(items + start, end - start, work, droppedBits: droppedBits, sorted + start)
            }
            control.advance(by: range.reduce(0) { large.contains($1) ? $0 : $0 + starts[$1 + 1] - starts[$1] })
        }
        for bucket in large {
            let (start, end) = (starts[bucket], starts[bucket + 1])
            for position in start..<end { sorted[position] = UInt32(truncatingIfNeeded: items[position] & 0xFF_FFFF) }
            try control.withPart(of: end - start) {
                try SlotSort(threads: threads, control: $0, packedLimit: packedLimit, largeBucketSize: largeBucketSize)
                    .sortLarge(sorted + start, end - start, work, items + start)
            }
        }
    }

    /// Calls `body` with the relative keys of each chunk of positions, and the start of the chunk. Several threads process the blocks; the
    /// chunks of one block are passed in order.
    private func forEachChunk<Keys>(
        _ slots: UnsafePointer<UInt32>?, _ count: Int, _ blockSize: Int, _ work: Work<Keys>,
        _ body: (_ block: Int, _ start: Int, _ keys: UnsafeBufferPointer<UInt64>) -> Void
    ) throws {
        try forEachRange(of: count, size: blockSize, threads: threads, control: control) { _, range in
            let buffer = try UnsafeArray<UInt64>(count: rangeSize)
            for start in stride(from: range.lowerBound, to: range.upperBound, by: rangeSize) {
                try control.checkCancellation()
                let chunk = start..<min(range.upperBound, start + rangeSize)
                work.relativeKeys(slots, chunk, into: buffer.base)
                body(range.lowerBound / blockSize, start, UnsafeBufferPointer(start: buffer.base, count: chunk.count))
                control.advance(by: chunk.count)
            }
        }
    }

    /// Sorts a bucket that is too large for one thread. Starts with the first bits in which the keys of the bucket differ.
    private func sortLarge<Keys>(
        _ slots: UnsafeMutablePointer<UInt32>, _ count: Int, _ work: Work<Keys>, _ items: UnsafeMutablePointer<UInt64>
    ) throws {
        var (minimum, maximum) = (UInt64.max, UInt64(0))
        for position in 0..<count {
            try control.checkCancellation(at: position)
            let key = work.keys.key(Int(slots[position]))
            minimum = min(minimum, key)
            maximum = max(maximum, key)
        }
        guard minimum < maximum else { return }
        let inner = Work(keys: work.keys, isDescending: work.isDescending, minimum: minimum, maximum: maximum)
        if inner.bits > 11 { return try sort(slots, count, inner, items, slots) }
        // A single pass writes the result while it still reads the slots, so it reads a copy of the slots.
        let copy = try UnsafeArray<UInt32>(count: count)
        copy.base.update(from: slots, count: count)
        try sort(copy.base, count, inner, nil, slots)
    }

    /// Sorts the slots of a bucket by the key bits in their words. Slots with equal words are then sorted by the rest of their keys.
    /// - Parameter droppedBits: the number of low bits of the keys for which the words have no room.
    private func sortBucket<Keys>(
        _ items: UnsafeMutablePointer<UInt64>, _ count: Int, _ work: Work<Keys>, droppedBits: UInt64, _ sorted: UnsafeMutablePointer<UInt32>
    ) throws {
        guard count > 0 else { return }
        var from = items
        let scratch = count > 32 ? try UnsafeArray<UInt64>(count: count) : nil
        if let scratch {
            try control.checkCancellation()
            var varyingBits: UInt64 = 0
            for index in 0..<count { varyingBits |= items[index] ^ items[0] }
            let isInScratch = try RadixSort<UInt64>(threads: 1, control: control)
                .sort(items, scratch: scratch.base, count: count, varyingBits: varyingBits & ~0xFF_FFFF)
            if isInScratch { from = scratch.base }
        } else {
            insertionSort(items, count)
        }
        for index in 0..<count { sorted[index] = UInt32(truncatingIfNeeded: from[index] & 0xFF_FFFF) }
        guard droppedBits > 0 else { return }
        var start = 0
        while start < count {
            var end = start + 1
            while end < count, from[end] >> 24 == from[start] >> 24 { end += 1 }
            if end - start > 1 { try orderTies(sorted + start, end - start, work) }
            start = end
        }
    }

    private func insertionSort(_ items: UnsafeMutablePointer<UInt64>, _ count: Int) {
        for index in 1..<max(1, count) {
            let item = items[index]
            var position = index
            while position > 0, items[position - 1] >> 24 > item >> 24 {
                items[position] = items[position - 1]
                position -= 1
            }
            items[position] = item
        }
    }

    /// Sorts slots by their whole keys. The words of these slots have equal key bits.
    private func orderTies<Keys>(_ slots: UnsafeMutablePointer<UInt32>, _ count: Int, _ work: Work<Keys>) throws {
        let items = try UnsafeArray<KeyedIndex>(count: count)
        for index in 0..<count {
            items[index] = KeyedIndex(radixKey: work.relative(work.keys.key(Int(slots[index]))), index: slots[index])
        }
        let sorted = try RadixSort<KeyedIndex>(threads: 1, control: control).sorted(items)
        for index in 0..<count { slots[index] = sorted[index].index }
    }

    private func sortWide<Keys>(_ slots: UnsafeArray<UInt32>?, _ count: Int, _ work: Work<Keys>, _ sorted: UnsafeArray<UInt32>) throws {
        let items = try UnsafeArray<KeyedIndex>(count: count)
        let scratch = try UnsafeArray<KeyedIndex>(count: count)
        control.begin(total: count * 4)
        try forEachRange(of: count, threads: threads, control: control) { _, range in
            let buffer = try UnsafeArray<UInt64>(count: rangeSize)
            work.relativeKeys(slots?.base, range, into: buffer.base)
            for position in range {
                items[position] = KeyedIndex(
                    radixKey: buffer[position - range.lowerBound], index: slots?[position] ?? UInt32(truncatingIfNeeded: position))
            }
            control.advance(by: range.count)
        }
        let varyingBits = work.bits == 64 ? UInt64.max : UInt64(1) << UInt64(work.bits) - 1
        let isInScratch = try control.withPart(of: count * 2) {
            try RadixSort<KeyedIndex>(threads: threads, control: $0)
                .sort(items.base, scratch: scratch.base, count: count, varyingBits: varyingBits, reportsProgress: true)
        }
        let result = isInScratch ? scratch : items
        try forEachRange(of: count, threads: threads, control: control) { _, range in
            for position in range { sorted[position] = result[position].index }
            control.advance(by: range.count)
        }
    }
}
