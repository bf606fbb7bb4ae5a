import Tables
import FieldValues

/// A column that stores the bytes of every field, even repeated ones. The fields of a range of slots are consecutive in an arena. Memory: 4
/// bytes per slot in addition to the bytes of the fields.
///
/// As a ``FieldList``, the number of a field is its slot, and equal fields have different numbers. This form is used if nearly all fields
/// are distinct: looking up each field would cost more than finding equal fields by sorting all fields.
final class RawColumn: FieldList, ByteKeys, @unchecked Sendable {
    let count: Int
    /// The offset of each field in the arena of its range. Each range has one more element, for the end of its last field.
    private let starts: UnsafeArray<UInt32>
    private let arenas: UnsafeArray<ByteArena>
    /// For each thread, the arena of the range that it is reading.
    private let writers: UnsafeArray<ByteArena>

    init(count: Int, threads: Int) throws {
        self.count = count
        let arenaCount = (count + rangeSize - 1) / rangeSize
        starts = try UnsafeArray(count: count + arenaCount)
        (arenas, writers) = (try UnsafeArray(count: arenaCount), try UnsafeArray(count: max(1, threads)))
        // Create all arenas before anything can throw, so that deinit can free them.
        for arenas in [arenas, writers] { for index in 0..<arenas.count { arenas[index] = ByteArena() } }
    }

    deinit { for arenas in [arenas, writers] { for index in 0..<arenas.count { arenas[index].deallocate() } } }

    @inline(__always)
    func key(_ slot: Int) -> (start: UnsafePointer<UInt8>, count: Int) {
        let range = slot / rangeSize
        let start = starts[slot + range]
        return (UnsafePointer(arenas.base[range].base + Int(start)), Int(starts[slot + range + 1] - start))
    }

    func bytes(_ slot: Int) -> UnsafeBufferPointer<UInt8> {
        let (start, count) = key(slot)
        return UnsafeBufferPointer(start: start, count: count)
    }

    /// Stores the field of a slot. A range of slots must be written by one thread in ascending order.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>, at slot: Int, thread: Int) throws {
        try append(atMost: bytes.count, at: slot, thread: thread) { target in
            if let source = bytes.baseAddress { target.update(from: source, count: bytes.count) }
            return bytes.count
        }
    }

    /// Stores the field of a slot that `write` produces. `write` gets memory for `limit` bytes and returns the number of bytes written.
    /// - Throws: ``OutOfMemory`` if no memory is left or a range exceeds 4 GiB.
    @inline(__always)
    func append(atMost limit: Int, at slot: Int, thread: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) throws {
        let arena = writers.base + thread
        guard arena.pointee.count + limit <= UInt32.max else { throw OutOfMemory() }
        starts[slot + slot / rangeSize] = UInt32(truncatingIfNeeded: arena.pointee.count)
        try arena.pointee.append(atMost: limit, write)
    }

    /// Ends a range. The thread must have stored all of its fields.
    /// - Returns: the number of bytes of these fields.
    @discardableResult
    func finishRange(_ range: Range<Int>, thread: Int) throws -> Int {
        let index = range.lowerBound / rangeSize
        let arena = writers[thread]
        starts[range.upperBound + index] = UInt32(arena.count)
        // Reserve the same amount of memory for the next range, which probably has fields of similar length.
        let next = try ByteArena(expectedBytes: arena.count)
        arenas[index].deallocate()
        (arenas[index], writers[thread]) = (arena, next)
        return arena.count
    }

    var byteCount: Int { (count + arenas.count) * 4 + (0..<arenas.count).reduce(0) { $0 + arenas[$1].count } }

    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        try FieldRuns(self, ordering, isDescending: isDescending, threads: threads, control: control).ranks(control: control)
    }
}

/// The slots of a ``RawColumn``, sorted by their fields. Slots with equal fields are consecutive and ascending.
struct FieldRuns {
    let slots: UnsafeArray<UInt32>
    /// The index in `slots` where each distinct field starts. One more element at the end is the number of slots. Empty and missing fields
    /// count as one field, the last.
    let starts: [UInt32]

    init(_ column: RawColumn, _ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws {
        let repeated = try BitSet(count: column.count)
        let order = try column.order(
            ordering, isDescending: isDescending, limit: .max, threads: threads, control: control, repeated: repeated)
        var runs: [UInt32] = []
        for position in order.indices {
            try control.checkCancellation(at: position)
            // Fields with equal values, such as 1 and 1.0, are distinct fields if their bytes differ.
            if repeated[position], column.hasSameKey(Int(order[position]), Int(order[position - 1])) { continue }
            try runs.makeRoom()
            runs.append(UInt32(position))
        }
        try control.checkCancellation()
        let slots = try UnsafeArray(order)
        // Empty and missing fields come last. If there are both, they become one group.
        if runs.count > 1, FieldBytes(column.bytes(Int(order[Int(runs[runs.count - 2])]))).isBlank {
            runs.removeLast()
            let first = Int(runs[runs.count - 1])
            var blanks = UnsafeMutableBufferPointer(start: slots.base + first, count: order.count - first)
            blanks.sort()
        }
        runs.append(UInt32(column.count))
        (self.slots, starts) = (slots, runs)
    }

    /// For each slot, the rank of its field among the distinct fields.
    func ranks(control: JobControl) throws -> [UInt32] {
        try [UInt32](filled: slots.count) { ranks in
            var rank = 0
            for position in 0..<slots.count {
                try control.checkCancellation(at: position)
                if position == starts[rank + 1] { rank += 1 }
                ranks[Int(slots[position])] = UInt32(rank)
            }
        }
    }
}
