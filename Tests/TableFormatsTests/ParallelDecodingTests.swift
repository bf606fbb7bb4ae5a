import CCodecs
import Foundation
import GridTestSupport
import Testing

@testable import DelimitedText
@testable import TableFormats

/// Files with independent parts are decoded on several threads, with the same bytes and errors as on one thread.
@Suite(.enabled(if: Python.isAvailable)) struct ParallelDecodingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file of random parts, `PATH.out`, its content, `PATH.txt`, and the sizes of its parts.
    private static let write = """
        import bz2, gzip, io, random, struct, sys, zlib
        path, kind, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
        count, largest = int(sys.argv[4]), int(sys.argv[5])
        rng = random.Random(seed)
        words = [b'alpha,', b'12.5,', b'Tokyo\\n', b'\\n', bytes(range(97, 123))]
        def content(size):
            if rng.random() < 0.2: return rng.randbytes(size)
            if rng.random() < 0.1: return b'x' * size
            return b''.join(rng.choice(words) for _ in range(size // 5 + 1))[:size]
        def block(data, extra = b''):
            state = zlib.compressobj(rng.choice([0, 1, 6]), zlib.DEFLATED, -15)
            body = state.compress(data) + state.flush()
            fields = extra + struct.pack('<2BHH', 66, 67, 2, len(body) + 25 + len(extra))
            start = struct.pack('<4BI2BH', 31, 139, 8, 4, 0, 0, 255, len(fields)) + fields
            return start + body + struct.pack('<II', zlib.crc32(data), len(data))
        def frame(data):
            import pyarrow
            # A stream has no content size.
            if rng.random() < 0.5: return pyarrow.Codec('zstd', rng.choice([1, 3])).compress(data, asbytes=True)
            sink = pyarrow.BufferOutputStream()
            with pyarrow.CompressedOutputStream(sink, 'zstd') as stream: stream.write(data)
            return sink.getvalue().to_pybytes()
        signatures = [format(value, '048b') for value in (0x314159265359, 0x177245385090)]
        def false_signature(value):
            # The list of the bytes that occur in a block has a bit for each byte.
            data = bytes(32 + place for place in range(48) if signatures[value][place] == '1')
            return bytes(rng.sample(data, len(data)))
        def bits(data):
            # The block of a stream, which is not at whole bytes in another stream.
            stream = ''.join(format(byte, '08b') for byte in bz2.compress(data, 1))
            return stream[32:stream.rindex(signatures[1])]
        class Stream:
            def __init__(self, level): self.bits, self.sum = format(0x425A6830 + level, '032b'), 0
            def add(self, data):
                if not data: return
                block = bits(data)
                self.bits, self.sum = self.bits + block, (self.sum << 1 | self.sum >> 31) & 0xFFFFFFFF ^ int(block[48:80], 2)
            def end(self):
                self.bits += signatures[1] + format(self.sum, '032b')
                self.bits += '0' * (-len(self.bits) % 8)
            # The bytes so far, without the last one if it is incomplete.
            def bytes(self): return bytes(int(self.bits[place:place + 8], 2) for place in range(0, len(self.bits) // 8 * 8, 8))
        out, text, stream = [], [], Stream(1)
        for number in range(count):
            data = content(rng.choice([0, 1, rng.randrange(largest), rng.randrange(largest)]))
            odd = rng.random() if kind.endswith('+') and number > 0 else 1
            if kind.startswith('bgzf'):
                if odd < 0.08: part = gzip.compress(data)
                elif odd < 0.12: part = block(data) + bytes(rng.randrange(5))
                elif odd < 0.2: part = block(data, struct.pack('<2BHH', 88, 89, 2, 7))
                else: part = block(data)
            elif kind.startswith('bzip2'):
                if kind == 'bzip2-': data = false_signature(number % 2) if number % 3 == 1 else data or b'x'
                stream.add(data)
                is_last = number == count - 1
                if odd < 0.3 or is_last: stream.end()
                # Another block can end in the last byte.
                part, stream.bits = stream.bytes(), stream.bits[len(stream.bits) // 8 * 8:]
                if odd < 0.3 or is_last: stream = Stream(rng.choice([1, 2]))
                if odd < 0.05: part += bytes(3)
                elif odd < 0.1: part += bz2.compress(b'')
            else:
                part = frame(data)
                if odd < 0.2: part += struct.pack('<II', 0x184D2A53, 7) + b'skipped'
                elif odd < 0.3: part = b''.join(frame(data[i:i + 5000]) for i in range(0, max(1, len(data)), 5000))
                elif odd < 0.35: part += bytes(3)
            out.append(part); text.append(data)
        if kind == 'bgzf': out.append(block(b''))
        open(path + '.out', 'wb').write(b''.join(out))
        open(path + '.txt', 'wb').write(b''.join(text))
        for name, list in [('.sizes', out), ('.contents', text)]: open(path + name, 'w').write(' '.join(str(len(part)) for part in list))
        """

    private struct Sample {
        var compressed: [UInt8]
        var text: [UInt8]
        /// The sizes of the parts, compressed and decoded.
        var sizes: [Int]
        var contents: [Int]

        /// The content of all parts that end before this offset.
        func content(before place: Int) -> ArraySlice<UInt8> {
            var (end, count) = (0, 0)
            for (size, content) in zip(sizes, contents) {
                end += size
                if end <= place { count += content }
            }
            return text[..<count]
        }
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func sample(_ kind: String, seed: Int, parts: Int, largest: Int) throws -> Sample {
        let path = folder.path(of: "\(kind)\(seed)")
        try Python.run(Self.write, path, kind, String(seed), String(parts), String(largest))
        func numbers(_ suffix: String) throws -> [Int] {
            try String(decoding: bytes(path + suffix), as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        }
        return Sample(
            compressed: try bytes(path + ".out"), text: try bytes(path + ".txt"), sizes: try numbers(".sizes"),
            contents: try numbers(".contents"))
    }

    /// Small limits, so that short inputs have parts and batches of every kind.
    private static let smallLimits = ParallelDecoder.Limits(
        maximumPartBytes: 140_000, bytesBeforeBatches: 0, firstBatchBytes: 500, batchBytes: 30_000, maximumBatchBytes: 300_000,
        maximumParts: 5)
    /// The limits of the program, but the first batch follows the first part, as the samples are short.
    private static let defaultPartLimits = ParallelDecoder.Limits(bytesBeforeBatches: 0)

    private func decoder(_ codec: Codec, _ input: [UInt8], _ limits: ParallelDecoder.Limits) throws -> ParallelDecoder {
        // Only a few bytes are passed as the head, because damage in the first part could hide that the input has parts.
        try #require(try ParallelDecoder(codec, name: "t", head: Array(input.prefix(4)), threads: 2, limits: limits))
    }

    /// Decodes an input whose pieces have sizes up to `maximumInputBytes`, to outputs of up to `maximumOutputBytes` bytes.
    private func decode(
        _ input: [UInt8], by decoder: any ByteDecoder, _ maximumInputBytes: Int, _ maximumOutputBytes: Int, pauses: Bool = false,
        seed: UInt64 = 1
    ) -> Decoded {
        Decoded(
            input, by: decoder, inputs: 1...maximumInputBytes, outputs: 1...maximumOutputBytes, marksEnd: maximumInputBytes > 1,
            pauses: pauses, seed: seed)
    }

    /// The result of the stream decoder. It gets single bytes of zstd, because libzstd returns no content of a piece with damage.
    private func streamDecoderResult(_ input: [UInt8], _ codec: Codec) throws -> Decoded {
        decode(input, by: try StreamDecoder(codec, name: "t"), codec == .zstd ? 1 : input.count, 5_000)
    }

    /// Kinds with `+` also have other members, and `bzip2-` has signatures in the data of blocks.
    private static let kinds: [(String, Codec)] = [
        ("bgzf", .gzip), ("bgzf+", .gzip), ("zstd", .zstd), ("zstd+", .zstd), ("bzip2", .bzip2), ("bzip2+", .bzip2), ("bzip2-", .bzip2),
    ]

    @Test(arguments: kinds)
    func `18.2: several threads decode the same content as one thread, from parts and pieces of random size`(kind: String, codec: Codec)
        throws
    {
        for seed in 0..<2 {
            let (parts, largest) = codec == .bzip2 ? (20, 90_000) : (40, 160_000)
            let sample = try sample(kind, seed: seed, parts: parts, largest: kind.hasPrefix("bgzf") || seed == 0 ? 20_000 : largest)
            let expected = Decoded(bytes: sample.text)
            for (number, (inputs, outputs)) in [
                (1, 1_000), (10, 1_000), (1_000, 100), (100_000, 7_000), (10_000_000, 10_000_000), (128 << 10, 256 << 10),
            ].enumerated() {
                for limits in [Self.smallLimits, Self.defaultPartLimits, ParallelDecoder.Limits(bytesBeforeBatches: 30_000)] {
                    for pauses in [false, true] {
                        let decoder = try decoder(codec, sample.compressed, limits)
                        let found = decode(sample.compressed, by: decoder, inputs, outputs, pauses: pauses, seed: UInt64(number))
                        #expect(found == expected, "\(seed) \(inputs) \(outputs) \(pauses)")
                        #expect(decoder.hasEnded && !decoder.hasBufferedInput)
                    }
                }
            }
        }
    }

    @Test(arguments: kinds)
    func `18.2: several threads report an early end or additional bytes in the same way as one thread`(kind: String, codec: Codec) throws {
        let sample = try sample(kind, seed: 10, parts: codec == .bzip2 ? 5 : 12, largest: 4_000)
        var random = SplitMix64(seed: 11)
        var borders: [Int] = []
        for size in sample.sizes { borders.append((borders.last ?? 0) + size) }
        let places =
            borders.flatMap { [$0 - 1, $0, $0 + 1, $0 + 3, $0 + 15] }
            + (0..<30).map { _ in
                Int.random(in: 20..<sample.compressed.count, using: &random)
            }
        for place in places where place > 20 && place <= sample.compressed.count {
            let short = Array(sample.compressed[..<place])
            for input in [short, short + [0, 0, 0], short + Array("garbage".utf8), short + [0x1F, 0x8B], short + [0x28, 0xB5, 0x2F]] {
                let expected = try streamDecoderResult(input, codec)
                for (inputs, outputs) in [(1, 900), (700, 900), (1_000_000, 1_000_000)] {
                    let found = decode(input, by: try decoder(codec, input, Self.smallLimits), inputs, outputs)
                    if input.count == short.count {
                        #expect(found == expected, "\(place) \(inputs)")
                    } else {
                        #expect(isEquivalent(found, expected, sample, place), "\(place) \(inputs)")
                    }
                }
            }
        }
    }

    /// Compares without the position of damage and the content of its part, which depend on the pieces of the input.
    /// - Parameter place: the place of the damage.
    private func isEquivalent(_ found: Decoded, _ expected: Decoded, _ sample: Sample, _ place: Int) -> Bool {
        func kind(_ text: String?) -> String? { text?.replacing(/[0-9,]+/, with: "") }
        return kind(found.error) == kind(expected.error) && kind(found.problem) == kind(expected.problem)
            && (found.bytes == expected.bytes || expected.error != nil && found.bytes.hasPrefix(sample.content(before: place)))
    }

    @Test(arguments: kinds)
    func `18.2: several threads report damage in the same way as one thread, after all bytes before it`(kind: String, codec: Codec) throws {
        let sample = try sample(kind, seed: 20, parts: codec == .bzip2 ? 6 : 14, largest: 3_000)
        var random = SplitMix64(seed: 21)
        var (failures, exact) = (0, 0)
        for _ in 0..<150 {
            let place = Int.random(in: 20..<sample.compressed.count, using: &random)
            var damaged = sample.compressed
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let expected = try streamDecoderResult(damaged, codec)
            if expected.error != nil { failures += 1 }
            for inputs in [1, 600, 1_000_000] {
                let found = decode(damaged, by: try decoder(codec, damaged, Self.smallLimits), inputs, inputs == 1 ? 1_000 : 50_000)
                #expect(isEquivalent(found, expected, sample, place), "\(place) \(inputs)")
                if inputs == 1_000_000, found == expected { exact += 1 }
            }
        }
        #expect(failures > 5 && exact > 120, "\(failures) \(exact)")
    }

    @Test func `18.2: blocks whose headers have wrong sizes are decoded on one thread`() throws {
        let sample = try sample("bgzf", seed: 30, parts: 30, largest: 2_000)
        // The second block declares the length of two blocks, and its content declares the size of the content of the third.
        var input = sample.compressed
        let start = sample.sizes[0]
        let both = sample.sizes[1] + sample.sizes[2] - 1
        (input[start + 16], input[start + 17]) = (UInt8(both & 0xFF), UInt8(both >> 8))
        #expect(decode(input, by: try decoder(.gzip, input, Self.smallLimits), 100_000, 9_000) == Decoded(bytes: sample.text))
        // The size in this header is too small.
        (input[start + 16], input[start + 17]) = (30, 0)
        #expect(decode(input, by: try decoder(.gzip, input, Self.smallLimits), 100_000, 9_000) == Decoded(bytes: sample.text))
    }

    @Test func `18.2: bzip2 blocks are found at any bit position, and decoding can start at each of them`() throws {
        let sample = try sample("bzip2", seed: 60, parts: 40, largest: 3_000)
        let input = sample.compressed
        var scanner = try #require(PartScanner(.bzip2, maximum: 1 << 20))
        let part = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4 * 100_000)
        let decoder = try #require(gv_decoder_make(GV_CODEC_BZIP2))
        defer {
            part.deallocate()
            gv_decoder_free(decoder)
        }
        var (start, content, checksum, bits) = (0, 0, UInt32(0), Set<Int>())
        while true {
            let (from, partStart) = (start, scanner.partStart)
            let rest = Decoded(bytes: Array(sample.text[content...]))
            if partStart.level > 0 {
                bits.insert(partStart.bit)
                // The end of the stream has the combined checksum of all blocks.
                for wrong: UInt32 in [0, 1, 1 << 31] {
                    let stream = try StreamDecoder(.bzip2, name: "t")
                    stream.skip(from, content: content)
                    stream.start(within: partStart, first: input[from], checksum: checksum ^ wrong)
                    let found = decode(Array(input[(from + (partStart.bit > 0 ? 1 : 0))...]), by: stream, 100_000, 200_000)
                    #expect(wrong == 0 ? found == rest : found.error?.hasPrefix("t is damaged near byte ") == true, "\(from)")
                }
            }
            let bytes = Array(input[from...])
            let result = bytes.withUnsafeBufferPointer { scanner.scan($0) }
            guard case .part(let count, let capacity) = result else { break }
            #expect(capacity == 4 * 100_000 && gv_decoder_reset(decoder) == 1)
            let size: Int = gv_bzip2_decode_block(
                decoder, Int32(partStart.level), bytes, partStart.bit, scanner.endBit, part.baseAddress, part.count)
            try #require(size > 0 && rest.bytes.hasPrefix(Array(part[..<size])[...]))
            checksum = (checksum << 1 | checksum >> 31) ^ scanner.checksum
            (start, content) = (start + count, content + size)
            scanner.reset(at: scanner.nextPartStart)
        }
        #expect(content == sample.text.count && bits.count > 5)
    }

    @Test func `18.2: zstd frames are found by the headers of their blocks`() throws {
        func scan(_ bytes: [UInt8], maximum: Int = 1 << 20) -> PartScanner.Result {
            var scanner = PartScanner(.zstd, maximum: maximum)
            var result: PartScanner.Result?
            // The result is the same in one step and byte by byte.
            for count in 1...bytes.count where result == nil || result == .incomplete {
                result = bytes[..<count].withUnsafeBufferPointer { scanner?.scan($0) }
            }
            scanner?.reset()
            #expect(result == bytes.withUnsafeBufferPointer { scanner?.scan($0) })
            return result ?? .other
        }
        let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
        #expect(scan(magic + [0x20, 4, 0x21, 0, 0] + Array("abcd".utf8)) == .part(count: 13, capacity: 4))
        // This frame has a checksum, and other bytes follow it.
        #expect(scan(magic + [0x24, 4, 0x21, 0, 0] + Array("abcdCCCCxx".utf8)) == .part(count: 17, capacity: 4))
        #expect(scan(magic + [0x24, 4, 0x21, 0, 0] + Array("abcdCCC".utf8)) == .incomplete)
        // This frame has two blocks: one byte that is repeated 40 times, then compressed content.
        #expect(scan(magic + [0, 0x40, 0x42, 1, 0, 9, 0x15, 0, 0, 1, 2]) == .part(count: 15, capacity: 40 + (128 << 10)))
        #expect(scan(magic + [0, 0x40, 0x42, 1, 0, 9, 0x15, 0, 0, 1, 2], maximum: 100_000) == .part(count: 15, capacity: 100_000))
        // The headers of these frames declare the content size in 2, 4 and 8 bytes.
        #expect(scan(magic + [0x60, 1, 0, 1, 0, 0]) == .part(count: 10, capacity: 257))
        #expect(scan(magic + [0xA0, 1, 1, 0, 0, 1, 0, 0]) == .part(count: 12, capacity: 257))
        #expect(scan(magic + [0xE0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0]) == .part(count: 16, capacity: 257))
        #expect(scan(magic + [0xE0, 1, 1, 0, 0, 0, 0, 0, 0x80, 1, 0, 0]) == .other)
        #expect(scan(magic + [0xE0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0]) == .other)
        // These frames have a reserved bit, a reserved kind of block, a block larger than the window, or a window above 128 MiB.
        #expect(scan(magic + [0x28, 4, 0x21, 0, 0]) == .other)
        #expect(scan(magic + [0x20, 4, 0x27, 0, 0]) == .other)
        #expect(scan(magic + [0x20, 4, 0x29, 0, 0]) == .other)
        #expect(scan(magic + [0, 17 << 3, 1, 0, 0]) == .part(count: 9, capacity: 0))
        #expect(scan(magic + [0, 17 << 3 | 1, 1, 0, 0]) == .other)
        // These are skippable frames.
        #expect(scan([0x5F, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 1, 2]) == .part(count: 10, capacity: 0))
        #expect(scan([0x50, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0xFF]) == .other)
    }

    @Test func `18.2: the stream decoder is used with one thread, for other codecs and for large frames`() throws {
        func decoder(_ head: [UInt8], threads: Int) throws -> any ByteDecoder {
            try Decompression(threads: threads).makeDecoder(head: head, name: "t", findsCheckpoints: false)
        }
        let block = try sample("bgzf", seed: 40, parts: 1, largest: 100).compressed
        #expect(try decoder(block, threads: 2) is ParallelDecoder)
        #expect(try decoder(block, threads: 1) is StreamDecoder)
        #expect(try decoder([31, 139, 8, 0] + block, threads: 2) is StreamDecoder)
        let size: [UInt8] = [0, 0, 0, 0, 1, 0, 0, 0]
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xE0] + size + [1, 0, 0]
        #expect(try decoder(frame, threads: 2) is StreamDecoder)
        let stream = try sample("bzip2", seed: 41, parts: 20, largest: 1_000).compressed
        #expect(try decoder(stream, threads: 2) is ParallelDecoder)
        #expect(try decoder(stream, threads: 1) is StreamDecoder)
    }

    @Test(arguments: ["bgzf", "zstd", "bzip2"], [true, false])
    func `18.2: a pipe of several compressed parts is decoded while its bytes arrive`(kind: String, endsInPart: Bool) throws {
        let sample = try sample(kind, seed: 50, parts: 40, largest: 20_000)
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        let file = try Spool(input: dup(pipe.fileHandleForReading.fileDescriptor), name: "t", settings: ScanSettings())
        // Complete parts arrive first. If `endsInPart` is true, half of another part follows.
        var half = 0
        for size in sample.sizes[..<20] { half += size }
        if endsInPart { half += sample.sizes[20] / 2 }
        let (first, second) = (Data(sample.compressed[..<half]), Data(sample.compressed[half...]))
        Thread { try? writer.write(contentsOf: first) }.start()
        let codec: Codec = kind == "bgzf" ? .gzip : kind == "zstd" ? .zstd : .bzip2
        let decoder = try decoder(codec, sample.compressed, Self.defaultPartLimits)
        let head = try file.readHead(maximum: 100, decoder: decoder)
        file.start(head, encoding: .utf8) { _, _ in }
        // The decoder returns the content of the first half without waiting for the second half.
        let expected = try StreamDecoder(codec, name: "t")
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: sample.text.count + 1)
        defer { block.deallocate() }
        let count = try first.withUnsafeBytes {
            var input = $0.bindMemory(to: UInt8.self)
            return try expected.decode(&input, isEnd: false, into: block)
        }
        let start = Date()
        while file.source.count < count, Date().timeIntervalSince(start) < 20 { usleep(1_000) }
        #expect(file.source.count >= count)
        Thread {
            try? writer.write(contentsOf: second); try? writer.close()
        }.start()
        while !file.source.current.isFinished, Date().timeIntervalSince(start) < 20 { usleep(1_000) }
        #expect(try file.source.bytes(at: 0, count: file.source.count) == sample.text)
    }
}
