/// A buffer with a part of a byte range of the file. It moves through the range: bytes at its start are dropped when they have been used,
/// and more bytes are appended.
struct RecordWindow: ~Copyable {
    private let source: ByteSource
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private let limit: Int
    /// The file offset of the first byte of the buffer.
    private var base: Int
    private var filledBytes = 0
    private var usedBytes = 0
    /// The file offset where the range ends.
    private let end: Int
    private let blockBytes: Int

    /// Creates a window over `begin ..< end`.
    /// - Parameters:
    ///   - block: the number of bytes to read at a time.
    ///   - limit: the maximum number of bytes in the buffer.
    init(_ source: ByteSource, begin: Int, end: Int, block: Int, limit: Int) {
        self.source = source
        self.end = end
        self.blockBytes = block
        // The window is limited to 1 GiB, because the scanner uses 32-bit offsets in it.
        self.limit = min(max(limit, block), 1 << 30)
        capacity = min(block, max(end - begin, 1))
        buffer = .allocate(capacity: capacity)
        base = begin
    }

    deinit { buffer.deallocate() }

    /// The bytes of the buffer that have not been used.
    var bytes: UnsafePointer<UInt8> { UnsafePointer(buffer + usedBytes) }
    var count: Int { filledBytes - usedBytes }
    /// The file offset of the first byte that has not been used.
    var offset: Int { base + usedBytes }
    /// True if the buffer contains all bytes up to the end of the range.
    var isAtEnd: Bool { base + filledBytes >= end }

    mutating func consume(_ count: Int) { usedBytes += count }

    /// Continues at another file offset in the range.
    mutating func seek(to offset: Int) {
        if offset >= base && offset <= base + filledBytes {
            usedBytes = offset - base
        } else {
            base = offset
            filledBytes = 0
            usedBytes = 0
        }
    }

    /// Appends more bytes of the range to the buffer. Returns `false` if the buffer has its maximum size or the range ends.
    mutating func extend() throws(DelimitedTextError) -> Bool {
        if isAtEnd { return false }
        if usedBytes > 0 {
            (buffer).update(from: buffer + usedBytes, count: count)
            base += usedBytes
            filledBytes -= usedBytes
            usedBytes = 0
        }
        if filledBytes == capacity {
            // The capacity is doubled, so that the total work for a long record is linear in its length.
            let larger = min(capacity * 2, limit)
            if larger <= capacity { return false }
            let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
            next.update(from: buffer, count: filledBytes)
            buffer.deallocate()
            buffer = next
            capacity = larger
        }
        let readCount = min(capacity - filledBytes, end - base - filledBytes)
        try source.read(into: buffer + filledBytes, count: readCount, at: base + filledBytes)
        filledBytes += readCount
        return true
    }
}
