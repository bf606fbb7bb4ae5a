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

    /// - Parameter reload: the key that reloads the input, for advice such as “Reload it.” after a sentence.
    static func jobFailed(_ reason: String, reload: String? = nil) -> Message {
        let text = reload.map {
            reason.replacing(". Reload to ", with: ". Press \($0) to ").replacing(". Reload ", with: ". \($0) reloads ")
        }
        return Message(.jobFailed, text ?? reason, isError: true)
    }
}
