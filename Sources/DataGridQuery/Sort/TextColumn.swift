import Tables
import FieldValues
import Synchronization

/// Thrown where a column turns out to need more memory than it may have.
struct BeyondBudget: Error {}

/// A column read as bytes whose plain order is the order of the text, by slot. 5 bytes a slot and the bytes themselves.
///
/// Only the first 64 KiB of a field take part in the order: that bounds the memory, and text that is equal so far keeps its order.
final class TextColumn: ByteKeys, @unchecked Sendable {
    static let longestKey = 1 << 16

    let classes: Storage<UInt8>
    /// Where the key of each slot begins in the arena of its range, and one more for the end of the range.
    private let starts: Storage<UInt32>
    private let arenas: Storage<UnsafeMutablePointer<UInt8>>
    private let arenaCount: Int

    /// - Parameters:
    ///   - alphabet: the letters of natural order; `nil` for the order of the text's bytes.
    ///   - budget: the most bytes of keys to hold.
    /// - Throws: ``BeyondBudget`` as soon as there are more; the table's error, ``JobCancelled``, ``RecordsMissing``.
    init(
        _ column: Int, naturally alphabet: NaturalOrder.Alphabet?, of table: any Table, _ selection: RecordSelection,
        budget: Int = .max, threads: Int,
        control: JobControl
    ) throws {
        let byteCount = Atomic(0)
        arenaCount = (selection.slotCount + rangeSize - 1) / rangeSize
        classes = try Storage(count: selection.slotCount)
        starts = try Storage(count: selection.slotCount + arenaCount)
        // Allocated at once, so that a job that stops half-way has something to free everywhere.
        arenas = try Storage(count: arenaCount)
        for index in 0..<arenaCount { arenas[index] = .allocate(capacity: 1) }
        /// How much each thread's last range took: the next one is likely to take as much.
        let likely = try Storage<Int>(count: max(1, threads), repeating: 0)
        try forEachRange(of: selection.slotCount, threads: threads, control: control) { thread, range in
            let index = range.lowerBound / rangeSize
            var arena = try ByteArena(likely: likely[thread])
            var failure: (any Error)?
            defer {
                likely[thread] = arena.count
                arenas[index].deallocate()
                arenas[index] = arena.base
            }
            try selection.scan(table, range, columns: [column], control: control) { slot, fields in
                starts[slot + index] = UInt32(arena.count)
                let field = fields[0]
                guard !field.isBlank else {
                    classes[slot] = FieldClass(ofUnreadable: field).rawValue
                    return true
                }
                classes[slot] = FieldClass.value.rawValue
                let text = UnsafeBufferPointer(rebasing: field.bytes.prefix(TextColumn.longestKey))
                do {
                    guard let alphabet else {
                        try arena.append(text)
                        return true
                    }
                    try arena.append(atMost: NaturalOrder.longestSortKey(of: text.count, alphabet)) {
                        min(NaturalOrder.writeSortKey(of: text, to: $0, alphabet), TextColumn.longestKey)
                    }
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
            starts[range.upperBound + index] = UInt32(arena.count)
            if byteCount.wrappingAdd(arena.count, ordering: .relaxed).newValue > budget { throw BeyondBudget() }
            control.advance(by: range.count)
        }
    }

    deinit { for index in 0..<arenaCount { arenas[index].deallocate() } }

    @inline(__always)
    func key(_ slot: Int) -> (start: UnsafePointer<UInt8>, count: Int) {
        let range = slot / rangeSize
        let start = Int(starts[slot + range])
        return (UnsafePointer(arenas[range] + start), Int(starts[slot + range + 1]) - start)
    }
}
