import Synchronization

/// An error for a job that needs more memory than the system provides, such as under `ulimit -v`.
public struct OutOfMemory: Error, Hashable, Sendable {
    /// Creates the error.
    public init() {}
}

/// Memory allocation that throws ``OutOfMemory``. Swift's own allocation would crash the process if memory is short.
///
/// A reserve is left for small objects, which Swift allocates without a check. Each large allocation checks that the reserve is available,
/// and small allocations check this from time to time.
package enum Memory {
    /// The bytes reserved for small objects.
    private static let reserveBytes = 16 << 20
    /// The number of bytes that small allocations can take before the reserve is checked.
    private static let checkIntervalBytes = 2 << 20
    private static let bytesSinceCheck = Atomic(0)

    /// Allocates uninitialized memory. The owner must call `deallocate()`.
    static func allocate(byteCount: Int, alignment: Int = 16) throws -> UnsafeMutableRawPointer {
        guard let memory = Platform.allocate(byteCount: byteCount, alignment: alignment) else { throw OutOfMemory() }
        if isCheckDue(afterAllocating: byteCount), !Platform.hasRoom(byteCount: reserveBytes) {
            memory.deallocate()
            throw OutOfMemory()
        }
        return memory
    }

    /// Allocates uninitialized memory for `count` elements.
    static func allocate<Element>(_: Element.Type, count: Int) throws -> UnsafeMutablePointer<Element> {
        try allocate(byteCount: max(1, count) * MemoryLayout<Element>.stride).bindMemory(to: Element.self, capacity: max(1, count))
    }

    /// Allocates uninitialized memory for `count` elements, in large pages if there are many. With small pages, mapping a million elements
    /// takes longer than a job may take to react to cancellation.
    static func allocateLarge<Element>(_: Element.Type, count: Int) throws -> UnsafeMutablePointer<Element> {
        let byteCount = max(1, count) * MemoryLayout<Element>.stride
        let memory = try allocate(byteCount: byteCount, alignment: Platform.alignment(ofBytes: byteCount))
        Platform.useLargePages(memory, byteCount: byteCount)
        return memory.bindMemory(to: Element.self, capacity: max(1, count))
    }

    /// Throws if memory for an allocation by other code, such as an array, is not available.
    package static func check(byteCount: Int) throws {
        if isCheckDue(afterAllocating: byteCount), !Platform.hasRoom(byteCount: byteCount + reserveBytes) { throw OutOfMemory() }
    }

    /// Checks, before the first job, that memory for the stack and the read buffers of each thread is available. This memory is allocated
    /// by other code, which does not check.
    static func checkThreadMemory(threads: Int) throws {
        if hasCheckedThreads.load(ordering: .relaxed) { return }
        try check(byteCount: threads * threadBytes)
        hasCheckedThreads.store(true, ordering: .relaxed)
    }

    private static let hasCheckedThreads = Atomic(false)
    /// The memory of a thread: 8 MiB of stack, and a few buffers of 256 KiB.
    private static let threadBytes = 10 << 20

    /// Counts the bytes of an allocation. Returns true if it is time to check the reserve.
    private static func isCheckDue(afterAllocating byteCount: Int) -> Bool {
        if byteCount < checkIntervalBytes, bytesSinceCheck.add(byteCount, ordering: .relaxed).newValue < checkIntervalBytes { return false }
        bytesSinceCheck.store(0, ordering: .relaxed)
        return true
    }
}

extension Array {
    /// Reserves memory for `more` elements, so that appending them does not allocate. Throws ``OutOfMemory`` instead of crashing.
    @inline(__always)
    mutating func makeRoom(for more: Int = 1) throws { if count + more > capacity { try grow(for: more) } }

    @inline(never)
    private mutating func grow(for more: Int) throws {
        let newCapacity = Swift.max(capacity * 2, count + more)
        try Memory.check(byteCount: newCapacity * MemoryLayout<Element>.stride)
        reserveCapacity(newCapacity)
    }

    /// Creates an empty array with memory for `count` elements.
    init(reserving count: Int) throws {
        self = []
        try Memory.check(byteCount: count * MemoryLayout<Element>.stride)
        reserveCapacity(count)
    }
}
