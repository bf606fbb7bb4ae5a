public import DataGrid

/// The records of a table in the order of `keys`, the first the strongest; records that are equal in all keys keep the order given.
///
/// What fields without a value come to is said at ``SortOrdering``. Tables have fewer than 2^32 records.
/// - Parameters:
///   - records: the records to sort, each once; `nil` for all, ascending. Records that the table does not have are left out.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
/// - Returns: record numbers.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: for each key one scan of its column and O(n) work. Memory: for n records 30 bytes × n for numbers, dates and flags,
///   41 bytes × n and the column's own bytes (up to twice that for natural order) for text, one key at a time.
public func sortedRecords(
    of table: any RecordTable, by keys: [SortKey], within records: [UInt32]? = nil, threads: Int, control: JobControl
) throws -> [UInt32] {
    let selection = RecordSelection(order: records, recordCount: table.recordCount)
    control.begin(total: (selection.slotCount + selection.positionCount) * keys.count)
    let job = SortJob(table: table, selection: selection, threads: max(1, threads), control: control)
    var order = selection.slots.map { slots in
        let order = Storage<UInt32>(count: slots.count)
        for position in slots.indices { order[position] = slots[position] }
        return order
    }
    // Stable sorts from the weakest key to the strongest.
    for key in keys.reversed() {
        order = try job.sorted(order, by: key)
        control.advance(by: selection.positionCount)
    }
    try control.checkCancellation()
    return selection.records(of: order)
}

extension RecordSelection {
    /// The records at `slots`; `nil` is all of them, ascending.
    func records(of slots: Storage<UInt32>?) -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: positionCount) { records, count in
            count = positionCount
            for position in 0..<count {
                records.initializeElement(at: position, to: UInt32(record(at: slots.map { Int($0[position]) } ?? position)))
            }
        }
    }
}

struct SortJob {
    let table: any RecordTable
    let selection: RecordSelection
    let threads: Int
    let control: JobControl

    /// Slots in the order of one key, equal ones in the order of `order` (`nil`: ascending).
    func sorted(_ order: Storage<UInt32>?, by key: SortKey) throws -> Storage<UInt32> {
        switch key.ordering {
        case .text, .natural:
            let column = try TextColumn(
                key.column, isNatural: key.ordering == .natural, of: table, selection, threads: threads, control: control)
            let parts = try split(order, column.classes)
            let sort = TextSort(column: column, isDescending: key.isDescending, threads: threads, control: control)
            return joined([try sort.sort(parts[0])] + parts.dropFirst())
        case .number, .temporal, .flag:
            let column = try ValueColumn(key.column, as: key.ordering, of: table, selection, threads: threads, control: control)
            let sort = KeySort(threads: threads, control: control)
            if column.hasOnlyValues {
                return try sort.sort(order, count: selection.positionCount, keys: column.keys, isDescending: key.isDescending)
            }
            var parts = try split(order, column.classes)
            parts[0] = try sort.sort(parts[0], count: parts[0].count, keys: column.keys, isDescending: key.isDescending)
            let unreadable = Int(FieldClass.unreadable.rawValue)
            parts[unreadable] = try sortedAsText(parts[unreadable], column: key.column)
            return joined(parts)
        }
    }

    /// The slots of each class, each in the order they had.
    private func split(_ order: Storage<UInt32>?, _ classes: Storage<UInt8>) throws -> [Storage<UInt32>] {
        var counts = [Int](repeating: 0, count: Int(FieldClass.missing.rawValue) + 1)
        for position in 0..<selection.positionCount {
            if position & 0xFFFF == 0 { try control.checkCancellation() }
            counts[Int(classes[order.map { Int($0[position]) } ?? position])] += 1
        }
        let parts = counts.map { Storage<UInt32>(count: $0) }
        var ends = counts.map { _ in 0 }
        for position in 0..<selection.positionCount {
            if position & 0xFFFF == 0 { try control.checkCancellation() }
            let slot = order.map { Int($0[position]) } ?? position
            let part = Int(classes[slot])
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
