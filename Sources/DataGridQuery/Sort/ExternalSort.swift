import Locks
import Tables
import FieldValues

/// Sorts records that exceed the memory: sorts chunks in memory, writes them to a file as runs, and merges the runs.
///
/// D. E. Knuth, "The Art of Computer Programming 3", 1998, 5.4.1. All sort keys are combined into one byte key (``RecordKeys``). Each
/// record is read once, written once and read back once. The file takes 8 bytes per record and the keys.
struct ExternalSort {
    let table: any Table
    let keys: [ResolvedSortKey]
    let selection: RecordSelection
    /// The minimum budget in bytes. With less memory, the file would have too many runs to merge.
    static let minimumBudget = 4 << 20
    /// The memory in bytes for sorting chunks, and after that for the buffers of the runs. Each thread uses at least ``minimumRunBytes``.
    let budget: Int
    let makeScratchFile: @Sendable () throws -> any ScratchFile
    let threads: Int
    let control: JobControl
    /// The minimum size of a run, in bytes. Each thread needs as much memory. Tests set less.
    var minimumRunBytes = 1 << 20

    /// The records in sorted order.
    /// - Parameter reportFirstRecords: called with the first records when they are known.
    /// - Complexity: O(n log n), with one scan of the table. Memory: the budget, one key, 4 KiB per run, and 4 bytes × n for the result;
    ///   another 4 bytes × n if the records were not given in ascending order.
    func records(reportFirstRecords: ((RowNumbers) throws -> Void)? = nil) throws -> RowNumbers {
        // Records with equal keys keep the caller's order. If this is not the order of slots, the positions of the records are compared.
        let positions = try selection.slots.map { slots in
            let positions = try UnsafeArray<UInt32>(count: selection.slotCount, repeating: .max)
            for (position, slot) in slots.enumerated() { positions[Int(slot)] = UInt32(truncatingIfNeeded: position) }
            return positions
        }
        var exact: Set<Int> = []
        while true {
            control.begin(total: selection.slotCount * 2 + selection.positionCount)
            let recordKeys = RecordKeys(keys, exactKeys: exact)
            let file = try makeScratchFile()
            do {
                return try merged(try runs(recordKeys, positions, in: file), of: file, reportFirstRecords)
            } catch is AmbiguousDoubles {
                // Only a scan of the table shows which columns have different numbers with equal doubles. If there are such columns, all
                // keys are written again, with the exact numbers of these columns.
                exact.formUnion(recordKeys.ambiguousKeys)
            }
        }
    }

    /// An error that starts the sort again, because numbers that were rounded to equal doubles may be in the wrong order.
    private struct AmbiguousDoubles: Error {}

    /// Sorts chunks of records, and writes each as a run. The runs are in the order of their first slots.
    private func runs(_ recordKeys: RecordKeys, _ positions: UnsafeArray<UInt32>?, in file: any ScratchFile) throws -> [SortedRun] {
        let runs = Mutex<[SortedRun]>([])
        let end = Atomic(0)
        // Limit a chunk to 2 GiB, because the offsets of keys in a chunk have 32 bits.
        let runBytes = min(max(minimumRunBytes, budget / threads), 1 << 31)
        let blockSize = max(1, (selection.slotCount + threads - 1) / threads)
        try forEachRange(of: selection.slotCount, size: blockSize, threads: threads, control: control) { _, range in
            var next = range.lowerBound
            while next < range.upperBound {
                let keys = try ChunkKeys(
                    byteCount: runBytes, maximumKeyLength: recordKeys.maximumLength + (positions == nil ? 0 : 4),
                    slotCount: range.upperBound - next)
                let last = next
                try fill(keys, next..<range.upperBound, recordKeys, positions)
                if !recordKeys.ambiguousKeys.isEmpty { throw AmbiguousDoubles() }
                next += keys.scannedCount
                control.advance(by: next - last)
                guard keys.count > 0 else {
                    control.advance(by: next - last)
                    continue
                }
                let order = try UnsafeArray<UInt32>(count: keys.count)
                for slot in 0..<keys.count { order[slot] = UInt32(truncatingIfNeeded: slot) }
                let sorted = try control.withPart(of: next - last) {
                    try TextSort(column: keys, isDescending: false, threads: 1, control: $0).sort(order)
                }
                let size = keys.byteCount + keys.count * SortedRun.headerSize
                let run = SortedRun(firstSlot: last, offset: end.wrappingAdd(size, ordering: .relaxed).oldValue, byteCount: size)
                try write(keys, sorted, run, to: file)
                runs.withLock { $0.append(run) }
            }
        }
        return runs.withLock { $0.sorted { $0.firstSlot < $1.firstSlot } }
    }

    /// Adds the keys of the selected records, from the first slot of `range` on, until the buffer is full. The buffer has room for at least
    /// one key.
    private func fill(
        _ keys: ChunkKeys, _ range: Range<Int>, _ recordKeys: RecordKeys, _ positions: UnsafeArray<UInt32>?
    ) throws {
        try selection.scan(table, range, columns: recordKeys.columns, control: control) { slot, fields in
            keys.scannedCount += 1
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

    private func write(_ keys: ChunkKeys, _ sorted: UnsafeArray<UInt32>, _ run: SortedRun, to file: any ScratchFile) throws {
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
            try withUnsafeBytes(of: head) { try put($0.baseAddress!, SortedRun.headerSize) }
            try put(key.start, key.count)
        }
        try flush()
    }

    private func merged(
        _ runs: [SortedRun], of file: any ScratchFile, _ reportFirstRecords: ((RowNumbers) throws -> Void)?
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
            if count == SortJob.firstCount, all >= SortJob.minimumReportedCount {
                try reportFirstRecords?(try selection.records(at: UnsafeArray((0..<count).map { slots[$0] })))
            }
            if count & 0xFFF == 0 {
                try control.checkCancellation()
                control.advance(by: 0x1000)
            }
        }
        control.advance(by: count & 0xFFF)
        guard count == all else { throw IncompleteScan() }
        return try selection.records(at: slots)
    }
}

/// The keys of a chunk, stored one after another in a buffer. They are numbered by their index in the chunk.
private final class ChunkKeys: ByteKeys, @unchecked Sendable {
    /// The memory for sorting a key, in addition to its bytes: its offset, its slot, and the data of ``TextSort``.
    static let bytesPerKey = 4 + 4 + 4 + 36

    private let budget: Int
    private let arena: UnsafeArray<UInt8>
    private let starts: UnsafeArray<UInt32>
    let slots: UnsafeArray<UInt32>
    private(set) var count = 0
    private(set) var byteCount = 0
    var scannedCount = 0

    /// Reserves memory for the largest possible chunk. Pages that are never written use no memory.
    init(byteCount: Int, maximumKeyLength: Int, slotCount: Int) throws {
        budget = byteCount
        let maximumCount = min(slotCount, byteCount / ChunkKeys.bytesPerKey + 1)
        arena = try UnsafeArray(count: byteCount + maximumKeyLength + 8)
        starts = try UnsafeArray(count: maximumCount + 1)
        slots = try UnsafeArray(count: maximumCount)
        starts[0] = 0
    }

    var isFull: Bool { byteCount + (count + 1) * ChunkKeys.bytesPerKey > budget }

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
