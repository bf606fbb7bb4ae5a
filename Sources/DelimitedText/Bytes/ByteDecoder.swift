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
    ///   - input: the next compressed bytes; those that were used are removed.
    ///   - isEnd: true if no bytes follow `input`.
    ///   - output: receives the decoded bytes; not empty.
    /// - Returns: the number of decoded bytes. If it is less than the size of `output`, all of `input` was used, or the data has ended.
    /// - Throws: an error with one sentence if the bytes are damaged or end early.
    func decode(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(DelimitedTextError) -> Int

    /// True if the decoder keeps compressed bytes that it could decode, until more arrive.
    var isCollecting: Bool { get }
    /// Makes the next call of ``decode(_:isEnd:into:)`` decode all bytes that the decoder keeps, because no others arrive for now.
    func stopCollecting()
}

extension ByteDecoder {
    package var isCollecting: Bool { false }
    package func stopCollecting() {}
}

/// Recognizes compressed inputs by their first bytes.
package protocol InputDecoding: Sendable {
    /// Recognizes an input.
    /// - Parameters:
    ///   - head: the first bytes that are known.
    ///   - isEnd: true if the input has no other bytes.
    func recognize(_ head: [UInt8], isEnd: Bool) -> DecodingChoice

    /// A decoder for an input that was recognized.
    /// - Throws: an error if the library is missing.
    func makeDecoder(head: [UInt8], name: String) throws(DelimitedTextError) -> any ByteDecoder
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
    /// The number of compressed bytes; of a pipe, those that were decoded so far.
    package var byteCount: Int
}
