/// The state of reading an input: how many of its records are counted.
public enum ReadingState: Equatable, Sendable {
    /// The first bytes have not arrived.
    case awaited
    /// The input cannot be opened, for this reason.
    case failed(String)
    /// Records are being counted. If a known file has grown, the payload is its previous number of rows.
    case running(rowsBeforeGrowth: Int? = nil)
    /// Reading was stopped, or has failed, before the end. A command that needs all rows resumes it.
    case stopped(rowsBeforeGrowth: Int? = nil)
    /// All records are counted.
    case complete

    /// True if reading was stopped before the end.
    public var isStopped: Bool { if case .stopped = self { true } else { false } }

    /// Notes that no job reads the input any longer.
    mutating func stop() { if case .running(let count) = self { self = .stopped(rowsBeforeGrowth: count) } }

    /// Resumes stopped reading.
    /// - Returns: True if reading was stopped.
    mutating func resume() -> Bool {
        guard case .stopped(let count) = self else { return false }
        self = .running(rowsBeforeGrowth: count)
        return true
    }
}
