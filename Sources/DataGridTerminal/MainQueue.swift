import Dispatch

/// The main dispatch queue. On Linux, code of the main actor can run on any thread, but always on this queue, so the queue must be
/// checked instead of the thread.
enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }
}
