import FieldValues
import Locks

/// What a job shares with whoever started it: a wish to stop one way, progress the other. Safe to use from any thread.
///
/// A job looks at ``isCancelled`` at least every few milliseconds and then throws ``JobCancelled``; that costs one load. Progress is
/// newest-wins: nothing queues up when nobody reads. Its unit is the job's own; only the ratio means something.
public final class JobControl: Sendable {
    /// One for a job and its parts.
    private let stop: Flag
    private let progress: Mutex<Progress>
    /// What this is a part of, and how many of its units.
    private let whole: (control: JobControl, units: Int)?
    /// Called whenever work was counted, on the thread that did it.
    private let watch: (@Sendable (JobControl) -> Void)?
    /// Up to how many records their numbers have 32 bits; less in tests.
    let shortLimit: Int

    private struct Progress {
        var done = 0
        var total: Int
        /// The greatest part of the work that was done at any time.
        var fraction = 0.0
        /// Units that the whole was told of.
        var told = 0

        /// - Returns: the units that are to be told to a whole of which this is `units`.
        mutating func update(of units: Int) -> Int {
            if total > 0 { fraction = max(fraction, min(1, Double(done) / Double(total))) }
            let before = told
            told = Int(fraction * Double(units))
            return told - before
        }
    }

    /// A control for one job, which has not been asked to stop and has done nothing.
    /// - Parameter total: units of work, if known; the job sets it when it starts.
    public convenience init(total: Int = 0) { self.init(total: total, shortLimit: RowNumbers.shortLimit) }

    init(total: Int = 0, shortLimit: Int = RowNumbers.shortLimit, watch: (@Sendable (JobControl) -> Void)? = nil) {
        self.shortLimit = shortLimit
        stop = Flag()
        progress = Mutex(Progress(total: total))
        whole = nil
        self.watch = watch
    }

    private init(_ units: Int, of whole: JobControl) {
        stop = whole.stop
        shortLimit = whole.shortLimit
        progress = Mutex(Progress(total: 0))
        self.whole = (whole, units)
        watch = nil
    }

    /// Asks the job to stop. It cannot be taken back.
    public func cancel() { stop.set() }

    /// Whether the job has been asked to stop.
    public var isCancelled: Bool { stop.isSet }

    /// Units of work done since ``begin(total:)``; grows until the job ends.
    public var completed: Int { progress.withLock { $0.done } }

    /// Units of work in all; 0 while unknown.
    public var total: Int { progress.withLock { $0.total } }

    /// The part of the work that is done, 0...1, which never falls, also when there is more work than was thought; `nil` while unknown.
    public var fraction: Double? { progress.withLock { $0.total > 0 ? $0.fraction : nil } }

    /// Says how much work there is, when a job begins; what was done before no longer counts.
    public func begin(total: Int) {
        progress.withLock { ($0.done, $0.total) = (0, total) }
    }

    /// Says that there is more work than was thought.
    func extend(by units: Int) { progress.withLock { $0.total += units } }

    /// Counts work as done.
    public func advance(by units: Int) { change { $0.done += units } }

    /// Does a part of the work, which counts as `units` however it counts by itself, and as much of them as it is done.
    ///
    /// The part stops with the whole.
    public func part<Result>(of units: Int, _ work: (JobControl) throws -> Result) rethrows -> Result {
        let part = JobControl(units, of: self)
        let result = try work(part)
        part.change { $0.fraction = 1 }
        return result
    }

    private func change(_ body: (inout Progress) -> Void) {
        let step = progress.withLock { progress in
            body(&progress)
            return progress.update(of: whole?.units ?? 0)
        }
        if step > 0 { whole?.control.advance(by: step) }
        watch?(self)
    }

    /// Refuses to put more records in order than have numbers of 32 bits.
    func checkCount(_ count: Int) throws { if count > shortLimit { throw TooManyRows(limit: shortLimit) } }

    /// Ends a job that has been asked to stop, and does nothing otherwise: one atomic load.
    /// - Throws: ``JobCancelled`` when the job has been asked to stop.
    public func checkCancellation() throws { if isCancelled { throw JobCancelled() } }

    /// The same at every 65,536th step of a loop.
    @inline(__always)
    func checkCancellation(at step: Int) throws { if step & 0xFFFF == 0 { try checkCancellation() } }
}

/// Thrown by a job whose table handed out fewer records than it says it has, without an error of its own.
public struct RecordsMissing: Error, Hashable, Sendable {
    /// The error; it has no more to say.
    public init() {}
}

/// Thrown by a job that puts rows in order, before it begins, when they are more than it supports.
public struct TooManyRows: Error, Hashable, Sendable {
    /// The most rows that are supported.
    public var limit: Int
}

/// Thrown by a job that stopped because it was asked to.
public struct JobCancelled: Error, Hashable, Sendable {}
