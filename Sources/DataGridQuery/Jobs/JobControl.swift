import FieldValues
import Locks
public import Tables

/// The cancellation flag and the progress of a job, shared with the code that started it. Any thread can use it.
///
/// A job checks ``isCancelled`` at least every few milliseconds and then throws ``JobCancelled``. A check costs one atomic load. Progress
/// is not queued: readers see the latest value. Each job defines its unit of work, so only the ratio of completed to total units is
/// meaningful.
public final class JobControl: Sendable {
    /// The cancellation flag, which a job shares with the parts of its work.
    private let stop: Flag
    private let progress: Mutex<Progress>
    /// For the control of a part of a job: the control of the whole job, and the units that the part adds to its progress. `nil` for a
    /// whole job.
    private let parent: (control: JobControl, units: Int)?
    /// Called after each progress update, on the thread that made the update.
    private let onProgress: (@Sendable (JobControl) -> Void)?
    /// The maximum number of records in jobs that store record numbers in 32 bits. Tests set a smaller number.
    let shortLimit: Int

    private struct Progress {
        var done = 0
        var total: Int
        /// The greatest fraction reported, so that progress never goes back.
        var fraction = 0.0
        /// The units that this part has added to the progress of the whole job so far.
        var reported = 0
        var estimatedRowCount: Int?
        var isCounting = false

        /// Updates the units that this part has added to the whole job.
        /// - Parameter units: the units of the whole job that this part stands for.
        /// - Returns: the units to add to the whole job since the last update.
        mutating func updateReported(ofParentUnits units: Int) -> Int {
            if total > 0 { fraction = max(fraction, min(1, Double(done) / Double(total))) }
            let before = reported
            reported = Int(fraction * Double(units))
            return reported - before
        }
    }

    /// Creates the control of a new job.
    /// - Parameter total: the units of work, if they are known in advance; a job sets them with ``begin(total:)`` when it starts.
    public convenience init(total: Int = 0) { self.init(total: total, shortLimit: RowNumbers.shortLimit) }

    init(total: Int = 0, shortLimit: Int = RowNumbers.shortLimit, onProgress: (@Sendable (JobControl) -> Void)? = nil) {
        self.shortLimit = shortLimit
        stop = Flag()
        progress = Mutex(Progress(total: total))
        parent = nil
        self.onProgress = onProgress
    }

    private init(_ units: Int, of parent: JobControl) {
        stop = parent.stop
        shortLimit = parent.shortLimit
        progress = Mutex(Progress(total: 0))
        self.parent = (parent, units)
        onProgress = nil
    }

    /// Cancels the job. Cancellation is permanent.
    public func cancel() { stop.set() }

    /// True if the job has been cancelled.
    public var isCancelled: Bool { stop.isSet }

    /// The units of work completed since ``begin(total:)``. They never decrease.
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

    /// True when the job of a query has found the first rows and is only counting the remaining rows. If the job is cancelled after that,
    /// the first rows are still a valid result.
    public var isCounting: Bool {
        get { progress.withLock { $0.isCounting } }
        set { progress.withLock { $0.isCounting = newValue } }
    }

    /// Sets the total units of work and resets the completed units to 0. A job calls it when it starts.
    public func begin(total: Int) {
        progress.withLock { ($0.done, $0.total) = (0, total) }
    }

    func extend(by units: Int) { progress.withLock { $0.total += units } }

    /// Adds completed units of work. Any thread can call it.
    public func advance(by units: Int) { updateProgress { $0.done += units } }

    /// Runs a part of the work. The part has its own control and can count its progress in other units. When it ends, `units` have been
    /// added to the progress of this job.
    ///
    /// Canceling the whole job also cancels the part.
    public func withPart<Result>(of units: Int, _ work: (JobControl) throws -> Result) rethrows -> Result {
        let part = JobControl(units, of: self)
        let result = try work(part)
        part.updateProgress { $0.fraction = 1 }
        return result
    }

    private func updateProgress(_ body: (inout Progress) -> Void) {
        let step = progress.withLock { progress in
            body(&progress)
            return progress.updateReported(ofParentUnits: parent?.units ?? 0)
        }
        if step > 0 { parent?.control.advance(by: step) }
        onProgress?(self)
    }

    /// Throws ``TooManyRows`` if `count` records are too many for a job that stores record numbers in 32 bits.
    func checkRecordCount(_ count: Int) throws { if count > shortLimit { throw TooManyRows(limit: shortLimit) } }

    /// Throws if the job has been cancelled. Costs one atomic load.
    /// - Throws: ``JobCancelled``.
    public func checkCancellation() throws { if isCancelled { throw JobCancelled() } }

    /// Checks for cancellation, but only at each step that is a multiple of 65,536. A check at every step would slow down a short loop.
    @inline(__always)
    func checkCancellation(at step: Int) throws { if step & 0xFFFF == 0 { try checkCancellation() } }
}

/// An error for a table that ended a scan too early without throwing an error.
public struct IncompleteScan: TableError, Hashable {
    /// Creates the error.
    public init() {}

    /// A sentence with the reason, and the advice to reload.
    public var message: String { "The data changed while it was being read. Reload it." }
}

/// An error for a job with more rows than it supports, such as a sort. It is thrown before the job starts.
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
