import Tables
import FieldValues

/// A column as the bytes of each field by slot. The fields of a range of slots are consecutive in an arena. Memory: 4 bytes per slot in
/// addition to the bytes of the fields.
///
/// In the ``FieldList``, the number of a field is its slot, and equal fields are not merged. If nearly all fields are distinct, looking up
/// each field costs more than bringing equal fields together by sorting.
final class RawColumn: FieldList, ByteKeys, @unchecked Sendable {
    let count: Int
    /// The start of each field in the arena of its range, with one more entry for the end of each range.
    private let starts: UnsafeArray<UInt32>
    private let arenas: UnsafeArray<ByteArena>
    /// For each thread, the arena to which it appends the fields of its current range.
    private let writers: UnsafeArray<ByteArena>

    init(count: Int, threads: Int) throws {
        self.count = count
        let arenaCount = (count + rangeSize - 1) / rangeSize
        starts = try UnsafeArray(count: count + arenaCount)
        (arenas, writers) = (try UnsafeArray(count: arenaCount), try UnsafeArray(count: max(1, threads)))
        // All arenas are allocated first, so that deinit can free them.
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

    /// Appends the field of a slot. One thread appends all slots of a range in ascending order.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>, at slot: Int, thread: Int) throws {
        try append(atMost: bytes.count, at: slot, thread: thread) { target in
            if let source = bytes.baseAddress { target.update(from: source, count: bytes.count) }
            return bytes.count
        }
    }

    /// Appends the field of a slot. `write` writes at most `limit` bytes and returns their number.
    /// - Throws: ``OutOfMemory`` if no memory is left or a range exceeds 4 GiB.
    @inline(__always)
    func append(atMost limit: Int, at slot: Int, thread: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) throws {
        let arena = writers.base + thread
        guard arena.pointee.count + limit <= UInt32.max else { throw OutOfMemory() }
        starts[slot + slot / rangeSize] = UInt32(truncatingIfNeeded: arena.pointee.count)
        try arena.pointee.append(atMost: limit, write)
    }

    /// Ends a range after the thread has appended all its fields.
    /// - Returns: the number of bytes of the fields.
    @discardableResult
    func finishRange(_ range: Range<Int>, thread: Int) throws -> Int {
        let index = range.lowerBound / rangeSize
        let arena = writers[thread]
        starts[range.upperBound + index] = UInt32(arena.count)
        // The next range probably needs an arena of the same size.
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

/// The slots of a ``RawColumn`` in field order. Slots of equal fields are consecutive and ascending.
struct FieldRuns {
    let slots: UnsafeArray<UInt32>
    /// The start of each distinct field in `slots`, followed by the end of the last one. All empty and missing fields count as one field,
    /// which is last.
    let starts: [UInt32]

    init(_ column: RawColumn, _ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws {
        let repeated = try BitSet(count: column.count)
        let order = try column.order(
            ordering, isDescending: isDescending, limit: .max, threads: threads, control: control, repeated: repeated)
        var runs: [UInt32] = []
        for position in order.indices {
            try control.checkCancellation(at: position)
            // Fields of equal value may differ in bytes, such as 1 and 1.0.
            if repeated[position], column.hasSameKey(Int(order[position]), Int(order[position - 1])) { continue }
            try runs.makeRoom()
            runs.append(UInt32(position))
        }
        try control.checkCancellation()
        let slots = try UnsafeArray(order)
        // Empty fields come last, followed only by missing fields.
        if runs.count > 1, FieldBytes(column.bytes(Int(order[Int(runs[runs.count - 2])]))).isBlank {
            runs.removeLast()
            let first = Int(runs[runs.count - 1])
            var blanks = UnsafeMutableBufferPointer(start: slots.base + first, count: order.count - first)
            blanks.sort()
        }
        runs.append(UInt32(column.count))
        (self.slots, starts) = (slots, runs)
    }

    /// The rank of the field of each slot among the distinct fields.
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
