#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The bytes of one message, aligned to 16 bytes.
///
/// Sendable because nothing writes to it after it was filled.
public final class MessageBuffer: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer

    /// Allocates the memory; `nil` if it is short.
    init?(count: Int) {
        guard count >= 0, let address = malloc(max(1, count)) else { return nil }
        memory = UnsafeMutableRawBufferPointer(start: address, count: count)
    }

    /// Copies bytes.
    public convenience init?(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count)
        memory.copyBytes(from: bytes)
    }

    deinit { free(memory.baseAddress) }

    /// The bytes.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }
}

/// Memory that grows, without the checks of an array for each byte.
struct GrowingBytes: ~Copyable {
    private(set) var start: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    deinit { free(start) }

    /// Makes space for more bytes and counts them.
    /// - Returns: The address of the new bytes, which are not set.
    @inline(__always)
    mutating func extend(_ more: Int) -> UnsafeMutableRawPointer {
        if capacity - count < more { grow(more) }
        defer { count += more }
        return start! + count
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let wanted = max(4_096, capacity * 2, count + more)
        // The process cannot continue without memory for an answer. Its end is an error for the program, which stays.
        guard let moved = realloc(start, wanted) else { fatalError("Out of memory") }
        (start, capacity) = (moved, wanted)
    }

    mutating func removeAll() { count = 0 }

    /// Frees memory that a large message needed.
    mutating func shrink(to limit: Int) {
        guard capacity > limit else { return }
        free(start)
        (start, count, capacity) = (nil, 0, 0)
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}
