/// Finds the distinct values of a column chunk, and numbers them in the order of their first occurrence.
///
/// Memory: 4 bytes for each value, and at most 28 bytes for each of at most 65,536 distinct values.
final class DictionaryBuilder {
    /// The maximum number of distinct values, and the minimum mean number of occurrences of each. Beyond these limits, codes save little.
    private static let (maximumCount, minimumShare) = (65_536, 4)
    /// The maximum average number of steps to find a value in the hash table. More steps mean that too many hash values collide.
    private static let maximumSteps = 16

    /// The hash table. An element is a code plus 1, or 0 if it is unused.
    private let table = RawBuffer()
    private let codeBuffer = RawBuffer()
    private let firstBuffer = RawBuffer()
    /// For each code, its value or, for strings, the hash value.
    private let keyBuffer = RawBuffer()

    /// The number of distinct values.
    private(set) var count = 0
    /// The code of each value of the chunk, in the order of the values.
    var codes: UnsafeMutablePointer<UInt32> { codeBuffer.values(UInt32.self) }
    /// The index of the first value with each code.
    var firstIndices: UnsafeMutablePointer<UInt32> { firstBuffer.values(UInt32.self) }

    var byteCount: Int { table.capacity + codeBuffer.capacity + firstBuffer.capacity + keyBuffer.capacity }

    /// The number of bits of a code, at least 1.
    var width: Int { max(1, UInt32.bitWidth - UInt32(max(0, count - 1)).leadingZeroBitCount) }

    /// Assigns codes to 64-bit values.
    /// - Returns: `false` if there are too many distinct values.
    func build(_ values: UnsafePointer<UInt64>, _ valueCount: Int) -> Bool {
        build(valueCount, previous: { $0 > 0 && values[$0] == values[$0 &- 1] }, key: { values[$0] }, hash: ByteComparison.mix) { _, _ in
            true
        }
    }

    /// Assigns codes to byte sequences.
    /// - Parameter maximumBytes: the maximum total size of the distinct values, plus four bytes for each.
    /// - Returns: `false` if there are too many distinct values.
    func build(_ values: ChunkValues, maximumBytes: Int) -> Bool {
        var bytes = 0
        return build(
            values.count,
            previous: { _ in false }, key: { ByteComparison.hash(values.bytes($0)) }, hash: { $0 },
            isEqual: { ByteComparison.isEqual(values.bytes($0), values.bytes($1)) },
            mayAdd: {
                bytes += values.bytes($0).count + 4
                return bytes <= maximumBytes
            })
    }

    @inline(__always)
    private func build(
        _ valueCount: Int, previous isPrevious: (Int) -> Bool, key: (Int) -> UInt64, hash: (UInt64) -> UInt64,
        isEqual: (Int, Int) -> Bool, mayAdd: (Int) -> Bool = { _ in true }
    ) -> Bool {
        count = 0
        let limit = min(Self.maximumCount, valueCount / Self.minimumShare)
        guard limit > 0 else { return false }
        let bits = Int.bitWidth - (limit * 2 - 1).leadingZeroBitCount
        let (slots, shift) = (1 << bits, UInt64(64 - bits))
        table.reserve(slots * 4)
        table.start.update(repeating: 0, count: slots * 4)
        codeBuffer.reserve(valueCount * 4)
        firstBuffer.reserve(limit * 4)
        keyBuffer.reserve(limit * 8)
        let (table, codes, firstIndices) = (table.values(UInt32.self), codes, firstIndices)
        let keys = keyBuffer.values(UInt64.self)
        var (distinct, stepsLeft) = (0, valueCount * Self.maximumSteps)
        for index in 0..<valueCount {
            if isPrevious(index) {
                codes[index] = codes[index &- 1]
                continue
            }
            let key = key(index)
            var slot = Int(hash(key) &>> shift)
            while true {
                let entry = Int(table[slot])
                if entry == 0 {
                    guard distinct < limit, mayAdd(index) else { return false }
                    keys[distinct] = key
                    firstIndices[distinct] = UInt32(truncatingIfNeeded: index)
                    codes[index] = UInt32(truncatingIfNeeded: distinct)
                    distinct &+= 1
                    table[slot] = UInt32(truncatingIfNeeded: distinct)
                    break
                }
                if keys[entry &- 1] == key, isEqual(index, Int(firstIndices[entry &- 1])) {
                    codes[index] = UInt32(truncatingIfNeeded: entry &- 1)
                    break
                }
                slot = (slot &+ 1) & (slots &- 1)
                stepsLeft &-= 1
                guard stepsLeft > 0 else { return false }
            }
        }
        count = distinct
        return true
    }
}
