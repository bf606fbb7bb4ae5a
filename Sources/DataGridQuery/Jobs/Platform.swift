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

    /// Asks for large pages: handing out memory in small ones takes longer than filling it.
    static func useLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux)
            // MADV_HUGEPAGE; not all C libraries give it a name. It is only advice: there is nothing to do when it is not taken.
            if byteCount >= largePage * 2 { _ = madvise(memory, byteCount, 14) }
        #endif
    }

    private static let largePage = 2 << 20
}
