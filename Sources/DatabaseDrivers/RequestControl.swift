import EngineProtocol
import Locks

/// The state of one request, which the reader's thread changes and the worker polls.
final class RequestControl: Sendable {
    /// The number of the request.
    let number: UInt32
    /// The time at which the request arrived, in microseconds.
    let start = EnginePlatform.monotonicMicroseconds()
    /// The time at which the request fails, in microseconds; `nil` means never.
    let deadline: UInt64?
    private let stopReason = Atomic<UInt8>(0)

    /// The reason why a request stops early.
    enum Reason: UInt8 {
        case cancelled = 1
        case timedOut
        /// The program has closed the connection or has ended, so no answer is needed.
        case closing
    }

    /// - Parameter milliseconds: the time until the request fails; 0 means never.
    init(number: UInt32, milliseconds: UInt32) {
        self.number = number
        deadline = milliseconds == 0 ? nil : start + UInt64(milliseconds) * 1_000
    }

    /// Stops the request. Later calls for the same request have no effect.
    func stop(_ reason: Reason) { _ = stopReason.compareExchange(expected: 0, desired: reason.rawValue, ordering: .sequentiallyConsistent) }

    /// The reason why the request must stop; `nil` while it may run.
    var reason: Reason? { Reason(rawValue: stopReason.load(ordering: .relaxed)) }

    /// The failure that answers a stopped request.
    var failure: DriverFailure {
        switch reason {
        case .timedOut: DriverFailure(.timedOut, "The time limit was reached")
        case .cancelled, .closing, nil: DriverFailure(.cancelled, "The request was cancelled")
        }
    }

    /// Microseconds since the request arrived.
    var elapsed: UInt64 { EnginePlatform.monotonicMicroseconds() &- start }
}
