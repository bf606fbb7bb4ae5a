import Dispatch
import Locks

/// The number of records that a thread processes at once: large enough to make scheduling cheap, and small enough for balanced threads and
/// quick cancellation.
package let rangeSize = 1 << 15

/// Calls `body` for 0..<`count` in ranges of `size`; the last range may be shorter. Threads take the ranges in ascending order.
///
/// Returns when all ranges are done. `body` receives the index of the thread, from 0. It uses this index to find the working memory of the
/// thread.
/// - Throws: ``JobCancelled``, ``OutOfMemory``, or the first error of `body`. After an error, no new range is started.
package func forEachRange(
    of count: Int, size: Int = rangeSize, threads: Int, control: JobControl, _ body: (_ thread: Int, _ range: Range<Int>) throws -> Void
) throws {
    let ranges = count > 0 ? (count - 1) / size + 1 : 0
    try Memory.checkThreadMemory(threads: max(1, threads))
    let next = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    let hasFailed = Atomic(false)
    withoutActuallyEscaping(body) { body in
        // Sharing `body` is safe: each call writes only to elements of its range or to the memory of its thread.
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

/// Splits 0..<`count` into ranges that become shorter, for threads that take them in order.
///
/// Each range is a part of the remaining positions. Few ranges are then needed, and all threads finish at nearly the same time
/// (C. Polychronopoulos and D. Kuck, "Guided Self-Scheduling", 1987).
/// - Parameters:
///   - unit: the start of each range is a multiple of it.
///   - smallest: the minimum length of a range other than the last one, a multiple of `unit`.
///   - largest: the maximum length of a range, at least `smallest`.
func shrinkingRanges(of count: Int, unit: Int, smallest: Int, largest: Int, threads: Int) -> [Range<Int>] {
    var (ranges, next) = ([Range<Int>](), 0)
    while next < count {
        let remaining = count - next
        let share = min(largest, threads > 1 ? remaining / (2 * threads) : remaining)
        let length = share == remaining ? remaining : max(smallest, share / unit * unit)
        ranges.append(next..<min(count, next + length))
        next = ranges[ranges.count - 1].upperBound
    }
    return ranges
}
