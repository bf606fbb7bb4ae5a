/// A buffer that moves over a range of the file. Used bytes are dropped, and more bytes are appended.
struct RecordWindow: ~Copyable {
    private let source: ByteSource
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private let limit: Int
    /// The file offset of the first byte of the buffer.
    private var base: Int
    private var filled = 0
    private var used = 0
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
    var bytes: UnsafePointer<UInt8> { UnsafePointer(buffer + used) }
    var count: Int { filled - used }
    /// The file offset of ``bytes``.
    var offset: Int { base + used }
    /// True if the bytes extend to the end of the range.
    var isAtEnd: Bool { base + filled >= end }

    mutating func consume(_ count: Int) { used += count }

    /// Continues at another offset of the range.
    mutating func seek(to offset: Int) {
        if offset >= base && offset <= base + filled {
            used = offset - base
        } else {
            base = offset
            filled = 0
            used = 0
        }
    }

    /// Appends more bytes. Returns `false` if the window has its maximum size or is at the end.
    mutating func extend() throws(DelimitedTextError) -> Bool {
        if isAtEnd { return false }
        if used > 0 {
            (buffer).update(from: buffer + used, count: count)
            base += used
            filled -= used
            used = 0
        }
        if filled == capacity {
            // Doubling keeps the total work for a long record linear.
            let larger = min(capacity * 2, limit)
            if larger <= capacity { return false }
            let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
            next.update(from: buffer, count: filled)
            buffer.deallocate()
            buffer = next
            capacity = larger
        }
        let readCount = min(capacity - filled, end - base - filled)
        try source.read(into: buffer + filled, count: readCount, at: base + filled)
        filled += readCount
        return true
    }
}
