import Dispatch
import Tables

/// Watches the file of an input until the result is released. Tests replace ``FileWatcher`` with a source that reports changes on request.
///
/// - Parameters:
///   - file: the open input.
///   - report: called on any thread with each change of the file.
/// - Returns: `nil` if the input is not a file.
typealias FileWatching =
    @Sendable (_ file: any TableSource, _ report: @escaping @Sendable (FileChange) -> Void) -> (any AnyObject & Sendable)?

/// Reports changes of an open file, on a thread that sleeps until the system reports a change.
final class FileWatcher: Sendable {
    private let notifications: FileNotifications

    /// The minimum time between two checks, in milliseconds. It is longer for an input that must be opened and read again.
    static func pause(for file: any TableSource) -> Int32 { file.canGrow ? 200 : 1_000 }

    /// Starts watching a file.
    /// - Parameter report: called on the watcher's thread with each change that differs from the previous one. A replaced file is reported
    ///   again after each change, because more of it may be written.
    /// - Returns: `nil` for a pipe.
    init?(_ file: any TableSource, report: @escaping @Sendable (FileChange) -> Void) {
        guard let path = file.path, let notifications = FileNotifications(path: path) else { return nil }
        self.notifications = notifications
        DispatchQueue(label: "file watcher", qos: .utility).async {
            var last = FileChange.unchanged
            let pause = Self.pause(for: file)
            // Each read of a changed file starts a new watcher. The pause limits the number of reads.
            guard notifications.pause(milliseconds: pause) == .timeout else { return }
            // The file may have changed before watching started.
            repeat {
                let change = file.checkForChange()
                if change != last || change == .replaced { report(change) }
                last = change
                guard notifications.pause(milliseconds: pause) == .timeout else { return }
            } while notifications.wait() == .change
        }
    }

    deinit { notifications.stop() }
}
