import Synchronization

/// How many bytes may still be read a second time. Shared by the threads that build an index.
final class RecountBudget: Sendable {
    private let left: Atomic<Int>

    init(_ bytes: Int) { left = Atomic(bytes) }

    /// Whether `count` bytes were left; they are taken then.
    func take(_ count: Int) -> Bool {
        if left.load(ordering: .relaxed) < count { return false }
        return left.subtract(count, ordering: .relaxed).newValue >= 0
    }
}
