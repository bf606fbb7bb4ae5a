/// A closure that passes a result of a job to the session. It runs while the sheet of the job is the current sheet.
typealias JobMessage = @MainActor @Sendable (Session) -> Void

/// Sends the messages of one run of a job. Messages of a cancelled or replaced run are discarded.
struct JobOutbox: Sendable {
    /// Runs a message on the main thread. Any thread can call it.
    let post: @Sendable (@escaping JobMessage) -> Void

    func send(_ action: AppAction) { post { $0.send(action) } }
}

/// A weak reference to the session for jobs. Only the main thread reads it.
@MainActor
final class SessionReference {
    weak var session: Session?

    init(_ session: Session) { self.session = session }
}
