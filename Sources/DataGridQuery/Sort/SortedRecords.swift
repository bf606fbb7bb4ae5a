public import DataGrid
import FieldValues

/// The records of a table in the order of `keys`, the first the strongest; records that are equal in all keys keep the order given.
///
/// What fields without a value come to is said at ``SortOrdering``. Tables have fewer than 2^32 records.
/// - Parameters:
///   - records: the records to sort, each once; `nil` for all, ascending. Records that the table does not have are left out.
///   - store: where columns are kept that were read before.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
/// - Returns: record numbers.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: one scan of all columns together that are not kept, a further one for each text column with more than 65,536 different
///   fields, and for each key O(n) work. Memory: for n records 16 bytes × n and the keys: 0 to 8 bytes × n for numbers, dates and flags,
///   as they need, 2 bytes × n for texts of which few differ; for other texts 41 bytes × n and the column's own bytes (up to twice that
///   for natural order), one key at a time.
public func sortedRecords(
    of table: any RecordTable, by keys: [SortKey], within records: [UInt32]? = nil, store: ColumnStore? = nil, threads: Int,
    control: JobControl
) throws -> [UInt32] {
    try SortJob(table, keys, records, store, threads: threads, control: control, usesCodes: true).records()
}

extension RecordSelection {
    /// The slot of each position, for being reordered; `nil` when positions are slots.
    func slotStorage() -> Storage<UInt32>? {
        slots.map { slots in
            let storage = Storage<UInt32>(count: slots.count)
            slots.withUnsafeBufferPointer { if let start = $0.baseAddress { storage.base.update(from: start, count: $0.count) } }
            return storage
        }
    }

    /// The records at `slots`; `nil` is all of them, ascending.
    func records(of slots: Storage<UInt32>?) -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: positionCount) { records, count in
            count = positionCount
            if let slots, !hasRecords { return records.baseAddress!.initialize(from: slots.base, count: count) }
            for position in 0..<count {
                records.initializeElement(at: position, to: UInt32(record(at: slots.map { Int($0[position]) } ?? position)))
            }
        }
    }
}

struct SortJob {
    private let table: any RecordTable
    private let keys: [SortKey]
    private let columns: ColumnSet
    private let threads: Int
    private let control: JobControl

    private var selection: RecordSelection { columns.selection }

    /// Reads what is needed of the table.
    /// - Parameter usesCodes: whether texts are looked at for being few; not when they are known to differ.
    init(
        _ table: any RecordTable, _ keys: [SortKey], _ records: [UInt32]?, _ store: ColumnStore? = nil, threads: Int, control: JobControl,
        usesCodes: Bool
    ) throws {
        (self.table, self.keys, self.threads, self.control) = (table, keys, max(1, threads), control)
        control.begin(total: table.recordCount + (records?.count ?? table.recordCount) * keys.count)
        let requests = keys.compactMap { key -> ColumnSet.Request? in
            switch key.ordering {
            case .text, .natural: usesCodes ? ColumnSet.Request(column: key.column, form: .codes) : nil
            case .number, .temporal, .flag: ColumnSet.Request(column: key.column, form: .values(key.ordering))
            }
        }
        columns = try ColumnSet(requests, records: records, of: table, store: store, threads: self.threads, control: control)
        control.begin(total: selection.slotCount + selection.positionCount * keys.count)
        control.advance(by: selection.slotCount)
    }

    /// The records in the order of all keys.
    func records() throws -> [UInt32] {
        var order = selection.slotStorage()
        // Stable sorts from the weakest key to the strongest.
        for key in keys.reversed() {
            order = try sorted(order, by: key)
            control.advance(by: selection.positionCount)
        }
        try control.checkCancellation()
        return selection.records(of: order)
    }

    /// Slots in the order of one key, equal ones in the order of `order` (`nil`: ascending).
    private func sorted(_ order: Storage<UInt32>?, by key: SortKey) throws -> Storage<UInt32> {
        let sort = KeySort(threads: threads, control: control)
        if let values = columns.values(key.column, as: key.ordering) {
            if values.hasOnlyValues {
                return try sort.sort(order, count: selection.positionCount, keys: values, isDescending: key.isDescending)
            }
            var parts = try split(order) { values.kind($0) }
            parts[0] = try sort.sort(parts[0], count: parts[0].count, keys: values, isDescending: key.isDescending)
            let unreadable = Int(FieldClass.unreadable.rawValue)
            parts[unreadable] = try sortedAsText(parts[unreadable], column: key.column)
            return joined(parts)
        }
        if let codes = columns.codes(key.column), key.ordering == .text || key.ordering == .natural {
            let ranks = try codes.ranks(key.ordering, isDescending: key.isDescending, threads: threads, control: control)
            let keys = RankKeys(codes.codes, count: codes.slotCount, ranks: ranks)
            return try sort.sort(order, count: selection.positionCount, keys: keys, isDescending: false)
        }
        control.extend(by: selection.slotCount)
        let column = try TextColumn(
            key.column, isNatural: key.ordering == .natural, of: table, selection, threads: threads, control: control)
        var parts = try split(order) { column.classes[$0] }
        parts[0] = try TextSort(column: column, isDescending: key.isDescending, threads: threads, control: control).sort(parts[0])
        return joined(parts)
    }

    /// The slots of each class, each in the order they had.
    private func split(_ order: Storage<UInt32>?, _ kind: (Int) -> UInt8) throws -> [Storage<UInt32>] {
        var counts = [Int](repeating: 0, count: Int(FieldClass.missing.rawValue) + 1)
        for position in 0..<selection.positionCount {
            if position & 0xFFFF == 0 { try control.checkCancellation() }
            counts[Int(kind(order.map { Int($0[position]) } ?? position))] += 1
        }
        let parts = counts.map { Storage<UInt32>(count: $0) }
        var ends = counts.map { _ in 0 }
        for position in 0..<selection.positionCount {
            if position & 0xFFFF == 0 { try control.checkCancellation() }
            let slot = order.map { Int($0[position]) } ?? position
            let part = Int(kind(slot))
            parts[part][ends[part]] = UInt32(slot)
            ends[part] += 1
        }
        return parts
    }

    private func joined(_ parts: [Storage<UInt32>]) -> Storage<UInt32> {
        let all = Storage<UInt32>(count: parts.reduce(0) { $0 + $1.count })
        var end = 0
        for part in parts {
            (all.base + end).update(from: part.base, count: part.count)
            end += part.count
        }
        return all
    }

    /// Slots whose fields are no values, by their text; they are usually few, so they are read again rather than kept.
    private func sortedAsText(_ slots: Storage<UInt32>, column: Int) throws -> Storage<UInt32> {
        guard slots.count > 1 else { return slots }
        let records = (0..<slots.count).map { UInt32(selection.record(at: Int(slots[$0]))) }
        let part = RecordSelection(order: records, recordCount: table.recordCount)
        let text = try TextColumn(column, isNatural: false, of: table, part, threads: threads, control: control)
        let order = Storage<UInt32>(count: slots.count)
        for position in 0..<slots.count { order[position] = part.slots?[position] ?? UInt32(position) }
        let sorted = try TextSort(column: text, isDescending: false, threads: threads, control: control).sort(order)
        // Back from the slots of the part to those of the whole.
        var slotOfPart = [UInt32](repeating: 0, count: part.slotCount)
        for position in 0..<slots.count { slotOfPart[Int(part.slots?[position] ?? UInt32(position))] = slots[position] }
        for position in 0..<sorted.count { sorted[position] = slotOfPart[Int(sorted[position])] }
        return sorted
    }
}
