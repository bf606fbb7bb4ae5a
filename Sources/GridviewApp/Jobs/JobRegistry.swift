import DataGridQuery

extension JobSpeed {
    /// The speed of a job that has done the fraction `done` of its work in `seconds`; `nil` if too little is done for an estimate.
    init?(_ amount: JobAmount, completedFraction done: Double, seconds: Double) {
        guard done > 0.02, seconds > 0 else { return nil }
        self.init(perSecond: done * Double(amount.count) / seconds, secondsLeft: seconds / done * (1 - done))
    }
}

/// The running jobs of a sheet, at most one of each kind. Starting a job cancels the running job of its kind.
@MainActor
final class JobRegistry {
    private struct Entry {
        let kind: JobKind
        var generation: Int
        var title: String
        var control: JobControl
        var startTime: ContinuousClock.Instant
        var amount: JobAmount
        /// The speed to show. It changes at most twice per second, because digits that change all the time are illegible.
        var speed: JobSpeed?
        /// The time at which ``speed`` was last updated.
        var speedUpdateTime: ContinuousClock.Instant?
    }

    private var entries: [Entry] = []
    private var lastGeneration = 0

    private func index(of kind: JobKind) -> Int? { entries.firstIndex { $0.kind == kind } }

    /// True if the main loop must ask running jobs for their progress. Jobs that read or open the file report their progress themselves,
    /// and may wait for a pipe for hours.
    var needsPolling: Bool { entries.contains { $0.kind != .index && $0.kind != .open } }

    /// True if no job is running.
    var isIdle: Bool { entries.isEmpty }

    /// Adds a job that starts now, and cancels the running job of its kind.
    /// - Parameter isCounting: true if the job only counts the rows of a query whose first rows are already shown.
    func begin(
        _ kind: JobKind, _ title: String, _ amount: JobAmount, isCounting: Bool = false, now: ContinuousClock.Instant = .now
    ) -> (generation: Int, control: JobControl) {
        cancel(kind)
        lastGeneration += 1
        let control = JobControl()
        control.isCounting = isCounting
        entries.append(Entry(kind: kind, generation: lastGeneration, title: title, control: control, startTime: now, amount: amount))
        return (lastGeneration, control)
    }

    /// Cancels the job of this kind. Messages that it sends later are ignored.
    func cancel(_ kind: JobKind) { if let index = index(of: kind) { entries.remove(at: index).control.cancel() } }

    func cancelAll() { for kind in JobKind.allCases { cancel(kind) } }

    /// True if the job with this number was not cancelled or replaced, so that its messages are valid.
    func isCurrent(_ kind: JobKind, _ generation: Int) -> Bool {
        entries.contains { $0.kind == kind && $0.generation == generation }
    }

    func isRunning(_ kind: JobKind) -> Bool { index(of: kind) != nil }

    /// Records whether the screen waits for visible rows to arrive from a server.
    func setWaiting(_ isWaiting: Bool, now: ContinuousClock.Instant = .now) {
        guard isWaiting != isRunning(.arrival) else { return }
        if isWaiting { _ = begin(.arrival, "waiting", .rows(1), now: now) } else { cancel(.arrival) }
    }

    func end(_ kind: JobKind, _ generation: Int) { entries.removeAll { $0.kind == kind && $0.generation == generation } }

    /// The status of each running job.
    ///
    /// A job is shown after 150 ms, because the status of a shorter job would only flicker. A job that is not shown can still be cancelled.
    /// A wait for rows is shown after one second, with its duration. After ten seconds it is overdue, and a hint about reloading is shown.
    func statuses(now: ContinuousClock.Instant = .now) -> [JobStatus] {
        JobKind.allCases.compactMap { kind in
            guard let index = index(of: kind) else { return nil }
            var entry = entries[index]
            var status = JobStatus(kind, entry.title, amount: entry.amount)
            (status.estimatedRowCount, status.isCounting) = (entry.control.estimatedRowCount, entry.control.isCounting)
            let elapsed = now - entry.startTime
            status.isShown = kind.isShown && elapsed > (kind == .arrival ? .seconds(1) : .milliseconds(150))
            guard status.isShown else { return status }
            if kind == .arrival {
                status.title += " \(Int(elapsed / .seconds(1))) s"
                status.isOverdue = elapsed >= .seconds(10)
            }
            status.fraction = entry.control.fraction
            if entry.speedUpdateTime.map({ now - $0 >= .milliseconds(500) }) ?? true {
                entry.speed = status.fraction.flatMap { JobSpeed(entry.amount, completedFraction: $0, seconds: elapsed / .seconds(1)) }
                if entry.speed != nil { entry.speedUpdateTime = now }
                entries[index] = entry
            }
            status.speed = entry.speed
            return status
        }
    }
}
