import CCodecs

/// The CRC-32 of gzip and zip, of bytes that are added one block after the other.
struct Checksum: Sendable {
    /// The checksum of the bytes added so far.
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: UnsafePointer<UInt8>, count: Int) { value = gv_crc32_add(value, bytes, count) }
}
