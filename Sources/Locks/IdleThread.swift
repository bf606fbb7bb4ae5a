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
public struct IdleThread {
    private let thread: SystemThread

    /// Starts the thread; `nil` if the system has no more threads.
    public init?(_ body: @escaping @Sendable () -> Void) {
        let started = SystemThread {
            useIdlePriority()
            body()
        }
        guard let started else { return nil }
        thread = started
    }

    /// Waits until the body has returned. Call it exactly once.
    public func join() { thread.join() }
}

/// Gives the calling thread the lowest priority. If this fails, the thread keeps normal priority.
private func useIdlePriority() {
    #if canImport(Darwin)
        pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
        // The value of SCHED_IDLE, which C headers declare only as an extension.
        let idle: Int32 = 5
        var parameters = sched_param()
        _ = sched_setscheduler(0, idle, &parameters)
    #endif
}
