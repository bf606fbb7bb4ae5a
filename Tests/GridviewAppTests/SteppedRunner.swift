import DataGrid
import GridviewApp
import Locks

/// Holds the work of jobs until a test runs it.
final class SteppedRunner: Sendable {
    private let pendingWork = Mutex<[@Sendable () -> Void]>([])

    var runner: JobRunner { .custom { [self] work in pendingWork.withLock { $0.append(work) } } }

    /// The number of jobs that wait.
    var count: Int { pendingWork.withLock { $0.count } }

    /// Runs the oldest waiting work, or the newest.
    func step(newest: Bool = false) {
        let work = pendingWork.withLock { $0.isEmpty ? nil : newest ? $0.removeLast() : $0.removeFirst() }
        work?()
    }

    /// Runs the newest job before older ones, and draws its result.
    @MainActor func runNewest(_ pilot: Pilot) {
        step(newest: true)
        pilot.session.turn()
    }

    /// Runs all work, including work added meanwhile.
    @MainActor func runAll(_ pilot: Pilot) {
        while count > 0 {
            step()
            pilot.session.turn()
        }
    }
}
