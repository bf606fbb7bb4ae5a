import CCodecs
import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DelimitedText
@testable import TableFormats

/// Compressed files and pipes are read like the text in them.
@Suite(.enabled(if: Python.isAvailable)) struct CompressionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Compresses a file with other implementations, and puts the named variants beside it: `t.gz`, `t.zst` and so on. It imports pyarrow
    /// only if necessary, because this takes 0.15 s.
    private static let compress = """
        import bz2, functools, gzip, lzma, struct, sys, zlib
        path = sys.argv[1]
        data = open(path, 'rb').read()
        half = data[:len(data) // 2], data[len(data) // 2:]
        def arrow(codec):
            def compress(data):
                import pyarrow
                sink = pyarrow.BufferOutputStream()
                with pyarrow.CompressedOutputStream(sink, codec) as stream: stream.write(data)
                return sink.getvalue().to_pybytes()
            return compress
        def raw(codec):
            def compress(data):
                import pyarrow
                return pyarrow.Codec(codec).compress(data, asbytes=True)
            return compress
        def deflate(data):
            state = zlib.compressobj(6, zlib.DEFLATED, -15)
            return state.compress(data) + state.flush()
        def bgzf(data):
            blocks = b''
            for start in list(range(0, len(data), 65280)) + [len(data)]:
                piece = data[start:start + 65280] if start < len(data) else b''
                body = deflate(piece)
                blocks += struct.pack('<4BI2BH2BHH', 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(body) + 25) + body
                blocks += struct.pack('<II', zlib.crc32(piece), len(piece))
            return blocks
        skip = struct.pack('<II', 0x184D2A53, 7) + b'skipped'
        codecs = {
            'gz': gzip.compress, 'zst': arrow('zstd'), 'xz': lambda d: lzma.compress(d, preset=0), 'bz2': bz2.compress, 'lz4': arrow('lz4'),
            'lzma': lambda d: lzma.compress(d, format=lzma.FORMAT_ALONE, preset=0), 'zlib': zlib.compress, 'deflate': deflate,
            'br': arrow('brotli'), 'bgzf.gz': bgzf, 'snappy': raw('snappy'), 'lz4_raw': raw('lz4_raw'),
            'utf16.gz': lambda d: gzip.compress(d.decode('utf-8').encode('utf-16')),
        }
        @functools.cache
        def whole(suffix): return codecs[suffix](data)
        @functools.cache
        def parts(suffix): return codecs[suffix](half[0]), codecs[suffix](half[1])
        def variant(suffix):
            if suffix in codecs: return whole(suffix)
            kind, codec = suffix.split('.')
            if kind == 'two': return b''.join(parts(codec))
            if kind == 'garbage': return whole(codec) + b'garbage'
            if kind == 'zeros': return whole(codec) + bytes(512)
            if kind == 'twice': return codecs[codec](gzip.compress(data))
            if kind == 'skip': return skip + skip.join(parts(codec)) + skip
            if kind == 'padded': return parts(codec)[0] + bytes(8) + parts(codec)[1] + bytes(4)
        for suffix in sys.argv[2].split(): open(path + '.' + suffix, 'wb').write(variant(suffix))
        """

    /// The suffixes of variants with the whole content, whose decoders are found by their first bytes.
    private static let suffixes = [
        "gz", "zst", "xz", "lzma", "bz2", "lz4", "two.gz", "two.zst", "two.xz", "two.bz2", "two.lz4", "bgzf.gz", "skip.zst", "skip.lz4",
        "padded.xz", "zeros.gz", "zeros.xz", "zeros.zst", "zeros.bz2",
    ]
    private static let codecs: [(suffix: String, codec: Codec)] = [
        ("gz", .gzip), ("zlib", .zlib), ("deflate", .deflate), ("zst", .zstd), ("xz", .xz), ("lzma", .lzma), ("bz2", .bzip2),
        ("lz4", .lz4), ("br", .brotli), ("two.gz", .gzip), ("two.zst", .zstd), ("two.xz", .xz), ("two.bz2", .bzip2), ("two.lz4", .lz4),
        ("bgzf.gz", .gzip), ("skip.zst", .zstd), ("padded.xz", .xz),
    ]

    /// A table of random values, with the text of its file.
    private static func table(_ count: Int, seed: UInt64) -> (rows: [[String?]], text: String) {
        var random = SplitMix64(seed: seed)
        let words = ["a", "Größe", "two words", "日本", "x|y", "long text with many words in it", "”q“"]
        let rows: [[String?]] = (0..<count).map { row in
            [
                String(row), words.randomElement(using: &random), "\(Int.random(in: -99_999...99_999, using: &random)).25",
                String(UInt64.random(in: 0 ... .max, using: &random), radix: 36),
            ]
        }
        let text = "id,word,number,key\n" + rows.map { $0.map { $0! }.joined(separator: ",") + "\n" }.joined()
        return (rows, text)
    }

    /// Writes a file and its compressed variants. Returns the path of the text.
    private func write(_ text: String, _ suffixes: [String], _ name: String = "t.csv") throws -> String {
        let path = try folder.file(name, text)
        try Python.run(Self.compress, path, suffixes.joined(separator: " "))
        return path
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Reads everything, and returns the message of the error that ended reading.
    private func readAll(_ source: any TableSource) -> String? {
        do {
            try source.readAll(threads: 2) { _ in true }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Decodes bytes with a decoder that gets at most `maximumInputBytes` and returns at most `maximumOutputBytes` at once.
    private func decode(_ bytes: [UInt8], _ codec: Codec, _ maximumInputBytes: Int, _ maximumOutputBytes: Int) -> (
        bytes: [UInt8], error: String?
    ) {
        var result: [UInt8] = []
        do throws(DelimitedTextError) {
            let decoder = try StreamDecoder(codec, name: "t")
            let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: maximumOutputBytes)
            defer { block.deallocate() }
            var start = 0
            while !decoder.hasEnded {
                let end = min(bytes.count, start + maximumInputBytes)
                var left = 0
                let count = try bytes.withUnsafeBufferPointer { (all) throws(DelimitedTextError) in
                    var input = UnsafeBufferPointer(rebasing: all[start..<end])
                    let count = try decoder.decode(&input, isEnd: end == bytes.count, into: block)
                    left = input.count
                    return count
                }
                result.append(contentsOf: block[..<count])
                if count < maximumOutputBytes, left > 0 { return (result, "bytes left") }
                start = end - left
            }
            return (result, nil)
        } catch {
            return (result, error.message)
        }
    }

    // MARK: Decoders

    @Test func `18.2: decoders accept and return any number of bytes at once`() throws {
        let table = Self.table(1_000, seed: 1).text
        let text = Array(table.utf8)
        let path = try write(table, Self.codecs.map(\.suffix))
        for (suffix, codec) in Self.codecs {
            let compressed = try bytes("\(path).\(suffix)")
            for (inputs, outputs) in [(1, 1), (1, 5_000), (1_000_000, 1), (7, 13), (1_000_000, 1_000_000), (1_000_000, text.count)] {
                let decoded = decode(compressed, codec, inputs, outputs)
                #expect(decoded.error == nil && decoded.bytes == text, "\(suffix) \(inputs) \(outputs)")
            }
            // A page of a columnar file has no readable bytes after its end.
            if suffix == "padded.xz" { continue }
            let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
            defer { whole.deallocate() }
            compressed.withUnsafeBytes { bytes in
                let count = codec.decode(bytes, into: whole)
                #expect(count == text.count && Array(whole) == text, "\(suffix)")
                #expect(codec.decode(bytes, into: UnsafeMutableRawBufferPointer(rebasing: whole[..<(whole.count - 1)])) == nil)
                #expect(codec.decode(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 1)]), into: whole) == nil)
            }
        }
    }

    @Test func `18.2: neither damage nor an early end crashes a decoder, at a hundred places of the data`() throws {
        let table = Self.table(1_000, seed: 2).text
        let text = Array(table.utf8)
        let path = try write(table, Self.codecs.map(\.suffix))
        var random = SplitMix64(seed: 3)
        for (suffix, codec) in Self.codecs {
            let compressed = try bytes("\(path).\(suffix)")
            for place in stride(from: 0, to: compressed.count, by: max(1, compressed.count / 100)) {
                let short = decode(Array(compressed[..<place]), codec, 1_000, 1_000)
                #expect(text.hasPrefix(short.bytes[...]))
                // A file that ends between two members is complete.
                if short.error == nil { #expect(suffix.contains("."), "\(suffix) \(place)") }
                var damaged = compressed
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                let flipped = decode(damaged, codec, 1_000, 1_000)
                #expect(flipped.error?.isEmpty != true && flipped.bytes.count < 100 * text.count)
            }
        }
    }

    /// Elements as for a column of 8-byte numbers: some new bytes, then a copy from 8 bytes before. Elements of other kinds are mixed in.
    @Test(arguments: 0..<200)
    func `18.2: the fast path for Snappy blocks of numbers gives the same bytes as decoding element by element`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (elements, expected): ([UInt8], [UInt8]) = ([], [])
        var (literals, copied) = (1, 7)
        while expected.count < Int.random(in: 1...3_000, using: &random) {
            if Int.random(in: 0..<12, using: &random) == 0 {
                (literals, copied) = (Int.random(in: 1...20, using: &random), Int.random(in: 4...11, using: &random))
            }
            for _ in 0..<literals { expected.append(UInt8.random(in: 0...255, using: &random)) }
            elements += [UInt8((literals - 1) << 2)] + expected.suffix(literals)
            let isOther = Int.random(in: 0..<9, using: &random) == 0
            let offset = min(expected.count, isOther ? Int.random(in: 1...40, using: &random) : 8)
            let count = isOther ? Int.random(in: 1...64, using: &random) : copied
            for _ in 0..<count { expected.append(expected[expected.count - offset]) }
            elements += isOther ? [UInt8((count - 1) << 2 | 2), UInt8(offset), 0] : [UInt8((count - 4) << 2 | 1), UInt8(offset)]
        }
        var block: [UInt8] = []
        var rest = expected.count
        while rest > 127 { (block, rest) = (block + [UInt8(rest & 127 | 128)], rest >> 7) }
        block += [UInt8(rest)] + elements
        let size = expected.count
        func decoded(_ block: [UInt8], limit: Int = .max) -> (count: Int, bytes: [UInt8]) {
            var output = [UInt8](repeating: 0xEE, count: size + 64)
            let count = output.withUnsafeMutableBufferPointer {
                gv_snappy_decode_start(block, block.count, $0.baseAddress, size, limit)
            }
            #expect(output[size...].allSatisfy { $0 == 0xEE }, "bytes outside the capacity do not change")
            return (count, Array(output[..<max(0, min(size, count))]))
        }
        #expect(decoded(block) == (size, expected))
        for limit in [1, 9, size / 2, size - 1] where (1...size).contains(limit) {
            let start = decoded(block, limit: limit)
            #expect((limit...size).contains(start.count) && start.bytes.elementsEqual(expected.prefix(start.count)))
        }
        for _ in 0..<30 {
            var damaged = block
            damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            #expect((-1...size).contains(decoded(damaged).count))
            #expect(decoded(Array(block.prefix(Int.random(in: 0..<block.count, using: &random)))).count == -1)
        }
    }

    @Test func `18.2: raw Snappy and LZ4 blocks are decoded without reading or writing beyond the buffers`()
        throws
    {
        typealias Decode = (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int
        let decoders: [(String, Decode)] = [("snappy", gv_snappy_decode), ("lz4_raw", gv_lz4_block_decode)]
        var random = SplitMix64(seed: 4)
        let texts = [
            Self.table(20_000, seed: 5).text, "a", "abc", String(repeating: "a", count: 70_000), String(repeating: "abc,", count: 999),
            String((0..<300).map { _ in "abcdefghijk".randomElement(using: &random)! }),
        ]
        for (number, text) in texts.enumerated() {
            let path = try write(text, ["snappy", "lz4_raw"], "\(number).txt")
            for (name, decode) in decoders {
                let block = try bytes("\(path).\(name)")
                let size = text.utf8.count
                // Bytes outside the capacity must not change.
                var output = [UInt8](repeating: 0xEE, count: size + 64)
                #expect(output.withUnsafeMutableBufferPointer { decode(block, block.count, $0.baseAddress, size) } == size)
                #expect(output[..<size].elementsEqual(text.utf8) && output[size...].allSatisfy { $0 == 0xEE }, "\(name) \(number)")
                #expect(output.withUnsafeMutableBufferPointer { decode(block, block.count, $0.baseAddress, size - 1) } == -1)
                for place in stride(from: 0, to: block.count, by: max(1, block.count / 100)) {
                    var damaged = block
                    damaged[place] = UInt8.random(in: 0...255, using: &random)
                    for count in [block.count, place] {
                        output[size] = 0xEE
                        let result = output.withUnsafeMutableBufferPointer { decode(damaged, count, $0.baseAddress, size) }
                        #expect((-1...size).contains(result) && output[size] == 0xEE)
                    }
                }
            }
        }
        // No encoder writes these lengths and offsets.
        var output = [UInt8](repeating: 0, count: 64)
        for block: [UInt8] in [
            [], [0xFF], [0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [5, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF], [4, 1, 0], [4, 0, 65, 1, 0],
            [4, 0, 65, 2, 9, 0],
            [8, 0, 65, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF],
        ] {
            #expect(output.withUnsafeMutableBufferPointer { gv_snappy_decode(block, block.count, $0.baseAddress, 64) } == -1, "\(block)")
        }
        for block: [UInt8] in [
            [], [0xF0], [0xF0, 255, 255], [0x10], [0x10, 65, 0, 0], [0x10, 65, 2, 0], [0x1F, 65, 1, 0, 255, 255, 255],
            [0x1F, 65, 1, 0, 60],
        ] {
            #expect(output.withUnsafeMutableBufferPointer { gv_lz4_block_decode(block, block.count, $0.baseAddress, 64) } == -1, "\(block)")
        }
    }

    // MARK: Files

    @Test func `18.2: compressed files of several MiB give the same rows as their text`() throws {
        let (expected, text) = Self.table(60_000, seed: 6)
        let path = try write(text, Self.suffixes)
        for suffix in Self.suffixes {
            let name = "t.csv.\(suffix)"
            let source = try FileOpener().open(path: "\(path).\(suffix)")
            #expect(source is DelimitedFile && source.name == name && source.path == "\(path).\(suffix)")
            #expect(source.snapshot().recordCount >= 1_000, "\(suffix): the first rows are there at once")
            #expect(readAll(source) == nil)
            #expect(try rows(source) == expected, "\(suffix)")
            #expect(!source.isGrowing && source.byteCount == text.utf8.count && source.problems.isEmpty)
            let size = try bytes("\(path).\(suffix)").count
            let codec = try #require(Self.codecs.first { suffix.hasSuffix($0.suffix) })
            #expect(source.details.contains { $0 == ("compression", "\(codec.codec.name), \(NumberText.count(size)) bytes") })
            #expect(source.checkForChange() == .unchanged && source.isUnchanged() && !source.canGrow)
            let handle = try #require(FileHandle(forWritingAtPath: "\(path).\(suffix)"))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data([0]))
            #expect(source.checkForChange() == .grown(to: size + 1) && !source.isUnchanged())
            try handle.truncate(atOffset: 1)
            #expect(source.checkForChange() == .replaced, "the decoded rows can still be read")
            try handle.close()
        }
    }

    @Test(arguments: ["gz", "zst", "xz", "lzma", "bz2", "lz4"])
    func `18.2: a compressed file satisfies the table contract`(suffix: String) throws {
        let (expected, text) = Self.table(30_000, seed: 7)
        let source = try FileOpener().open(path: write(text, [suffix]) + ".\(suffix)")
        #expect(readAll(source) == nil)
        var conformance = TableConformance(source: source, rows: expected, random: SplitMix64(seed: 8))
        try conformance.check(source.snapshot())
    }

    @Test(arguments: ["gz", "zst", "xz", "lzma", "bz2", "lz4"])
    func `18.2: bytes after the compressed data are ignored, and a message reports them`(suffix: String) throws {
        let (expected, text) = Self.table(2_000, seed: 9)
        let path = try write(text, [suffix, "garbage.\(suffix)", "zeros.\(suffix)"])
        let source = try FileOpener().open(path: "\(path).garbage.\(suffix)")
        #expect(readAll(source) == nil)
        #expect(try rows(source) == expected)
        let size = NumberText.count(try bytes("\(path).\(suffix)").count)
        let name = try #require(Self.codecs.first { $0.suffix == suffix }).codec.name
        let phrase = "the bytes after byte \(size) are not \(name) data and were ignored"
        #expect(source.problems == [phrase])
        #expect(source.conversions == [TextConversion("\(source.name): \(phrase).", isLoss: true)])
        let zeros = try FileOpener().open(path: "\(path).zeros.\(suffix)")
        #expect(readAll(zeros) == nil && zeros.problems.isEmpty && zeros.conversions.isEmpty)
        #expect(try rows(zeros) == expected)
    }

    @Test(
        arguments: ["jsonl", "json", "md", "psql.txt", "log", "syslog", "logfmt", "lines.txt"])
    func `18.2: bytes after the compressed data are reported for each text format`(suffix: String) throws {
        let text = try String(contentsOfFile: "\(EveryFormatTests.samples)/trades.\(suffix)", encoding: .utf8)
        let path = try write(text, ["garbage.gz"], "t.\(suffix)") + ".garbage.gz"
        let source = try FileOpener().open(path: path)
        #expect(readAll(source) == nil && !(source is DelimitedFile))
        let losses = source.conversions.filter(\.isLoss).map(\.sentence)
        #expect(losses.count == 1 && losses[0].hasSuffix(" are not gzip data and were ignored."), "\(losses)")
        #expect(source.problems.contains { $0.hasSuffix(" are not gzip data and were ignored") }, "\(source.problems)")
    }

    @Test func `18.2: UTF-16 in a compressed file is read, and the reading settings can change`() throws {
        let (expected, text) = Self.table(10_000, seed: 10)
        let source = try FileOpener().open(path: write(text, ["utf16.gz"]) + ".utf16.gz")
        #expect(readAll(source) == nil)
        #expect(try rows(source) == expected)
        let again = try FileOpener(dialect: DialectRequest(hasHeader: false, encoding: .utf16LittleEndian)).reopen(source)
        #expect(again.flatMap(readAll) == nil && again?.snapshot().recordCount == expected.count + 1)
        let bytes = try FileOpener(dialect: DialectRequest(encoding: .utf8)).reopen(source)
        #expect(bytes?.snapshot().recordCount ?? 0 > 0)
        let sample = try FileOpener(dialect: DialectRequest(hasHeader: false)).sample(of: source)
        #expect(sample?.snapshot().recordCount ?? 0 > 100)
    }

    @Test func `18.2: the reading settings of a compressed file can change`() throws {
        let (expected, text) = Self.table(10_000, seed: 11)
        let source = try FileOpener().open(path: write(text, ["zst"]) + ".zst")
        var settings = ReadingSettings()
        settings.header = "no"
        let again = try #require(try FileOpener().with(settings)?.reopen(source))
        #expect(readAll(again) == nil)
        #expect(again.snapshot().recordCount == expected.count + 1)
        #expect(again.details.contains { $0.name == "compression" })
    }

    @Test func `18.2: text formats are detected in compressed files`() throws {
        let text = "| a | b |\n|---|---|\n" + (0..<5_000).map { "| \($0) | x |\n" }.joined()
        let source = try FileOpener().open(path: write(text, ["xz"], "t.md") + ".xz")
        #expect(readAll(source) == nil && source.details.contains { $0.value == "Markdown table" })
        #expect(source.details.contains { $0.name == "compression" && $0.value.hasPrefix("xz, ") })
        #expect(try rows(source) == (0..<5_000).map { [String($0), "x"] })
    }

    @Test func `18.2: empty and tiny compressed files are read`() throws {
        let path = try write("", ["gz", "zst", "xz", "lzma", "bz2", "lz4", "bgzf.gz"], "e")
        for suffix in ["gz", "zst", "xz", "lzma", "bz2", "lz4", "bgzf.gz"] {
            let source = try FileOpener().open(path: "\(path).\(suffix)")
            #expect(readAll(source) == nil && source.snapshot().recordCount == 0 && !source.isGrowing, "\(suffix)")
        }
        let tiny = try write("a,b\n1,2\n", Self.suffixes, "tiny")
        for suffix in Self.suffixes {
            let source = try FileOpener().open(path: "\(tiny).\(suffix)")
            #expect(readAll(source) == nil)
            #expect(try rows(source) == [["1", "2"]], "\(suffix)")
        }
    }

    // MARK: Failures

    @Test(
        arguments: ["gz", "zst", "xz", "two.bz2", "lz4", "bgzf.gz"])
    func `18.2: if compressed data ends early, the rows before the end remain, and a message reports the early end`(suffix: String) throws {
        let (expected, text) = Self.table(20_000, seed: 12)
        let compressed = try bytes(write(text, [suffix]) + "." + suffix)
        var withRows = 0
        for place in stride(from: 0, to: compressed.count, by: compressed.count / 100) {
            let path = try folder.file("short.csv.\(suffix)", bytes: Array(compressed[..<place]))
            do {
                let source = try FileOpener().open(path: path)
                let message = readAll(source)
                let found = try rows(source)
                // The last row may be incomplete.
                #expect(expected.hasPrefix(found.dropLast()))
                if found.count > 1, suffix != "bgzf.gz" || message != nil {
                    withRows += 1
                    #expect(
                        message
                            == "short.csv.\(suffix) ends early, after \(NumberText.count(place)) compressed bytes. "
                            + "Copy or download it again."
                    )
                }
            } catch let error as DelimitedTextError {
                #expect(error.message.hasPrefix("short.csv.\(suffix) ends early, after "), "\(error)")
            }
        }
        #expect(withRows > 20)
    }

    @Test func `18.2: a gzip file that ends within its signature is reported as ending early`() throws {
        let path = try folder.file("short.gz", bytes: [0x1F, 0x8B])
        let error = #expect(throws: DelimitedTextError.self) { try FileOpener().open(path: path) }
        #expect(error?.message == "short.gz ends early, after 2 compressed bytes. Copy or download it again.")
    }

    @Test(arguments: ["gz", "zst", "xz", "bz2", "lz4", "lzma"])
    func `18.2: if compressed data is damaged, the rows before the damage remain, and a message reports the damage`(suffix: String) throws {
        let (expected, text) = Self.table(20_000, seed: 13)
        let compressed = try bytes(write(text, [suffix]) + "." + suffix)
        var random = SplitMix64(seed: 14)
        var failures = 0
        for place in stride(from: 0, to: compressed.count, by: compressed.count / 100) {
            var damaged = compressed
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let path = try folder.file("t.csv.\(suffix)", bytes: damaged)
            do {
                let source = try FileOpener().open(path: path)
                if let message = readAll(source) {
                    failures += 1
                    #expect(message.hasPrefix("t.csv.\(suffix) ") && message.hasSuffix("Copy or download it again."))
                    #expect(message.contains("damaged near byte") || message.contains("ends early"), "\(message)")
                }
                let table = source.snapshot()
                try table.scan(0..<table.recordCount, columns: table.allColumns) { _, _ in true }
            } catch let error as any TableError {
                #expect(error.message.contains("t.csv.\(suffix)"))
            }
        }
        // pyarrow writes no checksums in zstd and LZ4 frames, so most changes in them are not detected.
        #expect(failures > (suffix == "zst" || suffix == "lz4" ? 1 : 10))
        // The checksum is at the end of the file, so damage in it loses no rows.
        if suffix == "gz" {
            var damaged = compressed
            damaged[compressed.count - 6] ^= 1
            let source = try FileOpener().open(path: folder.file("t.csv.gz", bytes: damaged))
            #expect(readAll(source)?.hasPrefix("t.csv.gz is damaged near byte ") == true)
            #expect(try rows(source) == expected)
        }
    }

    @Test func `18.2: the spool limit stops a decompression bomb`() throws {
        let path = folder.path(of: "bomb.csv.gz")
        try Python.run(
            "import gzip, sys\nwith gzip.open(sys.argv[1], 'wb') as f:\n  for _ in range(256): f.write(b'a,b\\n' * 262144)", path)
        var opener = FileOpener()
        opener.spoolLimit = 3_000_000
        let source = try opener.open(path: path)
        #expect(
            readAll(source)
                == "Reading bomb.csv.gz stopped at the spool limit of 3,000,000 bytes. Raise --spool-limit to read more."
        )
        #expect(source.byteCount == 3_000_000 && source.snapshot().recordCount >= 749_999)
        // Closing an input stops its decoder.
        var weakSource: ByteSource?
        try {
            let file = try #require(try FileOpener().open(path: path) as? DelimitedFile)
            weakSource = file.source
        }()
        let bytes = try #require(weakSource)
        let start = Date()
        while !bytes.current.isFinished, Date().timeIntervalSince(start) < 20 { usleep(1_000) }
        #expect(bytes.current.isFinished && bytes.count < 256 << 20)
    }

    @Test func `18.2: a zstd file that needs a dictionary is refused with advice, and is not called damaged`() throws {
        // The header of the frame has the identifier of a dictionary. The block is stored without compression.
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x23, 0x9C, 0x07, 0x51, 0x6A, 8, 0x41, 0, 0] + Array("a,b\n1,2\n".utf8)
        let path = try folder.file("t.zst", bytes: frame)
        let error = #expect(throws: DelimitedTextError.self) { try FileOpener().open(path: path) }
        #expect(
            error.map { "\($0)" }
                == "t.zst was compressed with a dictionary. Unpack it first: zstd -dc -D DICTIONARY FILE | gridview")
    }

    @Test func `18.2: files whose decoder would need too much memory are refused`() throws {
        // The frame has a window of 256 MiB and one raw block. The decoder allows a window of 128 MiB.
        let frame: (UInt8) -> [UInt8] = { [0x28, 0xB5, 0x2F, 0xFD, 0, $0, 0x21, 0, 0] + Array("a,b\n".utf8) }
        #expect(throws: DelimitedTextError.self) { try FileOpener().open(path: folder.file("t.zst", bytes: frame(18 << 3))) }
        do { _ = try FileOpener().open(path: folder.file("t.zst", bytes: frame(18 << 3))) } catch {
            #expect("\(error)" == "t.zst needs a window of more than 128 MiB. Unpack it first: zstd -dc --long=31 FILE | gridview")
        }
        let source = try FileOpener().open(path: folder.file("t.zst", bytes: frame(17 << 3)))
        #expect(readAll(source) == nil && titles(source) == ["a", "b"])
        // This file declares a dictionary of 512 MiB.
        var lzma = try bytes(write("a,b\n1,2\n", ["lzma"]) + ".lzma")
        lzma.replaceSubrange(1..<5, with: [0, 0, 0, 0x20])
        do {
            _ = try FileOpener().open(path: folder.file("t.lzma", bytes: lzma))
            Issue.record("opened")
        } catch {
            #expect("\(error)" == "t.lzma needs more than 256 MiB of memory to decode. Unpack it first: xz -dc FILE | gridview")
        }
    }

    @Test func `18.2: the errors for files that are compressed twice, archives and R data name the format`() throws {
        func message(_ path: String) throws -> String? {
            do {
                _ = try FileOpener().open(path: path)
                return nil
            } catch let error as any TableError {
                return error.message.replacing(folder.path + "/", with: "")
            }
        }
        let path = try write(
            Self.table(100, seed: 15).text, ["gz", "zst", "xz", "bz2", "lz4", "lzma"].map { "twice." + $0 })
        for (suffix, filter) in [
            ("gz", "gzip"), ("zst", "zstd"), ("xz", "xz"), ("bz2", "bzip2"), ("lz4", "lz4"), ("lzma", "xz --format=lzma"),
        ] {
            #expect(
                try message("\(path).twice.\(suffix)")
                    == "t.csv.twice.\(suffix) is compressed twice: it contains a gzip file. "
                    + "Unpack it first: \(filter) -dc t.csv.twice.\(suffix) | gridview"
            )
        }
        let archive = folder.path(of: "x")
        try Python.run(
            """
            import gzip, io, lzma, sys, tarfile
            out = sys.argv[1]
            tar = io.BytesIO()
            with tarfile.open(fileobj=tar, mode='w') as file:
                info = tarfile.TarInfo('a.csv')
                info.size = 8
                file.addfile(info, io.BytesIO(b'a,b\\n1,2\\n'))
            for name in ['x.tgz', 'x.tar.gz', 'y.gz']: open(out + name, 'wb').write(gzip.compress(tar.getvalue()))
            open(out + 'x.tar.xz', 'wb').write(lzma.compress(tar.getvalue()))
            open(out + 'd.rds', 'wb').write(gzip.compress(b'X\\n\\0\\0\\0\\x03\\0\\4\\2\\2'))
            open(out + 'e.gz', 'wb').write(gzip.compress(b'RDX3\\nX\\n\\0\\0\\0\\x03'))
            open(out + 'f.RData', 'wb').write(gzip.compress(b'RDX3\\nX\\n\\0\\0\\0\\x03'))
            open(out + 'g.gz', 'wb').write(gzip.compress(b'\\x7fELF\\2\\1\\1\\0'))
            """, archive)
        for name in ["xx.tgz", "xx.tar.gz", "xy.gz"] {
            #expect(
                try message(folder.path(of: name)) == "\(name) is a compressed tar archive. Convert it first: tar -xzOf \(name) | gridview")
        }
        #expect(
            try message(folder.path(of: "xx.tar.xz"))
                == "xx.tar.xz is a compressed tar archive. Convert it first: tar -xOf xx.tar.xz | gridview")
        #expect(try message(folder.path(of: "xd.rds"))?.hasPrefix("xd.rds is an R data file. Convert it first: Rscript -e") == true)
        #expect(try message(folder.path(of: "xe.gz"))?.contains("an R data file") == true)
        #expect(try message(folder.path(of: "xf.RData"))?.contains("get(load(") == true)
        #expect(try message(folder.path(of: "xg.gz")) == "xg.gz is a compressed file that contains an ELF program, not a table.")
        let legacy = try folder.file("l.lz4", bytes: [2, 0x21, 0x4C, 0x18, 1, 0, 0, 0])
        #expect(try message(legacy) == "l.lz4 is an LZ4 file in the legacy format. Unpack it first: lz4 -dc l.lz4 | gridview")
    }

    @Test func `18.2: each codec names its library and package`() throws {
        for codec in Codec.allCases {
            #expect(!codec.name.isEmpty && String(cString: gv_codec_library(codec.raw)).hasPrefix(codec.raw == GV_CODEC_GZIP ? "zlib" : ""))
            #expect(!String(cString: gv_codec_package(codec.raw)).isEmpty)
            try codec.load(for: "t")
        }
    }

    // MARK: Pipes

    @Test(arguments: ["gz", "zst", "xz", "lz4", "bgzf.gz"]) func `18.2: pipes are decoded while bytes arrive`(suffix: String) throws {
        let (expected, text) = Self.table(60_000, seed: 16)
        let compressed = try bytes(write(text, [suffix]) + "." + suffix)
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        // Twenty bytes arrive one by one, then the rest of the first half at once.
        let half = compressed.count / 2
        let thread = Thread {
            for byte in compressed[..<20] { try? writer.write(contentsOf: Data([byte])) }
            try? writer.write(contentsOf: Data(compressed[20..<half]))
        }
        thread.start()
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
        #expect(source.snapshot().recordCount > 0 && source.isGrowing && source.path == nil)
        #expect(try rows(source).starts(with: expected.prefix(10)) || source.snapshot().recordCount < 10)
        while !thread.isFinished { usleep(1_000) }
        try writer.write(contentsOf: Data(compressed[half...]))
        try writer.close()
        #expect(readAll(source) == nil)
        #expect(try rows(source) == expected)
        #expect(source.details.contains { $0.value.hasSuffix(", \(NumberText.count(compressed.count)) bytes") }, "\(source.details)")
    }

    @Test(arguments: ["gz", "zst"])
    func `18.2: compressed files with an overlong first line are recognized without decoding the whole line`(suffix: String) throws {
        var opener = FileOpener()
        opener.maximumHeaderBytes = 1 << 20
        func open(_ text: String) throws -> any TableSource { try opener.open(path: write(text, [suffix]) + "." + suffix) }
        let words = String(repeating: "some words ", count: 300_000)
        let error = #expect(throws: FormatError.self) { try open(words) }
        #expect(error?.message.contains("its first line is longer than 1 MiB. Use --format lines") == true, "\(String(describing: error))")
        let binary = #expect(throws: FormatError.self) { try open(String(repeating: "\0", count: 3_000_000)) }
        #expect(binary?.message.contains("is binary data") == true, "\(String(describing: binary))")
        let array = try open("[" + Array(repeating: "{\"a\":1}", count: 200_000).joined(separator: ",") + "]")
        #expect((array as? JSONSource)?.file.isHeaderTruncated == true)
        #expect(readAll(array) == nil)
        #expect(array.snapshot().recordCount == 200_000)
        let quoted = #expect(throws: FormatError.self) { try open("id,\"name\n" + String(repeating: "1,x\n", count: 400_000)) }
        #expect(quoted?.message.contains("a quote is probably not closed. Use --quote none") == true, "\(String(describing: quoted))")
        // Comments before the header do not count.
        opener.dialect.commentPrefix = Array("#".utf8)
        for count in [30_000, 80_000] {
            let commented = try open(String(repeating: "# a comment of some length\n", count: count) + "a,b\n1,2\n")
            #expect(try titles(commented) == ["a", "b"] && rows(commented) == [["1", "2"]], "\(count)")
        }
        opener.dialect.commentPrefix = []
        // A line within the limit is a header.
        let header = (0..<60_000).map { "column\($0)" }.joined(separator: ",")
        #expect(try open(header + "\n1,2\n").columnCount == 60_000)
        opener.format = "lines"
        #expect(try open(words).columnCount == 1)
        opener.format = FileOpener.delimited
        #expect(try open(words).byteCount > 0)
    }

    @Test func `18.2: standard input that is redirected from a compressed file is decoded`() throws {
        let (expected, text) = Self.table(20_000, seed: 17)
        let path = try write(text, ["gz", "zst"])
        for suffix in ["gz", "zst"] {
            let descriptor = Foundation.open("\(path).\(suffix)", O_RDONLY)
            let source = try FileOpener().open(descriptor: descriptor, name: "standard input")
            #expect(readAll(source) == nil && source.path == nil)
            #expect(try rows(source) == expected)
        }
    }

    @Test func `18.2: a pipe that ends early or is not compressed keeps its rows`() throws {
        func open(_ bytes: [UInt8]) throws -> any TableSource {
            let pipe = Pipe()
            let writer = pipe.fileHandleForWriting
            Thread {
                try? writer.write(contentsOf: Data(bytes)); try? writer.close()
            }.start()
            return try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
        }
        let (_, text) = Self.table(20_000, seed: 18)
        let compressed = try bytes(write(text, ["gz"]) + ".gz")
        let source = try open(Array(compressed[..<(compressed.count / 2)]))
        #expect(readAll(source)?.hasPrefix("standard input ends early, after ") == true)
        #expect(source.snapshot().recordCount > 1_000)
        // Short texts that begin like compressed files are read as text.
        for text in ["B", "BZ", "BZh,a\n1,2\n", "BZh9", "(", "P", "PK", "]"] {
            let source = try open(Array(text.utf8))
            #expect(readAll(source) == nil && source.byteCount == text.utf8.count, "\(text)")
        }
    }
}
