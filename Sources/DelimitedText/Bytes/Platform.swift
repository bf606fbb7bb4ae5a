// All differences between operating systems in this target are in this file.
import FieldValues
import Tables

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system calls of this target. A call that a signal interrupts (EINTR) is repeated.
enum Platform {
    static var lastError: Int32 { errno }

    static let isDirectory = EISDIR

    /// The description of a system error. It starts with a lowercase letter, because it follows a colon in a message.
    static func errorDescription(_ number: Int32) -> String { String(cString: strerror(number)).lowercasingFirstLetter }

    /// Opens a file for reading. Opening a named pipe waits for its writer. On failure returns `nil` and sets ``lastError``.
    static func openForReading(_ path: String) -> Int32? {
        while true {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { return nil }
        }
    }

    static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

    struct Time: Equatable, Sendable {
        let seconds: Int
        let nanoseconds: Int

        init(_ time: timespec) { (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec)) }
    }

    /// The results of `fstat` and `stat` that this target uses.
    struct FileStatus: Sendable {
        var size: Int
        var device: UInt64
        var inode: UInt64
        var modified: Time
        /// The time of the last change of the file or its metadata (name, owner, times). Programs cannot set it.
        var changed: Time
        /// The time when this status was read, in seconds on the same clock as ``changed``.
        var readSeconds: Int
        var isDirectory: Bool
        var isRegular: Bool
        var isCharacterDevice: Bool
        /// True if the file belongs to this user and no other user can write to it.
        var isPrivate: Bool

        init(_ raw: stat) {
            size = Int(raw.st_size)
            device = UInt64(truncatingIfNeeded: raw.st_dev)
            inode = UInt64(raw.st_ino)
            #if canImport(Darwin)
                (modified, changed) = (Time(raw.st_mtimespec), Time(raw.st_ctimespec))
            #else
                (modified, changed) = (Time(raw.st_mtim), Time(raw.st_ctim))
            #endif
            isDirectory = raw.st_mode & S_IFMT == S_IFDIR
            isRegular = raw.st_mode & S_IFMT == S_IFREG
            isCharacterDevice = raw.st_mode & S_IFMT == S_IFCHR
            isPrivate = raw.st_uid == geteuid() && raw.st_mode & (S_IWGRP | S_IWOTH) == 0
            // The clock of time() may be a few milliseconds behind the clock of the file system, so CLOCK_REALTIME is read instead.
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            readSeconds = Int(time.tv_sec)
        }

        /// True if both statuses are of the same file and their sizes and times show no change.
        func isUnchanged(since other: FileStatus) -> Bool {
            size == other.size && device == other.device && inode == other.inode && modified == other.modified && changed == other.changed
        }

        /// The change of the file at a path since this status was read.
        func change(ofFileAt path: String) -> FileChange {
            guard let there = Platform.status(ofPath: path) else { return .deleted }
            if there.inode != inode || there.device != device { return .replaced }
            if there.size < size { return .truncated(to: there.size) }
            if there.size > size { return .grown(to: there.size) }
            return there.modified == modified ? .unchanged : .replaced
        }
    }

    static func status(of descriptor: Int32) -> FileStatus? {
        var raw = stat()
        return fstat(descriptor, &raw) == 0 ? FileStatus(raw) : nil
    }

    static func status(ofPath path: String) -> FileStatus? {
        var raw = stat()
        return stat(path, &raw) == 0 ? FileStatus(raw) : nil
    }

    /// The size of the file system that contains a file, and the free space available to the user, in bytes; `nil` if unknown.
    static func diskSpace(of descriptor: Int32) -> (total: Int, free: Int)? {
        var raw = statvfs()
        guard fstatvfs(descriptor, &raw) == 0 else { return nil }
        func bytes(_ blocks: UInt64) -> Int { Int(clamping: blocks.multipliedReportingOverflow(by: UInt64(raw.f_frsize)).partialValue) }
        return (bytes(UInt64(raw.f_blocks)), bytes(UInt64(raw.f_bavail)))
    }

    /// The read position of a descriptor, in bytes; negative if it cannot seek, like a pipe.
    static func position(of descriptor: Int32) -> Int { Int(lseek(descriptor, 0, SEEK_CUR)) }

    static func duplicate(_ descriptor: Int32) -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    /// Reads `count` bytes, or fewer if the file ends. Returns the number of bytes. On failure returns `nil` and sets ``lastError``.
    static func readFully(_ descriptor: Int32, into target: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) -> Int? {
        var done = 0
        while done < count {
            let result = pread(descriptor, target + done, count - done, off_t(offset + done))
            if result > 0 { done += result } else if result == 0 { break } else if errno != EINTR { return nil }
        }
        return done
    }

    /// Reads the bytes that a pipe has, or waits for some. Returns 0 at the end. On failure returns `nil` and sets ``lastError``.
    static func readSome(_ descriptor: Int32, into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int? {
        while true {
            let result = read(descriptor, target, count)
            if result >= 0 { return result }
            if errno != EINTR { return nil }
        }
    }

    /// Writes all bytes. On failure returns `false` and sets ``lastError``.
    static func writeFully(_ descriptor: Int32, from source: UnsafePointer<UInt8>, count: Int, at offset: Int) -> Bool {
        var done = 0
        while done < count {
            let result = pwrite(descriptor, source + done, count - done, off_t(offset + done))
            if result > 0 { done += result } else if result < 0 && errno != EINTR { return false }
        }
        return true
    }

    /// Waits until `descriptor` is readable and returns `true`. Returns `false` if the wait is cancelled, by closing the other end of
    /// `wakeDescriptor`, or if the time has elapsed. With −1 milliseconds, the time is unlimited.
    static func waitUntilReadable(_ descriptor: Int32, wakeDescriptor: Int32, milliseconds: Int32) -> Bool {
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let result = poll(&entries, nfds_t(entries.count), milliseconds)
            if result < 0 && errno == EINTR { continue }
            return result > 0 && entries[1].revents == 0
        }
    }

    /// True if the other end of the pipe `wakeDescriptor` is closed. Such a pipe never carries bytes; closing it is a signal.
    static func isClosed(_ wakeDescriptor: Int32) -> Bool {
        var entry = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Creates a pipe. Bytes written to the second descriptor are read from the first.
    static func makePipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Creates an unnamed file in `TMPDIR` or `/tmp`. The system removes it when the descriptor is closed, even if the process crashes. On
    /// failure returns `nil` and sets ``lastError``.
    static func makeUnnamedFile() -> Int32? {
        let folder = temporaryFolder
        return openWithoutName(in: folder) ?? openAndUnlink(in: folder)
    }

    /// The folder for temporary files: the variable `TMPDIR`, or `/tmp`.
    static var temporaryFolder: String {
        let variable = environment("TMPDIR") ?? ""
        return variable.isEmpty ? "/tmp" : variable
    }

    /// Creates a file that never has a name (`O_TMPFILE`); `nil` if the system, or the file system of `folder`, does not support such
    /// files.
    static func openWithoutName(in folder: String) -> Int32? {
        #if os(Linux)
            // The C library defines O_TMPFILE only for GNU programs. O_EXCL prevents the file from being named later.
            let temporary: Int32 = 0o20_000_000 | O_DIRECTORY
            let descriptor = open(folder, O_RDWR | O_EXCL | O_CLOEXEC | temporary, S_IRUSR | S_IWUSR)
            return descriptor >= 0 ? descriptor : nil
        #else
            return nil
        #endif
    }

    /// Creates a file with a random name and unlinks it at once. On failure returns `nil` and sets ``lastError``.
    static func openAndUnlink(in folder: String) -> Int32? {
        guard let file = makeNamedFile(in: folder) else { return nil }
        removeFile(file.path)
        return file.descriptor
    }

    /// Creates a file with a random name, accessible only to this user. On failure returns `nil` and sets ``lastError``.
    static func makeNamedFile(in folder: String) -> (descriptor: Int32, path: String)? {
        for _ in 0..<100 {
            let path = "\(folder)/delimited-text-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR)
            if descriptor >= 0 { return (descriptor, path) }
            guard errno == EEXIST || errno == EINTR else { return nil }
        }
        return nil
    }

    static func removeFile(_ path: String) { _ = unlink(path) }

    /// True if SQLite can continue to use a database file after the name of the file has been removed. SQLite on macOS cannot.
    #if canImport(Darwin)
        static let canRemoveOpenDatabases = false
    #else
        static let canRemoveOpenDatabases = true
    #endif

    /// The folder for the user's caches, relative to the home folder.
    #if canImport(Darwin)
        static let userCache = "Library/Caches"
    #else
        static let userCache = ".cache"
    #endif

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The absolute path without symbolic links; `nil` if the path does not exist.
    static func canonicalPath(_ path: String) -> [UInt8]? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// Opens a folder that no other user can write to; `nil` for other folders. If `parent` is given, `name` must not be a symbolic link.
    static func openPrivateFolder(_ name: String, in parent: Int32? = nil, creates: Bool) -> Int32? {
        if creates { _ = mkdirat(parent ?? AT_FDCWD, name, S_IRWXU) }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (parent == nil ? 0 : O_NOFOLLOW)
        let descriptor = openat(parent ?? AT_FDCWD, name, flags)
        if descriptor < 0 { return nil }
        if status(of: descriptor)?.isPrivate == true { return descriptor }
        closeDescriptor(descriptor)
        return nil
    }

    /// Opens a regular file that no other user can write to; `nil` for other files. Does not follow symbolic links and does not block.
    static func openPrivateFile(_ name: String, in folder: Int32) -> (descriptor: Int32, size: Int)? {
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        if descriptor < 0 { return nil }
        if let status = status(of: descriptor), status.isRegular, status.isPrivate { return (descriptor, status.size) }
        closeDescriptor(descriptor)
        return nil
    }

    /// Creates a file that only this user can access; `nil` if the name exists.
    static func createPrivateFile(_ name: String, in folder: Int32) -> Int32? {
        let descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Renames a file atomically, replacing a file with the new name.
    static func renameFile(_ old: String, to new: String, in folder: Int32) -> Bool { renameat(folder, old, folder, new) == 0 }

    static func removeFile(_ name: String, in folder: Int32) { _ = unlinkat(folder, name, 0) }

    /// Sets the modification time of a file to now, which marks it as recently used.
    static func touch(_ descriptor: Int32) { _ = futimens(descriptor, nil) }

    static func files(in folder: Int32) -> [(name: String, status: FileStatus)] {
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            if copy >= 0 { closeDescriptor(copy) }
            return []
        }
        defer { closedir(stream) }
        var found: [(name: String, status: FileStatus)] = []
        while let entry = readdir(stream) {
            let length = MemoryLayout.size(ofValue: entry.pointee.d_name)
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: length) { String(cString: $0) }
            }
            var raw = stat()
            guard fstatat(folder, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let status = FileStatus(raw)
            if status.isRegular { found.append((name, status)) }
        }
        return found
    }

    /// The time of a clock that never goes back, in nanoseconds.
    static func monotonicNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
