import CCodecs

/// A compression method.
enum Codec: Sendable, CaseIterable {
    case gzip, zlib, deflate, zstd, xz, lzma, bzip2, lz4, brotli

    /// The name in messages and in the file details.
    var name: String {
        switch self {
        case .gzip: "gzip"
        case .zlib: "zlib"
        case .deflate: "deflate"
        case .zstd: "zstd"
        case .xz: "xz"
        case .lzma: "LZMA"
        case .bzip2: "bzip2"
        case .lz4: "LZ4"
        case .brotli: "Brotli"
        }
    }

    /// The value that the C functions use for this codec.
    var raw: gv_codec {
        switch self {
        case .gzip: GV_CODEC_GZIP
        case .zlib: GV_CODEC_ZLIB
        case .deflate: GV_CODEC_DEFLATE
        case .zstd: GV_CODEC_ZSTD
        case .xz, .lzma: GV_CODEC_XZ
        case .bzip2: GV_CODEC_BZIP2
        case .lz4: GV_CODEC_LZ4
        case .brotli: GV_CODEC_BROTLI
        }
    }

    /// Loads the library of the codec.
    /// - Parameter name: the name of the file, for the message.
    /// - Throws: ``FormatError`` that names the package to install if the library is missing.
    func load(for name: String) throws(FormatError) {
        guard gv_codec_is_available(raw) == 0 else { return }
        throw FormatError("Cannot open \(name): \(missingLibrary)")
    }

    /// The end of a message about a missing library: the library's name and the package to install.
    var missingLibrary: String {
        "\(String(cString: gv_codec_library(raw))) is missing. Install \(String(cString: gv_codec_package(raw)))."
    }

    /// Decodes a whole stream, such as a page of a columnar file.
    /// - Returns: the number of bytes written to `output`; `nil` if the stream is damaged, longer than `output`, or cannot be decoded
    ///   because the library or memory is missing. Call ``load(for:)`` first.
    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        let count = gv_decode_all(
            raw, input.baseAddress?.assumingMemoryBound(to: UInt8.self), input.count,
            output.baseAddress?.assumingMemoryBound(to: UInt8.self), output.count)
        return count < 0 ? nil : count
    }
}
