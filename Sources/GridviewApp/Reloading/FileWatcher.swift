import Dispatch
import Tables

/// A function that watches the file of an input. Watching ends when the object that the function returns is released. In the program, the
/// function creates a ``FileWatcher``; in tests, it reports changes on request.
///
/// - Parameters:
///   - file: the open input.
///   - report: called on any thread with each change of the file.
/// - Returns: An object to keep while the file is watched; `nil` if the input is not a file.
typealias FileWatching =
    @Sendable (_ file: any TableSource, _ report: @escaping @Sendable (FileChange) -> Void) -> (any AnyObject & Sendable)?

/// Reports changes of an open file. Its thread sleeps until the system reports a change.
final class FileWatcher: Sendable {
    private let notifications: FileNotifications

    /// The minimum time between two checks of the file, in milliseconds. It is longer if the input must be opened and read again after a
    /// change.
    static func checkInterval(for file: any TableSource) -> Int32 { file.canGrow ? 200 : 1_000 }

    /// Starts watching a file.
    /// - Parameter report: called on the watcher's thread with each change that differs from the previous one. After a file was replaced,
    ///   every change is reported, because a program may still be writing the new file.
    /// - Returns: `nil` for a pipe.
    init?(_ file: any TableSource, report: @escaping @Sendable (FileChange) -> Void) {
        guard let path = file.path, let notifications = FileNotifications(path: path) else { return nil }
        self.notifications = notifications
        DispatchQueue(label: "file watcher", qos: .utility).async {
            var last = FileChange.unchanged
            let interval = Self.checkInterval(for: file)
            // Wait before the first check, too. Each read of a changed file starts a new watcher, so this wait limits the number of reads.
            guard notifications.pause(milliseconds: interval) == .timeout else { return }
            // Do not wait for a report before this check: the file may have changed before the system started to report changes.
            repeat {
                let change = file.checkForChange()
                if change != last || change == .replaced { report(change) }
                last = change
                guard notifications.pause(milliseconds: interval) == .timeout else { return }
            } while notifications.wait() == .change
        }
    }

    deinit { notifications.stop() }
}
