/// Comparison of byte sequences. The bytes after a sequence must be readable, as in ``RawBuffer``.
enum ByteComparison {
    @inline(__always)
    private static func word(_ bytes: UnsafePointer<UInt8>, _ offset: Int) -> UInt64 {
        UInt64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// True if the first sequence is before the second one in the order of unsigned bytes.
    static func isLess(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let left = first.baseAddress, let right = second.baseAddress else { return first.count < second.count }
        let common = min(first.count, second.count)
        var offset = 0
        while offset < common {
            var (a, b) = (word(left, offset), word(right, offset))
            if common &- offset < 8 {
                let unused = UInt64(64 &- (common &- offset) &* 8)
                (a, b) = (a &>> unused, b &>> unused)
            }
            if a != b { return a < b }
            offset &+= 8
        }
        return first.count < second.count
    }

    static func isEqual(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>) -> Bool {
        guard first.count == second.count else { return false }
        guard let left = first.baseAddress, let right = second.baseAddress else { return true }
        var offset = 0
        while offset < first.count {
            var difference = word(left, offset) ^ word(right, offset)
            if first.count &- offset < 8 { difference &>>= UInt64(64 &- (first.count &- offset) &* 8) }
            if difference != 0 { return false }
            offset &+= 8
        }
        return true
    }

    /// True if the first big-endian signed 16-byte number is less than the second one.
    static func isLessNumber(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>) -> Bool {
        let (left, right) = (Int64(bitPattern: word(first, 0)), Int64(bitPattern: word(second, 0)))
        return left == right ? word(first, 8) < word(second, 8) : left < right
    }

    /// A hash value whose low and high bits both depend on all bytes.
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var result = UInt64(truncatingIfNeeded: bytes.count)
        guard let start = bytes.baseAddress else { return mix(result) }
        var offset = 0
        while offset < bytes.count {
            var value = word(start, offset)
            if bytes.count &- offset < 8 { value &>>= UInt64(64 &- (bytes.count &- offset) &* 8) }
            result = mix(result ^ value)
            offset &+= 8
        }
        return result
    }

    /// Mixes the bits of a number: multiplies it, and combines the high and low halves of the product.
    @inline(__always)
    static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return (product.high ^ product.low) &* 0xD6E8_FEB8_6659_FD93
    }
}
