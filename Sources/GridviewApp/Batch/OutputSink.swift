#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where output without a screen goes: a file descriptor, written in large pieces.
struct OutputSink {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private let capacity = 1 << 18
    /// Whether the reader has gone; what is written then goes nowhere, and that is no failure (`gridview … | head`).
    private(set) var isClosed = false
    /// The system's number for what went wrong; 0 when nothing did.
    private(set) var error: Int32 = 0

    init(descriptor: Int32) {
        self.descriptor = descriptor
        buffer.reserveCapacity(capacity)
    }

    mutating func write(_ text: String) { write(utf8: text.utf8) }

    mutating func write(utf8 bytes: some Collection<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= capacity { flush() }
    }

    mutating func write(byte: UInt8) { buffer.append(byte) }

    /// Writes what is held back.
    mutating func flush() {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard !isClosed, error == 0 else { return }
        var start = 0
        while start < buffer.count {
            #if canImport(Glibc)
                let written = buffer.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + start, $0.count - start) }
            #elseif canImport(Musl)
                let written = buffer.withUnsafeBytes { Musl.write(descriptor, $0.baseAddress! + start, $0.count - start) }
            #else
                let written = buffer.withUnsafeBytes { Darwin.write(descriptor, $0.baseAddress! + start, $0.count - start) }
            #endif
            if written >= 0 {
                start += written
            } else if errno == EPIPE {
                isClosed = true
                return
            } else if errno != EINTR && errno != EAGAIN {
                error = errno
                return
            }
        }
    }
}
