public import EngineProtocol
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connection to a server or a file, in its own helper process.
///
/// All methods block, so call them on background threads. Only one thread can use a connection at a time. A call of another thread fails
/// with ``EngineError/busy``. To count rows in the background while showing pages, open two connections.
///
/// ```swift
/// let connection = EngineConnection(try ConnectionTarget(parsing: "postgres://localhost/shop"))
/// try connection.open()
/// let result = try connection.query(ExecuteRequest("select id, name from customer order by id limit 100"))
/// print(result.rows.text(row: 0, column: 1) ?? "NULL")
/// ```
public final class EngineConnection: Sendable {
    /// The database. It can contain a password, so show only its ``ConnectionTarget/description``.
    public let target: ConnectionTarget
    private let helperPath: String?
    private let state = Mutex(State())

    private struct State {
        var isBusy = false
        var link: Link?
        var info: ServerInfo?
    }

    /// The helper process with its message reader and writer. It is owned by the thread that set `isBusy`.
    private final class Link: @unchecked Sendable {
        let helper: HelperProcess
        var reader: MessageReader
        var writer: MessageWriter
        var lastNumber: UInt32 = 0
        var hasEnded = false

        init(_ helper: HelperProcess) {
            self.helper = helper
            reader = MessageReader(descriptor: helper.descriptor)
            writer = MessageWriter(descriptor: helper.descriptor)
        }

        /// - Returns: The signal that ended the helper; `nil` if the helper exited by itself, or if an earlier call has already waited for
        ///   it.
        func waitForEnd(killingAfterMilliseconds milliseconds: Int) -> Int32? {
            guard !hasEnded else { return nil }
            hasEnded = true
            return helper.waitForEnd(killingAfterMilliseconds: milliseconds)
        }

        deinit { _ = waitForEnd(killingAfterMilliseconds: 0) }
    }

    /// The time in milliseconds after which a helper is killed, if it has not ended a cancelled request.
    public static let cancelMilliseconds = 2_000
    /// Milliseconds between checks of the cancellation flag.
    private static let checkMilliseconds: Int32 = 10
    /// The time limit for connecting in milliseconds, unless the target sets `connect_timeout`.
    static let connectMilliseconds: UInt32 = 30_000

    /// Creates a closed connection.
    /// - Parameters:
    ///   - target: the database to connect to.
    ///   - helperPath: the absolute path of the helper; `nil` means the folder of the running program.
    public init(_ target: ConnectionTarget, helperPath: String? = nil) {
        (self.target, self.helperPath) = (target, helperPath)
    }

    /// True while requests can be made. False after ``close()``, and after the helper has ended.
    public var isOpen: Bool { state.withLock { $0.info != nil } }

    /// The product and properties of the server; `nil` if the connection is closed.
    public var serverInfo: ServerInfo? { state.withLock { $0.info } }

    /// The process of the helper, for tests and measurements.
    package var helperProcess: Int32? { state.withLock { $0.link?.helper.process } }

    // MARK: Opening and closing

    /// Starts the helper and connects. Closes an open connection first, so it can be used to reconnect.
    /// - Parameters:
    ///   - password: replaces the password of the target.
    ///   - isCancelled: polled about every 10 ms.
    /// - Throws: ``EngineError``.
    /// - Returns: The product and properties of the server.
    @discardableResult
    public func open(password: String? = nil, isCancelled: () -> Bool = { false }) throws(EngineError) -> ServerInfo {
        try reserve()
        defer { release() }
        waitForEnd(killingAfterMilliseconds: 1_000)
        guard let path = helperPath ?? HelperProcess.pathBesideProgram() else {
            throw .helperMissing(path: HelperProcess.name, reason: "the folder of gridview is unknown")
        }
        let link = Link(try HelperProcess(path: path))
        state.withLock { $0.link = link }
        let request = target.request(password: password)
        do throws(EngineError) {
            try performHandshake(link, isCancelled)
            var info: ServerInfo?
            _ = try perform(.connect(request), timeLimitMilliseconds: request.timeLimitMilliseconds, link, isCancelled) { answer in
                if case .connected(let found) = answer { info = found }
                return info != nil
            }
            guard let info else { throw .malformed("connected") }
            state.withLock { $0.info = info }
            return info
        } catch {
            waitForEnd(killingAfterMilliseconds: 200)
            throw error
        }
    }

    /// Closes the connection and waits at most two seconds for the helper to end. It has no effect while a statement runs, so cancel the
    /// statement first.
    public func close() {
        guard (try? reserve()) != nil else { return }
        defer { release() }
        guard let link = state.withLock({ $0.link }) else { return }
        // A helper that does not read any more is killed.
        try? link.writer.send(.close, 0) { _ throws(ChannelFailure) in throw .closed }
        waitForEnd(killingAfterMilliseconds: Self.cancelMilliseconds)
    }

    @discardableResult
    private func waitForEnd(killingAfterMilliseconds milliseconds: Int) -> Int32? {
        let link = state.withLock { state in
            defer { (state.link, state.info) = (nil, nil) }
            return state.link
        }
        return link?.waitForEnd(killingAfterMilliseconds: milliseconds)
    }

    /// Kills the helper processes of this program that are suspended, because they would continue to exist after the program has ended.
    /// Call it when the program ends.
    public static func killStoppedHelpers() { HelperProcess.killStopped() }

    private func reserve() throws(EngineError) {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFree else { throw .busy }
    }

    private func release() { state.withLock { $0.isBusy = false } }

    private func performHandshake(_ link: Link, _ isCancelled: () -> Bool) throws(EngineError) {
        var version: UInt32?
        _ = try perform(.hello(version: EngineLimits.version), timeLimitMilliseconds: 10_000, link, isCancelled) { answer in
            if case .hello(let found) = answer { version = found }
            return version != nil
        }
        guard version == EngineLimits.version else { throw .malformed("version \(version ?? 0), expected \(EngineLimits.version)") }
    }

    // MARK: Statements

    /// A result that was sent as one batch.
    public struct ResultTable: Sendable {
        /// The columns; empty for statements without a result, such as `begin`.
        public var columns: [ResultColumn]
        /// All rows of the result.
        public var rows: RowBatch
        /// The number of rows, whether a limit stopped the statement, and its time.
        public var completion: Completion
        /// The notices of the server, at most `EngineLimits.maximumNotices`.
        public var notices: [ServerMessage]
    }

    /// Runs a statement and returns its rows. Rows beyond the limits of the request are dropped, and
    /// `Completion.isTruncated` is set.
    ///
    /// A statement that reaches a limit is cancelled, which aborts its transaction. In a transaction, use a `LIMIT` clause instead.
    /// - Parameters:
    ///   - request: the statement; its delivery is set to `ExecuteRequest.Delivery.whole`.
    ///   - isCancelled: polled about every 10 ms.
    /// - Throws: ``EngineError``.
    public func query(_ request: ExecuteRequest, isCancelled: () -> Bool = { false }) throws(EngineError) -> ResultTable {
        var request = request
        request.delivery = .whole
        var columns: [ResultColumn] = []
        var rows: RowBatch?
        let end = try run(request, isCancelled, onProgress: { _ in }, onColumns: { columns = $0 }) { batch in
            rows = batch
            return true
        }
        guard let batch = rows ?? RowBatch.empty(columnCount: columns.count) else { throw .malformed("rows") }
        return ResultTable(columns: columns, rows: batch, completion: end.completion, notices: end.notices)
    }

    /// Runs a statement and passes its rows in batches while they arrive. Memory use does not depend on the size of the result, because a
    /// slow receiver makes the server wait.
    /// - Parameters:
    ///   - request: the statement; its delivery is set to `ExecuteRequest.Delivery.stream`.
    ///   - isCancelled: polled about every 10 ms.
    ///   - onProgress: receives progress reports, about four per second.
    ///   - onColumns: receives the columns before the rows.
    ///   - onRows: receives each batch; returns `false` to end the statement.
    /// - Throws: ``EngineError``, and the errors of the receivers, after which the statement is cancelled.
    public func stream(
        _ request: ExecuteRequest, isCancelled: () -> Bool = { false }, onProgress: (Progress) -> Void = { _ in },
        onColumns: ([ResultColumn]) throws -> Void, onRows: (RowBatch) throws -> Bool
    ) throws -> (completion: Completion, notices: [ServerMessage]) {
        var request = request
        request.delivery = .stream
        var failure: (any Error)?
        var hasEnoughRows = false
        var rowCount: UInt64 = 0
        let result: (completion: Completion, notices: [ServerMessage])
        do throws(EngineError) {
            result = try run(
                request, { hasEnoughRows || failure != nil || isCancelled() }, onProgress: onProgress,
                onColumns: { columns in
                    do { try onColumns(columns) } catch { failure = error }
                },
                onRows: { batch in
                    guard !hasEnoughRows, failure == nil else { return false }
                    do { hasEnoughRows = try !onRows(batch) } catch { failure = error }
                    rowCount += UInt64(batch.rowCount)
                    return !hasEnoughRows && failure == nil
                })
        } catch {
            if let failure { throw failure }
            // The receiver stopped the stream, so the statement was cancelled on purpose.
            guard hasEnoughRows, error == .cancelled else { throw error }
            return (Completion(rowCount: rowCount, isTruncated: true), [])
        }
        // The statement may have ended before it was cancelled because of the failure.
        if let failure { throw failure }
        return result
    }

    /// The columns and parameter types of a statement, without running it.
    /// - Throws: ``EngineError``.
    public func describe(
        _ request: DescribeRequest, isCancelled: () -> Bool = { false }
    ) throws(EngineError) -> (columns: [ResultColumn], parameters: [ResultColumn.ColumnType]) {
        guard request.statement.utf8.count <= EngineLimits.maximumStatementBytes, request.types.count <= EngineLimits.maximumParameters
        else {
            throw .requestTooLarge
        }
        try reserve()
        defer { release() }
        var description: (columns: [ResultColumn], parameters: [ResultColumn.ColumnType])?
        _ = try perform(.describe(request), timeLimitMilliseconds: request.timeLimitMilliseconds, try openLink(), isCancelled) { answer in
            if case .columns(let columns, let parameters) = answer { description = (columns, parameters) }
            return false
        }
        return description ?? ([], [])
    }

    private func run(
        _ request: ExecuteRequest, _ isCancelled: () -> Bool, onProgress: (Progress) -> Void, onColumns: ([ResultColumn]) -> Void,
        onRows: (RowBatch) -> Bool
    ) throws(EngineError) -> (completion: Completion, notices: [ServerMessage]) {
        let bytes = request.parameters.reduce(request.statement.utf8.count) { $0 + ($1.value?.count ?? 0) + 64 }
        guard request.statement.utf8.count <= EngineLimits.maximumStatementBytes,
            request.parameters.count <= EngineLimits.maximumParameters,
            bytes <= EngineLimits.maximumMessageBytes
        else { throw .requestTooLarge }
        try reserve()
        defer { release() }
        var columnCount: Int?
        var hasWrongColumnCount = false
        let end = try perform(.execute(request), timeLimitMilliseconds: request.timeLimitMilliseconds, try openLink(), isCancelled) {
            answer in
            switch answer {
            case .columns(let columns, _):
                columnCount = columns.count
                onColumns(columns)
            case .rows(let batch):
                if batch.columnCount == columnCount { _ = onRows(batch) } else { hasWrongColumnCount = true }
            case .progress(let progress): onProgress(progress)
            default: break
            }
            return hasWrongColumnCount
        }
        guard !hasWrongColumnCount else {
            self.waitForEnd(killingAfterMilliseconds: 0)
            throw .malformed("column count")
        }
        return end
    }

    private func openLink() throws(EngineError) -> Link {
        guard let link = state.withLock({ $0.info == nil ? nil : $0.link }) else { throw .notOpen }
        return link
    }

    // MARK: Requests

    /// Sends a request and passes each answer to `receive` until the request ends.
    /// - Parameter receive: returns true if the answer ends the request.
    private func perform(
        _ request: EngineRequest, timeLimitMilliseconds: UInt32, _ link: Link, _ isCancelled: () -> Bool, _ receive: (EngineAnswer) -> Bool
    ) throws(EngineError) -> (completion: Completion, notices: [ServerMessage]) {
        if isCancelled() { throw .cancelled }
        link.lastNumber &+= 1
        let number = link.lastNumber
        let start = EnginePlatform.monotonicMicroseconds()
        var notices: [ServerMessage] = []
        var noticeBytes = 0
        var cancelledAt: UInt64?
        var hasDroppedRows = false
        var isCancelSent = false
        var stopError: EngineError?
        /// Waits for an event: the helper has sent bytes, or it accepts bytes. Fails if a time limit is reached first.
        func wait(for event: Int32) throws(ChannelFailure) {
            while true {
                let now = EnginePlatform.monotonicMicroseconds()
                if cancelledAt == nil, isCancelled() { cancelledAt = now }
                // Send the cancellation only after the complete request.
                if cancelledAt != nil, !isCancelSent, event == Int32(POLLIN) {
                    isCancelSent = true
                    try link.writer.send(.cancel(number), 0) { _ throws(ChannelFailure) in try wait(for: Int32(POLLOUT)) }
                }
                if let cancelledAt, now &- cancelledAt > UInt64(Self.cancelMilliseconds) * 1_000 {
                    stopError = .cancelled
                    throw .closed
                }
                if timeLimitMilliseconds > 0, now &- start > (UInt64(timeLimitMilliseconds) + UInt64(Self.cancelMilliseconds)) * 1_000 {
                    stopError = .timedOut
                    throw .closed
                }
                let events = EnginePlatform.wait(link.helper.descriptor, event, milliseconds: Self.checkMilliseconds)
                guard let events else { throw .closed }
                if events != 0 { return }
            }
        }
        do {
            try link.writer.send(request, number) { _ throws(ChannelFailure) in try wait(for: Int32(POLLOUT)) }
            while true {
                let message = try link.reader.next { try wait(for: Int32(POLLIN)) }
                // All answers to a request are read before the next request is sent, so no answer belongs to an earlier request.
                guard message.request == number else { throw ChannelFailure.malformed("request number") }
                let answer: EngineAnswer
                do throws(MalformedMessage) { answer = try EngineAnswer(kind: message.kind, message.payload) } catch {
                    throw ChannelFailure.malformed(error.part)
                }
                switch answer {
                case .failed(let failure):
                    if failure.kind == .connectionLost { waitForEnd(killingAfterMilliseconds: 100) }
                    if failure.kind == .cancelled, cancelledAt != nil { throw EngineError.cancelled }
                    throw EngineError(failure)
                case .done(let completion):
                    // The statement has ended before the cancellation arrived. Its result is still incomplete, because some rows were
                    // dropped.
                    if hasDroppedRows { throw EngineError.cancelled }
                    return (completion, notices)
                case .notice(let notice):
                    noticeBytes += notice.byteCount
                    if notices.count < EngineLimits.maximumNotices, noticeBytes <= EngineLimits.maximumNoticeBytes {
                        notices.append(notice)
                    }
                // Drop rows that arrive after a cancellation, so that a slow receiver cannot delay the end of the request.
                case .rows where cancelledAt != nil: hasDroppedRows = true
                default:
                    if receive(answer) { return (Completion(), notices) }
                }
            }
        } catch let error as EngineError {
            throw error
        } catch {
            // After a failure of the channel, the state of the helper is unknown, so it is killed.
            let isClosed = error as? ChannelFailure == .closed
            let signal = waitForEnd(killingAfterMilliseconds: isClosed && stopError == nil ? 500 : 0)
            if let stopError { throw stopError }
            if case .malformed(let part)? = error as? ChannelFailure { throw .malformed(part) }
            throw .helperEnded(signal: signal)
        }
    }
}
