/// The destination of output without a screen: a file descriptor, written in large pieces; memory, up to a limit; or a part of an ``OrderedOutput``.
public struct OutputSink {
    private enum Target {
        case memory
        case descriptor(Int32)
        case part(Int, OrderedOutput)
    }

    private let target: Target
    /// What has not been written yet; for memory, all of it.
    private(set) var buffer: [UInt8] = []
    private let capacity: Int
    /// Whether what is written now goes nowhere. That the reader has gone is no failure (`gridview … | head`).
    private(set) var isClosed = false
    private(set) var failure: String?

    /// Writes to `descriptor`, which stays open.
    public init(descriptor: Int32) {
        target = .descriptor(descriptor)
        capacity = 1 << 18
        buffer.reserveCapacity(capacity)
    }

    /// Keeps what is written, until it is more than `byteLimit`: then the sink is closed.
    /// - Parameter likely: bytes to make room for at first.
    init(byteLimit: Int, likely: Int = 0) {
        target = .memory
        capacity = byteLimit
        buffer.reserveCapacity(min(likely, byteLimit))
    }

    /// Collects a part of `output`. Up to `capacity` bytes are held until the earlier parts are written.
    /// - Parameter buffer: memory to use; empty.
    init(part: Int, of output: OrderedOutput, capacity: Int, buffer: consuming [UInt8]) {
        target = .part(part, output)
        self.capacity = capacity
        self.buffer = buffer
    }

    /// Whether there is any use in writing more.
    var isOpen: Bool { !isClosed && failure == nil }

    /// Drops whatever is written from now on.
    mutating func close() { isClosed = true }

    /// Writes text as UTF-8.
    public mutating func write(_ text: String) { write(utf8: text.utf8) }

    mutating func write(utf8 bytes: some Collection<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= capacity { flush() }
    }

    mutating func write(byte: UInt8) { buffer.append(byte) }

    mutating func flush() {
        switch target {
        case .memory: isClosed = isClosed || buffer.count > capacity
        case .part(let part, let output):
            if !output.write(buffer, part: part) { isClosed = true }
            buffer.removeAll(keepingCapacity: true)
        case .descriptor(let descriptor):
            buffer.withUnsafeBytes { send($0, to: descriptor) }
            buffer.removeAll(keepingCapacity: true)
        }
    }

    /// Writes a large piece, for which the buffer would be a detour.
    mutating func write(piece: [UInt8]) {
        guard case .descriptor(let descriptor) = target, piece.count >= capacity / 4 else { return write(utf8: piece) }
        flush()
        piece.withUnsafeBytes { send($0, to: descriptor) }
    }

    private mutating func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var start = 0
        while start < bytes.count, isOpen {
            switch Platform.write(UnsafeRawBufferPointer(rebasing: bytes[start...]), to: descriptor) {
            case .bytes(let count): start += count
            case .unread: isClosed = true
            case .failed(let reason): failure = reason
            }
        }
    }

    /// Gives the buffer away when nothing more is written.
    mutating func takeBuffer() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    /// Writes what is held back, at the end.
    /// - Throws: ``RequestError`` when not everything could be written.
    public mutating func finish() throws {
        flush()
        if let failure { throw RequestError("Cannot write to standard output: \(failure).") }
    }
}
