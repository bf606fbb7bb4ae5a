/// A buffer that moves over a range of the file: what has been used is dropped, more is read behind it.
struct RecordWindow: ~Copyable {
    private let source: ByteSource
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private let limit: Int
    /// File offset of the buffer's first byte.
    private var base: Int
    private var filled = 0
    private var used = 0
    /// Where the range ends, in the file.
    private let end: Int
    private let block: Int

    /// Over `begin ..< end`, reading `block` bytes at a time and holding at most `limit`.
    init(_ source: ByteSource, begin: Int, end: Int, block: Int, limit: Int) {
        self.source = source
        self.end = end
        self.block = block
        // Offsets in the window are 32 bits for the scanner.
        self.limit = min(max(limit, block), 1 << 30)
        capacity = min(block, max(end - begin, 1))
        buffer = .allocate(capacity: capacity)
        base = begin
    }

    deinit { buffer.deallocate() }

    /// The bytes that have been read and not used.
    var bytes: UnsafePointer<UInt8> { UnsafePointer(buffer + used) }
    var count: Int { filled - used }
    /// File offset of ``bytes``.
    var offset: Int { base + used }
    /// Whether the bytes go up to the end of the range.
    var isAtEnd: Bool { base + filled >= end }

    mutating func use(_ count: Int) { used += count }

    /// Continues at another place of the range.
    mutating func seek(to offset: Int) {
        if offset >= base && offset <= base + filled {
            used = offset - base
        } else {
            base = offset
            filled = 0
            used = 0
        }
    }

    /// Reads more behind what there is; false when the window is as large as it may become, or at the end.
    mutating func extend() throws(DelimitedTextError) -> Bool {
        if isAtEnd { return false }
        if used > 0 {
            (buffer).update(from: buffer + used, count: count)
            base += used
            filled -= used
            used = 0
        }
        if filled == capacity {
            // Doubling keeps the work for one long record linear.
            let larger = min(capacity * 2, limit)
            if larger <= capacity { return false }
            let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
            next.update(from: buffer, count: filled)
            buffer.deallocate()
            buffer = next
            capacity = larger
        }
        let wanted = min(capacity - filled, end - base - filled)
        try source.read(into: buffer + filled, count: wanted, at: base + filled)
        filled += wanted
        return true
    }
}
