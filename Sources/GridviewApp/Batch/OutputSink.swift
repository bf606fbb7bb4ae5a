/// Where output without a screen goes: a file descriptor, written in large pieces; or memory, up to a limit.
public struct OutputSink {
    /// `nil`: memory.
    private let descriptor: Int32?
    /// What has not been written yet; for memory, all of it.
    private(set) var buffer: [UInt8] = []
    private let capacity: Int
    /// Whether what is written now goes nowhere. That the reader has gone is no failure (`gridview … | head`).
    private(set) var isClosed = false
    /// What went wrong, in the system's words; `nil` when nothing did.
    private(set) var failure: String?

    /// Writes to `descriptor`, which stays open.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        capacity = 1 << 18
        buffer.reserveCapacity(capacity)
    }

    /// Keeps what is written, until it is more than `byteLimit`: then the sink is closed.
    init(byteLimit: Int) {
        descriptor = nil
        capacity = byteLimit
    }

    /// Whether there is any use in writing more.
    var isOpen: Bool { !isClosed && failure == nil }

    /// Writes text as UTF-8.
    public mutating func write(_ text: String) { write(utf8: text.utf8) }

    mutating func write(utf8 bytes: some Collection<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= capacity { flush() }
    }

    mutating func write(byte: UInt8) { buffer.append(byte) }

    /// Writes what is held back.
    mutating func flush() {
        guard let descriptor else {
            isClosed = buffer.count > capacity
            return
        }
        defer { buffer.removeAll(keepingCapacity: true) }
        var start = 0
        while start < buffer.count, isOpen {
            switch buffer.withUnsafeBytes({ Platform.write(UnsafeRawBufferPointer(rebasing: $0[start...]), to: descriptor) }) {
            case .bytes(let count): start += count
            case .unread: isClosed = true
            case .failed(let reason): failure = reason
            }
        }
    }

    /// Writes what is held back, at the end.
    /// - Throws: ``RequestError`` when not everything could be written.
    public mutating func finish() throws {
        flush()
        if let failure { throw RequestError("Standard output cannot be written: \(failure).") }
    }
}
