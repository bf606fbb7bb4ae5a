@testable import EngineProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FuzzTarget {
    /// Messages between the program and its helper. Kinds below 64 go to the helper, the others to the program.
    static let engine = [
        // One message without its header. The first byte is the kind.
        FuzzTarget(name: "messages", maximumBytes: 2_048) { bytes in
            guard let kind = bytes.first else { return }
            let message = Array(bytes.dropFirst())
            if kind < 64 { try readRequest(kind, message) } else { try readAnswer(kind, message) }
        },
        // The bytes of a socket: messages with headers.
        FuzzTarget(name: "message-stream", maximumBytes: 2_048) { bytes in
            guard !bytes.isEmpty else { return }
            guard let (sender, receiver) = EnginePlatform.socketPair() else { fatalError("Cannot create a socket.") }
            defer { close(receiver) }
            let sent = EnginePlatform.send(sender, UnsafeRawBufferPointer(bytes))
            close(sender)
            require(sent == bytes.count, "the socket has space for the input")
            var reader = MessageReader(descriptor: receiver)
            var known = 0
            while let message = try nextMessage(&reader) {
                known += MessageHeader.byteCount + message.payload.bytes.count
                require(known <= bytes.count, "a message has no more bytes than arrived")
                let payload = withExtendedLifetime(message.payload) { Array(message.payload.bytes) }
                // The program would end the connection after an invalid message, but the target reads the next message.
                if message.kind < 64 { try? readRequest(message.kind, payload) } else { try? readAnswer(message.kind, payload) }
            }
        },
    ]

    /// The next message; `nil` at the end of the stream and after an invalid header.
    private static func nextMessage(
        _ reader: inout MessageReader
    ) throws -> (kind: UInt8, request: UInt32, payload: MessageBuffer)? {
        do {
            return try reader.next()
        } catch is ChannelFailure {
            return nil
        }
    }

    // MARK: From the program

    private static func readRequest(_ kind: UInt8, _ message: [UInt8]) throws {
        let request = try message.withUnsafeBytes { try EngineRequest(kind: kind, $0) }
        let written = encoded(request)
        requireBounded(written, message)
        require(request.kind == kind, "a request keeps its kind")
        let again = try? written.withUnsafeBytes { try EngineRequest(kind: kind, $0) }
        require(again == request && again.map { encoded($0) } == written, "a written request is read again")
    }

    private static func encoded(_ request: EngineRequest) -> [UInt8] {
        var writer = ByteWriter()
        request.write(to: &writer)
        return writer.bytes
    }

    /// A message can grow only by its texts, in which an invalid byte is replaced by U+FFFD, which has three bytes.
    private static func requireBounded(_ written: [UInt8], _ message: [UInt8]) {
        require(written.count <= 3 * message.count, "a message needs no more memory than its bytes")
    }

    // MARK: From the helper

    private static func readAnswer(_ kind: UInt8, _ message: [UInt8]) throws {
        let answer = try EngineAnswer(kind: kind, buffer(message))
        if case .rows(let rows) = answer {
            require(kind == EngineAnswer.rowsKind && rows.byteCount == message.count, "a batch keeps its bytes")
            return readRows(rows)
        }
        let (written, writtenKind) = encoded(answer)
        requireBounded(written, message)
        require(writtenKind == kind, "an answer keeps its kind")
        // `EngineAnswer` is not equatable, so the bytes are compared.
        let again = try? EngineAnswer(kind: kind, buffer(written))
        require(again.map { encoded($0).bytes } == written, "a written answer is read again")
    }

    private static func encoded(_ answer: EngineAnswer) -> (bytes: [UInt8], kind: UInt8) {
        var writer = ByteWriter()
        let kind = answer.write(to: &writer)
        return (writer.bytes, kind)
    }

    private static func buffer(_ bytes: [UInt8]) -> MessageBuffer {
        guard let buffer = MessageBuffer(copying: bytes) else { fatalError("Out of memory.") }
        return buffer
    }

    /// Reads all cells, and writes them to another batch.
    private static func readRows(_ rows: RowBatch) {
        // A batch without columns can have billions of rows.
        let rowCount = rows.columnCount == 0 ? min(rows.rowCount, 10) : rows.rowCount
        var writer = RowBatchWriter(columnCount: rows.columnCount, cellLimit: EngineLimits.maximumCellValueBytes, hasKinds: true)
        for row in 0..<rowCount {
            for column in 0..<rows.columnCount {
                _ = (rows.text(row: row, column: column), rows.fullLength(row: row, column: column))
                let value = rows.bytes(row: row, column: column)
                let found = rows.valueRange(row: row, column: column).map { range in rows.withValues { Array($0[range]) } }
                require(found == value, "the range of a value contains the value")
                require((value == nil) == rows.isNull(row: row, column: column), "only NULL has no value")
                guard let value else {
                    writer.appendNull()
                    continue
                }
                require(value.count == rows.length(row: row, column: column), "a value has its length")
                value.withUnsafeBytes { writer.append($0, rows.kind(row: row, column: column)) }
            }
            writer.endRow()
        }
        guard let again = try? writer.batch() else { return require(false, "a written batch is read again") }
        require(again.rowCount == rowCount && again.columnCount == rows.columnCount, "a written batch has the same size")
        require(!again.hasTruncatedCells, "a value below the limit is not cut")
        for row in 0..<rowCount {
            for column in 0..<rows.columnCount {
                let value = rows.bytes(row: row, column: column)
                require(again.bytes(row: row, column: column) == value, "a written value is read again")
                let hasKind = again.kind(row: row, column: column) == rows.kind(row: row, column: column)
                require(value == nil || hasKind, "a written value keeps its kind")
            }
        }
    }
}
