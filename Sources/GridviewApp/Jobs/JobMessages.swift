import DataGridTerminal

extension Message {
    /// - Parameter job: a description of the job, such as `sorting by “price”`; `nil` for a sort or grouping that had not started.
    static func cancelled(_ job: String?) -> Message {
        Message(.cancelled, "Cancelled: \(job ?? "sorting and grouping").", short: "Cancelled.")
    }

    static func readingStopped(after rows: Int, reload: String) -> Message {
        Message(
            .readingStopped, "Reading stopped after \(Self.rows(rows)). \(reload) continues.", short: "\(reload) continues.")
    }

    static let readingResumed = Message(.readingResumed, "Reading resumed.")

    static func nothingToCancel(quit: String) -> Message {
        Message(.nothingToCancel, "Nothing to cancel; \(quit) quits.", short: "Nothing to cancel.")
    }

    static func jobFailed(_ reason: String) -> Message { Message(.jobFailed, reason, isError: true) }
}
