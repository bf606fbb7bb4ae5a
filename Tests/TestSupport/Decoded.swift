package import DelimitedText

/// The result of a decoder of compressed bytes.
package struct Decoded: Equatable, Sendable, CustomStringConvertible {
    /// The content.
    package var bytes: [UInt8]
    /// The message of the error that ended decoding.
    package private(set) var error: String?
    /// The decoder's note about bytes after the end.
    package private(set) var problem: String?

    package var description: String { "\(bytes.count) bytes \(bytes.hashValue), \(error ?? "no error"), \(problem ?? "no problem")" }

    /// The result without an error.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Decodes an input in many calls.
    /// - Parameters:
    ///   - input: the compressed bytes.
    ///   - decoder: a new decoder.
    ///   - inputs: the numbers of bytes that the decoder gets at once.
    ///   - outputs: the sizes of the buffers for decoded bytes.
    ///   - marksEnd: true if the end is announced with the last byte, false if after it.
    ///   - pauses: true to request buffered bytes between some calls.
    ///   - seed: the seed that selects the sizes.
    package init(
        _ input: [UInt8], by decoder: any ByteDecoder, inputs: ClosedRange<Int>, outputs: ClosedRange<Int>, marksEnd: Bool = true,
        pauses: Bool = false, seed: UInt64 = 1
    ) {
        self.init(bytes: [])
        var random = SplitMix64(seed: seed)
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: outputs.upperBound)
        defer { block.deallocate() }
        var (start, left, isEnd, mustFail) = (0, 0, false, false)
        do throws(DelimitedTextError) {
            while !decoder.hasEnded {
                if left == 0 {
                    let piece = min(input.count - start, Int.random(in: inputs, using: &random))
                    if pauses, decoder.hasBufferedInput, Bool.random(using: &random) { decoder.requestFlush() } else { left = piece }
                    isEnd = piece == 0
                }
                let room = UnsafeMutableBufferPointer(rebasing: block[..<Int.random(in: outputs, using: &random)])
                let (from, to, ends) = (start, start + left, isEnd || start + left == input.count && marksEnd)
                let count = try input.withUnsafeBufferPointer { (all) throws(DelimitedTextError) in
                    var piece = UnsafeBufferPointer(rebasing: all[from..<to])
                    let count = try decoder.decode(&piece, isEnd: ends, into: room)
                    left = piece.count
                    return count
                }
                start = to - left
                bytes.append(contentsOf: room[..<count])
                if mustFail { error = "input was left" }
                // Only after an error can the decoder leave input unread.
                mustFail = count < room.count && left > 0 && !decoder.hasEnded
            }
        } catch { self.error = error.message }
        problem = decoder.problem
    }
}
