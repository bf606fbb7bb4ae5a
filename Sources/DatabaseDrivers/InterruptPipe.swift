#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wakes a thread that waits for a descriptor, even if nothing arrives there. Any thread can call ``wake()``.
final class InterruptPipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Creates the pipe; `nil` if the process has no more descriptors.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    func drain() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(readEnd, &bytes, 16) > 0 {}
    }

    /// Waits for a descriptor or a call of ``wake()``.
    /// - Returns: The events of the descriptor; 0 after a timeout, a wake-up or a signal.
    func wait(_ descriptor: Int32, _ events: Int32, milliseconds: Int32) -> Int32 {
        var entries = [
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, milliseconds) > 0 else { return 0 }
        if entries[1].revents != 0 { drain() }
        return Int32(entries[0].revents)
    }
}
