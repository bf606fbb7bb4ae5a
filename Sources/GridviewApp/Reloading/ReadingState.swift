/// How far an input was read, and whether a job is reading it.
public enum ReadingState: Equatable, Sendable {
    /// The first bytes of the input have not arrived yet.
    case awaited
    /// The input could not be opened. The string has the reason.
    case failed(String)
    /// A job is counting the records. If the file has grown, `rowsBeforeGrowth` is the number of rows that were known before.
    case running(rowsBeforeGrowth: Int? = nil)
    /// Reading was stopped, or has failed, before the end of the input. A command that needs all rows resumes it.
    case stopped(rowsBeforeGrowth: Int? = nil)
    /// All records are counted.
    case complete

    /// True if reading was stopped before the end.
    public var isStopped: Bool { if case .stopped = self { true } else { false } }

    /// Changes the state after the reading job has stopped before the end.
    mutating func stop() { if case .running(let count) = self { self = .stopped(rowsBeforeGrowth: count) } }

    /// Changes the state because reading resumes.
    /// - Returns: True if reading was stopped before, so that a job must be started.
    mutating func resume() -> Bool {
        guard case .stopped(let count) = self else { return false }
        self = .running(rowsBeforeGrowth: count)
        return true
    }
}
