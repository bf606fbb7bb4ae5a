// All platform-specific code of this target.

import FieldValues
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

enum Platform {
    /// Pauses the calling thread.
    static func sleep(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

    enum WriteResult {
        /// The number of bytes that were written. If it is 0, try again later.
        case bytes(Int)
        /// The reader has closed the pipe.
        case readerClosed
        /// The error message of the system.
        case failed(String)
    }

    /// A time of day such as `12:30:00` in the user's time zone. If it is not today, the date comes first: `2024-01-31 12:30:00`.
    /// - Parameters:
    ///   - seconds: the time in seconds since 1970.
    ///   - now: the current time in seconds since 1970.
    static func localTime(_ seconds: Int, now: Int) -> String {
        func parts(_ seconds: Int) -> (day: String, time: String) {
            var (time, parts) = (time_t(seconds), tm())
            guard localtime_r(&time, &parts) != nil else { return ("", "") }
            func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return (
                "\(Int(parts.tm_year) + 1900)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday))",
                "\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min)):\(twoDigits(parts.tm_sec))"
            )
        }
        let (day, time) = parts(seconds)
        return day == parts(now).day ? time : "\(day) \(time)"
    }

    /// The physical memory in bytes; 4 GiB if the system does not report it.
    static var memorySize: Int {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        return pages > 0 && pageSize > 0 ? pages * pageSize : 4 << 30
    }

    /// The address space that the process may still allocate, in bytes; `nil` if it is not limited (`ulimit -v`) or unknown.
    static var remainingAddressSpace: Int? {
        #if os(Linux)
            var limit = rlimit()
            guard getrlimit(addressSpace, &limit) == 0, let most = Int(exactly: limit.rlim_cur), most < Int.max else { return nil }
            // The first number in this file is the size of the address space in use, in pages.
            let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var text = [UInt8](repeating: 0, count: 64)
            let count = read(descriptor, &text, text.count)
            guard count > 0, let pages = Int(String(decoding: text[..<count].prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)) else {
                return nil
            }
            return max(0, most - pages * sysconf(Int32(_SC_PAGESIZE)))
        #else
            return nil
        #endif
    }

    #if canImport(Glibc)
        private static let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #elseif os(Linux)
        private static let addressSpace = RLIMIT_AS
    #endif

    /// If the address space is limited, makes all threads allocate memory from one arena. By default, glibc uses several arenas, and
    /// reserves 64 MiB for each.
    static func shareAllocationPool() {
        #if canImport(Glibc)
            guard remainingAddressSpace != nil, let symbol = dlsym(nil, "mallopt") else { return }
            // Call `mallopt` by its address with the value −8 of M_ARENA_MAX, because Swift imports neither.
            _ = unsafeBitCast(symbol, to: (@convention(c) (_ option: Int32, _ value: Int32) -> Int32).self)(-8, 1)
        #endif
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> WriteResult {
        let count = systemWrite(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 { return .bytes(count) }
        switch errno {
        case EPIPE: return .readerClosed
        case EINTR, EAGAIN: return .bytes(0)
        default: return .failed(String(cString: strerror(errno)).lowercasingFirstLetter)
        }
    }

    // MARK: Read files

    /// Reads a regular file of at most `limit` bytes. Rejects devices and pipes, because reading them may never end.
    static func readFile(_ path: String, limit: Int) -> UserFile.Contents {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT || errno == ENOTDIR ? .missing : .failed(String(cString: strerror(errno)).lowercasingFirstLetter)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .failed("not a regular file") }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: min(limit, max(Int(status.st_size), 4_095)) + 1)
        while bytes.count <= limit {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failed(String(cString: strerror(errno)).lowercasingFirstLetter) }
            if count == 0 { return .bytes(bytes) }
            bytes += block[..<count]
        }
        return .tooLong
    }

    // MARK: Other programs

    static func isExecutableFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// Runs a program without a shell, with `input` as its standard input and no output. The caller must have ignored SIGPIPE.
    ///
    /// The program has its own process group, which is killed after the time limit, or if `isCancelled` returns true. Processes that the
    /// program has started may continue after its end, as some clipboard programs need.
    /// - Returns: True if the program read all of `input` and succeeded within the time limit.
    static func run(
        _ path: String, _ arguments: [String], input: [UInt8], timeLimit: Duration, isCancelled: () -> Bool
    ) -> Bool {
        let deadline = ContinuousClock.now + timeLimit
        func mustStop() -> Bool { ContinuousClock.now >= deadline || isCancelled() }
        guard let (child, pipe) = start(path, arguments) else { return false }
        let isRead = send(input, to: pipe, mustStop: mustStop)
        close(pipe)
        var status: Int32 = 0
        while isRead, !mustStop() {
            switch waitpid(child, &status, WNOHANG) {
            case child: return status == 0
            case 0: _ = systemPoll(nil, 0, milliseconds: 2)
            default:
                guard errno == EINTR else { return false }
            }
        }
        kill(-child, SIGKILL)
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return false
    }

    /// Starts a program.
    /// - Returns: The process, and the end of a pipe that writes to its standard input without blocking; `nil` on failure.
    private static func start(_ path: String, _ arguments: [String]) -> (child: pid_t, input: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        defer { close(ends[0]) }
        #if canImport(Darwin)
            var files: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var files = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO)
        for output in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0) }
        // Give the program the default signal handling: this process ignores some signals, and its threads may block others.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
        #if canImport(Darwin)
            let environment = _NSGetEnviron().pointee
        #else
            let environment = environ
        #endif
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        guard posix_spawn(&child, path, &files, &attributes, &words, environment) == 0 else {
            close(ends[1])
            return nil
        }
        return (child, ends[1])
    }

    /// Writes bytes to a descriptor that does not block, and waits while it is not ready.
    /// - Returns: True if all bytes were written before `mustStop` returned true.
    private static func send(_ bytes: [UInt8], to descriptor: Int32, mustStop: () -> Bool) -> Bool {
        var start = 0
        while start < bytes.count {
            guard !mustStop() else { return false }
            switch bytes.withUnsafeBytes({ write(UnsafeRawBufferPointer(rebasing: $0[start...]), to: descriptor) }) {
            case .bytes(0):
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = systemPoll(&entry, 1, milliseconds: 20)
            case .bytes(let count): start += count
            case .readerClosed, .failed: return false
            }
        }
        return true
    }
}

// MARK: Written files

/// The error number of a failed system call.
struct SystemError: Error {
    fileprivate let code: Int32

    /// Creates the error of the last system call that this thread has made.
    fileprivate init() { code = errno }

    /// The error message of the system. It starts with a lower-case letter, to follow a colon.
    var reason: String { String(cString: strerror(code)).lowercasingFirstLetter }
    var meansMissingFile: Bool { code == ENOENT }
    var meansExistingFile: Bool { code == EEXIST }
    var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
    /// True if the error may mean that the file system does not support the operation.
    var isUnsupported: Bool { [EPERM, ENOTSUP, EOPNOTSUPP, EINVAL, ENOSYS, EMLINK].contains(code) }
}

/// The kind, permissions, modification time and identity of a file.
struct FileStatus: Sendable {
    enum Kind: Sendable { case regular, folder, link, other }

    let kind: Kind
    let permissions: UInt32
    /// The time at which the content was last changed, in seconds since 1970.
    let modificationTime: Int
    /// The two numbers that together identify the file, independent of its path.
    let device, inode: UInt64

    fileprivate init(_ status: stat) {
        (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        permissions = UInt32(status.st_mode & 0o777)
        #if canImport(Darwin)
            modificationTime = status.st_mtimespec.tv_sec
        #else
            modificationTime = status.st_mtim.tv_sec
        #endif
    }
}

extension Platform {
    static var processID: Int32 { getpid() }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// - Parameter followsLink: if the path is a symbolic link, true for the status of its target, false for the status of the link.
    static func status(_ path: String, followsLink: Bool) throws(SystemError) -> FileStatus {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { throw SystemError() }
        return FileStatus(status)
    }

    static func byteCount(_ descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The absolute path, with all symbolic links resolved.
    static func resolvedPath(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else { throw SystemError() }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Creates a file for writing. Fails if anything exists at the path.
    /// - Parameter permissions: the exact permissions; `nil` for the usual permissions of new files.
    static func createFile(_ path: String, permissions: UInt32?) throws(SystemError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError() }
        if let permissions { _ = fchmod(descriptor, mode_t(permissions)) }
        return descriptor
    }

    /// Writes all bytes to a file.
    /// - Returns: The reason for a failure; `nil` on success.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        bytes.withUnsafeBytes { all in
            var start = 0
            while start < all.count {
                switch write(UnsafeRawBufferPointer(rebasing: all[start...]), to: descriptor) {
                case .bytes(let count): start += count
                case .readerClosed: return "the reader has closed it"
                case .failed(let reason): return reason
                }
            }
            return nil
        }
    }

    /// Creates a folder and the missing folders that contain it. Only this user can access the new folders.
    /// - Returns: True if the folder exists now, belongs to this user, and no other user can access it.
    static func createPrivateFolder(_ path: String) -> Bool {
        for slash in path.indices.dropFirst() where path[slash] == "/" { mkdir(String(path[..<slash]), 0o700) }
        mkdir(path, 0o700)
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { return false }
        return status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
    }

    /// The regular files in a folder, with their modification times in nanoseconds since 1970.
    static func files(inFolder path: String) -> [(name: String, modificationTime: Int)] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var found: [(name: String, modificationTime: Int)] = []
        while let entry = readdir(stream) {
            let length = MemoryLayout.size(ofValue: entry.pointee.d_name)
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: length) { String(cString: $0) }
            }
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            found.append((name, Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)))
        }
        return found
    }

    static func closeFile(_ descriptor: Int32) { close(descriptor) }

    /// Creates a folder and the missing folders that contain it. Only this user can access the new folders. Folders that exist are not
    /// changed.
    static func createFolders(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o700) != 0 else { return }
        let error = SystemError()
        if error.meansExistingFile { return }
        guard error.meansMissingFile, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw error }
        try createFolders(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 else { throw SystemError() }
    }

    /// Waits until the content of a file is stored on the disk. Does nothing if the file system does not support this.
    static func synchronize(_ descriptor: Int32) throws(SystemError) {
        while fsync(descriptor) != 0 {
            let error = SystemError()
            if error.code == EINTR { continue }
            if error.isUnsupported { return }
            throw error
        }
    }

    /// Waits until the names of the files in a folder are stored on the disk, if the file system supports this.
    static func synchronize(folder path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// Renames a file. If a file exists at `target`, `replacesFile` decides: if true, the file is replaced in one step; if false, an error
    /// is thrown.
    static func renameFile(_ path: String, to target: String, replacesFile: Bool) throws(SystemError) {
        if !replacesFile {
            if link(path, target) == 0 {
                unlink(path)
                return
            }
            let error = SystemError()
            guard error.isUnsupported else { throw error }
            // If the file system has no hard links, this check is not safe: another program can create the target directly after the check.
            var status = stat()
            if lstat(target, &status) == 0 {
                errno = EEXIST
                throw SystemError()
            }
        }
        guard rename(path, target) == 0 else { throw SystemError() }
    }

    static func removeFile(_ path: String) { unlink(path) }

    /// Creates a folder, if nothing exists at its path and the folder that contains it exists.
    static func createFolder(_ path: String, permissions: UInt32) { _ = mkdir(path, mode_t(permissions)) }

    static var secondsSince1970: Int { time(nil) }
}

/// Waits until a file changes.
///
/// The system reports changes (inotify on Linux, a kernel queue on macOS), so that waiting takes no processor time. If the system cannot
/// report changes, the file is checked every second.
final class FileNotifications: Sendable {
    enum Event {
        /// The file may have changed, and must be checked.
        case change
        /// The maximum waiting time has passed.
        case timeout
        /// ``stop()`` was called.
        case stopped
    }

    /// True if the system reports changes of the file; false if it must be checked every second.
    let usesNotifications: Bool
    private let stopPipe: (read: Int32, write: Int32)
    private let path: String
    #if os(Linux)
        private let notifications: Int32
        /// The name of the file. The system reports changes of all files in its folder; changes of the other files are ignored.
        private let name: String
    #elseif canImport(Darwin)
        private let queue: Int32
        private let folder: Int32
        /// The descriptor of the watched file; −1 while the file does not exist. Only the waiting thread changes it.
        private let file: Mutex<Int32>
    #endif

    /// Returns `nil` if the pipe that ends a wait cannot be created.
    init?(path: String) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopPipe = (ends[0], ends[1])
        self.path = path
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        #if os(Linux)
            let notifications = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            self.notifications = notifications
            name = String(path[(slash.map { path.index(after: $0) } ?? path.startIndex)...])
            usesNotifications =
                notifications >= 0 && Self.watch(path, notifications)
                && inotify_add_watch(notifications, folder, UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)) >= 0
        #elseif canImport(Darwin)
            let queue = kqueue()
            self.queue = queue
            self.folder = open(folder, O_EVTONLY | O_CLOEXEC)
            file = Mutex(-1)
            let isStoppable = Self.add(ends[0], EVFILT_READ, 0, to: queue)
            usesNotifications = isStoppable && Self.add(self.folder, EVFILT_VNODE, NOTE_WRITE, to: queue)
            watchFile()
        #else
            usesNotifications = false
        #endif
    }

    deinit {
        close(stopPipe.read)
        close(stopPipe.write)
        #if os(Linux)
            if notifications >= 0 { close(notifications) }
        #elseif canImport(Darwin)
            for descriptor in [queue, folder, file.withLock({ $0 })] where descriptor >= 0 { close(descriptor) }
        #endif
    }

    /// Ends all current and later waits. Any thread can call it.
    func stop() {
        var byte: UInt8 = 0
        _ = systemWrite(stopPipe.write, &byte, 1)
    }

    func wait() -> Event {
        #if os(Linux)
            while usesNotifications {
                guard poll(notifications, milliseconds: -1) == .change else { return .stopped }
                if readNotifications() {
                    // Watch the path again, because it may refer to another file now.
                    _ = Self.watch(path, notifications)
                    return .change
                }
            }
        #elseif canImport(Darwin)
            if usesNotifications {
                var event = kevent()
                var count: Int32
                repeat { count = kevent(queue, nil, 0, &event, 1, nil) } while count < 0 && errno == EINTR
                guard count > 0, event.filter == Int16(EVFILT_VNODE) else { return .stopped }
                // Watch the path again, because it may refer to another file now.
                watchFile()
                return .change
            }
        #endif
        return pause(milliseconds: 1_000) == .stopped ? .stopped : .change
    }

    func pause(milliseconds: Int32) -> Event { poll(-1, milliseconds: milliseconds) }

    private func poll(_ descriptor: Int32, milliseconds: Int32) -> Event {
        var entries = [
            pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = systemPoll(&entries, nfds_t(entries.count), milliseconds: milliseconds)
            if count < 0, errno == EINTR { continue }
            if entries[0].revents != 0 || count < 0 { return .stopped }
            return count > 0 ? .change : .timeout
        }
    }

    #if os(Linux)
        private static func watch(_ path: String, _ notifications: Int32) -> Bool {
            inotify_add_watch(notifications, path, UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)) >= 0
        }

        /// Reads all notifications that have arrived.
        /// - Returns: True if one of them is about the file.
        private func readNotifications() -> Bool {
            var isAboutFile = false
            withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
                while true {
                    let count = read(notifications, buffer.baseAddress!, buffer.count)
                    guard count > 0 else { return }
                    var offset = 0
                    while offset + MemoryLayout<inotify_event>.size <= count {
                        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                        offset += MemoryLayout<inotify_event>.size
                        // A notification about the watched file itself has no name, in contrast to one about a file in the watched folder.
                        let about = buffer[offset..<min(offset + Int(event.len), count)].prefix { $0 != 0 }
                        if about.isEmpty || about.elementsEqual(name.utf8) { isAboutFile = true }
                        offset += Int(event.len)
                    }
                }
            }
            return isAboutFile
        }
    #elseif canImport(Darwin)
        /// Watches the file to which the path refers now. Closing the old descriptor ends its notifications.
        private func watchFile() {
            file.withLock { file in
                if file >= 0 { close(file) }
                file = open(path, O_EVTONLY | O_CLOEXEC)
                _ = Self.add(file, EVFILT_VNODE, NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_RENAME | NOTE_DELETE, to: queue)
            }
        }

        /// Adds a descriptor to a kernel queue. Fails if the descriptor or the queue is negative, because it could not be opened.
        private static func add(_ descriptor: Int32, _ filter: Int32, _ events: Int32, to queue: Int32) -> Bool {
            guard descriptor >= 0, queue >= 0 else { return false }
            var change = kevent(
                ident: UInt(descriptor), filter: Int16(filter), flags: UInt16(EV_ADD | EV_CLEAR), fflags: UInt32(events), data: 0,
                udata: nil)
            return kevent(queue, &change, 1, nil, 0, nil) == 0
        }
    #endif
}

/// Calls the C function `write`. Inside ``Platform``, a method with the same name hides the C function.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }

/// Calls the C function `poll`. Inside ``FileNotifications``, a method with the same name hides the C function.
private func systemPoll(_ entries: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, milliseconds: Int32) -> Int32 {
    poll(entries, count, milliseconds)
}
