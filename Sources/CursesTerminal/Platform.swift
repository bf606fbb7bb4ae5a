// All code of this target that differs among operating systems.

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
    /// The size of the terminal `fd`, within `TerminalSize.allowedLengths`; `nil` if `fd` is not a terminal or its size is unknown.
    static func terminalSize(_ fd: Int32) -> TerminalSize? {
        var size = winsize()
        guard ioctl(fd, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row)).limited
    }

    /// Duplicates a descriptor for this process only: child processes do not inherit it. The new number is above 2.
    static func duplicate(_ fd: Int32) -> Int32 { fcntl(fd, F_DUPFD_CLOEXEC, 3) }

    /// Opens a device without making it the controlling terminal or passing it to child processes; -1 on failure.
    static func openDevice(_ path: String, _ mode: Int32 = O_RDWR) -> Int32 { open(path, mode | O_NOCTTY | O_CLOEXEC) }

    /// Opens the terminal `fd` again for non-blocking writes; -1 if its device name is unknown.
    static func reopen(_ fd: Int32) -> Int32 {
        guard let name = ttyname(fd) else { return -1 }
        return openDevice(String(cString: name), O_WRONLY | O_NONBLOCK)
    }

    /// Makes a descriptor non-blocking and keeps child processes from inheriting it.
    static func makeCloseOnExecAndNonBlocking(_ fd: Int32) {
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    }

    /// The erase character of the user's terminal (often DEL).
    static func eraseCharacter(_ modes: termios) -> UInt8 {
        withUnsafeBytes(of: modes.c_cc) { $0[Int(VERASE)] }
    }

    /// Returns `modes` in raw form: no echo, line editing, signal keys or translation.
    static func rawModes(from modes: termios) -> termios {
        var raw = modes
        cfmakeraw(&raw)
        withUnsafeMutableBytes(of: &raw.c_cc) {
            $0[Int(VMIN)] = 1
            $0[Int(VTIME)] = 0
        }
        return raw
    }

    /// The system call `poll`, for types that have a method of the same name.
    static func poll(_ descriptors: inout [pollfd], milliseconds: Int32) -> Int32 {
        systemPoll(&descriptors, nfds_t(descriptors.count), milliseconds)
    }

    /// The system call `write`, for types that have a method of the same name.
    static func write(_ fd: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        systemWrite(fd, UnsafeRawBufferPointer(rebasing: bytes).baseAddress, bytes.count)
    }

    /// Reads up to `limit` available bytes; returns none at the end of the file and on errors.
    static func read(_ fd: Int32, limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            errno = 0
            count = max(0, systemRead(fd, buffer.baseAddress, limit))
        }
    }

    /// The time of a monotonic clock in milliseconds.
    static func monotonicMilliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    static func lastError() -> Int32 { errno }

    /// The description of a system error, in lower case for use after a colon.
    static func errorDescription(_ code: Int32) -> String {
        let text = String(cString: strerror(code))
        // Keep the capitals of abbreviations such as I/O.
        return text.dropFirst().first?.isLowercase == true ? text.prefix(1).lowercased() + text.dropFirst() : text
    }

    /// Prints to standard error, with U+FFFD for unsafe characters. Errors are ignored.
    static func printError(_ text: String) {
        var plain = DisplayWidth.printable(text)
        plain.withUTF8 { _ = write(2, UnsafeRawBufferPointer($0)[...]) }
    }

    static func exitProcess(_ status: Int32) -> Never { exit(status) }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

private let systemPoll: @Sendable (UnsafeMutablePointer<pollfd>?, nfds_t, Int32) -> Int32 = { poll($0, $1, $2) }
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }
