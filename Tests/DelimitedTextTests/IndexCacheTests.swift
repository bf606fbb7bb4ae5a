import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DelimitedText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tests of indexes that are cached between two openings of a file (D2).
@Suite struct IndexCacheTests {
    static let request = DialectRequest(delimiter: 0x2c, quote: .some(0x22), hasHeader: true, encoding: .utf8)
    static let settings = ScanSettings.tiny(chunk: 256, span: 16, block: 64)

    /// The content of an index.
    struct Content: Equatable {
        var fields: [[[UInt8]]]
        var diagnostics: Diagnostics
        var places: [Int]
        var records: [Int?]
        /// The records found for some search strings.
        var found: [[Int]]
    }

    func content(_ file: DelimitedFile) throws -> Content {
        let snapshot = file.snapshot()
        #expect(snapshot.isComplete)
        return Content(
            fields: try file.allFields(columns: 6), diagnostics: file.diagnostics,
            places: (0...snapshot.recordCount).map { snapshot.byteOffset(ofRecord: $0) },
            records: stride(from: 0, to: file.byteCount, by: 7).map { snapshot.record(atByteOffset: $0) },
            found: try ["a", "b", "ab", "é", "5", "99"].map { try found($0, in: snapshot) })
    }

    private func found(_ text: String, in snapshot: RecordSnapshot) throws -> [Int] {
        var required = RequiredBytes()
        let part = Array(text.utf8)
        for byte in part { required.append(byte) }
        required.isSufficient = true
        var records: [Int] = []
        try snapshot.scan(0..<snapshot.recordCount, columns: Array(0..<6), holding: required, while: { true }) {
            if $1.isEmpty || $1.contains(where: { $0.contains(part) }) { records.append($0) }
            return true
        }
        return records
    }

    func open(
        _ file: TestFile, _ request: DialectRequest = request, settings: ScanSettings = settings
    ) throws -> DelimitedFile {
        try DelimitedFile(path: file.path, request: request, settings: settings)
    }

    /// Opens the file. `isRestored` is true if its index came from the cache without scanning.
    func openTwice(
        _ file: TestFile, _ cache: IndexCache, _ request: DialectRequest = request, settings: ScanSettings = settings
    ) throws -> (file: DelimitedFile, isRestored: Bool) {
        let opened = try open(file, request, settings: settings)
        let isRestored = opened.cacheKey(for: cache).map { opened.restoreIndex(from: cache, $0) } ?? false
        try opened.buildIndex(threads: 2, cache: cache) { _ in true }
        return (opened, isRestored)
    }

    /// Random content of a few KiB.
    func text(_ generator: inout SplitMix64) -> [UInt8] {
        var bytes = Array("a,b,c\n".utf8)
        let count = Int.random(in: 5_000...9_000, using: &generator)
        while bytes.count < count { bytes += randomText(&generator, delimiter: 0x2c, maximum: 500) }
        return bytes
    }

    let plain = Array(("n,square\n" + (0..<900).map { "\($0),\($0 * $0)\n" }.joined()).utf8)

    @Test func `a file that is opened again uses its cached index`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for number in 0..<60 {
            let folder = CacheFolder()
            let file = TestFile(text(&generator))
            let reference = try open(file)
            try reference.buildIndex(threads: 1) { _ in true }
            let expected = try content(reference)
            #expect(try !openTwice(file, folder.cache).isRestored)
            let (again, isRestored) = try openTwice(file, folder.cache)
            #expect(isRestored, "seed \(seed) case \(number)")
            #expect(try content(again) == expected, "seed \(seed) case \(number)")
            // Later growth is indexed as usual, and not cached.
            let more = text(&generator)
            file.write(more, append: true)
            again.acceptGrowth()
            try again.buildIndex(threads: 2, cache: folder.cache) { _ in true }
            let whole = try open(file)
            try whole.buildIndex(threads: 1) { _ in true }
            #expect(try content(again) == content(whole), "seed \(seed) case \(number)")
            #expect(try !openTwice(file, folder.cache).isRestored)
        }
    }

    @Test func `a restored index still finds text inside irregularly quoted fields`() throws {
        let folder = CacheFolder()
        // The first field contains abcd after unquoting. The record is not at the end of the file, which is always indexed again.
        let file = TestFile(plain + Array("1,\"ab\"cd\n2,abcd\n".utf8) + plain)
        for isKept in [false, true] {
            let (opened, isRestored) = try openTwice(file, folder.cache)
            #expect(isRestored == isKept)
            #expect(try found("abcd", in: opened.snapshot()) == [900, 901])
        }
    }

    @Test func `restoring an index reports progress once`() throws {
        let folder = CacheFolder()
        let file = TestFile(plain)
        _ = try openTwice(file, folder.cache)
        let opened = try open(file)
        let mailbox = ProgressReports()
        try opened.buildIndex(threads: 2, cache: folder.cache) { progress in
            mailbox.add(progress)
            return true
        }
        #expect(mailbox.all == [ReadProgress(bytesDone: plain.count, bytesTotal: plain.count, records: 900)])
    }

    @Test func `files that end at or near a chunk boundary are cached`() throws {
        for size in [256 * 20 - 1, 256 * 20, 256 * 20 + 1] {
            let folder = CacheFolder()
            let file = TestFile(Array(plain.prefix(size)))
            #expect(try !openTwice(file, folder.cache).isRestored)
            let (again, isRestored) = try openTwice(file, folder.cache)
            #expect(isRestored)
            #expect(again.snapshot().recordCount == plain.prefix(size).dropLast().count { $0 == 0x0a })
        }
    }

    // MARK: Stale entries

    /// With equal size and modification time, only the change time, or else the samples, reveal the change.
    @Test func `changed content is detected even if the size and modification time are equal`() throws {
        let folder = CacheFolder()
        let file = TestFile(plain)
        _ = try openTwice(file, folder.cache)
        let before = try #require(Platform.status(ofPath: file.path))
        let key = try #require(try open(file).cacheKey(for: folder.cache))
        file.write(plain.prefix(5_000) + plain.dropFirst(5_000).map { $0 == 0x0a ? 0x20 : $0 })
        var times = [timespec(), timespec()]
        for index in 0..<2 {
            times[index].tv_sec = before.modified.seconds
            times[index].tv_nsec = before.modified.nanoseconds
        }
        #expect(utimensat(AT_FDCWD, file.path, times, 0) == 0)
        let opened = try open(file)
        let now = try #require(opened.cacheKey(for: folder.cache))
        #expect(now.name == key.name)
        #expect(now.words.last != key.words.last, "the samples differ")
        #expect(zip(now.words.dropLast(), key.words).contains { $0 != $1 }, "the change time differs")
        #expect(try !openTwice(file, folder.cache).isRestored)
    }

    @Test func `a longer, shorter or replaced file is indexed again`() throws {
        let changes: [(TestFile) -> Void] = [
            { $0.write(Array("7\n".utf8), append: true) },
            { _ = truncate($0.path, 8_000) },
            { file in
                let other = TestFile(self.plain)
                rename(other.path, file.path)
            },
            { file in
                // Another file gets the name and the times of the old one.
                let other = TestFile(self.plain.reversed())
                let before = Platform.status(ofPath: file.path)!
                var times = [timespec(), timespec()]
                for index in 0..<2 {
                    times[index].tv_sec = before.modified.seconds
                    times[index].tv_nsec = before.modified.nanoseconds
                }
                _ = utimensat(AT_FDCWD, other.path, times, 0)
                rename(other.path, file.path)
            },
        ]
        for change in changes {
            let folder = CacheFolder()
            let file = TestFile(plain)
            _ = try openTwice(file, folder.cache)
            #expect(try openTwice(file, folder.cache).isRestored)
            change(file)
            let reference = try open(file)
            try reference.buildIndex(threads: 1) { _ in true }
            let (opened, isRestored) = try openTwice(file, folder.cache)
            #expect(!isRestored)
            #expect(try content(opened) == content(reference))
        }
    }

    @Test func `each dialect has its own cached index`() throws {
        let folder = CacheFolder()
        let file = TestFile(plain)
        var others = [DialectRequest](repeating: Self.request, count: 6)
        others[0].delimiter = 0x3b
        others[1].quote = .some(nil)
        others[2].hasHeader = false
        others[3].encoding = .latin1
        others[4].skipLines = 1
        others[5].commentPrefix = [0x39]
        for other in others {
            _ = try openTwice(file, folder.cache)
            #expect(try openTwice(file, folder.cache).isRestored)
            let (opened, isRestored) = try openTwice(file, folder.cache, other)
            #expect(!isRestored, "\(other)")
            let reference = try open(file, other)
            try reference.buildIndex(threads: 1) { _ in true }
            #expect(try content(opened) == content(reference), "\(other)")
        }
        _ = try openTwice(file, folder.cache)
        #expect(try !openTwice(file, folder.cache, settings: .tiny(chunk: 512, span: 16, block: 64)).isRestored)
    }

    /// A change within the time resolution of the file system would go unnoticed.
    @Test func `a file that was changed recently is not cached`() throws {
        let folder = CacheFolder()
        var cache = folder.cache
        cache.settleSeconds = 1_000
        let file = TestFile(plain)
        _ = try openTwice(file, cache)
        #expect(folder.entries.isEmpty)
    }

    @Test func `a file that changes during indexing is not cached`() throws {
        let folder = CacheFolder()
        let file = TestFile(plain)
        let opened = try open(file)
        let (path, size) = (file.path, plain.count)
        try opened.buildIndex(threads: 1, cache: folder.cache) { _ in
            truncate(path, off_t(size + 1))
            return true
        }
        #expect(opened.snapshot().isComplete)
        #expect(folder.entries.isEmpty)
    }

    @Test func `small files and cancelled indexes are not cached`() throws {
        let folder = CacheFolder()
        var cache = folder.cache
        let file = TestFile(plain)
        try open(file).buildIndex(threads: 1, cache: cache) { _ in false }
        #expect(folder.entries.isEmpty)
        cache.minimumBytes = plain.count + 1
        _ = try openTwice(file, cache)
        #expect(folder.entries.isEmpty)
        cache.minimumBytes = plain.count
        _ = try openTwice(file, cache)
        #expect(folder.entries.count == 1)
    }

    // MARK: Damaged entries

    @Test func `a damaged cache entry causes no crash and no wrong record`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        let folder = CacheFolder()
        let file = TestFile(plain)
        _ = try openTwice(file, folder.cache)
        let path = try #require(folder.entries.first)
        let good = try folder.bytes(path)
        for number in 0..<400 {
            var bad = good
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bad.removeLast(Int.random(in: 1...bad.count, using: &generator))
            case 1: bad += (0..<Int.random(in: 1...100, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            case 2: bad.shuffle(using: &generator)
            case 3: for _ in 0..<40 { bad[Int.random(in: 0..<bad.count, using: &generator)] = .random(in: 0...255, using: &generator) }
            default: bad[Int.random(in: 0..<bad.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
            if bad == good { continue }
            try folder.replace(path, bad)
            let opened = try open(file)
            let key = try #require(opened.cacheKey(for: folder.cache))
            #expect(!opened.restoreIndex(from: folder.cache, key), "seed \(seed) case \(number)")
            if number % 20 == 0 {
                try opened.buildIndex(threads: 1, cache: folder.cache) { _ in true }
                #expect(opened.snapshot().recordCount == 900)
                #expect(try folder.bytes(path) == good)
            }
        }
    }

    @Test func `a forged cache entry with a valid checksum may give wrong records, but causes no crash`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        let folder = CacheFolder()
        let file = TestFile(text(&generator))
        let built = try open(file)
        try built.buildIndex(threads: 1) { _ in true }
        let key = try #require(built.cacheKey(for: folder.cache))
        let good = try #require(built.index.words(end: built.byteCount))
        var acceptedCount = 0
        for number in 0..<250 {
            var words = good
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<(Bool.random(using: &generator) ? 43 : words.count), using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: words[place] = .random(in: 0 ... .max, using: &generator)
                case 1: words[place] = .random(in: 0...9_000, using: &generator)
                case 2: words[place] ^= 1 << UInt64.random(in: 0..<64, using: &generator)
                default: words[place] = words.randomElement(using: &generator)!
                }
            }
            let all = key.words + words
            folder.cache.write(all + [WordChecksum.mix(all)], to: key.name)
            let opened = try open(file)
            guard opened.restoreIndex(from: folder.cache, key) else { continue }
            acceptedCount += 1
            let snapshot = opened.snapshot()
            #expect(0...opened.byteCount ~= snapshot.recordCount, "seed \(seed) case \(number)")
            _ = opened.diagnostics
            _ = try? opened.allFields(columns: 6)
            _ = try? opened.tail(atLeast: 50)
            _ = try? snapshot.records(0..<snapshot.recordCount)
            for offset in stride(from: 0, to: opened.byteCount, by: 97) { _ = snapshot.record(atByteOffset: offset) }
            for record in stride(from: 0, through: snapshot.recordCount, by: 31) { _ = snapshot.byteOffset(ofRecord: record) }
            file.write(Array("x,y,z\n".utf8), append: true)
            opened.acceptGrowth()
            try? opened.buildIndex(threads: 2) { _ in true }
            _ = opened.diagnostics
            truncate(file.path, off_t(opened.byteCount - 6))
        }
        #expect(acceptedCount > 0)
    }
}
