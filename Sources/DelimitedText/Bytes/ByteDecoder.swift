/// A decoder of compressed bytes. One thread at a time uses it.
package protocol ByteDecoder: AnyObject, Sendable {
    /// The name of the compression, such as `gzip`.
    var name: String { get }
    /// True if the end of the compressed bytes is known and all of their content was returned.
    var hasEnded: Bool { get }
    /// A phrase about bytes that were ignored; `nil` without such bytes.
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

    /// True if the decoder collects compressed bytes, to decode them together with the next ones.
    var isCollecting: Bool { get }
    /// Makes the next call of ``decode(_:isEnd:into:)`` decode all collected bytes. Called when the input pauses.
    func stopCollecting()

    /// True if the input can be decoded from checkpoints by ``InputDecoding/decode(_:name:read:write:)``.
    var supportsCheckpoints: Bool { get }
    /// The checkpoints found so far. Set a recorder before the first call of ``decode(_:isEnd:into:)`` to collect them. It remains `nil` in
    /// decoders without checkpoints.
    var recorder: CheckpointRecorder? { get set }
}

extension ByteDecoder {
    package var supportsCheckpoints: Bool { false }
    package var recorder: CheckpointRecorder? {
        get { nil }
        set {}
    }
    package var isCollecting: Bool { false }
    package func stopCollecting() {}
}

/// Recognizes compressed inputs by their first bytes.
package protocol InputDecoding: Sendable {
    /// Recognizes an input.
    /// - Parameters:
    ///   - head: the bytes known so far, from the start of the input.
    ///   - isEnd: true if the input has no other bytes.
    func recognize(_ head: [UInt8], isEnd: Bool) -> DecodingChoice

    /// A decoder for an input that was recognized.
    /// - Parameter findsCheckpoints: true to prefer a library that finds many checkpoints to a faster one.
    /// - Throws: an error if the library is missing.
    func makeDecoder(head: [UInt8], name: String, findsCheckpoints: Bool) throws(DelimitedTextError) -> any ByteDecoder

    /// Decodes a section of an input. Any thread can call it.
    /// - Parameters:
    ///   - name: the name of the input in messages.
    ///   - read: reads compressed bytes at an offset. Returns their number, which is 0 at the end.
    ///   - write: receives the decoded bytes in order.
    /// - Throws: an error with the code ``DelimitedTextError/Code/changed`` if the input does not have such a section, and the errors of
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
    /// More bytes are needed.
    case undecided
}

/// The compression of an input.
package struct Compression: Sendable, Hashable {
    /// The name of the compression, such as `gzip`.
    package var name: String
    /// The number of compressed bytes; for a pipe, the number decoded so far.
    package var byteCount: Int
}
