import Tables

/// A sorted sequence of keys in a temporary file, a run. Each key has an eight-byte header, with its length in the upper half and its slot
/// in the lower half.
struct SortedRun: Sendable {
    static let headerSize = 8
    /// The first slot whose key is in the run.
    let firstSlot: Int
    /// The offset of the run in the file.
    let offset: Int
    let byteCount: Int
}

/// Reads the keys of a run from first to last.
final class RunReader {
    private let file: any ScratchFile
    private var buffer: UnsafeMutableRawPointer
    private var capacity: Int
    /// The bounds of the unread bytes in the buffer.
    private var (low, high) = (0, 0)
    private var offset: Int
    private let end: Int
    /// The bytes of the current key, valid until the next call of ``advance()``.
    private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var slot = 0

    init(_ run: SortedRun, of file: any ScratchFile, bufferSize: Int) throws {
        self.file = file
        (offset, end) = (run.offset, run.offset + run.byteCount)
        capacity = max(SortedRun.headerSize, min(bufferSize, run.byteCount))
        buffer = try Memory.allocate(byteCount: capacity)
    }

    deinit { buffer.deallocate() }

    /// Moves to the next key. The first call moves to the first key.
    /// - Returns: false at the end of the run.
    func advance() throws -> Bool {
        guard low < high || offset < end else { return false }
        try fill(SortedRun.headerSize)
        let head = (buffer + low).loadUnaligned(as: UInt64.self)
        low += SortedRun.headerSize
        let count = Int(head >> 32)
        try fill(count)
        (key, slot) = (UnsafeRawBufferPointer(start: buffer + low, count: count), Int(head & 0xFFFF_FFFF))
        low += count
        return true
    }

    /// Reads from the file if the buffer has fewer than `count` unread bytes.
    private func fill(_ count: Int) throws {
        guard high - low < count else { return }
        if capacity < count {
            let larger = try Memory.allocate(byteCount: count)
            larger.copyMemory(from: buffer + low, byteCount: high - low)
            buffer.deallocate()
            (buffer, capacity) = (larger, count)
        } else {
            buffer.copyMemory(from: buffer + low, byteCount: high - low)
        }
        (low, high) = (0, high - low)
        let more = min(capacity - high, end - offset)
        try file.read(into: UnsafeMutableRawBufferPointer(start: buffer + high, count: more), at: offset)
        offset += more
        high += more
    }
}

/// Merges sorted runs. If keys are equal, the keys of earlier runs come first.
///
/// Uses a loser tree (D. E. Knuth, "The Art of Computer Programming 3", 1998, 5.4.1): to find the next key, one comparison is made on each
/// level of the tree.
struct RunMerge {
    private let readers: [RunReader]
    /// For each reader, the first eight bytes of its key as an integer. Most comparisons are decided by these bytes.
    private var heads: [UInt64]
    private var isAtEnd: [Bool]
    /// The loser tree. Index 0 holds the reader with the least key. Each other node holds the reader that lost the comparison at this node.
    private var nodes: [Int]

    init(_ readers: [RunReader]) throws {
        self.readers = readers
        heads = [UInt64](repeating: 0, count: readers.count)
        isAtEnd = [Bool](repeating: false, count: readers.count)
        nodes = [Int](repeating: 0, count: readers.count)
        for reader in readers.indices { try advance(reader) }
        if !readers.isEmpty { nodes[0] = winner(below: 1) }
    }

    /// Removes the least key and returns its slot; `nil` if no keys are left.
    mutating func next() throws -> Int? {
        guard let first = nodes.first, !isAtEnd[first] else { return nil }
        let slot = readers[first].slot
        try advance(first)
        var winner = first
        var node = (first + readers.count) / 2
        while node > 0 {
            if precedes(nodes[node], winner) { swap(&nodes[node], &winner) }
            node /= 2
        }
        nodes[0] = winner
        return slot
    }

    /// Compares the keys below a node of the tree and returns the reader with the least key. The readers are the leaves, numbered after the
    /// inner nodes.
    private mutating func winner(below node: Int) -> Int {
        guard node < readers.count else { return node - readers.count }
        let (left, right) = (winner(below: 2 * node), winner(below: 2 * node + 1))
        let isLeft = precedes(left, right)
        nodes[node] = isLeft ? right : left
        return isLeft ? left : right
    }

    private mutating func advance(_ reader: Int) throws {
        guard try readers[reader].advance() else {
            isAtEnd[reader] = true
            return
        }
        let key = readers[reader].key
        var head: UInt64 = 0
        withUnsafeMutableBytes(of: &head) { $0.copyBytes(from: key.prefix(8)) }
        heads[reader] = UInt64(bigEndian: head)
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        if isAtEnd[a] || isAtEnd[b] { return !isAtEnd[a] || isAtEnd[b] && a < b }
        if heads[a] != heads[b] { return heads[a] < heads[b] }
        let order = Platform.compare(readers[a].key, readers[b].key)
        return order == 0 ? a < b : order < 0
    }
}
