/// A function by which a job passes a result to the session. While it runs on the main thread, the sheet of the job is the current sheet.
typealias JobMessage = @MainActor @Sendable (Session) -> Void

/// Sends the messages of one job. Messages are ignored after the job was cancelled, or replaced by another job of its kind.
struct JobOutbox: Sendable {
    /// Makes the main thread run a message. Any thread can call it.
    let post: @Sendable (@escaping JobMessage) -> Void

    func send(_ action: AppAction) { post { $0.send(action) } }
}

/// A weak reference that jobs hold to the session. Only the main thread may use it.
@MainActor
final class SessionReference {
    weak var session: Session?

    init(_ session: Session) { self.session = session }
}
