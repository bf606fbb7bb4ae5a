/// Encodes a stream of bytes, for example by compression. Its memory does not grow with the length of the stream.
public protocol ByteEncoder: AnyObject, Sendable {
    /// Encodes more bytes of the stream, and passes the encoded bytes that are finished to `output`.
    /// - Throws: an error of the output, or a `TableError`.
    func encode(_ bytes: UnsafeRawBufferPointer, to output: (_ bytes: UnsafeRawBufferPointer) throws -> Void) throws
    /// Passes the remaining encoded bytes to `output`. The caller calls it once, at the end of the stream.
    /// - Throws: an error of the output, or a `TableError`.
    func finish(to output: (_ bytes: UnsafeRawBufferPointer) throws -> Void) throws
}

/// A method of compression for written text, such as gzip.
public protocol WritableCompression: Sendable {
    /// The name used with `--compress`.
    var name: String { get }
    /// The suffix that is added to a file name, without a dot, such as `gz` in `table.csv.gz`.
    var suffix: String { get }
    /// Creates an encoder for one file.
    /// - Throws: a `TableError` if a library is missing or memory is short.
    func makeEncoder() throws -> any ByteEncoder
}
