/// Keys of bytes by slot, whose plain order is the order wanted.
protocol ByteKeys: Sendable {
    /// The key of a slot; eight more bytes behind it can be read.
    func key(_ slot: Int) -> (start: UnsafePointer<UInt8>, count: Int)
}

extension ByteKeys {
    /// Seven bytes of the key from `depth`, and how many there are from there; 8 for more than seven. A plain number, so that one
    /// comparison orders by the bytes and then the shorter first, NUL bytes included.
    @inline(__always)
    func prefix(_ slot: Int, depth: Int) -> UInt64 {
        let (start, count) = key(slot)
        let left = count - depth
        guard left > 0 else { return 0 }
        let word = UInt64(bigEndian: UnsafeRawPointer(start + depth).loadUnaligned(as: UInt64.self))
        if left > 7 { return word & ~0xFF | 8 }
        return word & ~(UInt64.max &>> UInt64(left * 8)) | UInt64(left)
    }

    /// How many bytes from `depth` on two keys share.
    func sharedLength(_ a: Int, _ b: Int, depth: Int) -> Int {
        let (left, leftCount) = key(a)
        let (right, rightCount) = key(b)
        let limit = min(leftCount, rightCount)
        var index = depth
        while index < limit, left[index] == right[index] { index += 1 }
        return index - depth
    }
}
