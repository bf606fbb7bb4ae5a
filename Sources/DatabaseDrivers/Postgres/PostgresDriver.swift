import CDrivers
import EngineProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// PostgreSQL, and servers that speak its protocol, through libpq.
///
/// Only the worker thread calls libpq. The worker thread waits for the socket, and for a pipe through which the reader's thread interrupts
/// it.
final class PostgresDriver: Driver {
    let pq: gv_pg_library
    var connection: OpaquePointer?
    /// The object that cancels statements. It is created while connecting, because later the connection may be busy.
    var canceler: OpaquePointer?
    let interruptPipe: InterruptPipe
    /// Receives notices while a request runs.
    weak var sink: ResultSink?
    /// The time limit of the server for each statement, as the server prints it, such as `5min`. `0` or empty means no limit.
    var statementTimeLimit = ""
    /// Names of types that are not built in, by OID; and their OIDs by name.
    var typeNames: [UInt32: String] = [:]
    var typeOIDs: [String: UInt32] = [:]
    /// True once the statement that reads type names is prepared.
    var isTypeStatementPrepared = false

    convenience init() throws(DriverFailure) { try self.init(library: PostgresDriverLibrary.system.get()) }

    init(library: PostgresDriverLibrary) throws(DriverFailure) {
        pq = library.functions
        guard let pipe = InterruptPipe() else { throw DriverFailure(.other, "The helper has run out of file descriptors") }
        interruptPipe = pipe
    }

    func interrupt() { interruptPipe.wake() }

    func close() {
        if let canceler { pq.PQfreeCancel(canceler) }
        if let connection { pq.PQfinish(connection) }
        (canceler, connection) = (nil, nil)
    }

    // MARK: Results

    /// The status of a result (`ExecStatusType`).
    enum Status: Int32 {
        case emptyQuery
        case command
        case rows
        case copyOut
        case copyIn
        case badResponse
        case notice
        case error
        case copyBoth
        case singleRow
    }

    /// The state of the cancellation of one request.
    struct CancellationState {
        /// True if the driver itself must cancel the statement, because a limit was reached. The error that follows is then expected.
        var isNeeded = false
        /// The time of the last cancellation, in microseconds.
        var lastSentTime: UInt64?
        /// Microseconds between cancellations. They are repeated, because the server ignores a cancellation that arrives before the
        /// statement. This happens under load.
        static let intervalMicroseconds: UInt64 = 400_000
    }

    /// Waits for the next result and frees it after `body`.
    /// - Parameter cancellation: the state of the cancellation that is sent once the request is stopped.
    /// - Returns: False after the last result of the request.
    func nextResult(
        _ control: RequestControl, cancellation: inout CancellationState, _ body: (OpaquePointer, Status) throws(DriverFailure) -> Void
    ) throws(DriverFailure) -> Bool {
        while pq.PQisBusy(connection) != 0 {
            var milliseconds = sink?.sendDueRows() ?? 1_000
            if control.reason != nil || cancellation.isNeeded {
                let now = EnginePlatform.monotonicMicroseconds()
                if cancellation.lastSentTime.map({ now &- $0 >= CancellationState.intervalMicroseconds }) ?? true {
                    cancellation.lastSentTime = now
                    sendCancel()
                    continue
                }
                milliseconds = min(milliseconds, Int32(CancellationState.intervalMicroseconds / 1_000))
            }
            let unsent = pq.PQflush(connection)
            let socket = pq.PQsocket(connection)
            guard unsent >= 0, socket >= 0 else { throw connectionLostFailure() }
            let events = interruptPipe.wait(
                socket, Int32(POLLIN) | (unsent > 0 ? Int32(POLLOUT) : 0), milliseconds: milliseconds)
            // After the connection has ended, a last message of the server can still be available as a result.
            if events & ~Int32(POLLOUT) != 0, pq.PQconsumeInput(connection) == 0 { break }
        }
        guard let result = pq.PQgetResult(connection) else { return false }
        defer { pq.PQclear(result) }
        try body(result, Status(rawValue: pq.PQresultStatus(result)) ?? .badResponse)
        return true
    }

    /// Runs one of the driver's own statements and returns its rows.
    func fetchRows(_ control: RequestControl, limit: Int = 1_000, _ send: () -> Int32) throws(DriverFailure) -> [[String?]] {
        guard send() == 1 else { throw connectionLostFailure() }
        var rows: [[String?]] = []
        var failure: DriverFailure?
        var cancellation = CancellationState()
        while try nextResult(
            control, cancellation: &cancellation,
            { result, status in
                switch status {
                case .rows, .singleRow:
                    for row in 0..<pq.PQntuples(result) where rows.count < limit {
                        rows.append(
                            (0..<pq.PQnfields(result)).map {
                                pq.PQgetisnull(result, row, $0) != 0 ? nil : text(pq.PQgetvalue(result, row, $0))
                            })
                    }
                case .command, .emptyQuery, .notice: break
                default: failure = failure ?? self.failure(result, control)
                }
            })
        {}
        if let failure { throw failure }
        return rows
    }

    // MARK: Cancellation

    /// Asks the server to end the running statement. Waits at most about two seconds for the server's reply.
    func sendCancel() {
        if pq.PQcancelCreate != nil, let cancel = pq.PQcancelCreate(connection) {
            defer { pq.PQcancelFinish(cancel) }
            guard pq.PQcancelStart(cancel) == 1 else { return }
            let end = EnginePlatform.monotonicMicroseconds() + 2_000_000
            var state = Polling.writing
            while state == .reading || state == .writing, EnginePlatform.monotonicMicroseconds() < end {
                let events = state == .reading ? POLLIN : POLLOUT
                _ = EnginePlatform.wait(pq.PQcancelSocket(cancel), Int32(events), milliseconds: 100)
                state = Polling(rawValue: pq.PQcancelPoll(cancel)) ?? .failed
            }
        } else if let canceler {
            var message = [CChar](repeating: 0, count: 256)
            _ = pq.PQcancel(canceler, &message, 256)
        }
    }

    /// The state of a connection that is being opened (`PostgresPollingStatusType`).
    enum Polling: Int32 {
        case failed
        case reading
        case writing
        case ready
    }
}
