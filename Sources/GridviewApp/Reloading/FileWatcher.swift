import Dispatch
import Tables

/// Reports changes of an open file, on a thread that sleeps until the system has news.
final class FileWatcher: Sendable {
    private let notices: FileNotices

    /// The minimum time between two checks, in milliseconds.
    private static let pause: Int32 = 200

    /// Starts watching a file.
    /// - Parameter report: called on the watcher's thread with each change that differs from the previous one.
    /// - Returns: `nil` for a pipe.
    init?(_ file: any TableSource, report: @escaping @Sendable (FileChange) -> Void) {
        guard let path = file.path, let notices = FileNotices(path: path) else { return nil }
        self.notices = notices
        DispatchQueue(label: "file watcher", qos: .utility).async {
            var last = FileChange.unchanged
            // The file may have changed before watching started.
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
