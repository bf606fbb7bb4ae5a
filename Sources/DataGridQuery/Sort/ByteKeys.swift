/// Provides the key of each slot to sort: a byte string. The lexicographic order of the keys is the sort order.
protocol ByteKeys: Sendable {
    /// The key of a slot. The eight bytes after the end of the key are readable, too, because keys are read in words.
    func key(_ slot: Int) -> (start: UnsafePointer<UInt8>, count: Int)
}

extension ByteKeys {
    /// Seven bytes of the key from offset `depth`, followed by one byte with the number of bytes from `depth` to the end, at most 8.
    /// Comparing two such integers compares the bytes, and then the lengths, even if keys contain NUL bytes.
    @inline(__always)
    func prefix(_ slot: Int, depth: Int) -> UInt64 {
        let (start, count) = key(slot)
        let remaining = count - depth
        guard remaining > 0 else { return 0 }
        let word = UInt64(bigEndian: UnsafeRawPointer(start + depth).loadUnaligned(as: UInt64.self))
        if remaining > 7 { return word & ~0xFF | 8 }
        return word & ~(UInt64.max &>> UInt64(remaining * 8)) | UInt64(remaining)
    }

    func precedes(_ a: Int, _ b: Int) -> Bool {
        let (a, b) = (key(a), key(b))
        return Platform.compare(
            UnsafeRawBufferPointer(start: a.start, count: a.count), UnsafeRawBufferPointer(start: b.start, count: b.count)) < 0
    }

    func hasSameKey(_ a: Int, _ b: Int) -> Bool {
        let count = key(a).count
        return key(b).count == count && sharedLength(a, b, depth: 0) == count
    }

    /// The number of equal bytes of two keys, counted from offset `depth` up to the first difference.
    func sharedLength(_ a: Int, _ b: Int, depth: Int) -> Int {
        let (left, leftCount) = key(a)
        let (right, rightCount) = key(b)
        let limit = min(leftCount, rightCount)
        var index = depth
        // The last word may extend beyond the end of a key, so the result is limited to the length of the shorter key.
        while index < limit {
            let difference =
                UnsafeRawPointer(left + index).loadUnaligned(as: UInt64.self)
                ^ UnsafeRawPointer(right + index).loadUnaligned(as: UInt64.self)
            index += UInt64(littleEndian: difference).trailingZeroBitCount / 8
            if difference != 0 { break }
        }
        return min(index, max(limit, depth)) - depth
    }
}
