#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A mutex with a condition variable, so that threads can wait until a condition holds.
///
/// Sendable because the mutex guards all state that callers change inside ``withLockNotifying(_:)``.
public final class Gate: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates an unlocked gate.
    public init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` while holding the lock, then wakes all waiting threads so that they check their conditions.
    public func withLockNotifying<T>(_ body: () -> T) -> T {
        pthread_mutex_lock(mutex)
        let result = body()
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
        return result
    }

    /// Runs `body` while holding the lock, without waking threads.
    public func withLock<T>(_ body: () -> T) -> T {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Blocks the thread until `isTrue` returns `true`. Calls `isTrue` at once, and after every ``withLockNotifying(_:)``.
    public func wait(until isTrue: () -> Bool) {
        pthread_mutex_lock(mutex)
        while !isTrue() { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
