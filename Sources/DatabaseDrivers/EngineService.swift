#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
import EngineProtocol
import Locks

/// The helper's side of the protocol: reads requests from a socket, and runs them one after the other on a worker thread.
///
/// The calling thread keeps reading while a statement runs, so that it sees cancellations, deadlines and the end of the program.
public final class EngineService: Sendable {
    private let descriptor: Int32
    private let gate = Gate()
    private let state = Mutex(State())
    private let isFinished = Atomic<Bool>(false)
    /// Microseconds between repeated interrupts of a statement that does not end.
    private static let interruptMicroseconds: UInt64 = 400_000

    private struct State {
        var waitingRequests: [(control: RequestControl, request: EngineRequest)] = []
        var runningControl: RequestControl?
        /// The driver of the connection. ``Driver/interrupt()`` is called while the lock is held, so that it never interrupts a later
        /// request.
        nonisolated(unsafe) var driver: (any Driver)?
        var isClosing = false
    }

    /// Creates a service for one end of a socket pair. The descriptor stays open.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Serves requests until the program closes the connection or ends.
    /// - Returns: True if the worker has ended, too. Otherwise it hangs in a library, and the process should end.
    public func run() -> Bool {
        // Enlarge the stack: threads on macOS have 512 KiB by default, which deeply nested SQL can exceed.
        guard let worker = SystemThread(stackSize: 8 << 20, { [self] in runRequests() }) else { return true }
        // The worker may hang in a library, so nothing waits for its end.
        worker.detach()
        var reader = MessageReader(descriptor: descriptor)
        reading: while true {
            do {
                let message = try reader.next { try waitForInput() }
                switch try EngineRequest(kind: message.kind, message.payload.bytes) {
                case .cancel(let number): stop(number, .cancelled)
                case .close: break reading
                case let request:
                    guard enqueue(message.request, request) else { break reading }
                }
            } catch { break }
        }
        close()
        // Wait at most 1.5 seconds until the server has cancelled the running statement. Otherwise, the server could continue to run it
        // although no one reads its result.
        for _ in 0..<1_500 where !isFinished.load(ordering: .acquiring) { usleep(1_000) }
        return isFinished.load(ordering: .acquiring)
    }

    // MARK: The reader's thread

    private func waitForInput() throws {
        while true {
            let now = EnginePlatform.monotonicMicroseconds()
            let next = state.withLock { state in
                let deadlines = state.waitingRequests.map(\.control.deadline) + [state.runningControl?.deadline]
                // Interrupt a stopped statement repeatedly, because the first interrupt can arrive before the statement starts.
                let again = state.runningControl?.reason == nil ? nil : now + Self.interruptMicroseconds
                return (deadlines.compactMap { $0 }.filter { $0 > now || again == nil } + [again].compactMap { $0 }).min()
            }
            let milliseconds = next.map { Int32(min($0 > now ? ($0 - now) / 1_000 + 1 : 1, 60_000)) } ?? -1
            guard let events = EnginePlatform.wait(descriptor, Int32(POLLIN), milliseconds: milliseconds) else {
                throw ChannelFailure.closed
            }
            stopExpiredRequests()
            if events != 0 { return }
        }
    }

    private func stopExpiredRequests() {
        let now = EnginePlatform.monotonicMicroseconds()
        state.withLock { state in
            for entry in state.waitingRequests where entry.control.deadline.map({ $0 <= now }) == true { entry.control.stop(.timedOut) }
            guard let running = state.runningControl else { return }
            if let deadline = running.deadline, deadline <= now { running.stop(.timedOut) }
            if running.reason != nil { state.driver?.interrupt() }
        }
    }

    private func stop(_ number: UInt32, _ reason: RequestControl.Reason) {
        state.withLock { state in
            for entry in state.waitingRequests where entry.control.number == number { entry.control.stop(reason) }
            guard let running = state.runningControl, running.number == number, running.reason == nil else { return }
            running.stop(reason)
            state.driver?.interrupt()
        }
    }

    private func enqueue(_ number: UInt32, _ request: EngineRequest) -> Bool {
        let milliseconds =
            switch request {
            case .connect(let request): request.timeLimitMilliseconds
            case .execute(let request): request.timeLimitMilliseconds
            case .describe(let request): request.timeLimitMilliseconds
            case .hello, .cancel, .close: UInt32(0)
            }
        let control = RequestControl(number: number, milliseconds: milliseconds)
        return gate.withLockNotifying {
            state.withLock { state in
                guard state.waitingRequests.count < EngineLimits.maximumQueuedRequests else { return false }
                state.waitingRequests.append((control, request))
                return true
            }
        }
    }

    private func close() {
        gate.withLockNotifying {
            state.withLock { state in
                state.isClosing = true
                state.waitingRequests = []
                guard let running = state.runningControl else { return }
                running.stop(.closing)
                state.driver?.interrupt()
            }
        }
    }

    // MARK: The worker

    private func runRequests() {
        let sink = ResultSink(descriptor: descriptor)
        var hasGreeted = false
        while let (control, request) = nextRequest() {
            sink.begin(control)
            if !hasGreeted {
                guard case .hello(let version) = request else { break }
                sink.send(.hello(version: EngineLimits.version))
                sink.flush()
                guard version == EngineLimits.version else { break }
                hasGreeted = true
                continue
            }
            perform(request, control, sink)
            state.withLock { $0.runningControl = nil }
            if sink.isClosed { break }
        }
        closeDriver()
        // Close both directions of the socket, so that the program notices the end even after a protocol error.
        shutdown(descriptor, Int32(SHUT_RDWR))
        isFinished.store(true, ordering: .releasing)
    }

    /// Passes a reference out of a lock. This causes no race, because only the worker thread uses the reference.
    private struct DriverReference: @unchecked Sendable {
        let value: (any Driver)?

        init(_ value: (any Driver)?) { self.value = value }
    }

    private func nextRequest() -> (RequestControl, EngineRequest)? {
        gate.wait { state.withLock { $0.isClosing || !$0.waitingRequests.isEmpty } }
        return state.withLock { state in
            guard !state.isClosing, !state.waitingRequests.isEmpty else { return nil }
            let next = state.waitingRequests.removeFirst()
            state.runningControl = next.control
            return next
        }
    }

    private func perform(_ request: EngineRequest, _ control: RequestControl, _ sink: ResultSink) {
        do throws(DriverFailure) {
            if control.reason != nil { throw control.failure }
            switch request {
            case .connect(let request): try connect(request, control, sink)
            case .execute(let request):
                let driver = try currentDriver()
                sink.begin(control, request)
                try driver.execute(request, sink, control)
                sink.finish()
            case .describe(let request):
                try currentDriver().describe(request, sink, control)
                sink.finish()
            case .hello, .cancel, .close: throw DriverFailure(.malformed, "The program sent a second greeting")
            }
        } catch { sink.fail(error) }
    }

    private func currentDriver() throws(DriverFailure) -> any Driver {
        let driver = state.withLock { DriverReference($0.driver) }
        guard let driver = driver.value else { throw DriverFailure(.notConnected, "No connection is open") }
        return driver
    }

    /// Closes the driver. First removes it from the state, so that the reader's thread no longer interrupts it.
    private func closeDriver() {
        let driver = state.withLock { state in
            defer { state.driver = nil }
            return DriverReference(state.driver)
        }
        driver.value?.close()
    }

    private func connect(_ request: ConnectRequest, _ control: RequestControl, _ sink: ResultSink) throws(DriverFailure) {
        closeDriver()
        let driver = try makeDriver(request.driver)
        let transfer = DriverReference(driver)
        state.withLock { $0.driver = transfer.value }
        do throws(DriverFailure) {
            sink.send(.connected(try driver.connect(request, sink, control)))
            sink.flush()
        } catch {
            closeDriver()
            throw error
        }
    }

    private func makeDriver(_ name: String) throws(DriverFailure) -> any Driver {
        switch name {
        case "postgresql": return try PostgresDriver()
        case "sqlite": return try SQLiteDriver()
        case "adbc": return ADBCDriver()
        default: throw DriverFailure(.unsupported, "Unknown driver “\(name)”")
        }
    }
}
