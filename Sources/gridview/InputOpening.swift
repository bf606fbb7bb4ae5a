import Dispatch
import Locks
import Tables

/// Opens an input on another thread, because a pipe may deliver no data for hours. The main thread waits for the input or shows a screen.
final class InputOpening: Sendable {
    typealias Cancellation = @Sendable () -> Bool

    private let result = Mutex<Result<any TableSource, any Error>?>(nil)
    private let completion = DispatchSemaphore(value: 0)
    private let cancellation = Mutex<Cancellation?>(nil)
    private let open: @Sendable (@escaping Cancellation) throws -> any TableSource

    /// Starts to open an input.
    /// - Parameter open: opens the input. It must often check the cancellation flag that it gets, and stop when the flag is true.
    init(_ open: @escaping @Sendable (@escaping Cancellation) throws -> any TableSource) {
        self.open = open
        DispatchQueue.global(qos: .userInitiated).async {
            let outcome = Result { try open { self.cancellation.withLock { $0 }?() ?? false } }
            self.result.withLock { $0 = outcome }
            self.completion.signal()
        }
    }

    /// Waits until the input is open. If opening it has failed because a password is needed, opens it again with the password that was
    /// supplied meanwhile.
    func waitForInput(isCancelled: @escaping Cancellation) throws -> any TableSource {
        cancellation.withLock { $0 = isCancelled }
        completion.wait()
        completion.signal()
        let opened = result.withLock { result in
            defer { if Self.needsPassword(result) { result = nil } }
            return result
        }
        guard let opened else { return try open(isCancelled) }
        return try opened.get()
    }

    /// Waits for the input until a deadline. Returns `nil` if the input is not open then, or if it needs a password.
    func waitForInput(until deadline: DispatchTime) throws -> (any TableSource)? {
        guard completion.wait(timeout: deadline) == .success else { return nil }
        // Signal again after waiting, so that another call does not wait forever.
        completion.signal()
        let opened = result.withLock { $0 }
        return Self.needsPassword(opened) ? nil : try opened?.get()
    }

    private static func needsPassword(_ result: Result<any TableSource, any Error>?) -> Bool {
        if case .failure(let error)? = result { error is PasswordNeeded } else { false }
    }
}
