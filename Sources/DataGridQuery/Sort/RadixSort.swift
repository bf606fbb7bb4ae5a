/// An element of a radix sort.
protocol RadixItem: BitwiseCopyable {
    var radixKey: UInt64 { get }
}

extension UInt64: RadixItem {
    var radixKey: UInt64 { self }
}

/// A key to sort by, with the index of the element that it belongs to.
struct KeyedIndex: RadixItem {
    var radixKey: UInt64
    var index: UInt32
}

/// Replaces counts by positions in the sorted order. There is one count for each digit in each block of items.
///
/// The count of a digit in a block becomes the position of the first item with this digit in this block. That position is after all items
/// with smaller digits, and after items with the same digit in earlier blocks.
func convertCountsToPositions(_ counts: UnsafeMutablePointer<Int>, blocks: Int, digits: Int) {
    var position = 0
    for digit in 0..<digits {
        for block in 0..<blocks {
            let count = counts[block * digits + digit]
            counts[block * digits + digit] = position
            position += count
        }
    }
}

/// A stable sort of items by their keys on several threads: a radix sort that starts with the least significant digit.
///
/// Each thread counts the digits in its block of items. It then moves the items to positions that follow from the counts of all blocks. (H.
/// H. Seward, 1954; D. E. Knuth, "The Art of Computer Programming 3", 1998, 5.2.5.) Digits that are equal in all keys are skipped.
struct RadixSort<Item: RadixItem> {
    let threads: Int
    let control: JobControl

    /// Sorts `items` by the bits of their keys that are set in `varyingBits`.
    /// - Parameters:
    ///   - scratch: memory of the same size as `items`.
    ///   - reportsProgress: true if this sort is all the work of `control`.
    /// - Returns: true if the result is in `scratch`, false if it is in `items`.
    func sort(
        _ items: UnsafeMutablePointer<Item>, scratch: UnsafeMutablePointer<Item>, count: Int, varyingBits: UInt64,
        reportsProgress: Bool = false
    ) throws -> Bool {
        guard varyingBits != 0, count > 1 else { return false }
        // Wider digits need fewer passes. They also need more counters, which would take too long to clear for a small input.
        let widest = count < 4096 ? 8 : 11
        let first = varyingBits.trailingZeroBitCount
        let bits = 64 - varyingBits.leadingZeroBitCount - first
        let width = (bits + (bits + widest - 1) / widest - 1) / ((bits + widest - 1) / widest)
        let mask = UInt64(1) << UInt64(width) - 1
        let blocks = count < 1 << 16 ? 1 : max(1, threads)
        let counts = try UnsafeArray<Int>(count: blocks << width)
        var (from, to) = (items, scratch)
        let shifts = stride(from: first, to: first + bits, by: width).filter { varyingBits >> UInt64($0) & mask != 0 }
        if reportsProgress { control.begin(total: shifts.count * 2 * (count >> 16)) }
        for shift in shifts {
            try sortByDigit(from, to, count, UInt64(shift), width, blocks, counts, reportsProgress)
            swap(&from, &to)
        }
        return from != items
    }

    /// The items in key order.
    func sorted(_ items: UnsafeArray<Item>) throws -> UnsafeArray<Item> {
        var varyingBits: UInt64 = 0
        for position in 0..<items.count {
            try control.checkCancellation(at: position)
            varyingBits |= items[position].radixKey ^ items[0].radixKey
        }
        guard varyingBits != 0 else { return items }
        let scratch = try UnsafeArray<Item>(count: items.count)
        return try sort(items.base, scratch: scratch.base, count: items.count, varyingBits: varyingBits) ? scratch : items
    }

    /// Copies the items of one block to `to`, in the order of one digit of their keys. Items with the same digit keep their order.
    private func sortByDigit(
        _ from: UnsafeMutablePointer<Item>, _ to: UnsafeMutablePointer<Item>, _ count: Int, _ shift: UInt64, _ width: Int, _ blocks: Int,
        _ counts: UnsafeArray<Int>, _ reportsProgress: Bool
    ) throws {
        let digits = 1 << width
        let mask = UInt64(digits - 1)
        let blockSize = (count + blocks - 1) / blocks
        counts.base.update(repeating: 0, count: counts.count)
        try forEachRange(of: count, size: blockSize, threads: threads, control: control) { _, range in
            let blockCounts = counts.base + range.lowerBound / blockSize * digits
            for index in range {
                if index & 0xFFFF == 0 {
                    if control.isCancelled { return }
                    if reportsProgress { control.advance(by: 1) }
                }
                blockCounts[Int(truncatingIfNeeded: from[index].radixKey &>> shift & mask)] += 1
            }
        }
        convertCountsToPositions(counts.base, blocks: blocks, digits: digits)
        try forEachRange(of: count, size: blockSize, threads: threads, control: control) { _, range in
            let blockCounts = counts.base + range.lowerBound / blockSize * digits
            for index in range {
                if index & 0xFFFF == 0 {
                    if control.isCancelled { return }
                    if reportsProgress { control.advance(by: 1) }
                }
                let item = from[index]
                let digit = Int(truncatingIfNeeded: item.radixKey &>> shift & mask)
                to[blockCounts[digit]] = item
                blockCounts[digit] += 1
            }
        }
    }
}
