/// Writes small numbers in the RLE/bit-packing hybrid encoding. A run of equal values is stored as the value and the length of the run.
/// Other values are stored with few bits each.
enum RunEncoder {
    /// The minimum number of consecutive equal values that are stored once. For fewer values, packed bits are shorter.
    private static let minimumRunLength = 24

    /// - Parameter width: the number of bits of a value, 1 to 32.
    static func put<Value: FixedWidthInteger & UnsignedInteger>(
        _ values: UnsafePointer<Value>, _ count: Int, width: Int, into output: GrowingBytes
    ) {
        // The size is sufficient for the packed bits and for all headers.
        output.reserve((count / 8 + 2) * (width + 10))
        var (index, packedStart) = (0, 0)
        while index < count {
            let value = values[index]
            var end = index + 1
            while end < count, values[end] == value { end += 1 }
            if end - index >= minimumRunLength {
                pack(values, packedStart, index, width, output)
                putHeader(UInt32(end - index) << 1, output)
                var rest = UInt32(truncatingIfNeeded: value)
                for _ in 0..<(width + 7) / 8 {
                    output.put(UInt8(truncatingIfNeeded: rest))
                    rest >>= 8
                }
                (index, packedStart) = (end, end)
            } else {
                // Values are packed in groups of eight.
                index += max(8, (end - index) & ~7)
            }
        }
        pack(values, packedStart, count, width, output)
    }

    private static func putHeader(_ number: UInt32, _ output: GrowingBytes) {
        var rest = number
        while rest >= 0x80 {
            output.put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.put(UInt8(truncatingIfNeeded: rest))
    }

    /// Packs bits, least significant bit first. Only the last group of all values may have fewer than eight values.
    private static func pack<Value: FixedWidthInteger & UnsignedInteger>(
        _ values: UnsafePointer<Value>, _ start: Int, _ end: Int, _ width: Int, _ output: GrowingBytes
    ) {
        guard end > start else { return }
        let groups = (end - start + 7) / 8
        putHeader(UInt32(groups) << 1 | 1, output)
        // Complete words are stored, so there must be room after the last value.
        let first = output.reservedPointer(bytes: groups * width + 8)
        var target = UnsafeMutableRawPointer(first)
        var (bits, bitCount): (UInt64, UInt64) = (0, 0)
        for index in start..<end {
            bits |= UInt64(truncatingIfNeeded: values[index]) &<< bitCount
            bitCount &+= UInt64(width)
            if bitCount >= 32 {
                target.storeBytes(of: UInt32(truncatingIfNeeded: bits).littleEndian, as: UInt32.self)
                target += 4
                bits &>>= 32
                bitCount &-= 32
            }
        }
        let written = target - UnsafeMutableRawPointer(first)
        var rest = groups * width - written
        while rest > 0 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
            target += 1
            bits >>= 8
            rest -= 1
        }
        output.advance(groups * width)
    }
}
