import DataGridTerminal

extension Message {
    /// - Parameter job: what the job does: “sorting by price”; `nil`: nothing had begun yet.
    static func cancelled(_ job: String?) -> Message {
        Message(.cancelled, job.map { "Cancelled: \($0)." } ?? "Cancelled.", short: "Cancelled.")
    }

    static func readingStopped(after rows: Int, reload: String) -> Message {
        Message(
            .readingStopped, "Reading stopped after \(Self.rows(rows)). \(reload) continues.", short: "Stopped: \(reload).")
    }

    static let readingResumed = Message(.readingResumed, "Reading resumed.")

    static func nothingToCancel(quit: String) -> Message {
        Message(.nothingToCancel, "Nothing to cancel; \(quit) quits.", short: "Nothing to cancel.")
    }

    static func jobFailed(_ reason: String) -> Message { Message(.jobFailed, reason, isError: true) }
}
