import Foundation
import Locks

/// The exit status of a process.
enum ExitStatus: Equatable, CustomStringConvertible {
    case code(Int32)
    case signal(Int32)

    /// Decodes a status of `waitpid`.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .code((waitStatus >> 8) & 0xff) : .signal(signal)
    }

    var description: String {
        switch self {
        case .code(let code): "exit \(code)"
        case .signal(let signal): "signal \(signal)"
        }
    }
}

/// Runs a program to its end without a terminal, and returns its output and exit status.
struct ProcessRunner {
    struct Outcome {
        var status: ExitStatus
        var output: [UInt8]
        var errors: [UInt8]

        var outputText: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    var executable: String
    /// The complete environment of the program. It inherits no variables, so developer settings do not affect tests.
    var environment = plainEnvironment
    /// The working directory of the program; nil for the working directory of the tests.
    var directory: String?
    /// The time limit. A program that exceeds it is killed, and an error is thrown.
    var timeLimit = Duration.seconds(180)

    static let plainEnvironment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent",
    ]

    /// Runs the program with pipes as its three standard streams.
    ///
    /// With `closingOutputAfter`, standard output is closed after that many bytes, as `head` does.
    func run(_ arguments: [String] = [], input: [UInt8] = [], closingOutputAfter outputLimit: Int = .max) throws -> Outcome {
        let child = try spawn(arguments)
        defer { for end in [child.input, child.output, child.errors] { end.close() } }

        var remainingInput = input[...]
        var output: [UInt8] = []
        var errors: [UInt8] = []
        let deadline = ContinuousClock.now + timeLimit
        while child.output.isOpen || child.errors.isOpen || child.input.isOpen {
            if remainingInput.isEmpty { child.input.close() }
            if output.count >= outputLimit { child.output.close() }
            var polled = [child.input.polled(POLLOUT), child.output.polled(POLLIN), child.errors.polled(POLLIN)]
            guard poll(&polled, nfds_t(polled.count), 100) >= 0 || errno == EINTR else { throw Failure("poll") }
            if polled[0].revents != 0 { child.input.write(&remainingInput) }
            if polled[1].revents != 0 { child.output.read(into: &output) }
            if polled[2].revents != 0 { child.errors.read(into: &errors) }
            if ContinuousClock.now > deadline {
                kill(child.pid, SIGKILL)
                waitFor(child.pid)
                let written = String(decoding: output + errors, as: UTF8.self)
                throw Failure("\(executable) \(arguments) still ran after \(timeLimit); it had written: \(written)")
            }
        }
        return Outcome(status: waitFor(child.pid), output: output, errors: errors)
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }
    }
}

// MARK: - Starting

extension ProcessRunner {
    private struct Child {
        var pid: pid_t
        var input, output, errors: PipeEnd
    }

    /// Held while a pipe is created and marked close-on-exec, because a child process that starts in between would keep the pipe open.
    private static let starting = Mutex(())

    private static let ignoringBrokenPipes: Void = { _ = Foundation.signal(SIGPIPE, SIG_IGN) }()

    private func spawn(_ arguments: [String]) throws -> Child {
        Self.ignoringBrokenPipes
        return try Self.starting.withLock { _ in
            let input = try makePipe(), output = try makePipe(), errors = try makePipe()
            defer { for end in [input.reading, output.writing, errors.writing] { end.close() } }

            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, input.reading.descriptor, 0)
            posix_spawn_file_actions_adddup2(&actions, output.writing.descriptor, 1)
            posix_spawn_file_actions_adddup2(&actions, errors.writing.descriptor, 2)

            // The test process ignores SIGPIPE and may block signals. The program starts with default signals, as from a shell.
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var none = sigset_t(), all = sigset_t()
            sigemptyset(&none)
            sigfillset(&all)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setsigdefault(&attributes, &all)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

            // Swift does not import the function of posix_spawn that changes the directory.
            let command = (directory.map { ["env", "-C", $0] } ?? []) + [executable] + arguments
            var argv = command.map { strdup($0) } + [nil]
            var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { for string in argv + envp { free(string) } }

            var pid: pid_t = 0
            let error = posix_spawnp(&pid, command[0], &actions, &attributes, &argv, &envp)
            guard error == 0 else {
                for end in [input.writing, output.reading, errors.reading] { end.close() }
                throw Failure("\(executable): \(String(cString: strerror(error)))")
            }
            // Sets the flag only on this end of the pipe. The program shares the other ends.
            _ = fcntl(input.writing.descriptor, F_SETFL, O_NONBLOCK)
            return Child(pid: pid, input: input.writing, output: output.reading, errors: errors.reading)
        }
    }

    private func makePipe() throws -> (reading: PipeEnd, writing: PipeEnd) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure("pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (PipeEnd(ends[0]), PipeEnd(ends[1]))
    }

    @discardableResult
    private func waitFor(_ pid: pid_t) -> ExitStatus {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return ExitStatus(waitStatus: status)
    }
}

/// One end of a pipe, closed at most once.
private final class PipeEnd {
    private(set) var descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    var isOpen: Bool { descriptor >= 0 }

    func close() {
        if isOpen { Foundation.close(descriptor) }
        descriptor = -1
    }

    /// The argument of `poll`, which ignores a closed end because its descriptor is negative.
    func polled(_ events: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(events), revents: 0)
    }

    /// Appends the available bytes, and closes this end at end of file.
    func read(into bytes: inout [UInt8]) {
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(descriptor, &block, block.count)
        if count > 0 { bytes += block[..<count] } else if count == 0 || errno != EINTR { close() }
    }

    /// Writes the bytes that fit, and closes this end if no reader is left.
    func write(_ bytes: inout ArraySlice<UInt8>) {
        let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR && errno != EAGAIN { close() }
    }
}
