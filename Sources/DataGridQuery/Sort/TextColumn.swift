import Tables
import FieldValues
import Synchronization

/// Thrown where a column turns out to need more memory than it may have.
struct BeyondBudget: Error {}

/// A column read as bytes whose plain order is the order of the text, by slot. 5 bytes a slot and the bytes themselves.
///
/// Only the first 64 KiB of a field take part in the order: that bounds the memory, and text that is equal so far keeps its order.
final class TextColumn: ColumnReader, ByteKeys, @unchecked Sendable {
    static let longestKey = 1 << 16

    let column: Int
    let classes: UnsafeArray<UInt8>
    private let keys: RawColumn
    private let alphabet: NaturalOrder.Alphabet?
    private let budget: Int
    private let byteCount = Atomic(0)

    /// - Parameters:
    ///   - alphabet: the letters of natural order; `nil` for the order of the text's bytes.
    ///   - budget: the most bytes of keys to hold.
    /// - Throws: ``BeyondBudget`` as soon as there are more; the table's error, ``JobCancelled``, ``RecordsMissing``.
    init(
        _ column: Int, naturally alphabet: NaturalOrder.Alphabet?, of table: any Table, _ selection: RecordSelection,
        budget: Int = .max, threads: Int, control: JobControl
    ) throws {
        (self.column, self.alphabet, self.budget) = (column, alphabet, budget)
        classes = try UnsafeArray(count: selection.slotCount)
        keys = try RawColumn(count: selection.slotCount, threads: threads)
        try selection.read([self], of: table, threads: threads, control: control)
    }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        for record in 0..<batch.count {
            let (field, slot) = (batch[record, index], slot + record)
            let isBlank = field.isBlank
            classes[slot] = (isBlank ? FieldClass(ofUnreadable: field) : .value).rawValue
            let text = UnsafeBufferPointer(rebasing: field.bytes.prefix(isBlank ? 0 : TextColumn.longestKey))
            guard let alphabet, !isBlank else {
                try keys.append(text, at: slot, thread: thread)
                continue
            }
            try keys.append(atMost: NaturalOrder.longestSortKey(of: text.count, alphabet), at: slot, thread: thread) {
                min(NaturalOrder.writeSortKey(of: text, to: $0, alphabet), TextColumn.longestKey)
            }
        }
    }

    func end(_ range: Range<Int>, thread: Int) throws {
        let count = try keys.end(range, thread: thread)
        if byteCount.wrappingAdd(count, ordering: .relaxed).newValue > budget { throw BeyondBudget() }
    }

    @inline(__always)
    func key(_ slot: Int) -> (start: UnsafePointer<UInt8>, count: Int) { keys.key(slot) }
}
