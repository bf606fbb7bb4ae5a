import Tables
import FieldValues

/// The records of a table sorted by `keys`, most significant first. Ties keep the given order.
/// - Parameters:
///   - records: the distinct records to sort; `nil` for all, ascending. Records that the table does not have are ignored.
///   - reportFirstRecords: called on the caller's thread with the first records of the order as soon as they are known. At most once, and
///     only if the rest takes longer.
/// - Returns: the sorted records. The result does not depend on `threads`.
/// - Throws: ``TooManyRows`` for more than 2^32 − 1 records, ``JobCancelled``, or the table's error.
/// - Complexity: one scan of all columns that are not cached, and one more for each text column with more than 65,536 distinct fields. O(n)
///   work for each key of n records. O(n) without a scan if `store` has all records in this order. If the memory may exceed the budget of
///   `store`, ``ExternalSort`` is used. Memory:
///   - 16 bytes × n.
///   - 0 to 8 bytes × n for each column of numbers, dates or flags, and 4 bytes × n for strings with few distinct fields.
///   - 41 bytes × n for other strings and the bytes of the column (up to twice that for natural order), for one key at a time.
///   - 65 bytes and half a byte per digit for each number with more than 15 digits whose double equals the double of another number. These
///     numbers are read again.
func sortedRecords(
    of table: any Table, by keys: [ResolvedSortKey], within records: RowNumbers? = nil, store: ColumnStore? = nil, threads: Int,
    control: JobControl, reportFirstRecords: ((RowNumbers) throws -> Void)? = nil
) throws -> RowNumbers {
    try control.checkRecordCount(records?.count ?? table.recordCount)
    let item = ColumnStore.ItemKey.order(keys)
    if let all = (store?.storedItem(for: item, of: table) as? StoredOrder)?.records {
        guard let records else { return all }
        if records.isAscending(strictly: true) { return RowNumbers(try filtered(records, from: all.short, control: control)) }
    }
    let sorted = try sortedUncached(
        of: table, by: keys, within: records, store: store, threads: max(1, threads), control: control, reportFirstRecords)
    if records == nil, !keys.isEmpty { store?.insert(StoredOrder(records: sorted), for: item, of: table) }
    return sorted
}

/// The first records of the order that ``sortedRecords(of:by:within:store:threads:control:reportFirstRecords:)`` returns: at least `limit`
/// records, or all of them. Limits up to ``SortJob/firstCount`` are faster than a full sort.
func firstSortedRecords(
    _ limit: Int, of table: any Table, by keys: [ResolvedSortKey], within records: RowNumbers?, store: ColumnStore?, threads: Int,
    control: JobControl
) throws -> RowNumbers {
    /// Thrown to end a sort when the first records are known.
    struct FirstRecordsFound: Error { let records: RowNumbers }
    let stored = keys.count == 1 ? SortJob.requests(keys).map { ColumnStore.ItemKey.column($0) } + [.order(keys)] : []
    if keys.count == 1, stored.allSatisfy({ store?.storedItem(for: $0, of: table) == nil }) {
        try control.checkRecordCount(records?.count ?? table.recordCount)
        let selection = try RecordSelection(order: records, recordCount: table.recordCount, shortLimit: control.shortLimit)
        let first = try control.withPart(of: 0) {
            try FirstValues.records(of: table, selection, by: keys[0], limit: limit, threads: max(1, threads), control: $0)
        }
        if let first { return first }
    }
    do {
        return try sortedRecords(of: table, by: keys, within: records, store: store, threads: threads, control: control) {
            if $0.count >= limit { throw FirstRecordsFound(records: $0) }
        }
    } catch let first as FirstRecordsFound {
        return first.records
    }
}

/// Sorts in memory if the budget of the store allows it, otherwise with a temporary file.
private func sortedUncached(
    of table: any Table, by keys: [ResolvedSortKey], within records: RowNumbers?, store: ColumnStore?, threads: Int, control: JobControl,
    _ reportFirstRecords: ((RowNumbers) throws -> Void)?
) throws -> RowNumbers {
    guard let store, let makeScratchFile = store.makeScratchFile, !keys.isEmpty else {
        return try SortJob(table, keys, records, store, threads: threads, control: control, usesCodes: true)
            .records(reportFirstRecords: reportFirstRecords)
    }
    // The external sort that follows a failed sort in memory must not report the first records once more.
    let isReported = Flag()
    let reportFirstRecords = reportFirstRecords.map { report in
        { (records: RowNumbers) in
            if isReported.isSet { return }
            isReported.set()
            try report(records)
        }
    }
    let needed = SortJob.maximumBytes(keys, count: records?.count ?? table.recordCount)
    if needed <= store.budget {
        store.makeRoom(for: needed, keeping: Set(SortJob.requests(keys).map { .column($0) }), of: table)
        do {
            return try SortJob(
                table, keys, records, store, budget: store.budget - needed - store.byteCount, threads: threads, control: control,
                usesCodes: true
            ).records(reportFirstRecords: reportFirstRecords)
        } catch is BudgetExceeded {
            // The strings are longer than expected. Continue with the external sort, which needs less memory.
        } catch is OutOfMemory {
            // The system provides less memory than the budget. Continue with the external sort.
        }
    }
    store.makeRoom(for: store.budget, keeping: [], of: table)
    let selection = try RecordSelection(order: records, recordCount: table.recordCount, shortLimit: control.shortLimit)
    var budget = store.budget
    while true {
        do {
            return try ExternalSort(
                table: table, keys: keys, selection: selection, budget: budget, makeScratchFile: makeScratchFile, threads: threads,
                control: control
            ).records(reportFirstRecords: reportFirstRecords)
        } catch let error as OutOfMemory {
            // The system provides less memory than the budget. Repeat the sort with a smaller budget.
            budget /= 4
            if budget < ExternalSort.minimumBudget { throw error }
        }
    }
}

/// The records of a sorted order that are also in `records`, which must be ascending. The result equals a sort of `records`, because ties
/// are in ascending order in both cases.
private func filtered(_ records: RowNumbers, from all: [UInt32], control: JobControl) throws -> [UInt32] {
    let selected = try BitSet(count: all.count)
    var selectedCount = 0
    records.forEach { _, record in
        guard record < all.count else { return false }
        selected.insert(record)
        selectedCount += 1
        return true
    }
    try Memory.check(byteCount: selectedCount * MemoryLayout<UInt32>.stride)
    return try [UInt32](unsafeUninitializedCapacity: selectedCount + 1) { picked, count in
        for start in stride(from: 0, to: all.count, by: rangeSize) {
            try control.checkCancellation()
            for record in all[start..<min(all.count, start + rangeSize)] {
                // Every record is written to the result. If the record is not selected, the next one overwrites it. A mispredicted branch
                // would cost more.
                picked.initializeElement(at: count, to: record)
                count += selected[Int(record)] ? 1 : 0
            }
        }
    }
}

extension RecordSelection {
    /// A copy of ``slots`` that a sort can change: the slot at each position. `nil` if positions equal slots.
    func slotArray() throws -> UnsafeArray<UInt32>? { try slots.map { try UnsafeArray($0) } }

    /// The records at `slots`; `nil` for all slots, ascending.
    func records(at slots: UnsafeArray<UInt32>?) throws -> RowNumbers {
        let count = slots?.count ?? positionCount
        guard let picked = records else {
            return RowNumbers(
                try [UInt32](filled: count) { records in
                    if let slots { return records.initialize(from: slots.base, count: count) }
                    for position in 0..<count { records[position] = UInt32(position) }
                })
        }
        guard let slots else { return picked }
        func numbers<Number: BitwiseCopyable>(_ record: (_ slot: Int) -> Number) throws -> [Number] {
            try [Number](filled: count) { records in for position in 0..<count { records[position] = record(Int(slots[position])) } }
        }
        if case .short(let picked) = picked.form { return RowNumbers(try numbers { picked[$0] as UInt32 }) }
        return RowNumbers(.long(try numbers { picked[$0] as Int }))
    }
}

/// Sorts records in memory: once for each sort key, the least significant first.
struct SortJob {
    /// The number of records that are reported early, before all are sorted. They fill several screens.
    static let firstCount = 400
    /// The minimum number of records to sort for an early report. With fewer records, the sort ends before a user could see the report.
    static let minimumReportedCount = 1 << 18

    private let table: any Table
    private let keys: [ResolvedSortKey]
    private let columns: LoadedColumns
    /// The memory limit for the bytes of strings. ``maximumBytes(_:count:)`` covers the rest.
    private let budget: Int
    private let threads: Int
    private let control: JobControl

    private var selection: RecordSelection { columns.selection }

    /// Reads the columns that the sort keys need.
    /// - Parameter usesCodes: true to read text columns as field numbers, if they have few distinct strings; false if the text columns are
    ///   known to have many distinct strings.
    init(
        _ table: any Table, _ keys: [ResolvedSortKey], _ records: RowNumbers?, _ store: ColumnStore? = nil, budget: Int = .max,
        threads: Int,
        control: JobControl, usesCodes: Bool
    ) throws {
        (self.table, self.keys, self.budget, self.threads, self.control) = (table, keys, budget, max(1, threads), control)
        let count = records?.count ?? table.recordCount
        // It is not known yet whether a text column has few distinct strings, so its cost is estimated at twice that of numbers. The total
        // is corrected when the columns have been read.
        control.begin(total: table.recordCount + count * keys.reduce(0) { $0 + ($1.ordering.isText ? 2 : 1) })
        let requests = usesCodes ? Self.requests(keys) : Self.requests(keys).filter { $0.form != .lowCardinality }
        columns = try LoadedColumns(requests, records: records, of: table, store: store, threads: self.threads, control: control)
        control.begin(total: selection.slotCount + selection.positionCount * keys.reduce(0) { $0 + sortCost($1) })
        control.advance(by: selection.slotCount)
    }

    /// The cost of sorting by a key, in units of reading a column. A column of many distinct strings is read again, and its strings are
    /// compared.
    private func sortCost(_ key: ResolvedSortKey) -> Int {
        key.ordering.isText && columns.numberedColumn(key.column, .lowCardinality) == nil ? 3 : 1
    }

    /// The columns that are read before sorting. Columns with many distinct strings are read later, one at a time.
    static func requests(_ keys: [ResolvedSortKey]) -> [LoadedColumns.Request] {
        keys.map { key in
            switch key.ordering {
            case .text, .natural: LoadedColumns.Request(column: key.column, form: .lowCardinality)
            case .number, .temporal, .flag: LoadedColumns.Request(column: key.column, form: .values(key.ordering))
            }
        }
    }

    /// The maximum memory for sorting `count` records, in bytes, without the result and the bytes of strings.
    static func maximumBytes(_ keys: [ResolvedSortKey], count: Int) -> Int {
        let requests = Set(requests(keys))
        // A value takes nine bytes: eight, and one for its class. A field number takes four bytes.
        let columns = requests.reduce(0) { $0 + ($1.form == .lowCardinality ? 4 : 9) }
        let hasTexts = requests.contains { $0.form == .lowCardinality }
        // While sorting by a key, memory is needed for the current order, the new order and the items of the sort.
        let work = max(count > SlotSort.packedLimit ? 36 : 12, hasTexts ? 41 : 0)
        return count * (columns + 4 + work)
    }

    /// Orders the slots that are equal in a key, and collects their positions.
    struct TieBreak {
        let isBefore: (_ a: UInt32, _ b: UInt32) -> Bool
        /// Receives each position whose slot has the same key as the slot at the previous position.
        let repeated: BitSet
    }

    /// The records in sorted order.
    /// - Parameters:
    ///   - reportFirstRecords: called with the first records when they are known.
    ///   - ties: orders slots that are equal in the least significant key; if `nil`, they keep the given order.
    func records(reportFirstRecords: ((RowNumbers) throws -> Void)? = nil, breaking ties: TieBreak? = nil) throws -> RowNumbers {
        var order = try selection.slotArray()
        // Each sort is stable, so sorting by the least significant key first gives the order by all keys.
        for (index, key) in keys.enumerated().reversed() {
            order = try control.withPart(of: selection.positionCount * sortCost(key)) {
                try sorted(order, by: key, index == 0 ? reportFirstRecords : nil, index == keys.count - 1 ? ties : nil, $0)
            }
        }
        try control.checkCancellation()
        return try selection.records(at: order)
    }

    /// The slots sorted by one key.
    /// - Parameter order: the order that slots with equal keys keep; `nil` for ascending.
    private func sorted(
        _ order: UnsafeArray<UInt32>?, by key: ResolvedSortKey, _ reportFirstRecords: ((RowNumbers) throws -> Void)?, _ ties: TieBreak?,
        _ control: JobControl
    ) throws -> UnsafeArray<UInt32> {
        func report(
            _ slots: UnsafeArray<UInt32>?, count: Int, _ precedes: (Int, Int) -> Bool,
            visit: ((Range<Int>, Int, (Int) throws -> Void) throws -> Void)? = nil
        ) throws {
            guard let reportFirstRecords, count >= SortJob.minimumReportedCount else { return }
            let first = try FirstSlots(limit: SortJob.firstCount, threads: threads, control: control)
                .find(slots, count: count, precedes, visit: visit)
            try reportFirstRecords(try selection.records(at: UnsafeArray(first)))
        }
        let sort = SlotSort(threads: threads, control: control)
        if let values = columns.values(LoadedColumns.Request(column: key.column, form: .values(key.ordering))) {
            func precedes(_ a: Int, _ b: Int) -> Bool {
                key.isDescending ? values.key(a) > values.key(b) : values.key(a) < values.key(b)
            }
            if values.hasOnlyValues {
                // If different numbers can have equal keys, their order is not final yet. The first rows are then not reported.
                if values.ambiguousDoubles == nil {
                    try report(order, count: selection.positionCount, precedes) { range, last, body in
                        try values.forEachSlot(in: range, notAfter: last, isDescending: key.isDescending, body)
                    }
                }
                let sorted = try sort.sort(order, count: selection.positionCount, keys: values, isDescending: key.isDescending)
                let starts = try sortRunsByExactNumbers(sorted, sorted.count, values, key)
                return try sortedTies(sorted, ties) {
                    try findRepeated(sorted, 0..<sorted.count, except: starts, $0) { values.key(Int($0)) }
                }
            }
            var slotsByClass = try splitByClass(order) { values.kind($0) }
            if values.ambiguousDoubles == nil { try report(slotsByClass[0], count: slotsByClass[0].count, precedes) }
            slotsByClass[0] = try sort.sort(slotsByClass[0], count: slotsByClass[0].count, keys: values, isDescending: key.isDescending)
            let unreadable = Int(FieldClass.unreadable.rawValue)
            slotsByClass[unreadable] = try sortedByFields(slotsByClass[unreadable], column: key.column, by: .text)
            let (sorted, valueCount) = (try joined(slotsByClass), slotsByClass[0].count)
            let starts = try sortRunsByExactNumbers(sorted, valueCount, values, key)
            return try sortedTies(sorted, ties) { repeated in
                try findRepeated(sorted, 0..<valueCount, except: starts, repeated) { values.key(Int($0)) }
                try findRepeated(sorted, valueCount..<sorted.count, repeated) { UInt64(values.kind(Int($0))) }
            }
        }
        if let numbers = columns.numberedColumn(key.column, .lowCardinality), key.ordering.isText {
            let ranks = try control.withPart(of: 0) {
                try numbers.fields.ranks(
                    key.ordering, isDescending: key.isDescending, limit: KeyColumn.maximumKeyBytes, threads: threads, control: $0)
            }
            let keys = try RankKeys(numbers, ranks: ranks)
            try report(order, count: selection.positionCount, { keys.key($0) < keys.key($1) })
            let sorted = try sort.sort(order, count: selection.positionCount, keys: keys, isDescending: false)
            return try sortedTies(sorted, ties) { try findRepeated(sorted, 0..<sorted.count, $0) { keys.key(Int($0)) } }
        }
        control.begin(total: selection.slotCount + selection.positionCount * 2)
        let column = try KeyColumn(
            key.column, by: key.ordering, of: table, selection, budget: budget, threads: threads, control: control)
        var slotsByClass = try splitByClass(order) { column.fieldClasses[$0] }
        try report(slotsByClass[0], count: slotsByClass[0].count) { key.isDescending ? column.precedes($1, $0) : column.precedes($0, $1) }
        slotsByClass[0] = try control.withPart(of: selection.positionCount * 2) {
            try TextSort(column: column, isDescending: key.isDescending, threads: threads, control: $0)
                .sort(slotsByClass[0], repeated: ties?.repeated)
        }
        let (sorted, valueCount) = (try joined(slotsByClass), slotsByClass[0].count)
        return try sortedTies(sorted, ties) {
            try findRepeated(sorted, valueCount..<sorted.count, $0) { UInt64(column.fieldClasses[Int($0)]) }
        }
    }

    /// Finds runs of slots with equal keys that may stand for different numbers, and sorts each run by the exact numbers. The numbers are
    /// read from the table again, because such runs are usually few.
    /// - Parameter count: the number of slots that have a value. They are the first slots of `order`.
    /// - Returns: the positions at which the number differs from the previous number, even if their keys are equal; `nil` without such
    ///   runs.
    private func sortRunsByExactNumbers(
        _ order: UnsafeArray<UInt32>, _ count: Int, _ values: ValueVector, _ key: ResolvedSortKey
    ) throws -> BitSet? {
        guard let ambiguousDoubles = values.ambiguousDoubles else { return nil }
        var positions: [UInt32] = []
        var start = 0
        while start < count {
            let runKey = values.key(Int(order[start]))
            var (end, isShared) = (start, false)
            while end < count, values.key(Int(order[end])) == runKey {
                try control.checkCancellation(at: end)
                isShared = isShared || ambiguousDoubles[Int(order[end])]
                end += 1
            }
            if isShared, end > start + 1 {
                try positions.makeRoom(for: end - start)
                for position in start..<end { positions.append(UInt32(truncatingIfNeeded: position)) }
            }
            start = end
        }
        guard !positions.isEmpty else { return nil }
        let slots = try UnsafeArray<UInt32>(count: positions.count)
        for (index, position) in positions.enumerated() { slots[index] = order[Int(position)] }
        // The order of exact numbers agrees with the order of their keys, so the slots of all runs can be sorted together.
        let repeated = try BitSet(count: positions.count)
        let sorted = try sortedByFields(
            slots, column: key.column, by: key.ordering, isDescending: key.isDescending, repeated: repeated)
        let starts = try BitSet(count: count)
        for (index, position) in positions.enumerated() {
            order[Int(position)] = sorted[index]
            if !repeated[index] { starts.insert(Int(position)) }
        }
        return starts
    }

    /// Inserts into `repeated` the positions in `range` at which `valueOfSlot` returns the same value as at the previous position.
    /// - Parameter starts: positions that are not inserted, because a different number starts there.
    private func findRepeated(
        _ order: UnsafeArray<UInt32>, _ range: Range<Int>, except starts: BitSet? = nil, _ repeated: BitSet,
        _ valueOfSlot: (UInt32) -> UInt64
    ) throws {
        // The slots are scattered in memory. Many marks are computed at once, so that the waits for memory overlap.
        let marks = try UnsafeArray<UInt64>(count: 1024)
        var first = range.lowerBound
        while first + 1 < range.upperBound {
            try control.checkCancellation()
            let count = min(marks.count, range.upperBound - first)
            for offset in 0..<count { marks[offset] = valueOfSlot(order[first + offset]) }
            for offset in 1..<count where marks[offset] == marks[offset - 1] && !(starts?[first + offset] ?? false) {
                repeated.insert(first + offset)
            }
            first += count - 1
        }
    }

    /// Applies `ties` to each run of slots that are equal in the key. Sorts `order` in place and returns it.
    /// - Parameter find: inserts into the `repeated` set of `ties` all missing positions whose slot is equal to the previous one.
    private func sortedTies(_ order: UnsafeArray<UInt32>, _ ties: TieBreak?, _ find: (BitSet) throws -> Void) throws -> UnsafeArray<UInt32>
    {
        guard let ties else { return order }
        try find(ties.repeated)
        var comparisons = 0
        var next = ties.repeated.firstElement(from: 1)
        while let second = next {
            try control.checkCancellation()
            let start = second - 1
            var end = second + 1
            while end < order.count, ties.repeated[end] { end += 1 }
            var run = UnsafeMutableBufferPointer(start: order.base + start, count: end - start)
            try run.sort {
                comparisons += 1
                try control.checkCancellation(at: comparisons)
                return ties.isBefore($0, $1)
            }
            next = ties.repeated.firstElement(from: end + 1)
        }
        return order
    }

    /// Divides the slots by class, in the order of the classes. Slots of one class keep their order.
    private func splitByClass(_ order: UnsafeArray<UInt32>?, _ kind: (Int) -> UInt8) throws -> [UnsafeArray<UInt32>] {
        var counts = [Int](repeating: 0, count: Int(FieldClass.missing.rawValue) + 1)
        for position in 0..<selection.positionCount {
            try control.checkCancellation(at: position)
            counts[Int(kind(order.map { Int($0[position]) } ?? position))] += 1
        }
        let slots = try counts.map { try UnsafeArray<UInt32>(count: $0) }
        var ends = counts.map { _ in 0 }
        for position in 0..<selection.positionCount {
            try control.checkCancellation(at: position)
            let slot = order.map { Int($0[position]) } ?? position
            let fieldClass = Int(kind(slot))
            slots[fieldClass][ends[fieldClass]] = UInt32(slot)
            ends[fieldClass] += 1
        }
        return slots
    }

    private func joined(_ lists: [UnsafeArray<UInt32>]) throws -> UnsafeArray<UInt32> {
        let all = try UnsafeArray<UInt32>(count: lists.reduce(0) { $0 + $1.count })
        var end = 0
        for list in lists {
            (all.base + end).update(from: list.base, count: list.count)
            end += list.count
        }
        return all
    }

    /// Sorts some slots by their fields. The fields are read from the table again, because such slots are usually few.
    /// - Parameter repeated: receives the positions where the field equals the field of the previous slot.
    private func sortedByFields(
        _ slots: UnsafeArray<UInt32>, column: Int, by ordering: SortOrdering, isDescending: Bool = false, repeated: BitSet? = nil
    ) throws -> UnsafeArray<UInt32> {
        guard slots.count > 1 else { return slots }
        let records = try selection.records(at: slots)
        let part = try RecordSelection(order: records, recordCount: table.recordCount, shortLimit: control.shortLimit)
        // Sorting takes 41 bytes per slot, and the records and slots in this function take 20.
        let text = try control.withPart(of: 0) {
            try KeyColumn(column, by: ordering, of: table, part, budget: budget - slots.count * 61, threads: threads, control: $0)
        }
        let order = try UnsafeArray<UInt32>(count: slots.count)
        for position in 0..<slots.count { order[position] = part.slots?[position] ?? UInt32(position) }
        let sorted = try control.withPart(of: 0) {
            try TextSort(column: text, isDescending: isDescending, threads: threads, control: $0).sort(order, repeated: repeated)
        }
        // The sorted slots are slots of `part`, the smaller selection. They are converted back to slots of the whole job.
        let slotOfPart = try UnsafeArray<UInt32>(count: part.slotCount, repeating: 0)
        for position in 0..<slots.count { slotOfPart[Int(part.slots?[position] ?? UInt32(position))] = slots[position] }
        for position in 0..<sorted.count { sorted[position] = slotOfPart[Int(sorted[position])] }
        return sorted
    }
}
