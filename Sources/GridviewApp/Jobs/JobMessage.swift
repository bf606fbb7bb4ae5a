/// Hands something that a job has found to the session. Runs while the sheet of the job is the current one.
typealias JobMessage = @MainActor @Sendable (Session) -> Void

/// Sends the messages of one run of a job. Messages of a run that was cancelled or replaced are dropped.
struct JobOutbox: Sendable {
    let deliver: @Sendable (@escaping JobMessage) -> Void

    func post(_ message: @escaping JobMessage) { deliver(message) }

    /// Sends an action to the session. From any thread.
    func send(_ action: AppAction) { deliver { $0.send(action) } }
}
