import Tables
import FieldValues

/// A column by slot whose fields nearly all differ: the number of a field is its slot, and none is looked for among the others.
///
/// Where there are nearly as many different fields as records, looking each up costs more than bringing equal ones together by sorting them.
/// 8 bytes a slot and the fields themselves, in an arena for each range of slots.
final class PlainColumn: FieldList, @unchecked Sendable {
    let count: Int
    /// Where the field of each slot begins in the arena of its range, and one more for the end of each range.
    private let starts: Storage<Int>
    private let arenas: Storage<UnsafeMutablePointer<UInt8>>
    private let arenaCount: Int

    /// A column in which no field is yet.
    init(count: Int) throws {
        self.count = count
        arenaCount = (count + rangeSize - 1) / rangeSize
        starts = try Storage(count: count + arenaCount)
        // Allocated at once, so that there is something to free everywhere.
        arenas = try Storage(count: arenaCount)
        for index in 0..<arenaCount { arenas[index] = .allocate(capacity: 1) }
    }

    deinit { for index in 0..<arenaCount { arenas[index].deallocate() } }

    func bytes(_ slot: Int) -> UnsafeBufferPointer<UInt8> {
        let range = slot / rangeSize
        let start = starts[slot + range]
        return UnsafeBufferPointer(start: arenas[range] + start, count: starts[slot + range + 1] - start)
    }

    /// The order of the bytes of two fields: negative, 0 or positive.
    func compare(_ a: Int, _ b: Int) -> Int { Platform.compare(UnsafeRawBufferPointer(bytes(a)), UnsafeRawBufferPointer(bytes(b))) }

    /// Puts down the field of a slot, as ``FieldList/bytes(_:)`` gives it; the slots of a range ascending, all by one thread.
    @inline(__always)
    func put(_ bytes: UnsafeBufferPointer<UInt8>, at slot: Int, _ arena: inout ByteArena) throws {
        starts[slot + slot / rangeSize] = arena.count
        try arena.append(bytes)
    }

    /// All fields of a range have been put down; the column owns the arena from now on.
    func end(_ range: Range<Int>, _ arena: consuming ByteArena) {
        let index = range.lowerBound / rangeSize
        starts[range.upperBound + index] = arena.count
        arenas[index].deallocate()
        arenas[index] = arena.base
    }

    /// Bytes in memory.
    var byteCount: Int {
        (0..<arenaCount).reduce((count + arenaCount) * 8) { $0 + starts[min(count, ($1 + 1) * rangeSize) + $1] }
    }
}

/// The slots of a ``PlainColumn`` in the order of their fields, those of the same field next to each other and ascending.
struct FieldRuns {
    let slots: Storage<UInt32>
    /// Where each different field begins among them, and the end. All that is blank or missing is one, the last.
    let starts: [UInt32]

    init(_ column: PlainColumn, _ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws {
        let repeated = try BitSet(count: column.count)
        let order = try column.order(
            ordering, isDescending: isDescending, limit: .max, threads: threads, control: control, repeated: repeated)
        var runs: [UInt32] = []
        for place in order.indices {
            try control.checkCancellation(at: place)
            // Of equal value is not the same yet: 1 and 1.0.
            if repeated[place], column.compare(Int(order[place]), Int(order[place - 1])) == 0 { continue }
            try runs.makeRoom()
            runs.append(UInt32(place))
        }
        try control.checkCancellation()
        let slots = try Storage<UInt32>(count: order.count)
        order.withUnsafeBufferPointer { if let start = $0.baseAddress { slots.base.update(from: start, count: $0.count) } }
        // Blank fields come last, and behind them only those that records do not have.
        if runs.count > 1, FieldBytes(column.bytes(Int(order[Int(runs[runs.count - 2])]))).isBlank {
            runs.removeLast()
            let first = Int(runs[runs.count - 1])
            var blanks = UnsafeMutableBufferPointer(start: slots.base + first, count: order.count - first)
            blanks.sort()
        }
        runs.append(UInt32(column.count))
        (self.slots, starts) = (slots, runs)
    }

    /// For each slot, the place of its field among the different ones.
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

extension PlainColumn {
    /// The rank of each slot, as ``FieldList/groupRanks(_:isDescending:threads:control:)``; the same for the same fields.
    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        try FieldRuns(self, ordering, isDescending: isDescending, threads: threads, control: control).ranks(control: control)
    }
}
