#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
import EngineProtocol
import Locks

/// A running helper process and the program's end of its socket.
struct HelperProcess {
    let process: pid_t
    let descriptor: Int32

    /// The file name of the helper.
    static let name = "gridview-engine"
    /// The descriptor of the socket in the helper.
    private static let helperDescriptor: Int32 = 3

    /// The process IDs of the helpers that are still running.
    private static let running = Mutex<Set<pid_t>>([])

    /// The path of the helper next to the running program, or in `libexec` if it is installed. `nil` if the path of the program is unknown.
    static func pathBesideProgram() -> String? {
        guard let program = programPath(), let slash = program.lastIndex(of: "/") else { return nil }
        let beside = String(program[...slash]) + name
        // An installed program is in a folder `bin` next to `libexec`.
        let installed = String(program[...slash]) + "../libexec/" + name
        return access(beside, X_OK) != 0 && access(installed, X_OK) == 0 ? installed : beside
    }

    private static func programPath() -> String? {
        #if canImport(Darwin)
            var size: UInt32 = 0
            _ = _NSGetExecutablePath(nil, &size)
            var buffer = [CChar](repeating: 0, count: Int(size) + 1)
            guard _NSGetExecutablePath(&buffer, &size) == 0, let real = realpath(buffer, nil) else { return nil }
            defer { free(real) }
            return String(cString: real)
        #else
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return String(decoding: buffer[..<count], as: UTF8.self)
        #endif
    }

    /// Starts the helper.
    /// - Parameter path: an absolute path.
    init(path: String) throws(EngineError) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw .helperMissing(path: path, reason: "the path is not absolute") }
        guard let (mine, theirs) = EnginePlatform.socketPair() else {
            throw .helperMissing(path: path, reason: String(cString: strerror(errno)))
        }
        #if canImport(Darwin)
            var fileActions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var fileActions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&fileActions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&fileActions)
            posix_spawnattr_destroy(&attributes)
            close(theirs)
        }
        // Duplicate the socket before standard output is redirected: the socket can have descriptor 1 or 2 if the program was started
        // without standard output.
        posix_spawn_file_actions_adddup2(&fileActions, theirs, Self.helperDescriptor)
        posix_spawn_file_actions_addopen(&fileActions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        // Discard the output of the helper, because the output of a library would corrupt the screen.
        for output in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_addopen(&fileActions, output, "/dev/null", O_WRONLY, 0) }
        // Reset all signals in the helper, because this process ignores some signals, and its threads may block others.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD] {
            sigaddset(&signals, signal)
        }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        // The helper inherits only the socket, even if other descriptors lack the close-on-exec flag.
        #if canImport(Darwin)
            flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
            posix_spawn_file_actions_addinherit_np(&fileActions, Self.helperDescriptor)
            let environment = _NSGetEnviron().pointee
        #else
            // The helper itself closes the other descriptors, because not every C library has a spawn action that closes them.
            let environment = environ
        #endif
        posix_spawnattr_setflags(&attributes, flags)
        var arguments = [path, String(Self.helperDescriptor)].map { $0.withCString { strdup($0) } } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        var status = posix_spawn(&process, path, &fileActions, &attributes, &arguments, environment)
        // Try again if the program file is busy. If it was just written, a child process of another thread may still have it open for a
        // moment.
        for _ in 0..<20 where status == ETXTBSY {
            usleep(10_000)
            status = posix_spawn(&process, path, &fileActions, &attributes, &arguments, environment)
        }
        guard status == 0 else {
            close(mine)
            throw .helperMissing(path: path, reason: String(cString: strerror(status)))
        }
        (self.process, descriptor) = (process, mine)
        _ = Self.running.withLock { $0.insert(process) }
    }

    /// Kills the suspended helpers of this process, because they do not notice that the program ends. The other helpers notice it, cancel
    /// their statements on the server, and end.
    static func killStopped() {
        for process in running.withLock({ $0 }) {
            var change = siginfo_t()
            let options = WSTOPPED | WNOHANG | WNOWAIT
            guard waitid(P_PID, id_t(process), &change, Int32(options)) == 0, change.si_signo == SIGCHLD else { continue }
            kill(process, SIGKILL)
        }
    }

    /// Waits for the helper to end, so that it leaves no zombie.
    /// - Parameter milliseconds: the time until the helper is killed.
    /// - Returns: The signal that ended the helper; `nil` if it exited by itself.
    func waitForEnd(killingAfterMilliseconds milliseconds: Int) -> Int32? {
        close(descriptor)
        defer { _ = Self.running.withLock { $0.remove(process) } }
        var status: Int32 = 0
        var waited = 0
        while true {
            let found = waitpid(process, &status, WNOHANG)
            if found == process { break }
            if found < 0, errno != EINTR { return nil }
            if waited >= milliseconds {
                kill(process, SIGKILL)
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                break
            }
            let pause = min(5, max(1, waited))
            usleep(UInt32(pause) * 1_000)
            waited += pause
        }
        let signal = status & 0x7F
        return signal == 0 ? nil : signal
    }
}
