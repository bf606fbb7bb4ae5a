/// The CRC-32 of gzip and zip, computed eight bytes at a time.
///
/// The method is “slicing by eight” (Kounavis and Berry, “A Systematic Approach to Building High Performance Software-Based CRC
/// Generators”, 2005).
struct Checksum: Sendable {
    private var state: UInt32 = 0xFFFF_FFFF

    /// The checksum of the bytes added so far.
    var value: UInt32 { ~state }

    /// `tables[k * 256 + b]` is the remainder of byte `b` followed by `k` zero bytes.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var remainder = UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1 }
            tables[byte] = remainder
        }
        for index in 256..<8 * 256 {
            let previous = tables[index - 256]
            tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
        }
        return tables
    }()

    mutating func add(_ bytes: UnsafePointer<UInt8>, count: Int) {
        var state = state
        Self.tables.withUnsafeBufferPointer { tables in
            let table = tables.baseAddress!
            var place = 0
            let source = UnsafeRawPointer(bytes)
            while place &+ 8 <= count {
                let low = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: place, as: UInt32.self)) ^ state
                let high = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: place &+ 4, as: UInt32.self))
                let first = table[7 * 256 &+ Int(low & 0xFF)] ^ table[6 * 256 &+ Int(low >> 8 & 0xFF)]
                let second = table[5 * 256 &+ Int(low >> 16 & 0xFF)] ^ table[4 * 256 &+ Int(low >> 24)]
                let third = table[3 * 256 &+ Int(high & 0xFF)] ^ table[2 * 256 &+ Int(high >> 8 & 0xFF)]
                let fourth = table[256 &+ Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
                state = first ^ second ^ third ^ fourth
                place &+= 8
            }
            while place < count {
                state = state >> 8 ^ table[Int((state ^ UInt32(bytes[place])) & 0xFF)]
                place &+= 1
            }
        }
        self.state = state
    }
}
