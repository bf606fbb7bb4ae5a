import Dispatch

/// Determines where jobs run.
public enum JobRunner: Sendable {
    /// On the threads of the global dispatch queue.
    case background
    /// On the calling thread, which waits for the job. For tests and batch output.
    case inline
    /// By this function, which decides when work runs. For tests that inspect the screen while work is pending.
    case custom(@Sendable (@escaping @Sendable () -> Void) -> Void)

    var isBackground: Bool { if case .background = self { true } else { false } }

    /// Runs work. In the background, waits for `delay` first.
    func run(after delay: Duration = .zero, _ work: @escaping @Sendable () -> Void) {
        switch self {
        case .background where delay > .zero:
            let nanoseconds = Int(delay / .nanoseconds(1))
            DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
        case .background: DispatchQueue.global(qos: .userInitiated).async(execute: work)
        case .inline: work()
        case .custom(let run): run(work)
        }
    }
}
