// Synchronization is re-exported because it declares `withLock`, and because files that lock often need its `Atomic`.
@_exported public import Synchronization

#if SANITIZE_THREAD

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// A replacement of `Synchronization.Mutex` with a POSIX mutex, for `make sanitize`.
    ///
    /// On Linux, the thread sanitizer understands POSIX mutexes, but not the system call with which the standard library locks.
    public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        /// Creates an unlocked mutex that guards `initialValue`.
        public init(_ initialValue: consuming sending Value) {
            value.initialize(to: initialValue)
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
            value.deinitialize(count: 1)
            value.deallocate()
        }

        /// Runs `body` with the guarded value while holding the lock.
        public borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }

#else

    /// A lock and the value that it guards.
    public typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>

#endif
