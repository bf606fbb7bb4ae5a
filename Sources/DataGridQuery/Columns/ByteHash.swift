/// Hashes of fields.
enum ByteHash {
    /// A random seed for each process. It makes it impossible to prepare input whose fields collide.
    static let seed = UInt64.random(in: 0...UInt64.max)

    /// The hash of a field. Each step reads eight bytes and combines the two halves of a product (W. Yi, "wyhash", 2019).
    @inline(__always)
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt64 {
        let count = bytes.count
        guard let start = bytes.baseAddress, count > 0 else { return 0 }
        let raw = UnsafeRawPointer(start)
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var rest: UInt64
        if count >= 8 {
            var index = 0
            while index + 8 < count {
                hash = mixed(hash ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index += 8
            }
            // Read the last eight bytes of the field. Some of them may have been hashed before.
            rest = raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        } else {
            rest = word(bytes)
        }
        return mixed(hash ^ rest)
    }

    /// Packs a field of 1 to 8 bytes in a word. Some bytes may occur twice, so the word identifies the field only together with its length.
    @inline(__always)
    static func word(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let count = bytes.count
        let raw = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
        if count >= 4 {
            let (first, last) = (raw.loadUnaligned(as: UInt32.self), raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(first) << 32 | UInt64(last)
        }
        return UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1])
    }

    /// The hash of a field from the result of ``word(_:)`` and its length.
    @inline(__always)
    static func hash(_ word: UInt64, _ length: UInt32, seed: UInt64) -> UInt64 { mixed(seed &+ UInt64(length) ^ word) }

    @inline(__always)
    private static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
