import FieldValues
import Locks

/// The cancellation flag and the progress of a job, shared with its owner. Any thread can use it.
///
/// A job checks ``isCancelled`` at least every few milliseconds and then throws ``JobCancelled``. A check costs one atomic load. Progress
/// is not queued: readers see the latest value. Its unit is defined by the job; only the ratio is meaningful.
public final class JobControl: Sendable {
    /// The cancellation flag, shared by a job and its parts.
    private let stop: Flag
    private let progress: Mutex<Progress>
    /// The job that this is a part of, and the units that the part counts for.
    private let parent: (control: JobControl, units: Int)?
    /// Called after each progress update, on the thread that made it.
    private let watch: (@Sendable (JobControl) -> Void)?
    /// The maximum number of records for which record numbers are stored in 32 bits; less in tests.
    let shortLimit: Int

    private struct Progress {
        var done = 0
        var total: Int
        /// The maximum fraction reported so far.
        var fraction = 0.0
        /// The units already reported to the parent.
        var reported = 0
        var estimatedRowCount: Int?
        var isCounting = false

        /// Updates the units reported to the parent job.
        /// - Parameter units: the units of the parent job that this part counts for.
        /// - Returns: the increase since the last update.
        mutating func updateReported(ofParentUnits units: Int) -> Int {
            if total > 0 { fraction = max(fraction, min(1, Double(done) / Double(total))) }
            let before = reported
            reported = Int(fraction * Double(units))
            return reported - before
        }
    }

    /// Creates the control of a new job.
    /// - Parameter total: the number of units of work, if known. The job sets it when it starts.
    public convenience init(total: Int = 0) { self.init(total: total, shortLimit: RowNumbers.shortLimit) }

    init(total: Int = 0, shortLimit: Int = RowNumbers.shortLimit, watch: (@Sendable (JobControl) -> Void)? = nil) {
        self.shortLimit = shortLimit
        stop = Flag()
        progress = Mutex(Progress(total: total))
        parent = nil
        self.watch = watch
    }

    private init(_ units: Int, of parent: JobControl) {
        stop = parent.stop
        shortLimit = parent.shortLimit
        progress = Mutex(Progress(total: 0))
        self.parent = (parent, units)
        watch = nil
    }

    /// Cancels the job. Cancellation is permanent.
    public func cancel() { stop.set() }

    /// True if the job has been cancelled.
    public var isCancelled: Bool { stop.isSet }

    /// The units of work completed since ``begin(total:)``. It only grows.
    public var completed: Int { progress.withLock { $0.done } }

    /// The total units of work; 0 if unknown.
    public var total: Int { progress.withLock { $0.total } }

    /// The completed fraction, 0...1; `nil` if unknown. It never decreases, even if the total grows.
    public var fraction: Double? { progress.withLock { $0.total > 0 ? $0.fraction : nil } }

    /// An estimate of the number of rows of a query, set by its job while it counts them; `nil` without an estimate.
    public var estimatedRowCount: Int? {
        get { progress.withLock { $0.estimatedRowCount } }
        set { progress.withLock { $0.estimatedRowCount = newValue } }
    }

    /// True once the job of a query has found the first rows, and only counts all rows. If it is cancelled then, the first rows are a valid
    /// part of the result.
    public var isCounting: Bool {
        get { progress.withLock { $0.isCounting } }
        set { progress.withLock { $0.isCounting = newValue } }
    }

    /// Sets the total units of work when a job starts, and resets the completed units.
    public func begin(total: Int) {
        progress.withLock { ($0.done, $0.total) = (0, total) }
    }

    func extend(by units: Int) { progress.withLock { $0.total += units } }

    /// Adds completed units.
    public func advance(by units: Int) { change { $0.done += units } }

    /// Runs a part of the work, which adds `units` to the progress of this job. The part can count its own progress in other units.
    ///
    /// Canceling the whole job cancels the part.
    public func part<Result>(of units: Int, _ work: (JobControl) throws -> Result) rethrows -> Result {
        let part = JobControl(units, of: self)
        let result = try work(part)
        part.change { $0.fraction = 1 }
        return result
    }

    private func change(_ body: (inout Progress) -> Void) {
        let step = progress.withLock { progress in
            body(&progress)
            return progress.updateReported(ofParentUnits: parent?.units ?? 0)
        }
        if step > 0 { parent?.control.advance(by: step) }
        watch?(self)
    }

    /// Throws ``TooManyRows`` if record numbers exceed 32 bits.
    func checkCount(_ count: Int) throws { if count > shortLimit { throw TooManyRows(limit: shortLimit) } }

    /// Throws if the job has been cancelled. Costs one atomic load.
    /// - Throws: ``JobCancelled``.
    public func checkCancellation() throws { if isCancelled { throw JobCancelled() } }

    /// Checks for cancellation at every 65,536th step of a loop.
    @inline(__always)
    func checkCancellation(at step: Int) throws { if step & 0xFFFF == 0 { try checkCancellation() } }
}

/// An error for a table that ends a scan before its last record without throwing.
public struct IncompleteScan: Error, Hashable, Sendable {
    /// Creates the error.
    public init() {}
}

/// An error for a job that would sort more rows than it supports. It is thrown before the job starts.
public struct TooManyRows: Error, Hashable, Sendable {
    /// The maximum number of rows.
    public var limit: Int

    /// Creates the error.
    public init(limit: Int) { self.limit = limit }
}

/// An error for a cancelled job.
public struct JobCancelled: Error, Hashable, Sendable {
    /// Creates the error.
    public init() {}
}
