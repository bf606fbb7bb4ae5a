import DelimitedText
import Dispatch
import Synchronization

/// Opens an input on another thread: a pipe may be silent for hours.
final class InputOpening: Sendable {
    private let result = Mutex<Result<DelimitedFile, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    /// Begins to open.
    init(_ open: @escaping @Sendable () throws -> DelimitedFile) {
        DispatchQueue.global(qos: .userInitiated).async {
            let opened = Result { try open() }
            self.result.withLock { $0 = opened }
            self.isDone.signal()
        }
    }

    /// The input once it is open. Waits for that.
    func file() throws -> DelimitedFile {
        isDone.wait()
        isDone.signal()
        return try result.withLock { $0 }!.get()
    }

    /// The input if it is open by then; `nil` when it is not.
    func file(until deadline: DispatchTime) throws -> DelimitedFile? {
        guard isDone.wait(timeout: deadline) == .success else { return nil }
        // For whoever asks next.
        isDone.signal()
        return try result.withLock { $0 }?.get()
    }
}
