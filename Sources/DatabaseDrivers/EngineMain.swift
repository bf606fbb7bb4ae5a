#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The entry point of the helper process.
public enum EngineMain {
    /// Serves the socket whose descriptor is the only argument. Never returns.
    ///
    /// Secrets come through the socket. Arguments and environment variables never contain them, because other processes can read both.
    public static func run(_ arguments: [String]) -> Never {
        guard arguments.count == 2, let descriptor = Int32(arguments[1]), descriptor >= 0, isSocket(descriptor) else {
            let message = "gridview-engine is the database helper of gridview. gridview starts it; do not run it directly.\n"
            _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            _exit(64)
        }
        closeInheritedDescriptors(except: descriptor)
        // Start a new session, so that the helper and its drivers cannot reach the terminal or receive its signals. The helper ends when
        // its socket closes.
        setsid()
        signal(SIGPIPE, SIG_IGN)
        // Forbid core files, because they would contain passwords.
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setCoreLimit(&limit)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = EngineService(descriptor: descriptor).run()
        _exit(0)
    }

    private static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Closes descriptors that the program opened without the close-on-exec flag, such as files and pipes, so that the helper does not
    /// keep them open.
    private static func closeInheritedDescriptors(except socket: Int32) {
        guard let folder = opendir("/dev/fd") else { return }
        var open: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if let number = Int32(name), number > STDERR_FILENO, number != socket, number != dirfd(folder) { open.append(number) }
        }
        closedir(folder)
        for number in open { close(number) }
    }

    private static func setCoreLimit(_ limit: inout rlimit) {
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        #else
            setrlimit(RLIMIT_CORE, &limit)
        #endif
    }
}
