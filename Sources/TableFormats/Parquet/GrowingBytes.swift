/// Bytes that grow at the end, in reusable memory.
///
/// As in ``RawBuffer``, some bytes after the end can be read.
final class GrowingBytes {
    @exclusivity(unchecked) private var memory = RawBuffer()
    /// The number of unused bytes of memory that ``trim()`` never releases.
    private static let keptBytes = 1 << 16

    @exclusivity(unchecked) private(set) var count = 0

    var start: UnsafeMutablePointer<UInt8> { memory.start }
    var capacity: Int { memory.capacity }

    /// Removes the bytes, and keeps the memory.
    func removeAll() { count = 0 }

    /// Removes the bytes, and releases the memory if most of it was unused.
    func trim() {
        if memory.capacity > 2 * count + Self.keptBytes { memory = RawBuffer() }
        count = 0
    }

    /// Memory for `bytes` more bytes, which the caller writes before it calls ``advance(_:)``.
    func reservedPointer(bytes: Int) -> UnsafeMutablePointer<UInt8> {
        if memory.capacity - count < bytes {
            memory.grow(to: max(count + bytes, memory.capacity + memory.capacity / 2, 256), keeping: count)
        }
        return memory.start + count
    }

    /// Makes room for `bytes` more bytes.
    func reserve(_ bytes: Int) { _ = reservedPointer(bytes: bytes) }

    func advance(_ bytes: Int) { count += bytes }

    func put(_ byte: UInt8) {
        reservedPointer(bytes: 1).pointee = byte
        count += 1
    }

    func put(_ bytes: UnsafePointer<UInt8>, count added: Int) {
        reservedPointer(bytes: added).update(from: bytes, count: added)
        count += added
    }

    func put(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { put(start, count: $0.count) } }
    }

    /// Writes a little-endian 32-bit number.
    func put(_ number: UInt32) {
        UnsafeMutableRawPointer(reservedPointer(bytes: 4)).storeBytes(of: number.littleEndian, as: UInt32.self)
        count += 4
    }

    /// Overwrites four bytes with a little-endian number.
    func set(_ number: UInt32, at offset: Int) {
        UnsafeMutableRawPointer(start + offset).storeBytes(of: number.littleEndian, as: UInt32.self)
    }
}
