// What differs from one system to the next stands here and nowhere else in this target.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

internal import CTerminalSignals
internal import TerminalSurface

enum Platform {
    /// The size of the terminal `fd`, within ``TerminalSize/sides``; `nil` if it is none or does not know.
    static func terminalSize(_ fd: Int32) -> TerminalSize? {
        var size = winsize()
        guard ioctl(fd, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row)).limited
    }

    /// Another descriptor of the same file, above 2, that child processes do not get.
    static func duplicate(_ fd: Int32) -> Int32 { fcntl(fd, F_DUPFD_CLOEXEC, 3) }

    /// A device that does not become the controlling terminal and that child processes do not get; -1 if it cannot be opened.
    static func openDevice(_ path: String, _ mode: Int32 = O_RDWR) -> Int32 { open(path, mode | O_NOCTTY | O_CLOEXEC) }

    /// The terminal `fd`, opened once more for writing without blocking; -1 if it has no name here.
    static func openAgain(_ fd: Int32) -> Int32 {
        guard let name = ttyname(fd) else { return -1 }
        return openDevice(String(cString: name), O_WRONLY | O_NONBLOCK)
    }

    /// Makes reading and writing return at once, and keeps the file from child processes.
    static func makePrivateAndNonBlocking(_ fd: Int32) {
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    }

    /// The character that the user's terminal sends to erase (often DEL).
    static func eraseCharacter(_ modes: termios) -> UInt8 {
        withUnsafeBytes(of: modes.c_cc) { $0[Int(VERASE)] }
    }

    /// `modes` with input and output as they come: nothing echoed, collected, turned into signals or translated.
    static func raw(_ modes: termios) -> termios {
        var raw = modes
        cfmakeraw(&raw)
        withUnsafeMutableBytes(of: &raw.c_cc) {
            $0[Int(VMIN)] = 1
            $0[Int(VTIME)] = 0
        }
        return raw
    }

    /// `poll`, which methods named like it hide.
    static func poll(_ descriptors: inout [pollfd], milliseconds: Int32) -> Int32 {
        systemPoll(&descriptors, nfds_t(descriptors.count), milliseconds)
    }

    /// `write`, likewise.
    static func write(_ fd: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        systemWrite(fd, UnsafeRawBufferPointer(rebasing: bytes).baseAddress, bytes.count)
    }

    /// Up to `limit` bytes that are there; none at the end of the file and after an error.
    static func read(_ fd: Int32, limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            errno = 0
            count = max(0, systemRead(fd, buffer.baseAddress, limit))
        }
    }

    /// Milliseconds of a clock that only goes forward.
    static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    static func lastError() -> Int32 { errno }

    static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Writes to standard error, with what no terminal may get as marks. Where that cannot be done, nobody can be told.
    static func complain(_ text: String) {
        var plain = DisplayWidth.printable(text)
        plain.withUTF8 { _ = write(2, UnsafeRawBufferPointer($0)[...]) }
    }

    static func end(_ status: Int32) -> Never { exit(status) }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

private let systemPoll: @Sendable (UnsafeMutablePointer<pollfd>?, nfds_t, Int32) -> Int32 = { poll($0, $1, $2) }
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }
