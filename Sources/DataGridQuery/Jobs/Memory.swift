import Synchronization

/// An error for a job that needs more memory than the system provides, such as under `ulimit -v`.
public struct OutOfMemory: Error, Hashable, Sendable {
    /// Creates the error.
    public init() {}
}

/// Checked memory allocation. A job that runs out of memory throws ``OutOfMemory``; Swift's own allocation would crash the process.
///
/// A reserve remains for small objects, which are allocated without a check. Each large allocation checks the reserve. Small ones check it
/// occasionally.
package enum Memory {
    /// The bytes reserved for small objects.
    private static let reserveBytes = 16 << 20
    /// The number of allocated bytes between checks of the reserve.
    private static let checkIntervalBytes = 2 << 20
    private static let bytesSinceCheck = Atomic(0)

    /// Allocates uninitialized memory. The owner must call `deallocate()`.
    static func allocate(byteCount: Int, alignment: Int = 16) throws -> UnsafeMutableRawPointer {
        guard let memory = Platform.allocate(byteCount: byteCount, alignment: alignment) else { throw OutOfMemory() }
        if count(byteCount), !Platform.hasRoom(byteCount: reserveBytes) {
            memory.deallocate()
            throw OutOfMemory()
        }
        return memory
    }

    /// Allocates uninitialized memory for `count` elements.
    static func allocate<Element>(_: Element.Type, count: Int) throws -> UnsafeMutablePointer<Element> {
        try allocate(byteCount: max(1, count) * MemoryLayout<Element>.stride).bindMemory(to: Element.self, capacity: max(1, count))
    }

    /// Allocates uninitialized memory for `count` elements, in large pages if there are many. With small pages, mapping the memory of a
    /// million elements would take longer than the time limit for cancellation.
    static func allocateLarge<Element>(_: Element.Type, count: Int) throws -> UnsafeMutablePointer<Element> {
        let byteCount = max(1, count) * MemoryLayout<Element>.stride
        let memory = try allocate(byteCount: byteCount, alignment: Platform.alignment(ofBytes: byteCount))
        Platform.useLargePages(memory, byteCount: byteCount)
        return memory.bindMemory(to: Element.self, capacity: max(1, count))
    }

    /// Checks that memory is available for an allocation by other code, such as an array.
    package static func check(byteCount: Int) throws {
        if count(byteCount), !Platform.hasRoom(byteCount: byteCount + reserveBytes) { throw OutOfMemory() }
    }

    /// Before the first job, checks that there is memory for the stack and the read buffers of each thread. Other code allocates them.
    static func prepare(threads: Int) throws {
        if isPrepared.load(ordering: .relaxed) { return }
        try check(byteCount: threads * threadBytes)
        isPrepared.store(true, ordering: .relaxed)
    }

    private static let isPrepared = Atomic(false)
    /// 8 MiB of stack, and a few buffers of 256 KiB.
    private static let threadBytes = 10 << 20

    /// Counts allocated bytes. Returns true if the reserve must be checked.
    private static func count(_ byteCount: Int) -> Bool {
        if byteCount < checkIntervalBytes, bytesSinceCheck.add(byteCount, ordering: .relaxed).newValue < checkIntervalBytes { return false }
        bytesSinceCheck.store(0, ordering: .relaxed)
        return true
    }
}

extension Array {
    /// Reserves capacity for `more` elements, so that appending them does not allocate.
    @inline(__always)
    mutating func makeRoom(for more: Int = 1) throws { if count + more > capacity { try grow(for: more) } }

    @inline(never)
    private mutating func grow(for more: Int) throws {
        let newCapacity = Swift.max(capacity * 2, count + more)
        try Memory.check(byteCount: newCapacity * MemoryLayout<Element>.stride)
        reserveCapacity(newCapacity)
    }

    /// Creates an empty array with capacity for `count` elements.
    init(room count: Int) throws {
        self = []
        try Memory.check(byteCount: count * MemoryLayout<Element>.stride)
        reserveCapacity(count)
    }
}
