import DelimitedText

/// Recognizes compressed files by their first bytes.
struct Decompression: InputDecoding {
    /// The number of threads that decode a file; at least 1.
    var threads: Int

    func recognize(_ head: [UInt8], isEnd: Bool) -> DecodingChoice {
        if Self.codec(of: head) != nil { return .compressed }
        let mayFollow = !isEnd && Self.candidates.contains { $0.matches(head) == .partly }
        return mayFollow ? .undecided : .notCompressed
    }

    func makeDecoder(head: [UInt8], name: String, findsCheckpoints: Bool) throws(DelimitedTextError) -> any ByteDecoder {
        guard let codec = Self.codec(of: head) else {
            throw DelimitedTextError(.cannotDecode, "Cannot decode \(name): its compression is unknown.", path: name)
        }
        if let decoder = try ParallelDecoder(codec, name: name, head: head, threads: threads) { return decoder }
        return try StreamDecoder(codec, name: name, prefersZlib: findsCheckpoints)
    }

    private static let candidates = Codec.allCases.flatMap(\.signatures)

    /// The codec of a file with these first bytes; `nil` if the file is not compressed, or if there are too few bytes.
    static func codec(of head: [UInt8]) -> Codec? {
        for codec in Codec.allCases where codec.signatures.contains(where: { $0.matches(head) == .entirely }) {
            guard codec == .zstd, isLZ4(afterSkippableFrame: head) else { return codec }
            return .lz4
        }
        return nil
    }

    /// True if the bytes begin with a skippable frame, followed by an LZ4 frame. Without the second frame, the format is unknown, because
    /// zstd files can also begin with a skippable frame.
    private static func isLZ4(afterSkippableFrame head: [UInt8]) -> Bool {
        guard head.count > 8, head[0] & 0xF0 == 0x50 else { return false }
        let next = 8 + Int(head[4]) + Int(head[5]) << 8 + Int(head[6]) << 16 + Int(head[7]) << 24
        return next < head.count && Codec.lz4.signatures.contains { $0.matches(Array(head[next...])) == .entirely }
    }
}

/// A sequence of bytes in which each byte may have a range of values.
struct BytePattern: Sendable {
    /// The result of a comparison. `partly` means that the bytes match, but are too few.
    enum Match: Sendable { case entirely, partly, no }

    /// The allowed range of each byte.
    private let bytes: [ClosedRange<UInt8>]

    init(_ bytes: ClosedRange<UInt8>...) { self.bytes = bytes }
    init(_ bytes: [UInt8]) { self.bytes = bytes.map { $0...$0 } }

    /// Compares the first bytes of an input with the pattern. The input may be shorter or longer than the pattern.
    func matches(_ head: [UInt8]) -> Match {
        for (byte, allowed) in zip(head, bytes) where !allowed.contains(byte) { return .no }
        return head.count < bytes.count ? .partly : .entirely
    }
}

extension Codec {
    /// The signatures at the start of a file; empty for a codec without a signature.
    var signatures: [BytePattern] {
        switch self {
        case .gzip: [BytePattern([0x1F, 0x8B])]
        case .zstd: [BytePattern([0x28, 0xB5, 0x2F, 0xFD]), Self.skippable]
        case .xz: [BytePattern([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0])]
        case .bzip2:
            // bzip2 has a signature for a block, and another one for the end of the stream. A file with empty content starts with the
            // second one.
            [
                BytePattern(0x42...0x42, 0x5A...0x5A, 0x68...0x68, 0x31...0x39, 0x31...0x31, 0x41...0x41, 0x59...0x59, 0x26...0x26),
                BytePattern(0x42...0x42, 0x5A...0x5A, 0x68...0x68, 0x31...0x39, 0x17...0x17, 0x72...0x72, 0x45...0x45, 0x38...0x38),
            ]
        case .lz4: [BytePattern([0x04, 0x22, 0x4D, 0x18])]
        case .lzma:
            // LZMA: properties, dictionary size, content size (unknown, or less than 256 GiB), and the first byte of the data.
            [UInt8(0x00), 0xFF].map { end in
                let any: ClosedRange<UInt8> = end == 0 ? 0...255 : 255...255
                let end = end...end
                return BytePattern(
                    0x5D...0x5D, 0...0, 0...0, 0...0xFF, 0...0x20, any, any, any, any, end == 0...0 ? 0...0x3F : end, end, end, end, 0...0)
            }
        case .zlib, .deflate, .brotli: []
        }
    }

    /// The signatures with which a second or later member can start; empty if an input has only one member.
    var memberSignatures: [BytePattern] {
        switch self {
        case .lz4: signatures + [Self.skippable]
        case .lzma: []
        case .bzip2: [BytePattern(0x42...0x42, 0x5A...0x5A, 0x68...0x68, 0x31...0x39)]
        default: signatures
        }
    }

    /// True if the format allows no second member after the first.
    var allowsOneMember: Bool { self == .zlib || self == .deflate || self == .brotli }

    /// A skippable frame, which has no content.
    private static let skippable = BytePattern(0x50...0x5F, 0x2A...0x2A, 0x4D...0x4D, 0x18...0x18)
}
