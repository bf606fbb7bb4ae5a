import Dispatch

/// Where jobs run.
public enum JobRunner: Sendable {
    /// On other threads.
    case background
    /// At once, on the thread that asks: for tests and for output without a screen.
    case inline
    /// As the caller likes: for tests that look at what is shown while work waits.
    case by(@Sendable (@escaping @Sendable () -> Void) -> Void)

    var isBackground: Bool { if case .background = self { true } else { false } }

    func run(_ work: @escaping @Sendable () -> Void) {
        switch self {
        case .background: DispatchQueue.global(qos: .userInitiated).async(execute: work)
        case .inline: work()
        case .by(let run): run(work)
        }
    }
}
