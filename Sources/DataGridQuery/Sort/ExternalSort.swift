import Locks
import Tables
import FieldValues

/// Sorts records that do not fit in memory: pieces that do are sorted there and written to a file as runs, and the runs are merged.
///
/// D. E. Knuth, "The Art of Computer Programming 3", 1998, 5.4.1. All sort keys are one key of bytes (``RecordKeys``), so each record is
/// read once, written once and read back once, however many keys there are. The file takes 8 bytes a record and the keys.
struct ExternalSort {
    let table: any Table
    let keys: [SortKey]
    let selection: RecordSelection
    /// With less, there would be too many runs to be worth trying.
    static let leastBudget = 4 << 20
    /// Bytes for pieces, and then for the buffers of the runs; a thread takes ``leastPiece`` at least.
    let budget: Int
    let scratch: @Sendable () throws -> any ScratchFile
    let threads: Int
    let control: JobControl
    /// The least that is worth a run; less in tests.
    var leastPiece = 1 << 20

    /// The records in the order of all keys.
    /// - Complexity: O(n log n), with a scan of the table. Memory: the budget, one key, 4 KiB for each run, and 4 bytes × n for the result;
    ///   4 bytes × n more for records that were not given in ascending order.
    func records(reportFirst: ((RowNumbers) -> Void)? = nil) throws -> RowNumbers {
        // Where the records are in another order than that of the slots, their positions decide between what is equal.
        let positions = try selection.slots.map { slots in
            let positions = try UnsafeArray<UInt32>(count: selection.slotCount, repeating: .max)
            for (position, slot) in slots.enumerated() { positions[Int(slot)] = UInt32(truncatingIfNeeded: position) }
            return positions
        }
        var rounded: Set<Int> = []
        while true {
            control.begin(total: selection.slotCount * 2 + selection.positionCount)
            let recordKeys = RecordKeys(keys, rounded: rounded)
            let file = try scratch()
            let runs = try runs(recordKeys, positions, in: file)
            // What a column of numbers holds is known only now; the other way is all right for any column that needs it.
            if !recordKeys.mixed.isEmpty {
                rounded.formUnion(recordKeys.mixed)
                continue
            }
            return try merged(runs, of: file, reportFirst)
        }
    }

    /// Sorts pieces and writes them; the runs are in the order of their slots.
    private func runs(_ recordKeys: RecordKeys, _ positions: UnsafeArray<UInt32>?, in file: any ScratchFile) throws -> [SortedRun] {
        let runs = Mutex<[SortedRun]>([])
        let end = Atomic(0)
        // Keys begin at places of 32 bits.
        let piece = min(max(leastPiece, budget / threads), 1 << 31)
        let blockSize = max(1, (selection.slotCount + threads - 1) / threads)
        try forEachRange(of: selection.slotCount, size: blockSize, threads: threads, control: control) { _, range in
            var next = range.lowerBound
            while next < range.upperBound {
                let keys = try PieceKeys(
                    byteCount: piece, longest: recordKeys.longest + (positions == nil ? 0 : 4), slotCount: range.upperBound - next)
                let last = next
                try fill(keys, next..<range.upperBound, recordKeys, positions)
                next += keys.scanned
                control.advance(by: next - last)
                guard keys.count > 0 else {
                    control.advance(by: next - last)
                    continue
                }
                let order = try UnsafeArray<UInt32>(count: keys.count)
                for slot in 0..<keys.count { order[slot] = UInt32(truncatingIfNeeded: slot) }
                let sorted = try control.part(of: next - last) {
                    try TextSort(column: keys, isDescending: false, threads: 1, control: $0).sort(order)
                }
                let size = keys.byteCount + keys.count * SortedRun.headSize
                let run = SortedRun(first: last, offset: end.wrappingAdd(size, ordering: .relaxed).oldValue, byteCount: size)
                try write(keys, sorted, run, to: file)
                runs.withLock { $0.append(run) }
            }
        }
        return runs.withLock { $0.sorted { $0.first < $1.first } }
    }

    /// Takes the keys of records from the first slot of `range` on, as many as there is room for, one at least.
    private func fill(
        _ keys: PieceKeys, _ range: Range<Int>, _ recordKeys: RecordKeys, _ positions: UnsafeArray<UInt32>?
    ) throws {
        try selection.scan(table, range, columns: recordKeys.columns, control: control) { slot, fields in
            keys.scanned += 1
            let position = positions?[slot]
            guard position != .max || positions == nil else { return true }
            keys.append(slot) { target in
                var count = recordKeys.write(fields, to: target)
                if let position {
                    UnsafeMutableRawPointer(target + count).storeBytes(of: position.bigEndian, as: UInt32.self)
                    count += 4
                }
                return count
            }
            return !keys.isFull
        }
    }

    private func write(_ keys: PieceKeys, _ sorted: UnsafeArray<UInt32>, _ run: SortedRun, to file: any ScratchFile) throws {
        let capacity = min(run.byteCount, 256 << 10)
        let buffer = try UnsafeArray<UInt8>(count: capacity)
        var (count, offset) = (0, run.offset)
        func flush() throws {
            try control.checkCancellation()
            try file.write(UnsafeRawBufferPointer(start: buffer.base, count: count), at: offset)
            offset += count
            count = 0
        }
        func put(_ bytes: UnsafeRawPointer, _ size: Int) throws {
            var done = 0
            while done < size {
                if count == capacity { try flush() }
                let part = min(size - done, capacity - count)
                UnsafeMutableRawPointer(buffer.base + count).copyMemory(from: bytes + done, byteCount: part)
                count += part
                done += part
            }
        }
        for index in 0..<sorted.count {
            let key = keys.key(Int(sorted[index]))
            let head = UInt64(key.count) << 32 | UInt64(keys.slots[Int(sorted[index])])
            try withUnsafeBytes(of: head) { try put($0.baseAddress!, SortedRun.headSize) }
            try put(key.start, key.count)
        }
        try flush()
    }

    private func merged(
        _ runs: [SortedRun], of file: any ScratchFile, _ reportFirst: ((RowNumbers) -> Void)?
    ) throws -> RowNumbers {
        let size = min(max(4 << 10, budget / max(1, runs.count)), 1 << 20)
        let readers = try runs.map { try RunReader($0, of: file, bufferSize: size) }
        var merge = try RunMerge(readers)
        let all = selection.positionCount
        let slots = try UnsafeArray<UInt32>(count: all)
        var count = 0
        while let slot = try merge.next() {
            slots[count] = UInt32(truncatingIfNeeded: slot)
            count += 1
            if count == SortJob.firstCount, all >= SortJob.leastToReport {
                reportFirst?(try selection.records(at: UnsafeArray((0..<count).map { slots[$0] })))
            }
            if count & 0xFFF == 0 {
                try control.checkCancellation()
                control.advance(by: 0x1000)
            }
        }
        control.advance(by: count & 0xFFF)
        guard count == all else { throw RecordsMissing() }
        return try selection.records(at: slots)
    }
}

/// Keys of a piece, one behind the other, by their number in the piece.
private final class PieceKeys: ByteKeys, @unchecked Sendable {
    /// What sorting takes for each key beside its bytes: where it begins, its slot, and what ``TextSort`` needs.
    static let perKey = 4 + 4 + 4 + 36

    private let budget: Int
    private let arena: UnsafeArray<UInt8>
    private let starts: UnsafeArray<UInt32>
    /// The slot of each key.
    let slots: UnsafeArray<UInt32>
    private(set) var count = 0
    private(set) var byteCount = 0
    /// Records that were looked at.
    var scanned = 0

    /// Memory is reserved for all that may come; what is not touched costs nothing.
    init(byteCount: Int, longest: Int, slotCount: Int) throws {
        budget = byteCount
        let most = min(slotCount, byteCount / PieceKeys.perKey + 1)
        arena = try UnsafeArray(count: byteCount + longest + 8)
        starts = try UnsafeArray(count: most + 1)
        slots = try UnsafeArray(count: most)
        starts[0] = 0
    }

    var isFull: Bool { byteCount + (count + 1) * PieceKeys.perKey > budget }

    func append(_ slot: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        slots[count] = UInt32(truncatingIfNeeded: slot)
        byteCount += write(arena.base + byteCount)
        count += 1
        starts[count] = UInt32(truncatingIfNeeded: byteCount)
    }

    @inline(__always)
    func key(_ slot: Int) -> (start: UnsafePointer<UInt8>, count: Int) {
        (UnsafePointer(arena.base + Int(starts[slot])), Int(starts[slot + 1] - starts[slot]))
    }
}
