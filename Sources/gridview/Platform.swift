// All platform-specific code of this target.

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

    /// An error in JSON text.
    struct JSONError: Error {
        /// The reason in a few words, without a full stop.
        var reason: String
        /// The keys that lead to the invalid value.
        var keys: [String]
        /// The line of a syntax error, from 1.
        var line: Int?
    }

    /// Decodes JSON text.
    static func decode<T: Decodable>(_ type: T.Type, json: [UInt8]) -> Result<T, JSONError> {
        do {
            return .success(try JSONDecoder().decode(type, from: Data(json)))
        } catch let error as DecodingError {
            switch error {
            case .dataCorrupted(let context) where context.codingPath.isEmpty:
                return .failure(JSONError(reason: "not valid JSON", keys: [], line: JSONPlace.lineOfError(in: json)))
            case .dataCorrupted(let context): return .failure(mistake(context))
            case .keyNotFound(let key, let context): return .failure(mistake(context, "“\(key.stringValue)” is missing"))
            case .valueNotFound(_, let context): return .failure(mistake(context, "the value is missing"))
            case .typeMismatch(_, let context): return .failure(mistake(context, "the value has the wrong type"))
            @unknown default: return .failure(JSONError(reason: "not valid", keys: []))
            }
        } catch {
            return .failure(JSONError(reason: "not valid", keys: []))
        }
    }

    /// Encodes a value as JSON text with one value per line.
    static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value)) + [10]
    }

    private static func mistake(_ context: DecodingError.Context, _ reason: String? = nil) -> JSONError {
        JSONError(
            reason: reason ?? context.debugDescription, keys: Array(context.codingPath.prefix { $0.intValue == nil }.map(\.stringValue)))
    }

    static func names(inFolder path: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// The path without links; the path itself if it does not exist.
    static func absolutePath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func exitProcess(_ status: Int32) -> Never { exit(status) }

    /// Ignores SIGPIPE and SIGXFSZ, so that writing to a closed pipe or beyond the file size limit fails with an error.
    static func ignoreWriteSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// Opens the null device with the lowest free descriptor, either write-only or read-only.
    static func openNullDevice(forWriting: Bool) { _ = open("/dev/null", forWriting ? O_WRONLY : O_RDONLY) }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    static func terminalWidth(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// True if the path refers to something other than a regular file or a folder.
    static func isPipeOrDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && isPipeOrDevice(status)
    }

    /// True if the descriptor is open and refers to something other than a regular file or a folder.
    static func isPipeOrDevice(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && isPipeOrDevice(status)
    }

    private static func isPipeOrDevice(_ status: stat) -> Bool {
        status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// True if the descriptor is open and not a character device. Terminals and the null device of services are character devices.
    static func isFileOrPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFCHR
    }
}
