#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Functions that depend on the operating system.
enum Platform {
    /// The alignment in bytes for an allocation of `count` bytes. Large allocations are aligned to large pages.
    static func alignment(ofBytes count: Int) -> Int { count >= largePageBytes * 2 ? largePageBytes : 16 }

    /// Allocates uninitialized memory; `nil` on failure. The owner must call `deallocate()`.
    static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer? {
        guard alignment > 16 else { return malloc(byteCount) }
        var memory: UnsafeMutableRawPointer?
        return posix_memalign(&memory, alignment, byteCount) == 0 ? memory : nil
    }

    /// True if the process can allocate this number of bytes. Takes a few microseconds, because the memory is not written.
    static func hasRoom(byteCount: Int) -> Bool {
        guard let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), memory != MAP_FAILED else {
            return false
        }
        munmap(memory, byteCount)
        return true
    }

    /// Asks the system for large pages, because providing many small pages takes longer than filling them.
    static func useLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux)
            // 14 is MADV_HUGEPAGE, which some C libraries do not define. The call is advice, so failure is ignored.
            if byteCount >= largePageBytes * 2 { _ = madvise(memory, byteCount, 14) }
        #endif
    }

    /// Asks the system for large pages in the part of a buffer that is aligned to large pages.
    static func useLargePages(within memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress, memory.count >= largePageBytes * 3 else { return }
        let first = start.alignedUp(toMultipleOf: largePageBytes)
        useLargePages(first, byteCount: memory.count - (first - start))
    }

    /// Compares bytes lexicographically; a prefix comes first. The result is negative, 0 or positive if `a` is less than, equal to or
    /// greater than `b`.
    @inline(__always)
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let count = min(a.count, b.count)
        if count > 0, let left = a.baseAddress, let right = b.baseAddress {
            let order = memcmp(left, right, count)
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }

    private static let largePageBytes = 2 << 20
}
