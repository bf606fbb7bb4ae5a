import Synchronization

/// What a job shares with whoever started it: a wish to stop one way, progress the other. Safe to use from any thread.
///
/// A job looks at ``isCancelled`` at least every few milliseconds and then throws ``JobCancelled``. Progress is newest-wins: reading it
/// costs one load, and nothing queues up when nobody reads. Its unit is the job's own; only the ratio means something.
public final class JobControl: Sendable {
    private let stop = Atomic(false)
    private let done = Atomic(0)
    private let all: Atomic<Int>
    private let parent: JobControl?

    /// - Parameter total: units of work, if known; the job sets it when it starts.
    public init(total: Int = 0) {
        all = Atomic(total)
        parent = nil
    }

    /// For a job within a job: it stops with the other, but its progress is its own.
    init(within parent: JobControl) {
        all = Atomic(0)
        self.parent = parent
    }

    /// Asks the job to stop. It cannot be taken back.
    public func cancel() { stop.store(true, ordering: .relaxed) }

    /// Whether the job has been asked to stop.
    public var isCancelled: Bool { stop.load(ordering: .relaxed) || parent?.isCancelled ?? false }

    /// Units of work done; grows until the job ends.
    public var completed: Int { done.load(ordering: .relaxed) }

    /// Units of work in all; 0 while unknown.
    public var total: Int { all.load(ordering: .relaxed) }

    /// The part of the work that is done, 0...1; `nil` while unknown.
    public var fraction: Double? {
        let total = total
        return total > 0 ? min(1, Double(completed) / Double(total)) : nil
    }

    /// Says how much work there is, when a job begins; what was done before no longer counts.
    public func begin(total: Int) {
        done.store(0, ordering: .relaxed)
        all.store(total, ordering: .relaxed)
    }

    /// Says that there is more work than was thought.
    func extend(by units: Int) { all.wrappingAdd(units, ordering: .relaxed) }

    /// Counts work as done.
    public func advance(by units: Int) { done.wrappingAdd(units, ordering: .relaxed) }

    /// - Throws: ``JobCancelled`` when the job has been asked to stop.
    public func checkCancellation() throws { if isCancelled { throw JobCancelled() } }
}

/// Thrown by a job whose table handed out fewer records than it says it has, without an error of its own.
public struct RecordsMissing: Error, Hashable, Sendable {
    /// The error; it has no more to say.
    public init() {}
}

/// Thrown by a job that stopped because it was asked to.
public struct JobCancelled: Error, Hashable, Sendable {
    /// The error; it has no more to say.
    public init() {}
}
