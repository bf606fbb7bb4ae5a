import DataGridTerminal

extension Message {
    /// - Parameter job: the activity of the cancelled job, such as `sorting by “price”`; `nil` for a sort or grouping that had not started.
    static func cancelled(_ job: String?) -> Message {
        Message(.cancelled, "Cancelled: \(job ?? "sorting and grouping").", short: "Cancelled.")
    }

    static func readingStopped(after rows: Int, reloadKey: String) -> Message {
        Message(
            .readingStopped, "Reading stopped after \(Self.rows(rows)). \(reloadKey) continues.", short: "\(reloadKey) continues.")
    }

    static let readingResumed = Message(.readingResumed, "Reading resumed.")

    /// The user has stopped the row count of a table or query on a server.
    /// - Parameter reloadKey: the key that counts the rows.
    static func notCounted(reloadKey: String) -> Message {
        Message(.notCounted, uncounted(reloadKey: reloadKey), short: "Not counted.")
    }

    /// Counting the rows on a server has failed. The message begins with the reason, because the title line already shows that the rows are
    /// not counted.
    /// - Parameter reloadKey: the key that counts the rows; `nil` if this key reloads the table instead.
    static func notCounted(because failure: Message, reloadKey: String?) -> Message {
        Message(.notCounted, "\(failure.text) \(uncounted(reloadKey: reloadKey))", isError: true)
    }

    private static func uncounted(reloadKey: String?) -> String {
        "All rows can be shown, but their number is not known." + (reloadKey.map { " Press \($0) to count them." } ?? "")
    }

    static let countingResumed = Message(.countingResumed, "The rows are being counted.", short: "Counting rows.")

    static func nothingToCancel(quitKey: String) -> Message {
        Message(.nothingToCancel, "Nothing to cancel; \(quitKey) quits.", short: "Nothing to cancel.")
    }

    /// - Parameter reloadKey: the key that reloads the input, for advice after the reason; `nil` for no advice.
    static func jobFailed(_ reason: String, reloadKey: String? = nil) -> Message {
        let text = reloadKey.map {
            reason.replacing(". Reload to ", with: ". Press \($0) to ").replacing(". Reload ", with: ". \($0) reloads ")
        }
        return Message(.jobFailed, text ?? reason, isError: true)
    }
}
