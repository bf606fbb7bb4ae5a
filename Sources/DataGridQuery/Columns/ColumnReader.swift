import Tables
import FieldValues

/// Takes in one column of a table, on several threads, a range of slots at a time; which thread took which range does not matter
/// to the result.
protocol ColumnReader: AnyObject, Sendable {
    /// The column of the table.
    var column: Int { get }
    /// Takes the fields of column `index` of `batch`, which are those of the slots from `slot` on.
    func take(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws
    /// All slots of `range`, of which this thread has just taken the last, have been taken by this thread.
    func end(_ range: Range<Int>, thread: Int) throws
    /// All slots have been taken.
    func finish() throws
    /// Whether what it takes is still of use to anybody.
    var isWanted: Bool { get }
}

extension RecordSelection {
    /// Reads the columns of `readers` in one pass over the table.
    /// - Throws: the table's error, ``JobCancelled`` or ``RecordsMissing``.
    func read(_ readers: [any ColumnReader], of table: any Table, threads: Int, control: JobControl) throws {
        // Two readers may want the same column; it is read once.
        let columns = Set(readers.map(\.column)).sorted()
        let placeOf = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        let places = readers.map { placeOf[$0.column]! }
        try forEachRange(of: slotCount, threads: threads, control: control) { thread, range in
            defer { control.advance(by: range.count) }
            guard readers.contains(where: \.isWanted) else { return }
            try scanBatches(table, range, columns: columns, control: control) { slot, batch in
                for (reader, place) in zip(readers, places) where reader.isWanted {
                    try reader.take(batch, place, slot: slot, thread: thread)
                }
            }
            for reader in readers where reader.isWanted { try reader.end(range, thread: thread) }
        }
        for reader in readers where reader.isWanted {
            try control.checkCancellation()
            try reader.finish()
        }
    }
}
