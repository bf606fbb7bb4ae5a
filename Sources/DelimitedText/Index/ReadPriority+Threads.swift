import Dispatch
import Locks
package import Tables

extension ReadPriority {
    /// Runs `body` on threads at the same time, one of them the calling one, and returns when all have ended. With background priority,
    /// the others are idle threads, so that they leave their processor at once to a thread that handles a key.
    /// - Parameters:
    ///   - threads: the number of threads, at least 1.
    ///   - body: called once on each thread; its argument is true on the calling thread, if that should pause during urgent reads.
    package func perform(on threads: Int, _ body: @escaping @Sendable (_ pauses: Bool) -> Void) {
        switch self {
        case .foreground: DispatchQueue.concurrentPerform(iterations: max(1, threads)) { _ in body(false) }
        case .background:
            let helpers = (1..<max(1, threads)).map { _ in IdleThread { body(false) } }
            body(true)
            for helper in helpers { helper?.join() }
        }
    }
}
