#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// System calls that differ between platforms.
package enum EnginePlatform {
    /// Creates a pair of connected stream sockets with the close-on-exec flag.
    package static func socketPair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                var on: Int32 = 1
                setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
            }
        #else
            #if canImport(Glibc)
                let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            #else
                let type = SOCK_STREAM | SOCK_CLOEXEC
            #endif
            guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        #endif
        return (ends[0], ends[1])
    }

    package static func secondsSince1970() -> Int { Int(time(nil)) }

    /// Sends as many bytes as a socket accepts without waiting. Fails with `EAGAIN` if it is full, and does not raise SIGPIPE if the other
    /// end is closed.
    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        var flags = Int32(MSG_DONTWAIT)
        #if !canImport(Darwin)
            flags |= Int32(MSG_NOSIGNAL)
        #endif
        return systemSend(descriptor, bytes.baseAddress, bytes.count, flags)
    }

    /// The time of a monotonic clock in microseconds.
    package static func monotonicMicroseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000 &+ UInt64(time.tv_nsec) / 1_000
    }

    /// Waits for events of a descriptor.
    /// - Parameter milliseconds: the maximum time to wait; negative means no limit.
    /// - Returns: The events that occurred; 0 after a timeout or a signal; `nil` after an error.
    package static func wait(_ descriptor: Int32, _ events: Int32, milliseconds: Int32) -> Int32? {
        var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        let count = poll(&entry, 1, milliseconds)
        if count < 0 { return errno == EINTR ? 0 : nil }
        return count == 0 ? 0 : Int32(entry.revents)
    }
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
