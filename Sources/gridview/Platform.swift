// What differs from one system to the next stands here and nowhere else in this target.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum Platform {
    static let standardInput = STDIN_FILENO
    static let standardOutput = STDOUT_FILENO
    static let standardError = STDERR_FILENO

    /// What a JSON text says; `nil` when that is something else.
    static func decode<T: Decodable>(_ type: T.Type, json: String) -> T? { try? JSONDecoder().decode(type, from: Data(json.utf8)) }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Ends the process.
    static func end(_ status: Int32) -> Never { exit(status) }

    /// Has a reader that has gone told by the write that fails, not by a signal.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// Takes the lowest free descriptor for nothing: what can only be written to, or only be read from.
    static func openNothing(forWriting: Bool) { _ = open("/dev/null", forWriting ? O_WRONLY : O_RDONLY) }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    /// Whether it is open, and no character device: such are terminals, and the nothing that services are started with.
    static func isFileOrPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFCHR
    }
}
