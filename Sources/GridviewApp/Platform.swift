// What differs from one system to the next stands here and nowhere else in this target.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

enum Platform {
    /// What became of a write.
    enum Written {
        /// So many bytes have been taken; 0 when it is to be tried again.
        case bytes(Int)
        /// Nobody reads any more.
        case unread
        /// The system's words for what went wrong.
        case failed(String)
    }

    /// Bytes of memory that the machine has; a guess where the system does not tell.
    static var memorySize: Int {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        return pages > 0 && pageSize > 0 ? pages * pageSize : 4 << 30
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Written {
        let count = systemWrite(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 { return .bytes(count) }
        switch errno {
        case EPIPE: return .unread
        case EINTR, EAGAIN: return .bytes(0)
        default: return .failed(String(cString: strerror(errno)))
        }
    }
}

/// `write`, which the method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
