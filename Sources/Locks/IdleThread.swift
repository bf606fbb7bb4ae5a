#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread that yields its processor as soon as any other thread of the process needs it.
///
/// A thread of normal priority would compute until its time slice ends, and a key press would have to wait for milliseconds.
public final class IdleThread {
    private let thread: pthread_t

    /// Starts the thread; `nil` if the system has no more threads.
    public init?(_ body: @escaping @Sendable () -> Void) {
        let boxed = Unmanaged.passRetained(ThreadBody(body))
        #if canImport(Darwin)
            var started: pthread_t?
        #else
            var started = pthread_t()
        #endif
        let status = pthread_create(&started, nil, { startIdleThread($0) }, boxed.toOpaque())
        guard status == 0 else {
            boxed.release()
            return nil
        }
        #if canImport(Darwin)
            thread = started!
        #else
            thread = started
        #endif
    }

    /// Waits until the body has returned. Call it exactly once.
    public func join() { pthread_join(thread, nil) }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
    private func startIdleThread(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run()
        return nil
    }
#else
    private func startIdleThread(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        // The value of SCHED_IDLE, which C headers declare only as an extension. If setting it fails, the thread keeps normal priority.
        let idle: Int32 = 5
        var parameters = sched_param()
        _ = sched_setscheduler(0, idle, &parameters)
        if let body { Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run() }
        return nil
    }
#endif
