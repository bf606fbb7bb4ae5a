import GridviewApp

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard input, output and error.
enum StandardStreams {
    /// Opens those that the caller closed, the wrong way round, so that using them fails. Otherwise the next file to be opened would take
    /// their place: the table would be written into, or messages into it.
    static func fillGaps() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether something may come from standard input: it is neither a terminal nor the nothing that services are started with.
    static var hasInput: Bool {
        var status = stat()
        guard isatty(STDIN_FILENO) == 0, fstat(STDIN_FILENO, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFCHR
    }

    /// Writes to standard output. A reader that has gone is no failure.
    static func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EPIPE {
                return
            } else if errno != EINTR && errno != EAGAIN {
                throw RequestError("Standard output cannot be written: \(String(cString: strerror(errno))).")
            }
        }
    }
}

/// `write`, which the method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
