/// Hands something that a job has found to the session. Runs while the sheet of the job is the current one.
typealias JobMessage = @MainActor @Sendable (Session) -> Void

/// Sends the messages of one run of a job. Messages of a run that was cancelled or replaced are dropped.
struct JobOutbox: Sendable {
    /// Has a message run on the main thread. From any thread.
    let post: @Sendable (@escaping JobMessage) -> Void

    func send(_ action: AppAction) { post { $0.send(action) } }
}

/// A session as jobs know it: they do not keep it. Only the main thread reads the reference.
@MainActor
final class SessionReference {
    weak var session: Session?

    init(_ session: Session) { self.session = session }
}
