import CCodecs

/// The CRC-32 of gzip and zip. The bytes are added block by block.
struct Checksum: Sendable {
    /// The checksum of the bytes added so far.
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: UnsafePointer<UInt8>, count: Int) { value = gv_crc32_add(value, bytes, count) }
}
