import DelimitedText
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Compressed text, decoded by the program and by the tools of the system.
@Suite struct StreamEncoderTests {
    /// Encodes in pieces of different sizes.
    private func encode(_ bytes: [UInt8], _ compression: any WritableCompression, pieces: Int) throws -> [UInt8] {
        let encoder = try compression.makeEncoder()
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try bytes[start..<min(bytes.count, start + pieces)].withUnsafeBytes { try encoder.encode($0) { result.append(contentsOf: $0) } }
        }
        try encoder.finish { result.append(contentsOf: $0) }
        return result
    }

    static let contents: [[UInt8]] = {
        var random = SplitMix64(seed: 18)
        let lines = (0..<90_000).map { "\($0),\(Int.random(in: 0..<1_000_000, using: &random)),text \($0 % 7)\n" }.joined()
        return [Array("a,b\n1,2\n".utf8), Array(lines.utf8), random.bytes(count: 3_000_000)]
    }()

    @Test(arguments: writableCompressions.indices, [0, 1, 2])
    func `18.10: decoding restores the encoded bytes`(codec: Int, content: Int) throws {
        let compression = writableCompressions[codec]
        let bytes = Self.contents[content]
        let encoded = try encode(bytes, compression, pieces: [1, 100_003, 1 << 20][content])
        let decoder = try StreamDecoder(#require(Decompression.codec(of: encoded)), name: "x")
        var decoded: [UInt8] = []
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
        defer { buffer.deallocate() }
        try encoded.withUnsafeBufferPointer { encoded in
            var input = encoded
            while !decoder.hasEnded {
                let count = try decoder.decode(&input, isEnd: true, into: buffer)
                decoded.append(contentsOf: buffer[..<count])
            }
        }
        #expect(decoded == bytes && decoder.problem == nil)
        #expect(content == 2 || content == 0 || encoded.count < bytes.count * 3 / 4)
    }

    @Test(.enabled(if: Python.isAvailable), arguments: writableCompressions.indices)
    func `18.10: each codec encodes an empty input as a valid file`(codec: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("x", bytes: try encode([], writableCompressions[codec], pieces: 1))
        let script = """
            import sys, gzip, bz2, lzma
            data = open(sys.argv[2], "rb").read()
            if sys.argv[1] in ("gzip", "bzip2", "xz"):
                print(len({"gzip": gzip, "bzip2": bz2, "xz": lzma}[sys.argv[1]].decompress(data)))
            else:
                import pyarrow
                print(len(pyarrow.input_stream(pyarrow.BufferReader(data), compression=sys.argv[1]).read()))
            """
        #expect(try Python.run(script, writableCompressions[codec].name, path).trimmingCharacters(in: .whitespacesAndNewlines) == "0")
    }

    @Test func `18.10: the codecs have the names and suffixes of their command-line programs`() {
        #expect(writableCompressions.map(\.name) == ["gzip", "zstd", "xz", "bzip2", "lz4"])
        #expect(writableCompressions.map(\.suffix) == ["gz", "zst", "xz", "bz2", "lz4"])
    }
}
