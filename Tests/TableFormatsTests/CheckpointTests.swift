import CCodecs
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import DelimitedText
@testable import TableFormats

/// The second opening of a large gzip file decodes only what is read, because the index cache has checkpoints (D2).
@Suite(.enabled(if: Python.isAvailable && gv_boundaries_are_available() != 0)) struct CheckpointTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // A cache folder must belong to the user only.
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "cache"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Compresses a file in several ways.
    private static let compress = """
        import random, struct, sys, zlib
        path = sys.argv[1]
        data = open(path, 'rb').read()
        random.seed(7)
        def gzip(data, level=6, strategy=0, flush=None):
            state = zlib.compressobj(level, zlib.DEFLATED, 31, 8, strategy)
            result = b''
            for start in range(0, len(data), 5000): result += state.compress(data[start:start + 5000]) + (state.flush(flush) if flush else b'')
            return result + state.flush()
        def members(size, empty):
            pieces = [data[start:start + size] for start in range(0, len(data), size)]
            return b''.join(gzip(piece, random.choice([0, 1, 6, 9])) + gzip(b'') * random.randint(0, empty) for piece in pieces)
        def named():
            body = zlib.compressobj(9, zlib.DEFLATED, -15)
            header = b'\\x1f\\x8b\\x08\\x0e' + bytes(6) + struct.pack('<H', 5) + b'extra' + b'name\\x00'
            header += struct.pack('<H', zlib.crc32(header) & 0xffff)
            # The comment flag is not set, the header checksum is.
            return header + body.compress(data) + body.flush() + struct.pack('<II', zlib.crc32(data), len(data))
        def bgzf():
            blocks = b''
            for start in list(range(0, len(data), 65280)) + [len(data)]:
                piece = data[start:start + 65280]
                state = zlib.compressobj(6, zlib.DEFLATED, -15)
                body = state.compress(piece) + state.flush()
                blocks += struct.pack('<4BI2BH2BHH', 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(body) + 25) + body
                blocks += struct.pack('<II', zlib.crc32(piece), len(piece))
            return blocks
        variants = {
            'l0': lambda: gzip(data, 0), 'l1': lambda: gzip(data, 1), 'l6': lambda: gzip(data), 'l9': lambda: gzip(data, 9),
            'fixed': lambda: gzip(data, 6, zlib.Z_FIXED), 'full': lambda: gzip(data, 6, 0, zlib.Z_FULL_FLUSH),
            'sync': lambda: gzip(data, 6, 0, zlib.Z_SYNC_FLUSH), 'small': lambda: members(1000, 2), 'large': lambda: members(300000, 1),
            'named': named, 'bgzf': bgzf, 'zeros': lambda: gzip(data) + bytes(300), 'garbage': lambda: gzip(data) + b'garbage',
            'utf16': lambda: gzip(data.decode('utf-8').encode('utf-16')),
            'crc': lambda: gzip(data)[:-8] + b'wrong' + gzip(data)[-3:],
        }
        for name in sys.argv[2].split(): open(path + '.' + name + '.gz', 'wb').write(variants[name]())
        """

    /// Variants that consist of gzip members only.
    private static let variants = ["l0", "l1", "l6", "l9", "fixed", "full", "sync", "small", "large", "named", "zeros", "bgzf"]

    private static func text(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        let words = ["a", "Größe", "two words", "日本", "x|y", "\"quoted\n\"\"text\"\"\""]
        var text = "id,word,number,key\n"
        for row in 0..<count {
            text += "\(row),\(words.randomElement(using: &random)!),\(Int.random(in: -99_999...99_999, using: &random)).25,"
            text += String(UInt64.random(in: 0 ... .max, using: &random), radix: 36) + "\n"
        }
        return Array(text.utf8)
    }

    private static let text = text(40_000, seed: 1)

    /// Writes compressed variants of the text. Returns the path without the suffix of the variant.
    private func write(_ variants: [String], _ text: [UInt8] = text) throws -> String {
        let path = try folder.file("t.csv", bytes: text)
        try Python.run(Self.compress, path, variants.joined(separator: " "))
        return path
    }

    /// A cache that also accepts small and recently changed files.
    private func cache(spacing: Int) -> IndexCache {
        var cache = IndexCache(base: folder.path(of: "cache"))
        (cache.minimumBytes, cache.minimumCompressedBytes, cache.settleSeconds) = (1, 1, 0)
        cache.checkpointSpacing = spacing
        return cache
    }

    private var entryPaths: [String] {
        let index = folder.path(of: "cache/gridview/index")
        return ((try? FileManager.default.contentsOfDirectory(atPath: index)) ?? []).sorted().map { "\(index)/\($0)" }
    }

    private func removeEntries() throws { for path in entryPaths { try FileManager.default.removeItem(atPath: path) } }

    /// Settings so small that a text of 1 MiB crosses many limits.
    private static var settings: ScanSettings {
        var settings = ScanSettings()
        (settings.chunkBytes, settings.spanBytes, settings.blockBytes) = (4096, 128, 1024)
        (settings.firstBytes, settings.tailBytes) = (2048, 512)
        return settings
    }

    private func open(
        _ path: String, _ cache: IndexCache?, settings: ScanSettings = settings,
        decoding: any InputDecoding = Decompression(threads: 2)
    ) throws -> DelimitedFile {
        try DelimitedFile(
            FileOpening(path: path, request: DialectRequest(), settings: settings, decoding: decoding, cache: cache), cache: cache)
    }

    /// Opens a file and finds all records.
    private func read(
        _ path: String, _ cache: IndexCache?, settings: ScanSettings = settings,
        decoding: any InputDecoding = Decompression(threads: 2)
    ) throws -> DelimitedFile {
        let file = try open(path, cache, settings: settings, decoding: decoding)
        try file.readAll(threads: 2, priority: .foreground) { _ in true }
        return file
    }

    private func records(_ file: DelimitedFile) throws -> [[[UInt8]]] { try file.allRecords() }

    // MARK: The second opening

    @Test(arguments: variants)
    func `D2: a reopened gzip file has the same bytes, in any order of reads and on several threads`(variant: String) throws {
        let text = Self.text
        let path = try write([variant]) + ".\(variant).gz"
        for spacing in variant == "l6" ? [1, 5_000, 400_000, 100_000_000] : [1, 400_000] {
            let cache = cache(spacing: spacing)
            let first = try read(path, cache)
            #expect(first.sections == nil && entryPaths.count == 1, "\(spacing)")
            let expected = first.snapshot().recordCount
            #expect(expected == 40_000)

            let second = try read(path, cache)
            let sections = try #require(second.sections)
            #expect(second.snapshot().isComplete && second.snapshot().recordCount == expected && !second.isGrowing)
            #expect(second.byteCount == text.count && second.compression == first.compression && second.problems == first.problems)
            #expect(sections.decodedCount == 0, "nothing is decoded to find the records")
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                var random = SplitMix64(seed: UInt64(thread))
                for _ in 0..<100 {
                    let start = Int.random(in: 0..<text.count, using: &random)
                    let count = Int.random(in: 0...(random.next() % 16 == 0 ? 300_000 : 300), using: &random)
                    let bytes = try? second.source.bytes(at: start, count: count)
                    let isEqual = bytes.map { $0.count == min(count, text.count - start) && $0.isPart(of: text, at: start) }
                    #expect(isEqual == true, "\(spacing) \(start) \(count)")
                }
            }
            #expect(try second.source.bytes(at: 0, count: text.count) == text)
            #expect(sections.decodedCount == text.count, "each section is decoded once")
            if spacing == 1 { #expect(try records(second) == records(first)) }
            try removeEntries()
        }
    }

    @Test func `D2: reading a row of a reopened file decodes only the section that contains the row`() throws {
        let path = try write(["l6"]) + ".l6.gz"
        let cache = cache(spacing: 50_000)
        let expected = try records(read(path, cache))
        let second = try read(path, cache)
        let sections = try #require(second.sections)
        let table = second.snapshot()
        #expect(sections.table.checkpoints.count > 8)
        for (number, row) in [39_999, 20_000, 20_001, 0].enumerated() {
            let fields = try table.records(row..<row + 1)[0].fields.map { Array($0.text.utf8) }
            #expect(fields == expected[row])
            // Opening the file has decoded the first rows. Any other row needs one or two sections of at most 200,000 bytes.
            #expect((1...400_000 * (number + 1)).contains(sections.decodedCount))
        }
        #expect(sections.decodedCount < Self.text.count / 2)
        #expect(try second.tail(atLeast: 3).records.count == 3)
    }

    @Test func `D2: FileOpener uses checkpoints and shows the same file details as at the first opening`() throws {
        let path = try write(["l6"]) + ".l6.gz"
        let opener = FileOpener(indexCache: cache(spacing: 50_000))
        for number in 1...3 {
            let source = try #require(try opener.open(path: path) as? DelimitedFile)
            try source.readAll(threads: 2, priority: .background) { _ in true }
            #expect(source.snapshot().recordCount == 40_000 && !source.isGrowing && source.problems.isEmpty)
            let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            #expect(source.compression == Compression(name: "gzip", byteCount: size))
            #expect(source.checkForChange() == .unchanged && source.isUnchanged())
            // The second opening restores the index, even if ISA-L is installed.
            #expect((source.sections != nil) == (number > 1))
        }
    }

    @Test func `D2: the decoder records checkpoints only if the cache stores them`() throws {
        final class RequestRecorder: InputDecoding {
            let base = Decompression(threads: 1)
            let requests = Mutex<[Bool]>([])

            func recognize(_ head: [UInt8], isEnd: Bool) -> DecodingChoice { base.recognize(head, isEnd: isEnd) }
            func makeDecoder(head: [UInt8], name: String, findsCheckpoints: Bool) throws(DelimitedTextError) -> any ByteDecoder {
                requests.withLock { $0.append(findsCheckpoints) }
                return try base.makeDecoder(head: head, name: name, findsCheckpoints: findsCheckpoints)
            }
            func decode(
                _ section: CompressedSection, name: String,
                read: (UnsafeMutableBufferPointer<UInt8>, Int) throws(DelimitedTextError) -> Int,
                write: (UnsafeBufferPointer<UInt8>) throws(DelimitedTextError) -> Void
            ) throws(DelimitedTextError) { try base.decode(section, name: name, read: read, write: write) }
        }
        let path = try write(["l6"]) + ".l6.gz"
        let recorder = RequestRecorder()
        var large = cache(spacing: 50_000)
        large.minimumCompressedBytes = .max
        _ = try read(path, cache(spacing: 50_000), decoding: recorder)
        _ = try read(path, large, decoding: recorder)
        _ = try read(path, nil, decoding: recorder)
        #expect(recorder.requests.withLock { $0 } == [true, false, false])
    }

    @Test func `D2: two threads decode different sections at the same time, and each section only once`()
        throws
    {
        /// The first of two threads waits before it decodes a section, until the second is about to decode one.
        final class SynchronizedDecoding: InputDecoding {
            let base = Decompression(threads: 1)
            let arrived = DispatchSemaphore(value: 0)
            let calls = Atomic(0)
            let hasOverlapped = Atomic(true)

            func recognize(_ head: [UInt8], isEnd: Bool) -> DecodingChoice { base.recognize(head, isEnd: isEnd) }
            func makeDecoder(head: [UInt8], name: String, findsCheckpoints: Bool) throws(DelimitedTextError) -> any ByteDecoder {
                try base.makeDecoder(head: head, name: name, findsCheckpoints: findsCheckpoints)
            }
            func decode(
                _ section: CompressedSection, name: String,
                read: (UnsafeMutableBufferPointer<UInt8>, Int) throws(DelimitedTextError) -> Int,
                write: (UnsafeBufferPointer<UInt8>) throws(DelimitedTextError) -> Void
            ) throws(DelimitedTextError) {
                let number = calls.wrappingAdd(1, ordering: .relaxed).newValue
                if number == 1, arrived.wait(timeout: .now() + 30) == .timedOut { hasOverlapped.store(false, ordering: .relaxed) }
                if number == 2 { arrived.signal() }
                try base.decode(section, name: name, read: read, write: write)
            }
        }
        let path = try write(["l6"]) + ".l6.gz"
        let cache = cache(spacing: 50_000)
        _ = try read(path, cache)
        // A thread that would wait for a section decodes the next one first.
        for pair in [(3, 6), (2, 2)] {
            let decoding = SynchronizedDecoding()
            let second = try read(path, cache, decoding: decoding)
            let checkpoints = try #require(second.sections).table.checkpoints
            @Sendable func checkSection(_ number: Int) {
                let start = checkpoints[number].outputOffset
                #expect((try? second.source.bytes(at: start, count: 10)) == Array(Self.text[start..<start + 10]))
            }
            DispatchQueue.concurrentPerform(iterations: 2) { checkSection($0 == 0 ? pair.0 : pair.1) }
            #expect(decoding.hasOverlapped.load(ordering: .relaxed) && decoding.calls.load(ordering: .relaxed) == 2, "\(pair)")
            DispatchQueue.concurrentPerform(iterations: 8) { _ in checkSection(7) }
            #expect((3...4).contains(decoding.calls.load(ordering: .relaxed)))
        }
    }

    @Test func `D2: a file that is opened again can be read with another dialect or encoding`() throws {
        let path = try write(["l6"]) + ".l6.gz"
        let cache = cache(spacing: 50_000)
        let first = try read(path, cache)
        let second = try read(path, cache)
        for request in [DialectRequest(delimiter: 0x7c), DialectRequest(encoding: .utf16LittleEndian), DialectRequest(encoding: .latin1)] {
            let (a, b) = (try first.reread(as: request), try second.reread(as: request))
            for file in [a, b] { try file.buildIndex(threads: 2) { _ in true } }
            #expect(try records(a) == records(b))
            #expect(a.dialect == b.dialect && (a.snapshot().recordCount > 0 || request.encoding?.isUTF16 == true))
        }
        #expect(second.sections?.decodedCount ?? 0 > 0)
    }

    // MARK: Checkpoints

    @Test func `D2: the positions of checkpoints do not depend on the size of each read`() throws {
        let text = Self.text(6_000, seed: 2)
        let path = try write(Self.variants, text)
        for variant in Self.variants {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(path).\(variant).gz")))
            // If the boundary of a block is at exactly this distance, the buffer sizes may determine whether the decoder has passed it.
            for spacing in [1, 3_001, 41_003] {
                let all = try [(1_000_000, 1_000_000), (1, 10_000), (1_000_000, 1), (7, 13)].map { inputs, outputs in
                    try checkpoints(bytes, spacing, inputs, outputs, text)
                }
                #expect(all.dropFirst().allSatisfy { $0 == all[0] }, "\(variant) \(spacing)")
                #expect(
                    zip(all[0], all[0].dropFirst()).allSatisfy {
                        $1.outputOffset - $0.outputOffset >= spacing && $1.inputOffset > $0.inputOffset
                    })
                if ["l0", "fixed", "full", "sync", "small"].contains(variant), spacing < 41_003 { #expect(all[0].count > 3, "\(variant)") }
            }
        }
    }

    /// The checkpoints that a decoder finds if it gets at most `inputs` bytes and returns at most `outputs` bytes at once.
    private func checkpoints(_ bytes: [UInt8], _ spacing: Int, _ inputs: Int, _ outputs: Int, _ text: [UInt8]) throws -> [Checkpoint] {
        let decoder = try StreamDecoder(.gzip, name: "t", prefersZlib: true)
        decoder.recorder = CheckpointRecorder(spacing: spacing, maximumBytes: .max)
        let decoded = Decoded(bytes, by: decoder, inputs: inputs...inputs, outputs: outputs...outputs)
        #expect(decoded == Decoded(bytes: text))
        return try #require(decoder.recorder).checkpoints
    }

    @Test func `D2: if checkpoints exceed their memory limit, every second one is dropped`() throws {
        let path = try write(["full"]) + ".full.gz"
        var limited = cache(spacing: 1)
        limited.maximumCheckpointBytes = 300_000
        let expected = try records(read(path, limited))
        let second = try read(path, limited)
        let sections = try #require(second.sections)
        #expect((2...50).contains(sections.table.checkpoints.count))
        #expect(try records(second) == expected)
        var recorder = CheckpointRecorder(spacing: 10, maximumBytes: 4 * Checkpoint(outputOffset: 0, inputOffset: 0).memory)
        for number in 1...20 where recorder.distance(from: 10 * number) == 0 {
            recorder.add(Checkpoint(outputOffset: 10 * number, inputOffset: number))
        }
        #expect(recorder.checkpoints.map(\.outputOffset) == [0, 80, 160])
        #expect(recorder.distance(from: 165) == 75)
    }

    // MARK: Files without an entry

    @Test func `D2: damaged files, UTF-16, small files and files with bytes after the gzip data have no checkpoints`()
        throws
    {
        let path = try write(["garbage", "utf16", "crc", "l6"])
        for variant in ["garbage", "utf16", "crc"] {
            for _ in 0..<2 {
                let file = try open("\(path).\(variant).gz", cache(spacing: 10_000))
                let isRead = (try? file.readAll(threads: 2, priority: .foreground) { _ in true }) != nil
                #expect(isRead == (variant != "crc"))
                #expect(file.snapshot().recordCount == 40_000 && file.sections == nil && entryPaths.isEmpty)
                #expect(file.problems.count == (variant == "garbage" ? 1 : 0))
            }
        }
        var few = cache(spacing: 10_000)
        few.minimumCompressedBytes = 100_000_000
        _ = try read("\(path).l6.gz", few)
        few = cache(spacing: 10_000)
        few.maximumSectionBytes = 9_999
        _ = try read("\(path).l6.gz", few)
        few = cache(spacing: 10_000)
        few.settleSeconds = 1_000_000
        _ = try read("\(path).l6.gz", few)
        #expect(entryPaths.isEmpty)
    }

    @Test func `D2: the content of a compressed file and its raw bytes, read as text, have separate cache entries`()
        throws
    {
        let path = try write(["l0"]) + ".l0.gz"
        let cache = cache(spacing: 10_000)
        _ = try read(path, cache)
        let plain = try DelimitedFile(path: path, request: DialectRequest(), cache: cache)
        try plain.readAll(threads: 2, priority: .foreground) { _ in true }
        #expect(entryPaths.count == 2)
        #expect(try read(path, cache).sections != nil)
    }

    // MARK: Changes

    @Test func `D2: a file that changed between two openings is decoded again`() throws {
        let path = try write(["l6"]) + ".l6.gz"
        let cache = cache(spacing: 10_000)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = try read(path, cache)
        #expect(try read(path, cache).sections != nil)
        // The file has the same bytes, but another modification time.
        try bytes.write(to: URL(fileURLWithPath: path))
        let same = try read(path, cache)
        #expect(same.sections == nil && same.snapshot().recordCount == 40_000)
        // The file now has other bytes.
        let other = Self.text(30_000, seed: 3)
        _ = try write(["l6"], other)
        let changed = try read(path, cache)
        #expect(try changed.sections == nil && changed.source.bytes(at: 0, count: other.count + 1) == other)
        #expect(try read(path, cache).sections != nil)
        // The file is truncated.
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 10_000)
        let short = try open(path, cache)
        #expect(throws: DelimitedTextError.self) { try short.readAll(threads: 2, priority: .foreground) { _ in true } }
        #expect(short.sections == nil)
    }

    @Test(arguments: [false, true])
    func `D2: a change of a reopened file causes an error only for bytes that are not decoded yet`(truncates: Bool) throws {
        let path = try write(["l6"]) + ".l6.gz"
        let cache = cache(spacing: 10_000)
        _ = try read(path, cache)
        let second = try read(path, cache)
        let checkpoints = try #require(second.sections).table.checkpoints
        let present = checkpoints[2].outputOffset
        let before = try second.source.bytes(at: present, count: 100)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        if truncates {
            try handle.truncate(atOffset: UInt64(checkpoints[3].inputOffset))
        } else {
            // The zeros that are written are valid stored blocks, so the damage is not detected while decoding.
            try handle.seek(toOffset: UInt64(checkpoints[3].inputOffset))
            try handle.write(contentsOf: Data(repeating: 0, count: 100_000))
        }
        #expect(try second.source.bytes(at: present, count: 100) == before)
        for _ in 0..<2 {
            for number in [4, checkpoints.count - 1] {
                let error = #expect(throws: DelimitedTextError.self) {
                    try second.source.bytes(at: checkpoints[number].outputOffset, count: 10)
                }
                #expect(error?.message == "t.csv.l6.gz has changed since it was opened. Open it again." && error?.code == .changed)
            }
        }
        #expect(throws: DelimitedTextError.self) { try second.allRecords() }
        #expect(entryPaths.isEmpty, "the entry is removed")
    }

    @Test func `D2: a file that is deleted, renamed or extended after it was reopened stays readable`()
        throws
    {
        let path = try write(["l6"]) + ".l6.gz"
        let cache = cache(spacing: 10_000)
        _ = try read(path, cache)
        let second = try read(path, cache)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: try Data(contentsOf: URL(fileURLWithPath: path)))
        try FileManager.default.removeItem(atPath: path)
        #expect(try second.source.bytes(at: 0, count: Self.text.count + 100) == Self.text)
    }

    // MARK: Entries

    @Test func `D2: damaged cache entries are not used, and hostile ones cause at most an error`() throws {
        let text = Self.text(2_000, seed: 4)
        let path = try write(["full"], text) + ".full.gz"
        var cache = cache(spacing: 8_000)
        cache.maximumBytes = 1 << 20
        let expected = try records(read(path, cache))
        let entry = try #require(entryPaths.first)
        let good = Array(try Data(contentsOf: URL(fileURLWithPath: entry)))
        #expect(try read(path, cache).sections != nil)
        let keyWords = try #require(try open(path, cache).cacheKey(for: cache)).words.count
        var random = SplitMix64(seed: 5)
        var (used, failed) = (0, 0)
        func check(_ bytes: [UInt8], _ name: String, maySkip: Bool) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: entry))
            chmod(entry, 0o600)
            let file = try read(path, cache)
            if file.sections != nil {
                used += 1
                #expect(maySkip, "\(name)")
            }
            // The checksums of the checkpoints detect wrong bytes.
            do {
                let bytes = try file.source.bytes(at: 0, count: file.byteCount)
                #expect(bytes == text, "\(name)")
                _ = try file.allRecords()
            } catch {
                failed += 1
                #expect(maySkip, "\(name)")
            }
            if !maySkip { #expect(try records(file) == expected, "\(name)") }
        }
        let places = Array(stride(from: 0, to: good.count, by: max(1, good.count / 60)))
        for place in places {
            var damaged = good
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try check(damaged, "flip \(place)", maySkip: false)
            try check(Array(good[..<place]), "cut \(place)", maySkip: false)
        }
        // The entry has a correct checksum. The first words after the key are changed one by one, because they describe the checkpoints.
        let heads = (keyWords..<keyWords + 40).map { 8 * $0 }
        for place in heads + places where place >= 8 * keyWords && place + 16 <= good.count {
            var words = good.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
            let word = place / 8
            words[word] =
                switch random.next() % 4 {
                case 0: random.next()
                case 1: 1 << (random.next() % 64)
                case 2: words[word] &+ 1
                default: words[word] ^ (1 << (random.next() % 64))
                }
            words[words.count - 1] = WordChecksum.mix(words.dropLast())
            try check(words.withUnsafeBytes { Array($0) }, "word \(word)", maySkip: true)
        }
        #expect(used > 10 && failed > 10)
        try check(good, "good", maySkip: true)
    }

    @Test func `D2: stored checkpoints are read as they were written, and invalid ones are refused`()
        throws
    {
        let window = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        let checkpoints = [
            Checkpoint(outputOffset: 0, inputOffset: 0),
            Checkpoint(outputOffset: 10, inputOffset: 5, state: .init(bits: 7, checksum: .max, window: window)),
            Checkpoint(outputOffset: 20, inputOffset: 6),
            Checkpoint(outputOffset: 40, inputOffset: 9, state: .init(bits: 0, checksum: 1, window: [])),
        ]
        func table(_ change: (inout [Checkpoint]) -> Void = { _ in }, count: Int = 50, size: Int = 10, maximumBytes: Int = 20)
            -> CheckpointTable?
        {
            var changed = checkpoints
            change(&changed)
            return CheckpointTable(changed, count: count, size: size, maximumSectionBytes: maximumBytes)
        }
        let good = try #require(table())
        var words: [UInt64] = []
        good.append(to: &words)
        words.append(99)
        for count in 0..<words.count {
            words.withUnsafeBufferPointer { all in
                var rest = all[..<count]
                #expect((CheckpointTable(&rest, size: 10, maximumSectionBytes: 20) == good) == (count >= words.count - 1))
            }
        }
        words.withUnsafeBufferPointer { all in
            var rest = all[...]
            #expect(CheckpointTable(&rest, size: 10, maximumSectionBytes: 20) == good && Array(rest) == [99])
        }
        #expect((0..<50).map { good.sectionNumber(at: $0) } == (0..<50).map { $0 < 10 ? 0 : $0 < 20 ? 1 : $0 < 40 ? 2 : 3 })
        #expect(table(maximumBytes: 19) == nil && table(size: 9) == nil && table(count: 40) == nil && table(count: 0) == nil)
        #expect(table({ $0.removeFirst() }) == nil && table({ $0 = [] }) == nil && table({ $0.swapAt(1, 2) }) == nil)
        #expect(
            table({ $0[2].outputOffset = 10 }) == nil && table({ $0[2].inputOffset = 5 }) == nil && table({ $0[1].state?.bits = 8 }) == nil)
        #expect(table({ $0[1].state?.bits = -1 }) == nil && table({ $0[0].inputOffset = 1 }) == nil)
        #expect(table({ $0[1].state?.window = [UInt8](repeating: 0, count: 40_000) }) == nil)
        #expect(CheckpointTable([Checkpoint(outputOffset: 0, inputOffset: 0)], count: 20_000, size: 10, maximumSectionBytes: .max) == nil)
    }

    // MARK: Disk space

    @Test func `D2: the size limit of the temporary file also applies to a file with checkpoints`() throws {
        let path = try write(["l6"]) + ".l6.gz"
        let cache = cache(spacing: 10_000)
        _ = try read(path, cache)
        var limited = Self.settings
        limited.spoolLimit = Self.text.count
        #expect(try read(path, cache, settings: limited).sections != nil)
        limited.spoolLimit = Self.text.count - 1
        let short = try open(path, cache, settings: limited)
        let error = #expect(throws: DelimitedTextError.self) { try short.readAll(threads: 2, priority: .foreground) { _ in true } }
        #expect(error?.code == .cannotSpool && short.sections == nil && short.byteCount == Self.text.count - 1)

        var full = Self.settings
        (full.reservedBytes, full.reservedDivisor, full.spaceCheckBytes) = (.max, 1, .max)
        let second = try read(path, cache, settings: full)
        #expect(second.sections != nil)
        #expect(try second.source.bytes(at: 200_000, count: 10) == Array(Self.text[200_000..<200_010]), "the disk is not checked yet")
        full.spaceCheckBytes = 5_000
        let third = try read(path, cache, settings: full)
        let reserve = #expect(throws: DelimitedTextError.self) { try third.source.bytes(at: 200_000, count: 10) }
        #expect(reserve?.code == .cannotSpool && reserve?.message.contains("would remain free") == true)
        #expect(try third.source.bytes(at: 100, count: 10) == Array(Self.text[100..<110]), "known bytes stay readable")
        #expect(entryPaths.count == 1)
    }

    @Test func `D2: a file without a cache entry is decoded further only when a thread waits for its content`() throws {
        let path = try write(["l6"]) + ".l6.gz"
        let file = try open(path, cache(spacing: 10_000))
        #expect(file.isGrowing && file.byteCount == 2048)
        #expect(file.waitForContent(moreThan: 100_000))
        let other = try open(path, cache(spacing: 10_000))
        let input = try BinaryFile(waitingFor: other)
        #expect(try input.bytes(at: 500_000, count: 100) == Array(Self.text[500_000..<500_100]))
        // A file that is opened but never read must not keep the test from ending.
        _ = try open(path, cache(spacing: 10_000))
    }
}

extension DelimitedFile {
    fileprivate var sections: SectionDecoder? { source.current.sections }

    /// Every record as raw field bytes.
    fileprivate func allRecords() throws -> [[[UInt8]]] {
        let snapshot = snapshot()
        return try snapshot.fieldBytes(columns: Array(0..<snapshot.columnCount))
    }
}
