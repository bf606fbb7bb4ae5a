/// A list of chunks to which entries are only appended. The index and its snapshots share it.
///
/// Sendable because a snapshot reads only entries below the count that it received under the lock of the index. These entries never change.
/// When the table is full, the index continues with a copy of twice the capacity. The old table exists as long as snapshots use it.
final class ChunkTable: @unchecked Sendable {
    struct Entry: Sendable {
        /// The number of record starts in the file before this chunk, including the header.
        var startCount: Int
        /// The number of line endings in the file before this chunk.
        var lineCount: Int
        var chunk: IndexChunk
    }

    private let entries: UnsafeMutablePointer<Entry>
    let capacity: Int
    /// The number of entries. Used only under the lock of the index.
    private var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
    }

    /// Creates a copy with twice the capacity.
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

    /// Appends an entry. Must be called under the lock of the index; the table must not be full.
    func append(_ entry: Entry) {
        (entries + count).initialize(to: entry)
        count += 1
    }
}
