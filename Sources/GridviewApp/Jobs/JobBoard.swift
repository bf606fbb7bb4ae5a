import DataGridQuery

/// What runs now: at most one job of each kind. A newer one makes the older stale.
@MainActor
final class JobBoard {
    private struct Entry {
        var generation: Int
        var title: String
        var control: JobControl
        var began: ContinuousClock.Instant
        /// What the control's numbers count: bytes have a rate, records have none.
        var countsBytes: Bool
    }

    private var entries: [JobKind: Entry] = [:]
    private var lastGeneration = 0

    /// Whether progress has to be asked for: reading the file tells by itself, and may wait for a pipe for hours.
    var wantsPolling: Bool { entries.keys.contains { $0 != .index } }

    /// Enters a job, and cancels the one of that kind that runs.
    func begin(_ kind: JobKind, _ title: String, countsBytes: Bool = false) -> (generation: Int, control: JobControl) {
        cancel(kind)
        lastGeneration += 1
        let control = JobControl()
        entries[kind] = Entry(generation: lastGeneration, title: title, control: control, began: .now, countsBytes: countsBytes)
        return (lastGeneration, control)
    }

    /// Cancels the job of that kind; what it still sends is stale.
    func cancel(_ kind: JobKind) { entries.removeValue(forKey: kind)?.control.cancel() }

    func cancelAll() { for kind in JobKind.allCases { cancel(kind) } }

    /// Whether a letter is from the job that runs now.
    func isCurrent(_ kind: JobKind, _ generation: Int) -> Bool { entries[kind]?.generation == generation }

    func isRunning(_ kind: JobKind) -> Bool { entries[kind] != nil }

    func end(_ kind: JobKind, _ generation: Int) { if isCurrent(kind, generation) { entries[kind] = nil } }

    /// The jobs that run. Short ones are not worth a word: what comes and goes within a blink would only flicker; they can be cancelled
    /// all the same.
    func statuses(now: ContinuousClock.Instant = .now) -> [JobStatus] {
        JobKind.allCases.compactMap { kind in
            guard let entry = entries[kind] else { return nil }
            var status = JobStatus(kind, entry.title)
            status.isShown = now - entry.began > .milliseconds(150)
            guard status.isShown else { return status }
            let (done, total) = (entry.control.completed, entry.control.total)
            if total > 0 {
                let fraction = min(1, Double(done) / Double(total))
                let seconds = (now - entry.began) / .seconds(1)
                status.fraction = fraction
                if entry.countsBytes, seconds > 0 { status.bytesPerSecond = Double(done) / seconds }
                if fraction > 0.02 { status.secondsLeft = seconds / fraction * (1 - fraction) }
            }
            return status
        }
    }
}
