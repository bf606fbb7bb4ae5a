import DataGrid
import FieldValues

/// A column as numbers of its different fields, by slot: 4 bytes a slot and each field once. All blank and missing fields are one.
final class DistinctColumn: @unchecked Sendable {
    /// The number of the field at each slot.
    let numbers: Storage<UInt32>
    private var dictionary: ByteDictionary

    var count: Int { dictionary.count }
    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> { dictionary.bytes(number) }

    /// The number of the blank field, if there is one.
    private(set) var blank: UInt32?

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
                    try selection.scan(table, range, columns: [column], control: control) { slot, fields in
                        let field = fields[0]
                        numbers[slot] = own[thread].number(of: field.isBlank ? FieldBytes.missing.bytes : field.bytes)
                        return true
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
                for slot in range { numbers[slot] = renumbered[thread][Int(numbers[slot])] }
            }
        } catch {
            dictionaries[0].deallocate()
            throw error
        }
        self.numbers = numbers
        dictionary = dictionaries[0]
        for number in 0..<dictionary.count where dictionary.bytes(number).isEmpty { blank = UInt32(number) }
    }

    deinit { dictionary.deallocate() }

    /// The place of each number when the fields are ordered.
    func ranks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        let key = SortKey(column: 0, ordering: ordering, isDescending: isDescending)
        // Which number a field has depends on which thread met it first, so fields of equal value are put in the order of their bytes.
        let bytes = SortKey(column: 0, ordering: .text)
        let order = try sortedRecords(
            of: DistinctTable(column: self), by: [key, bytes], threads: threads, control: JobControl(within: control))
        var ranks = [UInt32](repeating: 0, count: count)
        for (rank, number) in order.enumerated() { ranks[Int(number)] = UInt32(rank) }
        return ranks
    }
}

/// The different fields of a column as a table, so that groups are ordered as records are.
private struct DistinctTable: RecordTable {
    let column: DistinctColumn
    var recordCount: Int { column.count }
    var columnCount: Int { 1 }

    func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
        for record in records {
            let bytes = column.bytes(record)
            let goesOn = withUnsafePointer(to: FieldBytes(start: bytes.baseAddress, count: bytes.count)) {
                body(record, UnsafeBufferPointer(start: $0, count: 1))
            }
            if !goesOn { return }
        }
    }
}
