// All differences between operating systems in this target are in this file.
import FieldValues

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system calls of this target.
enum Platform {
    /// The properties of a file that identify its content.
    struct FileStatus: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            case file, folder
            /// A pipe or a device.
            case stream
            case other
        }

        var kind: Kind
        var size: Int
        var device: UInt64
        var inode: UInt64
        /// The time of the last change of the content, in seconds since 1970.
        var seconds: Int
        var nanoseconds: Int

        init(_ raw: stat) {
            kind =
                switch raw.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .folder
                case S_IFIFO, S_IFCHR, S_IFBLK: .stream
                default: .other
                }
            size = Int(raw.st_size)
            device = UInt64(truncatingIfNeeded: raw.st_dev)
            inode = UInt64(raw.st_ino)
            #if canImport(Darwin)
                (seconds, nanoseconds) = (Int(raw.st_mtimespec.tv_sec), Int(raw.st_mtimespec.tv_nsec))
            #else
                (seconds, nanoseconds) = (Int(raw.st_mtim.tv_sec), Int(raw.st_mtim.tv_nsec))
            #endif
        }
    }

    /// The code of the last system error.
    static var lastError: Int32 { errno }

    /// The description of a system error, for use after a colon.
    static func errorDescription(_ number: Int32) -> String { String(cString: strerror(number)).lowercasingFirstLetter }

    /// The last component of the absolute path of a folder; `/` for the root, and `nil` if the folder does not exist.
    static func folderName(ofPath path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved).split(separator: "/").last.map(String.init) ?? "/"
    }

    /// The status of the file at a path, following symbolic links. On failure, returns `nil` and sets ``lastError``.
    static func status(ofPath path: String) -> FileStatus? {
        var raw = stat()
        return stat(path, &raw) == 0 ? FileStatus(raw) : nil
    }

    /// The kind of an entry as stored in its folder; `unknown` if the folder does not store it.
    enum EntryKind { case file, folder, link, other, unknown }

    /// Calls `body` with each entry of a folder except `.` and `..`, in any order, until it returns `false`.
    /// - Returns: `false` if the folder cannot be read; ``lastError`` has the reason.
    static func forEachEntry(ofFolder path: String, _ body: (_ name: [UInt8], _ kind: EntryKind) -> Bool) -> Bool {
        guard let stream = opendir(path.isEmpty ? "." : path) else { return false }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 }
            let capacity = MemoryLayout.size(ofValue: entry.pointee.d_name)
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: UInt8.self, capacity: capacity) { start in
                    Array(UnsafeBufferPointer(start: start, count: capacity).prefix { $0 != 0 })
                }
            }
            if name == [UInt8(ascii: ".")] || name == [UInt8(ascii: "."), UInt8(ascii: ".")] { continue }
            let kind: EntryKind =
                switch Int32(entry.pointee.d_type) {
                case Int32(DT_REG): .file
                case Int32(DT_DIR): .folder
                case Int32(DT_LNK): .link
                case Int32(DT_UNKNOWN): .unknown
                default: .other
                }
            if !body(name, kind) { return true }
        }
    }

    /// A time as `2024-01-31 12:30:00` in the time zone of the user.
    static func localTime(_ seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        guard localtime_r(&time, &parts) != nil else { return "" }
        func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var year = "\(Int(parts.tm_year) + 1900)"
        year = String(repeating: "0", count: max(0, 4 - year.utf8.count)) + year
        let day = "\(year)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday))"
        return "\(day) \(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min)):\(twoDigits(parts.tm_sec))"
    }

    /// The current time of a monotonic clock, in milliseconds.
    static func monotonicMilliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000
    }
}
