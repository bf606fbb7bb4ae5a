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

/// The function `write` of the C library. In `Platform`, a member hides its name.
private let unistdWrite = write

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
                return .failure(JSONError(reason: "not valid JSON", keys: [], line: JSONLineFinder.lineOfError(in: json)))
            case .dataCorrupted(let context): return .failure(jsonError(context))
            case .keyNotFound(let key, let context): return .failure(jsonError(context, "“\(key.stringValue)” is missing"))
            case .valueNotFound(_, let context): return .failure(jsonError(context, "the value is missing"))
            case .typeMismatch(_, let context): return .failure(jsonError(context, "the value has the wrong type"))
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

    private static func jsonError(_ context: DecodingError.Context, _ reason: String? = nil) -> JSONError {
        JSONError(
            reason: reason ?? context.debugDescription, keys: Array(context.codingPath.prefix { $0.intValue == nil }.map(\.stringValue)))
    }

    static func names(inFolder path: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// The absolute path with symbolic links resolved; the path itself if it does not exist.
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

    // MARK: Secrets

    /// Asks a question on the controlling terminal, and reads a line that is not shown.
    ///
    /// Signals that end or stop the program wait until the terminal is restored. Call this function before other threads exist, because
    /// they could receive the signals.
    /// - Returns: the line without its end; `nil` without a terminal, and at the end of its input.
    static func secret(answering question: String) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var shown = termios()
        guard tcgetattr(terminal, &shown) == 0 else { return nil }
        var hidden = shown
        // Reads return after a tenth of a second, so that signals are noticed.
        hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON)
        withUnsafeMutableBytes(of: &hidden.c_cc) { characters in
            characters[Int(VMIN)] = 0
            characters[Int(VTIME)] = 1
        }
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
        var delayed = sigset_t()
        var before = sigset_t()
        sigemptyset(&delayed)
        for signal in signals { sigaddset(&delayed, signal) }
        pthread_sigmask(SIG_BLOCK, &delayed, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        func hide() -> Bool { tcsetattr(terminal, TCSAFLUSH, &hidden) == 0 && write(question, to: terminal) }
        func restore() {
            tcsetattr(terminal, TCSADRAIN, &shown)
            _ = write("\n", to: terminal)
        }
        guard hide() else { return nil }
        var line = SecretLine()
        while true {
            var pending = sigset_t()
            sigpending(&pending)
            if signals.contains(where: { sigismember(&pending, $0) == 1 }) {
                restore()
                // The signal arrives now. After a stop, the question is asked again.
                pthread_sigmask(SIG_SETMASK, &before, nil)
                pthread_sigmask(SIG_BLOCK, &delayed, nil)
                line = SecretLine()
                guard hide() else { return nil }
            }
            var byte: UInt8 = 0
            let count = read(terminal, &byte, 1)
            // The terminal was closed: no input will follow.
            if count < 0 && errno != EINTR || count == 0 && tcgetattr(terminal, &hidden) != 0 {
                restore()
                return nil
            }
            guard count == 1, line.add(byte) else { continue }
            restore()
            return line.text
        }
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { unistdWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}

/// A line that is typed in a terminal whose line editing is off.
struct SecretLine {
    private var bytes: [UInt8] = []
    /// True if Ctrl-d was typed before any text.
    private var isDeclined = false
    /// The maximum number of bytes, the same as with the line editing of terminals.
    private static let byteLimit = 4_096

    /// The typed text; `nil` if the user declined.
    var text: String? { isDeclined ? nil : String(decoding: bytes, as: UTF8.self) }

    /// Adds a byte.
    /// - Returns: True if it ends the line.
    mutating func add(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A, 0x0D: return true
        // Ctrl-d.
        case 0x04:
            isDeclined = bytes.isEmpty
            return bytes.isEmpty
        // Backspace removes all bytes of a character.
        case 0x7F, 0x08:
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        // Ctrl-u and Ctrl-w remove the whole line.
        case 0x15, 0x17: bytes = []
        case 0..<0x20: break
        default: if bytes.count < Self.byteLimit { bytes.append(byte) }
        }
        return false
    }
}
