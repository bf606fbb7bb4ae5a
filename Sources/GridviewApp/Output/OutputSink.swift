import DataGridQuery
import Tables

/// A destination of output: a file descriptor, memory up to a limit, or one part of an ``OrderedOutput``.
public struct OutputSink {
    private enum Target {
        case memory
        case descriptor(Int32)
        case part(Int, OrderedOutput)
    }

    private let target: Target
    /// The bytes that are not written yet or, if the destination is memory, all bytes.
    private(set) var buffer: [UInt8] = []
    /// If the destination is memory, the maximum number of bytes. Otherwise, the buffer is written when it has this many bytes.
    private let capacity: Int
    /// The job that writes to a file descriptor. Cancelling it closes the sink.
    private let control: JobControl?
    /// True if no further bytes are needed. Writing then has no effect. This is not a failure: `gridview … | head` closes the pipe early.
    private(set) var isClosed = false
    /// The reason for a failed write; otherwise `nil`.
    private(set) var failure: String?
    /// Compresses the bytes before they are written to a file descriptor; `nil` to write them unchanged.
    private let encoder: (any ByteEncoder)?
    /// The error that the encoder has thrown, which ``end()`` throws again; `nil` without an error.
    private var encodingError: (any Error)?

    /// Writes to `descriptor`, which stays open.
    public init(descriptor: Int32) { self.init(descriptor: descriptor, for: nil) }

    /// Writes to `descriptor` until `control` is cancelled. Does not close the descriptor.
    /// - Parameter encoder: compresses the bytes; `nil` to write them unchanged.
    init(descriptor: Int32, for control: JobControl?, encoder: (any ByteEncoder)? = nil) {
        target = .descriptor(descriptor)
        (self.control, self.encoder) = (control, encoder)
        capacity = 1 << 18
        buffer.reserveCapacity(capacity)
    }

    /// Writes to memory. The sink closes if it gets more than `byteLimit` bytes.
    /// - Parameter initialCapacity: the number of bytes for which memory is reserved.
    init(byteLimit: Int, initialCapacity: Int = 0) {
        target = .memory
        (control, encoder) = (nil, nil)
        capacity = byteLimit
        buffer.reserveCapacity(min(initialCapacity, byteLimit))
    }

    /// Writes one part of `output`. Holds up to `capacity` bytes in memory until the earlier parts are written.
    /// - Parameter buffer: empty memory to reuse.
    init(part: Int, of output: OrderedOutput, capacity: Int, buffer: consuming [UInt8]) {
        target = .part(part, output)
        (control, encoder) = (nil, nil)
        self.capacity = capacity
        self.buffer = buffer
    }

    /// True until the sink is closed or a write has failed.
    var isOpen: Bool { !isClosed && failure == nil && encodingError == nil }

    /// Closes the sink. Bytes written after that are ignored.
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

    /// Writes bytes. A large number of bytes goes to a file descriptor directly, without a copy in the buffer.
    mutating func write(bytes: [UInt8]) {
        guard case .descriptor(let descriptor) = target, bytes.count >= capacity / 4 else { return write(utf8: bytes) }
        flush()
        bytes.withUnsafeBytes { send($0, to: descriptor) }
    }

    private mutating func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        guard let encoder else { return sendEncoded(bytes, to: descriptor) }
        guard isOpen else { return }
        encode { sink in try encoder.encode(bytes) { sink.sendEncoded($0, to: descriptor) } }
    }

    private mutating func encode(_ body: (inout OutputSink) throws -> Void) {
        do { try body(&self) } catch { encodingError = error }
    }

    private mutating func sendEncoded(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var start = 0
        if control?.isCancelled == true { close() }
        while start < bytes.count, isOpen {
            switch Platform.write(UnsafeRawBufferPointer(rebasing: bytes[start...]), to: descriptor) {
            case .bytes(let count): start += count
            case .readerClosed: isClosed = true
            case .failed(let reason): failure = reason
            }
        }
    }

    /// Passes the bytes in memory to `body`, then removes them.
    mutating func drain<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        defer { buffer.removeAll(keepingCapacity: true) }
        return try buffer.withUnsafeBufferPointer(body)
    }

    /// Returns the memory of the buffer, so that another sink can reuse it. Nothing may be written after that.
    mutating func removeBuffer() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    /// Writes the buffered bytes and the end of the compressed data. A failed write is not thrown but stored in ``failure``.
    /// - Throws: an error of the encoder.
    mutating func end() throws {
        flush()
        if case .descriptor(let descriptor) = target, let encoder, isOpen {
            encode { sink in try encoder.finish { sink.sendEncoded($0, to: descriptor) } }
        }
        if let encodingError { throw encodingError }
    }

    /// Ends standard output: writes the buffered bytes and the end of the compressed data.
    /// - Throws: ``RequestError`` if any write has failed, and an error of the encoder.
    public mutating func finish() throws {
        try end()
        if let failure { throw RequestError("Cannot write to standard output: \(failure).") }
    }
}
