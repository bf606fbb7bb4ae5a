import Dispatch
import Locks
package import Tables

extension ReadPriority {
    /// Runs `body` on the calling thread and on other threads at the same time, and returns when all calls have ended.
    ///
    /// With ``ReadPriority/background``, the other threads have idle priority. An idle thread immediately yields its processor, for example
    /// to the thread that handles a key.
    /// - Parameters:
    ///   - threads: the number of threads, at least 1.
    ///   - body: called once on each thread. Its argument is true on the calling thread if that thread should pause during urgent reads.
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
