#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The header before each message: the length of the message, its kind, three zero bytes, and the number of its request.
struct MessageHeader {
    static let byteCount = 12
    let length: Int
    let kind: UInt8
    let request: UInt32

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedMessage) {
        var reader = ByteReader(bytes)
        length = Int(try reader.readInteger("length", as: UInt32.self))
        kind = try reader.readByte("kind")
        for byte in try reader.next(3, "padding") where byte != 0 { throw MalformedMessage("padding") }
        request = try reader.readInteger("request")
        guard length <= EngineLimits.maximumMessageBytes else { throw MalformedMessage("length") }
    }

    static func bytes(length: Int, kind: UInt8, request: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeCount(length)
        writer.writeByte(kind)
        for _ in 0..<3 { writer.writeByte(0) }
        writer.writeInteger(request)
        return writer.bytes
    }
}

/// A failure of the socket.
public enum ChannelFailure: Error, Equatable, Sendable {
    /// The other end is closed.
    case closed
    /// The other end sent bytes that do not follow the protocol.
    case malformed(String)
    /// Out of memory.
    case memory
}

/// Reads messages from a socket. One thread uses it at a time.
public struct MessageReader: ~Copyable {
    private let descriptor: Int32
    /// A buffer of received bytes. The bytes from `start` to `end` are not part of a returned message yet.
    private var stagedBytes = [UInt8](repeating: 0, count: 64 << 10)
    private var start = 0
    private var end = 0

    /// Creates a reader. The descriptor stays open.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Reads the next message. Blocks until it is complete.
    /// - Parameter beforeEachRead: called before each read from the socket, to wait with a time limit. If it throws, the message is
    ///   abandoned.
    /// - Throws: ``ChannelFailure``, and the errors of `beforeEachRead`.
    public mutating func next(
        _ beforeEachRead: () throws -> Void = {}
    ) throws -> (kind: UInt8, request: UInt32, payload: MessageBuffer) {
        while end - start < MessageHeader.byteCount {
            if start > 0 {
                let unread = start..<end
                stagedBytes.withUnsafeMutableBytes { $0.copyBytes(from: UnsafeRawBufferPointer(rebasing: $0[unread])) }
                (start, end) = (0, unread.count)
            }
            try beforeEachRead()
            let received = end
            let descriptor = descriptor
            let count = try stagedBytes.withUnsafeMutableBytes {
                try Self.receive(descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[received...]))
            }
            end += count
        }
        let header: MessageHeader
        do {
            header = try stagedBytes[start..<start + MessageHeader.byteCount].withUnsafeBytes { try MessageHeader($0) }
        } catch let error as MalformedMessage { throw ChannelFailure.malformed(error.part) }
        start += MessageHeader.byteCount
        guard let buffer = MessageBuffer(count: header.length) else { throw ChannelFailure.memory }
        var filled = min(end - start, header.length)
        stagedBytes.withUnsafeBytes { buffer.memory.copyBytes(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + filled])) }
        start += filled
        while filled < header.length {
            try beforeEachRead()
            filled += try Self.receive(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer.memory[filled...]))
        }
        return (header.kind, header.request, buffer)
    }

    private static func receive(_ descriptor: Int32, _ space: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = recv(descriptor, space.baseAddress, space.count, 0)
            if count > 0 { return count }
            if count < 0, errno == EINTR { continue }
            throw ChannelFailure.closed
        }
    }
}

/// Writes messages to a socket, and combines small ones. One thread uses it at a time.
public struct MessageWriter: ~Copyable {
    private let descriptor: Int32
    private var pendingBytes = ByteBuffer()
    private static let pendingLimit = 64 << 10

    /// Creates a writer. The descriptor stays open.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Sends a request, without blocking while the socket is full.
    /// - Parameter wait: called while the socket is full; waits until it accepts bytes. If it throws, the rest of the request is not sent,
    ///   and the socket cannot be used again.
    /// - Throws: ``ChannelFailure``, also from `wait`.
    public mutating func send(
        _ request: EngineRequest, _ number: UInt32,
        whenFull wait: (_ descriptor: Int32) throws(ChannelFailure) -> Void = MessageWriter.waitForSpace
    ) throws(ChannelFailure) {
        var writer = ByteWriter()
        request.write(to: &writer)
        guard writer.bytes.count <= EngineLimits.maximumMessageBytes else { throw .malformed("length") }
        append(MessageHeader.bytes(length: writer.bytes.count, kind: request.kind, request: number))
        append(writer.bytes)
        defer { removePending() }
        try Self.sendAll(descriptor, pendingBytes.bytes, whenFull: wait)
    }

    /// Waits without a time limit until a socket accepts bytes.
    public static func waitForSpace(_ descriptor: Int32) throws(ChannelFailure) {
        guard EnginePlatform.wait(descriptor, Int32(POLLOUT), milliseconds: -1) != nil else { throw .closed }
    }

    /// Queues an answer, which is sent by the next ``flush()`` at the latest.
    public mutating func queue(_ answer: EngineAnswer, _ number: UInt32) throws(ChannelFailure) {
        var writer = ByteWriter()
        let kind = answer.write(to: &writer)
        append(MessageHeader.bytes(length: writer.bytes.count, kind: kind, request: number))
        append(writer.bytes)
        if pendingBytes.count > Self.pendingLimit { try flush() }
    }

    /// Queues the rows as one message, then removes them from `rows`.
    public mutating func queue(_ rows: inout RowBatchWriter, _ number: UInt32) throws(ChannelFailure) {
        let fits = rows.withMessageParts { parts in
            let length = parts.reduce(0) { $0 + $1.count }
            append(MessageHeader.bytes(length: length, kind: EngineAnswer.rowsKind, request: number))
            guard pendingBytes.count + length > Self.pendingLimit else {
                for part in parts { append(part) }
                return true
            }
            return false
        }
        if !fits {
            try flush()
            var failure: ChannelFailure?
            let descriptor = descriptor
            rows.withMessageParts { parts in
                do throws(ChannelFailure) {
                    for part in parts { try Self.sendAll(descriptor, part) }
                } catch { failure = error }
            }
            if let failure { throw failure }
        }
        rows.removeAll()
    }

    /// Sends all queued messages.
    public mutating func flush() throws(ChannelFailure) {
        guard pendingBytes.count > 0 else { return }
        let descriptor = descriptor
        defer { removePending() }
        try Self.sendAll(descriptor, pendingBytes.bytes)
    }

    private mutating func removePending() {
        pendingBytes.removeAll()
        pendingBytes.shrink(to: 1 << 20)
    }

    private mutating func append(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        let added = pendingBytes.extend(bytes.count)
        UnsafeMutableRawBufferPointer(start: added, count: bytes.count).copyBytes(from: bytes)
    }

    private static func sendAll(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer,
        whenFull wait: (_ descriptor: Int32) throws(ChannelFailure) -> Void = waitForSpace
    ) throws(ChannelFailure) {
        var start = 0
        while start < bytes.count {
            let count = EnginePlatform.send(descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]))
            if count > 0 {
                start += count
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                try wait(descriptor)
            } else if errno != EINTR {
                throw .closed
            }
        }
    }
}
