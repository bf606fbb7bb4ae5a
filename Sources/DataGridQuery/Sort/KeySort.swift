/// Sorts slots stably by keys of 64 bits.
struct KeySort {
    let threads: Int
    let control: JobControl
    /// The most slots whose positions fit beside the key; less in tests of the other way.
    var packedLimit = 1 << 24

    /// The slots of `slots` (`nil`: 0..<`count`), ordered by `key`, equal ones as before.
    ///
    /// Up to 2^24 slots, the leading 40 bits in which keys differ are packed with the position into one word (8 bytes to move instead of
    /// 16), and what is equal in those is put in order afterwards.
    /// - Complexity: O(`count`), unless many keys share their leading 40 bits and differ after them. 16 bytes a slot, beyond 2^24 slots 32.
    func sort(_ slots: Storage<UInt32>?, count: Int, keys: Storage<UInt64>, isDescending: Bool) throws -> Storage<UInt32> {
        let spread = try spread(slots, count, keys)
        let sorted = Storage<UInt32>(count: count)
        guard spread.varying != 0 else {
            for position in 0..<count { sorted[position] = slots?[position] ?? UInt32(position) }
            return sorted
        }
        let origin = isDescending ? spread.greatest : spread.least
        // Low bits in which no two keys differ carry nothing.
        let unused = UInt64(spread.varying.trailingZeroBitCount)
        let range = (spread.greatest - spread.least) >> unused
        func relative(_ key: UInt64) -> UInt64 { (isDescending ? origin &- key : key &- origin) &>> unused }
        if count <= packedLimit {
            try sortPacked(slots, count, keys, range, relative, sorted)
        } else {
            try sortWide(slots, count, keys, range, relative, sorted)
        }
        return sorted
    }

    private struct Spread {
        var least = UInt64.max
        var greatest: UInt64 = 0
        /// The bits in which some key differs from another.
        var varying: UInt64 = 0
    }

    private func spread(_ slots: Storage<UInt32>?, _ count: Int, _ keys: Storage<UInt64>) throws -> Spread {
        guard count > 0 else { return Spread() }
        let first = keys[slots.map { Int($0[0]) } ?? 0]
        let parts = Storage<Spread>(count: max(1, threads), repeating: Spread())
        try forEachRange(of: count, threads: threads, control: control) { thread, range in
            var spread = parts[thread]
            for position in range {
                let key = keys[slots.map { Int($0[position]) } ?? position]
                spread.least = min(spread.least, key)
                spread.greatest = max(spread.greatest, key)
                spread.varying |= key ^ first
            }
            parts[thread] = spread
        }
        var all = Spread()
        for thread in 0..<parts.count {
            all.least = min(all.least, parts[thread].least)
            all.greatest = max(all.greatest, parts[thread].greatest)
            all.varying |= parts[thread].varying
        }
        return all
    }

    private func sortPacked(
        _ slots: Storage<UInt32>?, _ count: Int, _ keys: Storage<UInt64>, _ range: UInt64, _ relative: (UInt64) -> UInt64,
        _ sorted: Storage<UInt32>
    ) throws {
        let bits = 64 - range.leadingZeroBitCount
        let cut = UInt64(max(0, bits - 40))
        let items = Storage<UInt64>(count: count)
        let scratch = Storage<UInt64>(count: count)
        try forEachRange(of: count, threads: threads, control: control) { _, range in
            for position in range {
                let key = relative(keys[slots.map { Int($0[position]) } ?? position])
                items[position] = (key &>> cut) &<< 24 | UInt64(position)
            }
        }
        let varying = (UInt64(1) << UInt64(min(bits, 40)) - 1) << 24
        let isInScratch = try RadixSort<UInt64>(threads: threads, control: control)
            .sort(items.base, scratch: scratch.base, count: count, varying: varying)
        let packed = isInScratch ? scratch : items
        let slot = { (item: UInt64) in slots.map { $0[Int(item & 0xFF_FFFF)] } ?? UInt32(item & 0xFF_FFFF) }
        if cut > 0 {
            try forEachRange(of: count, threads: threads, control: control) { _, range in
                orderTies(packed, count, range) { relative(keys[Int(slot($0))]) }
            }
        }
        try forEachRange(of: count, threads: threads, control: control) { _, range in
            for position in range { sorted[position] = slot(packed[position]) }
        }
    }

    /// Orders every run of items with the same leading bits that begins in `range`, by the whole key.
    private func orderTies(_ packed: Storage<UInt64>, _ count: Int, _ range: Range<Int>, _ wholeKey: (UInt64) -> UInt64) {
        // A run that began before the range belongs to the range before.
        var start = range.lowerBound
        if start > 0 { while start < range.upperBound, packed[start] >> 24 == packed[start - 1] >> 24 { start += 1 } }
        while start < range.upperBound {
            var end = start + 1
            while end < count, packed[end] >> 24 == packed[start] >> 24 { end += 1 }
            defer { start = end }
            guard end - start > 1 else { continue }
            let first = wholeKey(packed[start])
            var same = start + 1
            while same < end, wholeKey(packed[same]) == first { same += 1 }
            guard same < end else { continue }
            // Positions ascend within the run and end the item, so ordering by key and item is stable.
            var run = (start..<end).map { (key: wholeKey(packed[$0]), item: packed[$0]) }
            run.sort { $0.key == $1.key ? $0.item < $1.item : $0.key < $1.key }
            for (offset, element) in run.enumerated() { packed[start + offset] = element.item }
        }
    }

    private func sortWide(
        _ slots: Storage<UInt32>?, _ count: Int, _ keys: Storage<UInt64>, _ range: UInt64, _ relative: (UInt64) -> UInt64,
        _ sorted: Storage<UInt32>
    ) throws {
        let items = Storage<KeyedIndex>(count: count)
        let scratch = Storage<KeyedIndex>(count: count)
        try forEachRange(of: count, threads: threads, control: control) { _, range in
            for position in range {
                let slot = slots?[position] ?? UInt32(position)
                items[position] = KeyedIndex(radixKey: relative(keys[Int(slot)]), index: slot)
            }
        }
        let varying = range.leadingZeroBitCount == 0 ? UInt64.max : UInt64(1) << UInt64(64 - range.leadingZeroBitCount) - 1
        let isInScratch = try RadixSort<KeyedIndex>(threads: threads, control: control)
            .sort(items.base, scratch: scratch.base, count: count, varying: varying)
        let result = isInScratch ? scratch : items
        try forEachRange(of: count, threads: threads, control: control) { _, range in
            for position in range { sorted[position] = result[position].index }
        }
    }
}
