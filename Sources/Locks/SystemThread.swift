#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread that runs a function. Call ``join()`` or ``detach()`` exactly once, because the system keeps the thread's stack until then.
public struct SystemThread {
    private let thread: pthread_t

    /// Starts the thread. It retains `body` until `body` has returned, and releases it before it ends.
    /// - Parameter stackSize: the size of the stack in bytes; `nil` for the default of the system, which is 512 KiB on macOS.
    /// - Returns: `nil` if the system has no more threads or too little memory for the stack. `body` is then released and never called.
    public init?(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
        let boxed = Unmanaged.passRetained(ThreadBody(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        #if canImport(Darwin)
            var started: pthread_t?
        #else
            var started = pthread_t()
        #endif
        let status = pthread_create(
            &started, &attributes,
            {
                // The parameter is optional on Linux only.
                let boxed: UnsafeMutableRawPointer? = $0
                if let boxed { Unmanaged<ThreadBody>.fromOpaque(boxed).takeRetainedValue().run() }
                return nil
            }, boxed.toOpaque())
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

    /// Waits until the body has returned.
    public func join() { pthread_join(thread, nil) }

    /// Lets the system free the thread as soon as the body has returned.
    public func detach() { pthread_detach(thread) }
}

/// Holds the function of a thread in an object, so that it can be passed through a C pointer.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
