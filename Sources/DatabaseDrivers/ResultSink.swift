import EngineProtocol

/// Receives the result of a request, applies its limits and sends it. Only the worker thread uses it.
final class ResultSink {
    private var writer: MessageWriter
    /// The number of the request.
    private var requestNumber: UInt32 = 0
    private var batch = RowBatchWriter(columnCount: 0, cellLimit: 1)
    /// True if ``sendColumns(_:hasKinds:)`` was called for this request.
    private(set) var hasColumns = false
    private var rowLimit = UInt64.max
    private var byteLimit = UInt64.max
    private var cellLimit = EngineLimits.maximumCellValueBytes
    private var delivery = ExecuteRequest.Delivery.whole
    /// The time at which the request arrived, in microseconds.
    private var requestArrival: UInt64 = 0
    /// The time at which rows were last sent, in microseconds.
    private var lastFlush: UInt64 = 0
    /// The time of the last progress report, in microseconds.
    private var lastProgress: UInt64 = 0
    private var noticeCount = 0
    private var noticeBytes = 0
    /// The number of bytes in the batches that were sent for this request.
    private var sentBytes: UInt64 = 0
    /// The number of rows received for this request.
    private(set) var rowCount: UInt64 = 0
    /// True if a limit has ended the result early.
    private(set) var isTruncated = false
    /// True if the program has stopped reading, so that sending has no effect.
    private(set) var isClosed = false

    private static let streamRows = 4_096
    private static let streamBytes = 256 << 10
    /// The maximum time in microseconds that rows of a stream wait for their batch to fill.
    private static let streamDelayMicroseconds: UInt64 = 20_000
    private static let progressMicroseconds: UInt64 = 250_000

    init(descriptor: Int32) { writer = MessageWriter(descriptor: descriptor) }

    /// Starts a request.
    func begin(_ control: RequestControl, _ request: ExecuteRequest? = nil) {
        requestNumber = control.number
        hasColumns = false
        (rowCount, isTruncated, noticeCount, noticeBytes, sentBytes) = (0, false, 0, 0, 0)
        (requestArrival, lastFlush, lastProgress) = (control.start, 0, EnginePlatform.monotonicMicroseconds())
        (delivery, rowLimit, byteLimit) = (.whole, .max, .max)
        guard let request else { return }
        delivery = request.delivery
        rowLimit = request.rowLimit == 0 ? .max : request.rowLimit
        switch delivery {
        case .whole:
            let limit = request.byteLimit == 0 ? UInt64(EngineLimits.defaultMaximumUnpagedResultBytes) : request.byteLimit
            byteLimit = min(limit, UInt64(EngineLimits.maximumUnpagedResultBytes))
        case .stream: byteLimit = request.byteLimit == 0 ? .max : request.byteLimit
        }
        cellLimit =
            request.cellLimit == 0 ? EngineLimits.maximumCellValueBytes : min(Int(request.cellLimit), EngineLimits.maximumCellValueBytes)
    }

    /// Queues an answer of any kind, after all earlier answers.
    func send(_ answer: EngineAnswer) {
        do throws(ChannelFailure) { try writer.queue(answer, requestNumber) } catch { isClosed = true }
    }

    /// Sends all queued messages.
    func flush() {
        do throws(ChannelFailure) { try writer.flush() } catch { isClosed = true }
    }

    /// Starts a result.
    /// - Parameter hasKinds: true if each cell has a storage class, a `RowBatch.CellKind`.
    func sendColumns(_ columns: [ResultColumn], hasKinds: Bool = false) throws(DriverFailure) {
        guard columns.count <= EngineLimits.maximumColumns else {
            throw DriverFailure(.tooLarge, "The result has \(columns.count) columns, and the maximum is \(EngineLimits.maximumColumns)")
        }
        // The names of all columns must fit into one message.
        guard columns.reduce(0, { $0 + $1.byteCount }) <= EngineLimits.maximumMessageBytes / 2 else {
            throw DriverFailure(.tooLarge, "The names of the columns are too long")
        }
        batch = RowBatchWriter(columnCount: columns.count, cellLimit: cellLimit, hasKinds: hasKinds)
        hasColumns = true
        send(.columns(columns, parameters: []))
    }

    /// Adds a row.
    /// - Parameter fill: appends each cell of the row.
    /// - Returns: False if the result must end, because a limit was reached or the program stopped reading. In that case, the row is not
    ///   added.
    func appendRow(_ fill: (inout RowBatchWriter) -> Void) -> Bool {
        guard !isClosed, rowCount < rowLimit, sentBytes < byteLimit else {
            isTruncated = !isClosed
            return false
        }
        guard hasColumns else { return false }
        if delivery == .whole, UInt64(batch.byteCount) >= byteLimit || batch.isFull {
            isTruncated = true
            return false
        }
        fill(&batch)
        batch.endRow()
        rowCount += 1
        if delivery == .stream {
            if UInt64(batch.byteCount) >= byteLimit &- sentBytes || batch.byteCount >= Self.streamBytes
                || batch.rowCount >= Self.streamRows
            {
                sendRows()
            } else if rowCount == 1 {
                // Send the first row at once; later rows wait until their batch is full.
                sendRows()
            }
        }
        return true
    }

    private func sendRows() {
        guard hasColumns, batch.rowCount > 0 else { return }
        sentBytes += UInt64(batch.byteCount)
        do throws(ChannelFailure) {
            try writer.queue(&batch, requestNumber)
            if delivery == .stream { try writer.flush() }
        } catch { isClosed = true }
        lastFlush = EnginePlatform.monotonicMicroseconds()
    }

    /// Sends rows that waited for 20 ms, and a progress report every 250 ms. A driver calls this method before it waits for its server.
    /// - Returns: The milliseconds until the next call is due.
    func sendDueRows() -> Int32 {
        let now = EnginePlatform.monotonicMicroseconds()
        if now &- lastProgress >= Self.progressMicroseconds {
            lastProgress = now
            send(.progress(Progress(rows: rowCount, microseconds: now &- requestArrival)))
            flush()
        }
        guard delivery == .stream, hasColumns, batch.rowCount > 0 else { return Int32(Self.progressMicroseconds / 1_000) }
        let age = now &- lastFlush
        if age >= Self.streamDelayMicroseconds {
            sendRows()
            return Int32(Self.progressMicroseconds / 1_000)
        }
        return Int32((Self.streamDelayMicroseconds &- age) / 1_000 + 1)
    }

    /// Sends a notice. Notices beyond a limit are dropped, so that a server cannot fill the program's memory.
    func sendNotice(_ message: ServerMessage) {
        guard noticeCount < EngineLimits.maximumNotices, noticeBytes + message.byteCount <= EngineLimits.maximumNoticeBytes else { return }
        noticeCount += 1
        noticeBytes += message.byteCount
        send(.notice(message))
    }

    /// Ends a result successfully.
    func finish() {
        sendRows()
        send(
            .done(
                Completion(
                    rowCount: rowCount, isTruncated: isTruncated, microseconds: EnginePlatform.monotonicMicroseconds() &- requestArrival)))
        flush()
    }

    /// Ends a request with an error. Earlier rows of a stream are still sent; rows of a page are dropped.
    func fail(_ failure: DriverFailure) {
        if delivery == .stream { sendRows() }
        send(.failed(failure.message))
        flush()
    }
}

extension ResultColumn {
    /// An upper bound for the bytes of the column in a message.
    fileprivate var byteCount: Int {
        let texts: [String] =
            if case .names(let schema, let table, let column) = origin { [name, type.name, schema, table, column] } else {
                [name, type.name]
            }
        return texts.reduce(64) { $0 + min($1.utf8.count, EngineLimits.maximumTextBytes) }
    }
}
