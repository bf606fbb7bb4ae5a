#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The bytes of one message, aligned to 16 bytes.
///
/// Sendable because the bytes never change after they were filled in.
public final class MessageBuffer: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer

    /// Allocates the memory; `nil` if out of memory.
    init?(count: Int) {
        guard count >= 0, let address = malloc(max(1, count)) else { return nil }
        memory = UnsafeMutableRawBufferPointer(start: address, count: count)
    }

    /// Creates a buffer with a copy of these bytes; `nil` if out of memory.
    public convenience init?(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count)
        memory.copyBytes(from: bytes)
    }

    deinit { free(memory.baseAddress) }

    /// The bytes, valid while the buffer exists.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }
}

/// A growable buffer without the per-byte checks of an array.
struct ByteBuffer: ~Copyable {
    private(set) var start: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    deinit { free(start) }

    /// Appends uninitialized bytes.
    /// - Returns: A pointer to the new bytes.
    @inline(__always)
    mutating func extend(_ addedBytes: Int) -> UnsafeMutableRawPointer {
        if capacity - count < addedBytes { grow(addedBytes) }
        defer { count += addedBytes }
        return start! + count
    }

    @inline(never)
    private mutating func grow(_ addedBytes: Int) {
        let newCapacity = max(4_096, capacity * 2, count + addedBytes)
        // A helper without memory cannot answer, so it ends. The program keeps running and reports this.
        guard let moved = realloc(start, newCapacity) else { fatalError("Out of memory") }
        (start, capacity) = (moved, newCapacity)
    }

    mutating func removeAll() { count = 0 }

    /// Frees the memory if it exceeds `limit` bytes.
    mutating func shrink(to limit: Int) {
        guard capacity > limit else { return }
        free(start)
        (start, count, capacity) = (nil, 0, 0)
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}
