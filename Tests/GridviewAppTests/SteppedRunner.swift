import DataGrid
import GridviewApp
import Locks

/// Keeps the work of jobs until a test lets it run.
final class SteppedRunner: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    var runner: JobRunner { .by { [self] work in waiting.withLock { $0.append(work) } } }

    var count: Int { waiting.withLock { $0.count } }

    /// Runs the work that has waited longest, or the newest.
    func step(newest: Bool = false) {
        let work = waiting.withLock { $0.isEmpty ? nil : newest ? $0.removeLast() : $0.removeFirst() }
        work?()
    }

    /// Runs what a key has just begun, before what waits longer, and shows what came of it.
    @MainActor func runNewest(_ pilot: Pilot) {
        step(newest: true)
        pilot.session.turn()
    }

    /// Runs everything, including work that is added meanwhile.
    @MainActor func runAll(_ pilot: Pilot) {
        while count > 0 {
            step()
            pilot.session.turn()
        }
    }
}
