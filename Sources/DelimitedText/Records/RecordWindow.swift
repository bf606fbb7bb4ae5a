/// A buffer that moves over a range of the file. Used bytes are dropped, and more bytes are appended.
struct RecordWindow: ~Copyable {
    private let source: ByteSource
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private let limit: Int
    /// The file offset of the first byte of the buffer.
    private var base: Int
    private var filledBytes = 0
    private var usedBytes = 0
    /// The file offset of the end of the range.
    private let end: Int
    private let block: Int

    /// Creates a window of `begin ..< end` that reads `block` bytes at a time and holds at most `limit`.
    init(_ source: ByteSource, begin: Int, end: Int, block: Int, limit: Int) {
        self.source = source
        self.end = end
        self.block = block
        // The scanner uses 32-bit offsets in the window.
        self.limit = min(max(limit, block), 1 << 30)
        capacity = min(block, max(end - begin, 1))
        buffer = .allocate(capacity: capacity)
        base = begin
    }

    deinit { buffer.deallocate() }

    /// The bytes that have been read but not used.
    var bytes: UnsafePointer<UInt8> { UnsafePointer(buffer + usedBytes) }
    var count: Int { filledBytes - usedBytes }
    /// The file offset of ``bytes``.
    var offset: Int { base + usedBytes }
    /// True if the bytes extend to the end of the range.
    var isAtEnd: Bool { base + filledBytes >= end }

    mutating func consume(_ count: Int) { usedBytes += count }

    /// Continues at another offset of the range.
    mutating func seek(to offset: Int) {
        if offset >= base && offset <= base + filledBytes {
            usedBytes = offset - base
        } else {
            base = offset
            filledBytes = 0
            usedBytes = 0
        }
    }

    /// Appends more bytes. Returns `false` if the window has its maximum size or is at the end.
    mutating func extend() throws(DelimitedTextError) -> Bool {
        if isAtEnd { return false }
        if usedBytes > 0 {
            (buffer).update(from: buffer + usedBytes, count: count)
            base += usedBytes
            filledBytes -= usedBytes
            usedBytes = 0
        }
        if filledBytes == capacity {
            // Doubling keeps the total work for a long record linear.
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
