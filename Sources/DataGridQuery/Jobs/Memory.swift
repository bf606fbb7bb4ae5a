import Synchronization

/// Thrown by a job when the system has no memory left for it, as under `ulimit -v`.
public struct OutOfMemory: Error, Hashable, Sendable {}

/// Memory for rows. Jobs that run out of it fail with ``OutOfMemory``, where Swift's own allocation would end the program.
///
/// A reserve is left for all small objects, which are allocated without being asked for here: it is looked for at each large allocation,
/// and after some of the others.
package enum Memory {
    /// Bytes that are left for small objects.
    private static let reserve = 16 << 20
    /// After so many bytes the reserve is looked for.
    private static let step = 2 << 20
    private static let sinceLook = Atomic(0)

    /// Memory with no particular content, which `deallocate()` gives back.
    static func allocate(byteCount: Int, alignment: Int = 16) throws -> UnsafeMutableRawPointer {
        guard let memory = Platform.allocate(byteCount: byteCount, alignment: alignment) else { throw OutOfMemory() }
        if count(byteCount), !Platform.hasRoom(byteCount: reserve) {
            memory.deallocate()
            throw OutOfMemory()
        }
        return memory
    }

    /// Room for so many elements.
    static func allocate<Element>(_: Element.Type, count: Int) throws -> UnsafeMutablePointer<Element> {
        try allocate(byteCount: max(1, count) * MemoryLayout<Element>.stride).bindMemory(to: Element.self, capacity: max(1, count))
    }

    /// Asks for memory that somebody else is about to allocate, such as an array.
    package static func check(byteCount: Int) throws {
        if count(byteCount), !Platform.hasRoom(byteCount: byteCount + reserve) { throw OutOfMemory() }
    }

    /// Before the first job starts: looks for the stack and the reading buffers of each thread, which are allocated by others.
    static func prepare(threads: Int) throws {
        if isPrepared.load(ordering: .relaxed) { return }
        try check(byteCount: threads * threadSize)
        isPrepared.store(true, ordering: .relaxed)
    }

    private static let isPrepared = Atomic(false)
    /// 8 MiB of stack, and a few buffers of 256 KiB.
    private static let threadSize = 10 << 20

    /// Counts bytes, and tells whether the reserve has to be looked for.
    private static func count(_ byteCount: Int) -> Bool {
        if byteCount < step, sinceLook.add(byteCount, ordering: .relaxed).newValue < step { return false }
        sinceLook.store(0, ordering: .relaxed)
        return true
    }
}

extension Array {
    /// Makes room for `more` elements, so that appending them does not allocate.
    @inline(__always)
    mutating func makeRoom(for more: Int = 1) throws { if count + more > capacity { try grow(for: more) } }

    @inline(never)
    private mutating func grow(for more: Int) throws {
        let wanted = Swift.max(capacity * 2, count + more)
        try Memory.check(byteCount: wanted * MemoryLayout<Element>.stride)
        reserveCapacity(wanted)
    }

    /// An array that gets `count` elements.
    init(room count: Int) throws {
        self = []
        try Memory.check(byteCount: count * MemoryLayout<Element>.stride)
        reserveCapacity(count)
    }
}
