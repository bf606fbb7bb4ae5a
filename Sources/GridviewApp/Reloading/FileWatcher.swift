import Dispatch
import Tables

/// Reports what becomes of an open file, on a thread that sleeps until the system has news of it.
final class FileWatcher: Sendable {
    private let notices: FileNotices

    /// The least time between two looks at a file that is written all the time.
    private static let pause: Int32 = 200

    /// Begins to watch.
    /// - Parameter report: called with each change that differs from the one before, on the watcher's thread.
    /// - Returns: `nil` for a pipe.
    init?(_ file: any TableSource, report: @escaping @Sendable (FileChange) -> Void) {
        guard let path = file.path, let notices = FileNotices(path: path) else { return nil }
        self.notices = notices
        DispatchQueue(label: "file watcher", qos: .utility).async {
            var last = FileChange.unchanged
            // The file may have changed before the notices began.
            repeat {
                let change = file.checkForChange()
                if change != last { report(change) }
                last = change
                if case .stopped = notices.pause(milliseconds: Self.pause) { return }
            } while notices.wait() == .news
        }
    }

    deinit { notices.stop() }
}
