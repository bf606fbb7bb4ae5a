import Tables
import FieldValues

/// Reads one column of a table on several threads, one range of slots at a time. The result does not depend on the assignment of ranges to
/// threads.
protocol ColumnReader: AnyObject, Sendable {
    var column: Int { get }
    /// True if the reader needs more fields.
    var shouldContinue: Bool { get }
    /// Reads the fields of column `index` of `batch`. The first field belongs to slot `slot`.
    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws
    /// Called when the thread has read all slots of `range`.
    func end(_ range: Range<Int>, thread: Int) throws
    /// Called when all slots have been read.
    func finish() throws
}

extension ColumnReader {
    var shouldContinue: Bool { true }
    func end(_ range: Range<Int>, thread: Int) throws {}
    func finish() throws {}
}

extension RecordSelection {
    /// Reads the columns of `readers` in one pass over the table.
    func read(_ readers: [any ColumnReader], of table: any Table, threads: Int, control: JobControl) throws {
        // Several readers may need the same column, but it is read only once.
        let columns = Set(readers.map(\.column)).sorted()
        let placeOfColumn = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        let places = readers.map { placeOfColumn[$0.column]! }
        try forEachRange(of: slotCount, threads: threads, control: control) { thread, range in
            defer { control.advance(by: range.count) }
            guard readers.contains(where: \.shouldContinue) else { return }
            try scanBatches(table, range, columns: columns, control: control) { slot, batch in
                for (reader, place) in zip(readers, places) where reader.shouldContinue {
                    try reader.read(batch, place, slot: slot, thread: thread)
                }
            }
            for reader in readers where reader.shouldContinue { try reader.end(range, thread: thread) }
        }
        for reader in readers where reader.shouldContinue {
            try control.checkCancellation()
            try reader.finish()
        }
    }
}
