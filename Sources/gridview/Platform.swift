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

    /// Why a JSON text is not what it should be.
    struct JSONMistake: Error {
        /// In a few words, without a full stop.
        var reason: String
        /// The keys down to what is wrong.
        var keys: [String]
        /// The line, from 1, where the text is no JSON.
        var line: Int?
    }

    /// What a JSON text says, or what is wrong with it.
    static func decode<T: Decodable>(_ type: T.Type, json: [UInt8]) -> Result<T, JSONMistake> {
        do {
            return .success(try JSONDecoder().decode(type, from: Data(json)))
        } catch let error as DecodingError {
            switch error {
            case .dataCorrupted(let context) where context.codingPath.isEmpty:
                return .failure(JSONMistake(reason: "not valid JSON", keys: [], line: JSONPlace.lineOfMistake(in: json)))
            case .dataCorrupted(let context): return .failure(mistake(context))
            case .keyNotFound(let key, let context): return .failure(mistake(context, "“\(key.stringValue)” is missing"))
            case .valueNotFound(_, let context): return .failure(mistake(context, "the value is missing"))
            case .typeMismatch(_, let context): return .failure(mistake(context, "the value has the wrong type"))
            @unknown default: return .failure(JSONMistake(reason: "not a theme", keys: []))
            }
        } catch {
            return .failure(JSONMistake(reason: "not a theme", keys: []))
        }
    }

    private static func mistake(_ context: DecodingError.Context, _ reason: String? = nil) -> JSONMistake {
        JSONMistake(
            reason: reason ?? context.debugDescription, keys: Array(context.codingPath.prefix { $0.intValue == nil }.map(\.stringValue)))
    }

    enum Contents {
        case bytes([UInt8])
        /// The system's words for what went wrong.
        case failed(String)
        case tooLong
    }

    /// Reads a whole file of no more than `limit` bytes; a device or a pipe, of which nobody knows when it ends, is none.
    static func read(_ path: String, limit: Int) -> Contents {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return .failed(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .failed("not a regular file") }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
            let new = bytes.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress! + count, $0.count - count) }
            if new < 0, errno == EINTR { continue }
            guard new >= 0 else { return .failed(String(cString: strerror(errno))) }
            if new == 0 { return .bytes(Array(bytes[..<count])) }
            count += new
        }
        return .tooLong
    }

    static func names(inFolder path: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func end(_ status: Int32) -> Never { exit(status) }

    /// Has a reader that has gone, and a file that may not grow any more, told by the write that fails, not by a signal.
    static func ignoreFailingWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// Takes the lowest free descriptor for nothing: what can only be written to, or only be read from.
    static func openNothing(forWriting: Bool) { _ = open("/dev/null", forWriting ? O_WRONLY : O_RDONLY) }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    static func terminalWidth(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Whether the path leads to what is neither a file nor a folder.
    static func isPipeOrDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && isPipeOrDevice(status)
    }

    /// Whether it is open and neither a file nor a folder.
    static func isPipeOrDevice(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && isPipeOrDevice(status)
    }

    private static func isPipeOrDevice(_ status: stat) -> Bool {
        status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Whether it is open, and no character device: such are terminals, and the nothing that services are started with.
    static func isFileOrPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFCHR
    }
}

/// `read`, which a method above hides.
private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int { read(descriptor, bytes, count) }
