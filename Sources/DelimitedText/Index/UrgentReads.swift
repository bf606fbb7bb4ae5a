import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tracks short reads that the user waits for. During such a read, one indexing thread pauses, so that a processor is free for it.
final class UrgentReads: Sendable {
    /// The time on the clock of `Platform.monotonicNanoseconds()` when the pause must end; 0 if no urgent read is in progress.
    private let deadline = Atomic<UInt64>(0)
    /// The maximum time that other jobs pause for one urgent read, in nanoseconds. It is limited because the read may wait for such a job.
    private let maximumPauseNanoseconds: UInt64

    init(maximumPauseNanoseconds: UInt64) { self.maximumPauseNanoseconds = maximumPauseNanoseconds }

    func begin() { deadline.store(Platform.monotonicNanoseconds() + maximumPauseNanoseconds, ordering: .relaxed) }

    func end() { deadline.store(0, ordering: .relaxed) }

    /// Waits until the last urgent read has ended or the pause is over.
    func waitUntilDone() {
        while case let end = deadline.load(ordering: .relaxed), end > 0, Platform.monotonicNanoseconds() < end { usleep(200) }
    }
}
