import Testing

@testable import DelimitedText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tests of the folder, the permissions and the number of cache entries.
extension IndexCacheTests {
    // MARK: The folder

    @Test func `only the user can read the folders and files of the cache`() throws {
        let folder = CacheFolder(exists: false)
        let file = TestFile(plain)
        _ = try openTwice(file, folder.cache)
        for path in [folder.base, "\(folder.base)/gridview", folder.index] { #expect(try folder.mode(path) == 0o700) }
        #expect(try folder.entries.map { try folder.mode("\(folder.index)/\($0)") } == [0o600])
    }

    @Test func `a cache folder is not used if it is a link or others can write to it`() throws {
        let file = TestFile(plain)
        let makers: [(CacheFolder) -> Void] = [
            { folder in
                mkdir("\(folder.base)/elsewhere", 0o700)
                mkdir("\(folder.base)/elsewhere/index", 0o700)
                symlink("elsewhere", "\(folder.base)/gridview")
            },
            { folder in
                mkdir("\(folder.base)/gridview", 0o700)
                mkdir("\(folder.base)/elsewhere", 0o700)
                symlink("../elsewhere", folder.index)
            },
            { chmod($0.base, 0o777) },
            { folder in
                mkdir("\(folder.base)/gridview", 0o700)
                chmod("\(folder.base)/gridview", 0o770)
            },
            { folder in
                mkdir("\(folder.base)/gridview", 0o700)
                symlink("/dev/zero", folder.index)
            },
            { folder in
                mkdir("\(folder.base)/gridview", 0o500)
                close(creat(folder.index, 0o600))
            },
        ]
        for (number, make) in makers.enumerated() {
            let folder = CacheFolder()
            make(folder)
            let opened = try openTwice(file, folder.cache).file
            #expect(opened.snapshot().recordCount == 900)
            #expect(try !openTwice(file, folder.cache).isRestored, "case \(number)")
        }
        for base in ["/nowhere/at/all", "/dev/null", "/proc/self", "", "relative"] {
            #expect(try openTwice(file, IndexCache(base: base)).file.snapshot().recordCount == 900)
        }
    }

    @Test func `a cache entry is not read if it is a link, a pipe, a folder, or writable by others`() throws {
        let file = TestFile(plain)
        let makers: [(String, String) -> Void] = [
            {
                rename($0, $1); symlink($1, $0)
            },
            { path, _ in chmod(path, 0o666) },
            { path, _ in
                unlink(path); mkfifo(path, 0o600)
            },
            { path, _ in
                unlink(path); mkdir(path, 0o700)
            },
            { path, _ in
                unlink(path); symlink("/dev/zero", path)
            },
        ]
        for (number, make) in makers.enumerated() {
            let folder = CacheFolder()
            _ = try openTwice(file, folder.cache)
            let path = try "\(folder.index)/\(#require(folder.entries.first))"
            make(path, "\(folder.base)/other")
            let (opened, isRestored) = try openTwice(file, folder.cache)
            #expect(!isRestored, "case \(number)")
            #expect(opened.snapshot().recordCount == 900)
        }
    }

    @Test func `relative paths in the environment are ignored`() {
        #expect(IndexCache.base(cacheHome: "/c", home: "/h") == "/c")
        #expect(IndexCache.base(cacheHome: "c", home: "/h") == "/h/\(Platform.userCache)")
        #expect(IndexCache.base(cacheHome: "", home: "/h") == "/h/\(Platform.userCache)")
        #expect(IndexCache.base(cacheHome: nil, home: "h") == nil)
        #expect(IndexCache.base(cacheHome: "../c", home: nil) == nil)
    }

    // MARK: Limits and concurrency

    @Test func `the least recently used cache entries are deleted first`() throws {
        let folder = CacheFolder()
        var cache = folder.cache
        cache.maximumFiles = 3
        let files = (0..<4).map { _ in TestFile(plain) }
        var names: [String] = []
        for (age, file) in files.prefix(3).enumerated() {
            _ = try openTwice(file, cache)
            let name = try #require(folder.entries.first { !names.contains($0) })
            names.append(name)
            folder.setAge("\(folder.index)/\(name)", seconds: 1_000 - age)
        }
        close(creat("\(folder.index)/not-an-entry", 0o600))
        folder.setAge("\(folder.index)/not-an-entry", seconds: 9_000)
        // The oldest entry is used, so the second oldest is deleted.
        #expect(try openTwice(files[0], cache).isRestored)
        _ = try openTwice(files[3], cache)
        #expect(folder.entries.count == 4)
        #expect(folder.entries.contains("not-an-entry"))
        #expect(folder.entries.contains(names[0]) && !folder.entries.contains(names[1]) && folder.entries.contains(names[2]))
        // The size limit has room for one entry.
        let size = try folder.bytes(names[0]).count
        cache.maximumBytes = size * 2 - 1
        _ = try openTwice(files[1], cache)
        #expect(folder.entries.count == 2)
        cache.maximumBytes = size - 1
        #expect(try !openTwice(files[1], cache).isRestored)
    }

    @Test func `several writers and readers share the cache`() async throws {
        let folder = CacheFolder()
        var cache = folder.cache
        cache.maximumFiles = 2
        let bounded = cache
        let (request, settings) = (Self.request, Self.settings)
        let files = (0..<4).map { _ in TestFile(plain) }
        let paths = files.map(\.path)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                let path = paths[number % 4]
                group.addTask {
                    let opened = try DelimitedFile(path: path, request: request, settings: settings)
                    try opened.buildIndex(threads: 1, cache: bounded) { _ in true }
                    return opened.snapshot().recordCount
                }
            }
            for try await count in group { #expect(count == 900) }
        }
        withExtendedLifetime(files) {}
        _ = try openTwice(files[0], bounded)
        #expect(folder.entries.count <= 2)
        #expect(folder.entries.allSatisfy { $0.count == 16 })
    }
}
