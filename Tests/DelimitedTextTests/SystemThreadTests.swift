import Locks
import Testing

struct SystemThreadTests {
    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    @Test func `a thread runs its function once, and releases it before it ends`() throws {
        var counter = Counter()
        let started = SystemThread { [counter] in
            counter.value.add(1, ordering: .relaxed)
        }
        let thread = try #require(started)
        thread.join()
        #expect(counter.value.load(ordering: .relaxed) == 1)
        let isReleased = isKnownUniquelyReferenced(&counter)
        #expect(isReleased)
    }

    @Test func `a thread can have a larger stack than the system's default`() throws {
        /// Uses about `depth` KiB of the stack.
        @Sendable func use(_ depth: Int) -> Int {
            withUnsafeTemporaryAllocation(byteCount: 1 << 10, alignment: 8) { bytes in
                bytes[0] = UInt8(truncatingIfNeeded: depth)
                return depth == 0 ? 0 : use(depth - 1) + (Int(bytes[0]) == depth & 0xFF ? 1 : 0)
            }
        }
        let counter = Counter()
        let started = SystemThread(stackSize: 64 << 20) { counter.value.store(use(12 << 10), ordering: .relaxed) }
        let thread = try #require(started)
        thread.join()
        #expect(counter.value.load(ordering: .relaxed) == 12 << 10)
    }
}
