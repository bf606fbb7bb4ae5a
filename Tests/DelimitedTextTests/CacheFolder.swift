import Locks
import Tables
import Testing

@testable import DelimitedText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Progress reports from any thread.
final class ProgressReports: @unchecked Sendable {
    private let gate = Gate()
    private var reports: [ReadProgress] = []
    func add(_ progress: ReadProgress) { gate.withLockNotifying { reports.append(progress) } }
    var all: [ReadProgress] { gate.withLock { reports } }
}

/// A cache folder in the temporary folder, deleted with this object.
final class CacheFolder {
    let base: String
    var index: String { "\(base)/gridview/index" }

    init(exists: Bool = true) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        base = "\(folder)/delimited-text-cache-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        if exists { mkdir(base, 0o700) }
    }

    deinit { Self.remove(base) }

    /// A cache that also accepts small and recently changed files.
    var cache: IndexCache {
        var cache = IndexCache(base: base)
        cache.minimumBytes = 1_000
        cache.settleSeconds = 0
        return cache
    }

    var entries: [String] { Self.names(index) }

    func mode(_ path: String) throws -> mode_t {
        var raw = stat()
        try #require(lstat(path, &raw) == 0)
        return raw.st_mode & 0o777
    }

    func setAge(_ path: String, seconds: Int) {
        var times = [timespec(), timespec()]
        for index in 0..<2 { times[index].tv_sec = time(nil) - seconds }
        utimensat(AT_FDCWD, path, times, 0)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        let file = try #require(fopen("\(index)/\(name)", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes
    }

    func replace(_ name: String, _ bytes: [UInt8]) throws {
        let file = try #require(fopen("\(index)/\(name)", "w"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    private static func names(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let length = MemoryLayout.size(ofValue: entry.pointee.d_name)
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: length) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        var raw = stat()
        guard lstat(path, &raw) == 0 else { return }
        if raw.st_mode & S_IFMT == S_IFDIR {
            chmod(path, 0o700)
            for name in names(path) { remove("\(path)/\(name)") }
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}
