import DataGrid
import FieldValues

/// A column as numbers of its different fields, by slot, however many they are: 4 bytes a slot and each field once.
final class DistinctColumn: @unchecked Sendable {
    /// The number of the field at each slot.
    let numbers: Storage<UInt32>
    private let dictionary: ByteDictionary

    var count: Int { dictionary.count }
    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> { dictionary.bytes(number) }

    init(_ column: Int, of table: any RecordTable, _ selection: RecordSelection, threads: Int, control: JobControl) throws {
        let numbers = Storage<UInt32>(count: selection.slotCount)
        let threadOfRange = Storage<Int>(count: selection.slotCount / rangeSize + 1, repeating: 0)
        // Every thread numbers what it meets by itself; then the numbers are brought together.
        var dictionaries = (0..<max(1, threads)).map { _ in ByteDictionary() }
        defer { for index in 1..<max(1, dictionaries.count) { dictionaries[index].deallocate() } }
        do {
            try dictionaries.withUnsafeMutableBufferPointer { own in
                let own = own.baseAddress!
                try forEachRange(of: selection.slotCount, threads: threads, control: control) { thread, range in
                    threadOfRange[range.lowerBound / rangeSize] = thread
                    try selection.scanBatches(table, range, columns: [column], control: control) { slot, batch in
                        for record in 0..<batch.count { numbers[slot + record] = own[thread].number(of: batch[record, 0]) }
                    }
                    control.advance(by: range.count)
                }
            }
            var renumbered: [[UInt32]] = [[]]
            for index in 1..<max(1, dictionaries.count) {
                renumbered.append(
                    (0..<dictionaries[index].count).map { dictionaries[0].number(of: dictionaries[index].bytes($0)) })
            }
            try forEachRange(of: selection.slotCount, threads: threads, control: control) { _, range in
                let thread = threadOfRange[range.lowerBound / rangeSize]
                guard thread > 0 else { return }
                renumbered[thread].withUnsafeBufferPointer { renumbered in
                    for slot in range { numbers[slot] = renumbered[Int(numbers[slot])] }
                }
            }
        } catch {
            dictionaries[0].deallocate()
            throw error
        }
        self.numbers = numbers
        dictionary = dictionaries[0]
    }

    deinit { dictionary.deallocate() }

    /// The place of each field when the fields are ordered; blank fields come last, and after them those that records do not have.
    func ranks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        try dictionary.ranks(ordering, isDescending: isDescending, threads: threads, control: control)
    }

    /// The same, with one place for all that is blank or missing.
    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        try dictionary.groupRanks(ordering, isDescending: isDescending, threads: threads, control: control)
    }
}
