import Dispatch

/// The main queue. On Linux, the main actor can run on any thread, but always on this queue.
enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }
}
