import DataGridQuery

extension JobPace {
    /// The pace of a job that has done a part of its work in that time; `nil` while that is too little to tell.
    init?(_ amount: JobAmount, done: Double, seconds: Double) {
        guard done > 0.02, seconds > 0 else { return nil }
        self.init(perSecond: done * Double(amount.count) / seconds, secondsLeft: seconds / done * (1 - done))
    }
}

/// What runs now: at most one job of each kind. A newer one makes the older stale.
@MainActor
final class JobRegistry {
    private struct Entry {
        var generation: Int
        var title: String
        var control: JobControl
        var began: ContinuousClock.Instant
        var amount: JobAmount
        /// What was last said of how fast it is; said anew now and then only, as digits that change all the time cannot be read.
        var pace: JobPace?
        var paced: ContinuousClock.Instant?
    }

    private var entries: [JobKind: Entry] = [:]
    private var lastGeneration = 0

    /// Whether progress has to be asked for: reading the file tells by itself, and may wait for a pipe for hours, as opening may.
    var wantsPolling: Bool { entries.keys.contains { $0 != .index && $0 != .open } }

    /// Enters a job, and cancels the one of that kind that runs.
    func begin(
        _ kind: JobKind, _ title: String, _ amount: JobAmount, now: ContinuousClock.Instant = .now
    ) -> (generation: Int, control: JobControl) {
        cancel(kind)
        lastGeneration += 1
        let control = JobControl()
        entries[kind] = Entry(generation: lastGeneration, title: title, control: control, began: now, amount: amount)
        return (lastGeneration, control)
    }

    /// Cancels the job of that kind; what it still sends is stale.
    func cancel(_ kind: JobKind) { entries.removeValue(forKey: kind)?.control.cancel() }

    func cancelAll() { for kind in JobKind.allCases { cancel(kind) } }

    /// Whether this run of a job is the one that runs now.
    func isCurrent(_ kind: JobKind, _ generation: Int) -> Bool { entries[kind]?.generation == generation }

    func isRunning(_ kind: JobKind) -> Bool { entries[kind] != nil }

    func end(_ kind: JobKind, _ generation: Int) { if isCurrent(kind, generation) { entries[kind] = nil } }

    /// The jobs that run. Short ones are not worth a word: what comes and goes within a blink would only flicker; they can be cancelled
    /// all the same.
    func statuses(now: ContinuousClock.Instant = .now) -> [JobStatus] {
        JobKind.allCases.compactMap { kind in
            guard var entry = entries[kind] else { return nil }
            var status = JobStatus(kind, entry.title, amount: entry.amount)
            status.isShown = now - entry.began > .milliseconds(150)
            guard status.isShown else { return status }
            status.fraction = entry.control.fraction
            if entry.paced.map({ now - $0 >= .milliseconds(500) }) ?? true {
                entry.pace = status.fraction.flatMap { JobPace(entry.amount, done: $0, seconds: (now - entry.began) / .seconds(1)) }
                if entry.pace != nil { entry.paced = now }
                entries[kind] = entry
            }
            status.pace = entry.pace
            return status
        }
    }
}
