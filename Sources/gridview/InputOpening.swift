import Dispatch
import Locks
import Tables

/// Opens an input on another thread, because a pipe may be silent for hours.
final class InputOpening: Sendable {
    private let result = Mutex<Result<any TableSource, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ open: @escaping @Sendable () throws -> any TableSource) {
        DispatchQueue.global(qos: .userInitiated).async {
            let opened = Result { try open() }
            self.result.withLock { $0 = opened }
            self.isDone.signal()
        }
    }

    func waitForInput() throws -> any TableSource {
        isDone.wait()
        isDone.signal()
        return try result.withLock { $0 }!.get()
    }

    /// The input if it is open by the deadline; otherwise `nil`.
    func waitForInput(until deadline: DispatchTime) throws -> (any TableSource)? {
        guard isDone.wait(timeout: deadline) == .success else { return nil }
        // Signal again for the next call.
        isDone.signal()
        return try result.withLock { $0 }?.get()
    }
}
