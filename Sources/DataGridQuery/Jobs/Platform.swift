#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What differs between systems.
enum Platform {
    /// Where memory of this size should begin.
    static func alignment(ofBytes count: Int) -> Int { count >= largePage * 2 ? largePage : 16 }

    /// Memory with no particular content, which `deallocate()` gives back; `nil` when there is none.
    static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer? {
        guard alignment > 16 else { return malloc(byteCount) }
        var memory: UnsafeMutableRawPointer?
        return posix_memalign(&memory, alignment, byteCount) == 0 ? memory : nil
    }

    /// Whether the process can have so many bytes more. They are not touched, so they cost a few microseconds.
    static func hasRoom(byteCount: Int) -> Bool {
        guard let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), memory != MAP_FAILED else {
            return false
        }
        munmap(memory, byteCount)
        return true
    }

    /// Asks for large pages: handing out memory in small ones takes longer than filling it.
    static func useLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux)
            // MADV_HUGEPAGE; not all C libraries give it a name. It is only advice: there is nothing to do when it is not taken.
            if byteCount >= largePage * 2 { _ = madvise(memory, byteCount, 14) }
        #endif
    }

    /// The same for memory that begins anywhere.
    static func useLargePages(within memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress, memory.count >= largePage * 3 else { return }
        let first = start.alignedUp(toMultipleOf: largePage)
        useLargePages(first, byteCount: memory.count - (first - start))
    }

    /// The order of bytes, the shorter first where one begins with the other: negative, 0 or positive.
    @inline(__always)
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let count = min(a.count, b.count)
        if count > 0, let left = a.baseAddress, let right = b.baseAddress {
            let order = memcmp(left, right, count)
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }

    private static let largePage = 2 << 20
}
