import Tables
import FieldValues
import Synchronization

/// An error for strings that need more memory than the budget of a sort.
struct BudgetExceeded: Error {}

/// A column as byte keys whose lexicographic order is the order of the strings or numbers. Memory: 5 bytes per slot, and the keys.
///
/// Only the first 64 KiB of a field are compared, to limit the memory. Strings that are equal in these bytes keep their order.
final class KeyColumn: ColumnReader, ByteKeys, @unchecked Sendable {
    static let maximumKeyBytes = 1 << 16

    let column: Int
    /// The raw value of the ``FieldClass`` of each slot.
    let fieldClasses: UnsafeArray<UInt8>
    private let keys: RawColumn
    private let ordering: SortOrdering
    private let budget: Int
    private let byteCount = Atomic(0)

    /// Reads the column and creates its keys.
    /// - Parameters:
    ///   - ordering: the order of strings, or of numbers without rounding. All fields of a column of numbers must be numbers.
    ///   - budget: the maximum number of key bytes.
    /// - Throws: ``BudgetExceeded`` if the keys exceed the budget, the error of the table, ``JobCancelled``, or ``IncompleteScan``.
    init(
        _ column: Int, by ordering: SortOrdering, of table: any Table, _ selection: RecordSelection,
        budget: Int = .max, threads: Int, control: JobControl
    ) throws {
        (self.column, self.ordering, self.budget) = (column, ordering, budget)
        fieldClasses = try UnsafeArray(count: selection.slotCount)
        keys = try RawColumn(count: selection.slotCount, threads: threads)
        try selection.readColumns(with: [self], of: table, threads: threads, control: control)
    }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        for record in 0..<batch.count {
            let (field, slot) = (batch[record, index], slot + record)
            let isBlank = field.isBlank
            fieldClasses[slot] = (isBlank ? FieldClass(ofUnreadable: field) : .value).rawValue
            let text = UnsafeBufferPointer(rebasing: field.bytes.prefix(isBlank ? 0 : KeyColumn.maximumKeyBytes))
            switch ordering {
            case .natural(let alphabet) where !isBlank:
                try keys.append(atMost: NaturalOrder.maximumSortKeyLength(of: text.count, alphabet), at: slot, thread: thread) {
                    min(NaturalOrder.writeSortKey(of: text, to: $0, alphabet), KeyColumn.maximumKeyBytes)
                }
            case .number(let notation) where !isBlank:
                try keys.append(atMost: FieldBytes.maximumNumberKeyLength(digits: text.count), at: slot, thread: thread) {
                    field.writeNumberKey(to: $0, notation, maximumDigits: text.count)
                }
            default: try keys.append(text, at: slot, thread: thread)
            }
        }
    }

    func finishRange(_ range: Range<Int>, thread: Int) throws {
        let count = try keys.finishRange(range, thread: thread)
        if byteCount.wrappingAdd(count, ordering: .relaxed).newValue > budget { throw BudgetExceeded() }
    }

    @inline(__always)
    func key(_ slot: Int) -> (start: UnsafePointer<UInt8>, count: Int) { keys.key(slot) }
}
