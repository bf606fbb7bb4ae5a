import Locks

/// Counts the short reads that the user waits for. Meanwhile one thread of the index pauses, so that a processor is free for them.
///
/// Sendable because the gate guards the count.
final class UrgentReads: @unchecked Sendable {
    private let gate = Gate()
    private var count = 0

    func begin() { gate.withLockNotifying { count += 1 } }

    func end() { gate.withLockNotifying { count -= 1 } }

    /// Waits until all have ended.
    func waitUntilDone() { gate.wait { count == 0 } }
}
