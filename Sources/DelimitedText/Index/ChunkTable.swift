/// A list of chunks that only grows, shared by the index and its snapshots.
///
/// Sendable because a snapshot reads only entries below the count it was given under the index's lock, and those never change. When the
/// table is full, the index goes on with a copy of twice the size; the old one lives as long as snapshots hold it.
final class ChunkTable: @unchecked Sendable {
    struct Entry: Sendable {
        /// Record starts before this chunk, the header's included.
        var starts: Int
        /// Line ends before this chunk.
        var lines: Int
        var chunk: IndexChunk
    }

    private let entries: UnsafeMutablePointer<Entry>
    let capacity: Int
    /// Written under the index's lock only.
    private var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
    }

    /// A copy with more room.
    convenience init(growing other: ChunkTable) {
        self.init(capacity: other.capacity * 2)
        entries.initialize(from: other.entries, count: other.count)
        count = other.count
    }

    deinit {
        entries.deinitialize(count: count)
        entries.deallocate()
    }

    subscript(index: Int) -> Entry { entries[index] }

    /// Under the index's lock; there has to be room.
    func append(_ entry: Entry) {
        (entries + count).initialize(to: entry)
        count += 1
    }
}
