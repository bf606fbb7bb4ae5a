/// Reads the bytes of a pipe or file that a spool copies. Compressed bytes are decoded.
struct SpoolInput: Sendable {
    let descriptor: Int32
    /// The read end of a pipe. Reading is cancelled by closing the other end.
    let wakeDescriptor: Int32
    let name: String
    /// The decoder; `nil` if the bytes are not compressed.
    private(set) var decoder: (any ByteDecoder)?
    /// The offset in the file of the next bytes to read. `nil` if the input is read from the read position of the descriptor, like a pipe.
    private var offset: Int?
    /// The offset in the file where reading ends; if unknown, the maximum integer.
    private let end: Int

    /// A buffer of compressed bytes. The bytes in the range ``unreadRange`` are not decoded yet.
    private var compressedBuffer: [UInt8] = []
    private var unreadRange = 0..<0
    /// True if the compressed input has no bytes after the bytes in ``compressedBuffer``.
    private var isCompressedEnd = false
    /// True if the decoder may return more decoded bytes without more compressed ones.
    private var mayHaveOutput = false
    /// An error that the next read throws.
    private var failure: DelimitedTextError?
    /// The number of compressed bytes read from the input.
    private(set) var compressedCount = 0

    private static let blockBytes = 128 << 10

    /// Creates a reader that does not own its descriptors.
    /// - Parameter range: the byte range to read by offset, so that the read position of the descriptor does not change. `nil` to read from
    ///   the current position to the end.
    init(descriptor: Int32, wakeDescriptor: Int32, name: String, range: Range<Int>?, decoder: (any ByteDecoder)?) {
        (self.descriptor, self.wakeDescriptor, self.name, self.decoder) = (descriptor, wakeDescriptor, name, decoder)
        (offset, end) = (range?.lowerBound, range?.upperBound ?? .max)
    }

    /// Starts to decode the input.
    /// - Parameters:
    ///   - decoder: the decoder.
    ///   - first: the compressed bytes from the start of the input that have already been read.
    mutating func decode(by decoder: any ByteDecoder, first: [UInt8]) {
        self.decoder = decoder
        (compressedBuffer, unreadRange, compressedCount) = (first, first.indices, first.count)
    }

    /// Makes the next read throw an error.
    mutating func fail(_ error: DelimitedTextError) { failure = error }

    /// True if the next read is sure to return without waiting for a pipe.
    var isReady: Bool { failure != nil || mayHaveOutput || !unreadRange.isEmpty || isCompressedEnd || decoder?.hasEnded == true }

    /// Reads some bytes, decoded if the input is compressed. Waits if a pipe has no bytes.
    /// - Returns: the number of bytes, 0 at the end; `nil` if reading was cancelled.
    mutating func read(into target: UnsafeMutableBufferPointer<UInt8>) throws(DelimitedTextError) -> Int? {
        if let failure { throw failure }
        guard let decoder else { return try readSome(into: target) }
        while !decoder.hasEnded {
            if unreadRange.isEmpty, !mayHaveOutput, !isCompressedEnd {
                if decoder.hasBufferedInput, isPaused {
                    if Platform.isClosed(wakeDescriptor) { return nil }
                    decoder.requestFlush()
                } else {
                    guard try readCompressed() else { return nil }
                }
            } else if Platform.isClosed(wakeDescriptor) {
                return nil
            }
            let count = try decode(by: decoder, into: target)
            mayHaveOutput = count == target.count
            if count > 0 { return count }
        }
        return 0
    }

    /// True if the input is a pipe that had no bytes for 2 ms.
    private var isPaused: Bool {
        offset == nil && !Platform.waitUntilReadable(descriptor, wakeDescriptor: wakeDescriptor, milliseconds: 2)
    }

    private mutating func decode(
        by decoder: any ByteDecoder, into target: UnsafeMutableBufferPointer<UInt8>
    ) throws(DelimitedTextError) -> Int {
        // A copy in a local variable, because the closure must not change the struct.
        var unusedCount = unreadRange.count
        let (range, isEnd) = (unreadRange, isCompressedEnd)
        let count = try compressedBuffer.withUnsafeBufferPointer { (bytes) throws(DelimitedTextError) in
            var input = UnsafeBufferPointer(rebasing: bytes[range])
            let count = try decoder.decode(&input, isEnd: isEnd, into: target)
            unusedCount = input.count
            return count
        }
        unreadRange = (unreadRange.upperBound - unusedCount)..<unreadRange.upperBound
        return count
    }

    /// Reads more compressed bytes into the buffer. Returns `false` if reading was cancelled.
    private mutating func readCompressed() throws(DelimitedTextError) -> Bool {
        if compressedBuffer.count < Self.blockBytes { compressedBuffer = [UInt8](repeating: 0, count: Self.blockBytes) }
        var block = compressedBuffer
        compressedBuffer = []
        defer { compressedBuffer = block }
        var result: Int?
        var failure: DelimitedTextError?
        block.withUnsafeMutableBufferPointer { bytes in
            do throws(DelimitedTextError) { result = try readSome(into: bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        guard let result else { return false }
        unreadRange = 0..<result
        isCompressedEnd = result == 0
        compressedCount += result
        return true
    }

    /// Reads bytes as they are in the input. Returns their number, 0 at the end; `nil` if reading was cancelled.
    private mutating func readSome(into target: UnsafeMutableBufferPointer<UInt8>) throws(DelimitedTextError) -> Int? {
        guard let start = target.baseAddress, Platform.waitUntilReadable(descriptor, wakeDescriptor: wakeDescriptor, milliseconds: -1)
        else {
            return nil
        }
        let read =
            offset.map { Platform.readFully(descriptor, into: start, count: min(target.count, end - $0), at: $0) }
            ?? Platform.readSome(descriptor, into: start, count: target.count)
        guard let read else {
            let number = Platform.lastError
            throw DelimitedTextError(.cannotRead, "Cannot read \(name): \(Platform.errorDescription(number)).", path: name, errno: number)
        }
        offset? += read
        return read
    }
}
