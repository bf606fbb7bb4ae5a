import Dispatch
import Locks
import Tables

@testable import GridviewApp

/// Watches files for tests: reports changes when a test asks for a check, as the watcher of the program does after a notification.
final class ChangeReporter: Sendable {
    private struct Watched {
        let file: any TableSource
        let report: @Sendable (FileChange) -> Void
        var last = FileChange.unchanged
    }

    private final class Watch: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }

    private let watched = Mutex<(all: [Int: Watched], lastID: Int)>(([:], 0))

    /// The number of watched files.
    var count: Int { watched.withLock { $0.all.count } }

    var watching: FileWatching {
        { [self] file, report in
            guard file.path != nil else { return nil }
            let id = watched.withLock { watched in
                watched.lastID += 1
                watched.all[watched.lastID] = Watched(file: file, report: report)
                return watched.lastID
            }
            return Watch { [self] in watched.withLock { $0.all[id] = nil } }
        }
    }

    /// Checks all watched files, and reports their changes.
    func check() {
        for (id, entry) in watched.withLock({ $0.all }) {
            let change = entry.file.checkForChange()
            if change != entry.last || change == .replaced { entry.report(change) }
            watched.withLock { $0.all[id]?.last = change }
        }
    }
}

/// The changes that a watcher has reported. Waiting blocks its thread: an awaited value would arrive only when
/// other tests leave a thread free.
final class ChangeReports: Sendable {
    private let changes = Mutex<[FileChange]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ change: FileChange) {
        changes.withLock { $0.append(change) }
        count.signal()
    }

    /// Waits for the next change; `nil` after 30 seconds.
    func next() -> FileChange? {
        count.wait(timeout: .now() + 30) == .success ? changes.withLock { $0.removeFirst() } : nil
    }
}
