import Tables
import FieldValues

/// A column by slot as the bytes of each field: those of a range of slots stand one after the other in an arena of their own. 4 bytes a slot
/// and the bytes.
///
/// As a ``FieldList``, the number of a field is its slot, and none is looked for among the others: where there are nearly as many distinct
/// fields as records, looking each up costs more than bringing equal ones together by sorting them.
final class RawColumn: FieldList, ByteKeys, @unchecked Sendable {
    let count: Int
    /// Where the field of each slot begins in the arena of its range, and one more for the end of each range.
    private let starts: UnsafeArray<UInt32>
    private let arenas: UnsafeArray<ByteArena>
    /// For each thread, the arena of the range that it reads.
    private let writers: UnsafeArray<ByteArena>

    init(count: Int, threads: Int) throws {
        self.count = count
        let arenaCount = (count + rangeSize - 1) / rangeSize
        starts = try UnsafeArray(count: count + arenaCount)
        (arenas, writers) = (try UnsafeArray(count: arenaCount), try UnsafeArray(count: max(1, threads)))
        // Allocated at once, so that there is something to free everywhere.
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

    /// Appends the field of a slot, or nothing; the slots of a range ascending, all by one thread.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>, at slot: Int, thread: Int) throws {
        try append(atMost: bytes.count, at: slot, thread: thread) { target in
            if let source = bytes.baseAddress { target.update(from: source, count: bytes.count) }
            return bytes.count
        }
    }

    /// Appends the field of a slot: no more than `most` bytes that `write` writes and counts.
    /// - Throws: ``OutOfMemory``, also where a range has more than 4 GiB.
    @inline(__always)
    func append(atMost most: Int, at slot: Int, thread: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) throws {
        let arena = writers.base + thread
        guard arena.pointee.count + most <= UInt32.max else { throw OutOfMemory() }
        starts[slot + slot / rangeSize] = UInt32(truncatingIfNeeded: arena.pointee.count)
        try arena.pointee.append(atMost: most, write)
    }

    /// Ends a range of which the thread has appended all fields.
    /// - Returns: how many bytes they have.
    @discardableResult
    func end(_ range: Range<Int>, thread: Int) throws -> Int {
        let index = range.lowerBound / rangeSize
        let arena = writers[thread]
        starts[range.upperBound + index] = UInt32(arena.count)
        // The next range is likely to take as much.
        let next = try ByteArena(likely: arena.count)
        arenas[index].deallocate()
        (arenas[index], writers[thread]) = (arena, next)
        return arena.count
    }

    var byteCount: Int { (count + arenas.count) * 4 + (0..<arenas.count).reduce(0) { $0 + arenas[$1].count } }

    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        try FieldRuns(self, ordering, isDescending: isDescending, threads: threads, control: control).ranks(control: control)
    }
}

/// The slots of a ``RawColumn`` in the order of their fields, those of the same field next to each other and ascending.
struct FieldRuns {
    let slots: UnsafeArray<UInt32>
    /// Where each distinct field begins among them, and the end. All that is blank or missing is one, the last.
    let starts: [UInt32]

    init(_ column: RawColumn, _ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws {
        let repeated = try BitSet(count: column.count)
        let order = try column.order(
            ordering, isDescending: isDescending, limit: .max, threads: threads, control: control, repeated: repeated)
        var runs: [UInt32] = []
        for place in order.indices {
            try control.checkCancellation(at: place)
            // Of equal value is not the same yet: 1 and 1.0.
            if repeated[place], column.hasSameKey(Int(order[place]), Int(order[place - 1])) { continue }
            try runs.makeRoom()
            runs.append(UInt32(place))
        }
        try control.checkCancellation()
        let slots = try UnsafeArray(order)
        // Blank fields come last, and behind them only missing ones.
        if runs.count > 1, FieldBytes(column.bytes(Int(order[Int(runs[runs.count - 2])]))).isBlank {
            runs.removeLast()
            let first = Int(runs[runs.count - 1])
            var blanks = UnsafeMutableBufferPointer(start: slots.base + first, count: order.count - first)
            blanks.sort()
        }
        runs.append(UInt32(column.count))
        (self.slots, starts) = (slots, runs)
    }

    /// For each slot, the place of its field among the distinct ones.
    func ranks(control: JobControl) throws -> [UInt32] {
        try [UInt32](filled: slots.count) { ranks in
            var rank = 0
            for place in 0..<slots.count {
                try control.checkCancellation(at: place)
                if place == starts[rank + 1] { rank += 1 }
                ranks[Int(slots[place])] = UInt32(rank)
            }
        }
    }
}
