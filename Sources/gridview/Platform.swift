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

/// The C function `write`. Inside `Platform`, a method of the same name hides it.
private let unistdWrite = write

enum Platform {
    static let standardInput = STDIN_FILENO
    static let standardOutput = STDOUT_FILENO
    static let standardError = STDERR_FILENO

    /// The reason why JSON text could not be decoded.
    struct JSONError: Error {
        /// The reason in a few words, without a full stop.
        var reason: String
        /// The keys that lead to the invalid value, from the outermost object.
        var keys: [String]
        /// The line number of a syntax error, from 1; `nil` for other errors.
        var line: Int?
    }

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

    /// Converts a value to JSON text with one value per line.
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

    /// The absolute path with symbolic links resolved. If nothing exists at the path, returns it unchanged.
    static func absolutePath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func exitProcess(_ status: Int32) -> Never { exit(status) }

    /// Makes writing to a closed pipe, or beyond the limit for file sizes, fail with an error. Without this, the signals SIGPIPE and
    /// SIGXFSZ would end the program.
    static func ignoreWriteSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// Opens `/dev/null`, which gets the lowest free descriptor number.
    static func openNullDevice(forWriting: Bool) { _ = open("/dev/null", forWriting ? O_WRONLY : O_RDONLY) }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    static func terminalWidth(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// True if something exists at the path that is neither a regular file nor a folder, such as a pipe.
    static func isPipeOrDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && isPipeOrDevice(status)
    }

    /// True if the descriptor is open for something that is neither a regular file nor a folder, such as a pipe.
    static func isPipeOrDevice(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && isPipeOrDevice(status)
    }

    private static func isPipeOrDevice(_ status: stat) -> Bool {
        status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// True if the descriptor is open and not a character device. Terminals and the `/dev/null` of services are character devices.
    static func isFileOrPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFCHR
    }

    // MARK: Secrets

    /// Asks a question on the controlling terminal, and reads a line without showing it.
    ///
    /// Signals that end or suspend the program wait until the terminal is restored. Call this function before other threads exist, because
    /// they could receive the signals.
    /// - Returns: The line without its end. `nil` if there is no terminal, or if the user ends the input.
    static func secret(answering question: String) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var shown = termios()
        guard tcgetattr(terminal, &shown) == 0 else { return nil }
        var hidden = shown
        // Let `read` return after a tenth of a second at most, so that waiting signals are noticed.
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

        func hideInput() -> Bool { tcsetattr(terminal, TCSAFLUSH, &hidden) == 0 && write(question, to: terminal) }
        func restoreInput() {
            tcsetattr(terminal, TCSADRAIN, &shown)
            _ = write("\n", to: terminal)
        }
        guard hideInput() else { return nil }
        var line = SecretLine()
        while true {
            var pending = sigset_t()
            sigpending(&pending)
            if signals.contains(where: { sigismember(&pending, $0) == 1 }) {
                restoreInput()
                // Swift's runtime treats SIGQUIT as a crash and would print a backtrace.
                if sigismember(&pending, SIGQUIT) == 1 { signal(SIGQUIT, SIG_DFL) }
                // Deliver the waiting signal now. If it only suspended the program, ask the question again after that.
                pthread_sigmask(SIG_SETMASK, &before, nil)
                pthread_sigmask(SIG_BLOCK, &delayed, nil)
                line = SecretLine()
                guard hideInput() else { return nil }
            }
            var byte: UInt8 = 0
            let count = read(terminal, &byte, 1)
            // The terminal was closed, so no more input can come.
            if count < 0 && errno != EINTR || count == 0 && tcgetattr(terminal, &hidden) != 0 {
                restoreInput()
                return nil
            }
            guard count == 1, line.add(byte) else { continue }
            restoreInput()
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

/// A line that the user types while the terminal does not edit it, so that this type must handle keys such as Backspace.
struct SecretLine {
    private var bytes: [UInt8] = []
    /// True if the user has typed Ctrl-d before any text, to give no answer.
    private var isDeclined = false
    /// The maximum length of the line in bytes, the same as that of lines that a terminal edits.
    private static let byteLimit = 4_096

    /// The typed text; `nil` if the user has given no answer.
    var text: String? { isDeclined ? nil : String(decoding: bytes, as: UTF8.self) }

    /// Adds a typed byte to the line.
    /// - Returns: True if the byte ends the line.
    mutating func add(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A, 0x0D: return true
        // Ctrl-d.
        case 0x04:
            isDeclined = bytes.isEmpty
            return bytes.isEmpty
        // Backspace removes a whole character, which may have several bytes.
        case 0x7F, 0x08:
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        // Ctrl-u and Ctrl-w remove the whole line, because its words are not visible.
        case 0x15, 0x17: bytes = []
        case 0..<0x20: break
        default: if bytes.count < Self.byteLimit { bytes.append(byte) }
        }
        return false
    }
}
