/// Decodes the bytes of a compressed input. Used by one thread at a time.
package protocol ByteDecoder: AnyObject, Sendable {
    /// The name of the compression, such as `gzip`.
    var name: String { get }
    /// True if the compressed data has ended and all of its content has been returned.
    var hasEnded: Bool { get }
    /// A phrase that reports ignored bytes after the end of the compressed data; `nil` without such bytes.
    var problem: String? { get }

    /// Decodes some bytes.
    /// - Parameters:
    ///   - input: the next compressed bytes; used bytes are removed.
    ///   - isEnd: true if no bytes follow `input`.
    ///   - output: receives the decoded bytes; not empty.
    /// - Returns: the number of decoded bytes. If it is less than the size of `output`, all of `input` was used, or the data has ended.
    /// - Throws: an error with one sentence if the bytes are damaged or end early.
    func decode(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(DelimitedTextError) -> Int

    /// True if the decoder has buffered compressed bytes, which it will decode together with later bytes.
    var hasBufferedInput: Bool { get }
    /// Makes the next call of ``decode(_:isEnd:into:)`` decode all buffered bytes. Called when a pipe has no bytes for a moment.
    func requestFlush()

    /// True if ``InputDecoding/decode(_:name:read:write:)`` can decode the sections between checkpoints separately.
    var supportsCheckpoints: Bool { get }
    /// Collects checkpoints while the input is decoded. Set it before the first call of ``decode(_:isEnd:into:)``; `nil` collects none.
    /// Decoders without checkpoints ignore it.
    var recorder: CheckpointRecorder? { get set }
}

extension ByteDecoder {
    package var supportsCheckpoints: Bool { false }
    package var recorder: CheckpointRecorder? {
        get { nil }
        set {}
    }
    package var hasBufferedInput: Bool { false }
    package func requestFlush() {}
}

/// Recognizes compressed inputs and creates their decoders.
package protocol InputDecoding: Sendable {
    /// Recognizes a compression by the first bytes of an input.
    /// - Parameters:
    ///   - head: the bytes that have arrived, from the start of the input.
    ///   - isEnd: true if the input has no other bytes.
    func recognize(_ head: [UInt8], isEnd: Bool) -> DecodingChoice

    /// Creates a decoder for a compressed input.
    /// - Parameter findsCheckpoints: true to use a library that finds many checkpoints; false to use a library that decodes faster.
    /// - Throws: an error if the library is not installed.
    func makeDecoder(head: [UInt8], name: String, findsCheckpoints: Bool) throws(DelimitedTextError) -> any ByteDecoder

    /// Decodes a section of an input, the bytes between two checkpoints. Any thread can call it.
    /// - Parameters:
    ///   - name: the name of the input in messages.
    ///   - read: reads compressed bytes at an offset. Returns their number, which is 0 at the end.
    ///   - write: receives the decoded bytes in order.
    /// - Throws: an error with the code ``DelimitedTextError/Code/changed`` if the input does not match the section, and the errors of
    ///   `read` and `write`.
    func decode(
        _ section: CompressedSection, name: String,
        read: (_ target: UnsafeMutableBufferPointer<UInt8>, _ offset: Int) throws(DelimitedTextError) -> Int,
        write: (UnsafeBufferPointer<UInt8>) throws(DelimitedTextError) -> Void
    ) throws(DelimitedTextError)
}

/// The result of recognizing an input by its first bytes.
package enum DecodingChoice: Sendable {
    case compressed
    case notCompressed
    /// The bytes are too few to decide. Call again with more bytes.
    case undecided
}

/// The compression of an input, for the file details.
package struct Compression: Sendable, Hashable {
    /// The name of the compression, such as `gzip`.
    package var name: String
    /// The size of the compressed input in bytes; for a pipe, the number of compressed bytes decoded until now.
    package var byteCount: Int
}
