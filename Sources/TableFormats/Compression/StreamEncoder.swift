import CCodecs
public import Tables

/// The compression methods for text output.
public let writableCompressions: [any WritableCompression] = [
    CodecOutput(.gzip, suffix: "gz"), CodecOutput(.zstd, suffix: "zst"), CodecOutput(.xz, suffix: "xz"), CodecOutput(.bzip2, suffix: "bz2"),
    CodecOutput(.lz4, suffix: "lz4"),
]

/// Creates encoders that compress with a codec.
private struct CodecOutput: WritableCompression {
    let codec: Codec
    let suffix: String

    init(_ codec: Codec, suffix: String) { (self.codec, self.suffix) = (codec, suffix) }

    var name: String { codec.name.lowercased() }

    func makeEncoder() throws -> any ByteEncoder { try StreamEncoder(codec) }
}

/// Compresses a stream with a codec. Only one thread at a time uses it.
final class StreamEncoder: ByteEncoder, @unchecked Sendable {
    private let encoder: OpaquePointer
    private let codec: Codec
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 17)

    /// Creates an encoder.
    /// - Throws: ``FormatError`` if the library of the codec is missing.
    init(_ codec: Codec) throws {
        guard gv_encoder_is_available(codec.raw) != 0 else {
            throw FormatError("Cannot compress with \(codec.name): \(codec.missingLibrary)")
        }
        guard let encoder = gv_encoder_make(codec.raw) else { throw FormatError("Cannot compress with \(codec.name): not enough memory.") }
        (self.encoder, self.codec) = (encoder, codec)
    }

    deinit {
        gv_encoder_free(encoder)
        buffer.deallocate()
    }

    func encode(_ bytes: UnsafeRawBufferPointer, to output: (UnsafeRawBufferPointer) throws -> Void) throws {
        try run(bytes, isEnd: false, output)
    }

    func finish(to output: (UnsafeRawBufferPointer) throws -> Void) throws {
        try run(UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true, output)
    }

    private func run(_ bytes: UnsafeRawBufferPointer, isEnd: Bool, _ output: (UnsafeRawBufferPointer) throws -> Void) throws {
        var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var left = bytes.count
        while true {
            var target = buffer.baseAddress
            var room = buffer.count
            let status = gv_encoder_run(encoder, &next, &left, &target, &room, isEnd ? 1 : 0)
            guard status >= 0 else { throw FormatError("Cannot compress with \(codec.name): the library failed.") }
            if room < buffer.count {
                try output(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(buffer.count - room)]))
            }
            if status == 1 { return }
        }
    }
}
