import Dispatch
import Locks

/// Records a thread takes at a time: enough to make taking cheap, few enough that threads end together and cancelling is quick.
package let rangeSize = 1 << 15

/// Calls `body` for all of 0..<`count` in ranges of `size` (the last may be shorter), which threads take in ascending order.
///
/// Returns when all are done. `body` gets the number of the thread, from 0, for what each keeps for itself.
/// - Throws: ``JobCancelled``, ``OutOfMemory``, or the first error of `body`; no further range is begun then.
package func forEachRange(
    of count: Int, size: Int = rangeSize, threads: Int, control: JobControl, _ body: (_ thread: Int, _ range: Range<Int>) throws -> Void
) throws {
    let ranges = count > 0 ? (count - 1) / size + 1 : 0
    try Memory.prepare(threads: max(1, threads))
    let next = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    let hasFailed = Atomic(false)
    withoutActuallyEscaping(body) { body in
        // What bodies share is theirs to keep apart: they write at the places of their ranges and threads only.
        nonisolated(unsafe) let body = body
        @Sendable func work(_ thread: Int) {
            while !hasFailed.load(ordering: .relaxed) {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < ranges else { return }
                do {
                    try control.checkCancellation()
                    try body(thread, (index * size)..<min(count, (index + 1) * size))
                } catch {
                    failure.withLock { if $0 == nil { $0 = error } }
                    hasFailed.store(true, ordering: .relaxed)
                }
            }
        }
        let threads = min(max(1, threads), ranges)
        if threads <= 1 { work(0) } else { DispatchQueue.concurrentPerform(iterations: threads, execute: work) }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    try control.checkCancellation()
}
