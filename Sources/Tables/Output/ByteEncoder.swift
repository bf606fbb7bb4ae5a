/// Encodes a stream of bytes, such as a compressor. Memory is bounded.
public protocol ByteEncoder: AnyObject, Sendable {
    /// Encodes bytes, and passes the finished part to `output`.
    /// - Throws: an error of the output, or a `TableError`.
    func encode(_ bytes: UnsafeRawBufferPointer, to output: (_ bytes: UnsafeRawBufferPointer) throws -> Void) throws
    /// Passes the rest of the encoded bytes to `output`. Called once, after all bytes.
    /// - Throws: an error of the output, or a `TableError`.
    func finish(to output: (_ bytes: UnsafeRawBufferPointer) throws -> Void) throws
}

/// A method of compression for written text, such as gzip.
public protocol WritableCompression: Sendable {
    /// The name used with `--compress`.
    var name: String { get }
    /// The suffix of file names after the suffix of the format, without a dot.
    var suffix: String { get }
    /// Creates an encoder for one file.
    /// - Throws: a `TableError` if a library is missing or memory is short.
    func makeEncoder() throws -> any ByteEncoder
}
