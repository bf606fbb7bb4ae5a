import Tables
import FieldValues

/// The records of a table sorted by `keys`, most significant first. Ties keep the given order.
/// - Parameters:
///   - records: the distinct records to sort; `nil` for all, ascending. Records that the table does not have are ignored.
///   - reportFirst: called on the caller's thread with the first records of the order as soon as they are known. At most once, and only if
///     the rest takes longer.
/// - Returns: the sorted records. The result does not depend on `threads`.
/// - Throws: ``TooManyRows`` for more than 2^32 − 1 records, ``JobCancelled``, or the table's error.
/// - Complexity: one scan of all columns that are not cached, and one more for each text column with more than 65,536 distinct fields. O(n)
///   work for each key. O(n) without a scan if `store` has all records in this order. Memory for n records: 16 bytes × n. Columns of
///   numbers, dates or flags take 0 to 8 bytes × n each, and strings with few distinct fields 4 bytes × n. Other strings take 41 bytes × n
///   and the bytes of the column (up to twice that for natural order), one key at a time. Numbers with equal doubles and more than 15
///   digits are read again, and take 65 bytes each and half a byte for each digit. If this may exceed the budget of `store`,
///   ``ExternalSort`` is used.
func sortedRecords(
    of table: any Table, by keys: [ResolvedSortKey], within records: RowNumbers? = nil, store: ColumnStore? = nil, threads: Int,
    control: JobControl, reportFirst: ((RowNumbers) throws -> Void)? = nil
) throws -> RowNumbers {
    try control.checkCount(records?.count ?? table.recordCount)
    let item = ColumnStore.Item.order(keys)
    if let all = (store?.content(item, of: table) as? StoredOrder)?.records {
        guard let records else { return all }
        if records.isAscending(strictly: true) { return RowNumbers(try filtered(records, from: all.short, control: control)) }
    }
    let sorted = try sortedUncached(
        of: table, by: keys, within: records, store: store, threads: max(1, threads), control: control, reportFirst)
    if records == nil, !keys.isEmpty { store?.keep(StoredOrder(records: sorted), item, of: table) }
    return sorted
}

/// The first records of an order as ``sortedRecords(of:by:within:store:threads:control:reportFirst:)`` returns it: at least `limit`, or
/// all. A `limit` of ``SortJob/firstCount`` or less is faster.
func firstSortedRecords(
    _ limit: Int, of table: any Table, by keys: [ResolvedSortKey], within records: RowNumbers?, store: ColumnStore?, threads: Int,
    control: JobControl
) throws -> RowNumbers {
    struct FirstRecords: Error { let records: RowNumbers }
    let stored = keys.count == 1 ? SortJob.requests(keys).map { ColumnStore.Item.column($0) } + [.order(keys)] : []
    if keys.count == 1, stored.allSatisfy({ store?.content($0, of: table) == nil }) {
        try control.checkCount(records?.count ?? table.recordCount)
        let selection = try RecordSelection(order: records, recordCount: table.recordCount, shortLimit: control.shortLimit)
        let first = try control.part(of: 0) {
            try FirstValues.records(of: table, selection, by: keys[0], limit: limit, threads: max(1, threads), control: $0)
        }
        if let first { return first }
    }
    do {
        return try sortedRecords(of: table, by: keys, within: records, store: store, threads: threads, control: control) {
            if $0.count >= limit { throw FirstRecords(records: $0) }
        }
    } catch let first as FirstRecords {
        return first.records
    }
}

/// Sorts in memory, or with a file if the memory might not be sufficient.
private func sortedUncached(
    of table: any Table, by keys: [ResolvedSortKey], within records: RowNumbers?, store: ColumnStore?, threads: Int, control: JobControl,
    _ reportFirst: ((RowNumbers) throws -> Void)?
) throws -> RowNumbers {
    guard let store, let scratch = store.scratch, !keys.isEmpty else {
        return try SortJob(table, keys, records, store, threads: threads, control: control, usesCodes: true)
            .records(reportFirst: reportFirst)
    }
    // An external sort after a failed attempt might report the same records again.
    let isReported = Flag()
    let reportFirst = reportFirst.map { report in
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
            ).records(reportFirst: reportFirst)
        } catch is BudgetExceeded {
            // The length of strings is known only after reading.
        } catch is OutOfMemory {
            // The system may provide less memory than the budget.
        }
    }
    store.makeRoom(for: store.budget, keeping: [], of: table)
    let selection = try RecordSelection(order: records, recordCount: table.recordCount, shortLimit: control.shortLimit)
    var budget = store.budget
    while true {
        do {
            return try ExternalSort(
                table: table, keys: keys, selection: selection, budget: budget, scratch: scratch, threads: threads, control: control
            ).records(reportFirst: reportFirst)
        } catch let error as OutOfMemory {
            // The system provides less memory than the budget.
            budget /= 4
            if budget < ExternalSort.minimumBudget { throw error }
        }
    }
}

/// The elements of `all` that are in `records`, which must be ascending. The result equals a sort of `records`, because ties are ascending
/// in both.
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
                // Every record is written, and overwritten by the next one unless it is selected. A mispredicted branch would cost more.
                picked.initializeElement(at: count, to: record)
                count += selected[Int(record)] ? 1 : 0
            }
        }
    }
}

extension RecordSelection {
    /// A copy of the slot of each position; `nil` if positions equal slots.
    func slotArray() throws -> UnsafeArray<UInt32>? { try slots.map { try UnsafeArray($0) } }

    /// The records at `slots`; `nil` for all, ascending.
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

/// Sorts records in memory, by one key after the other.
struct SortJob {
    /// The number of records that are reported before the rest is sorted: several screens.
    static let firstCount = 400
    /// The minimum number of records for a report. Fewer are sorted before a user could see the report.
    static let minimumReportedCount = 1 << 18

    private let table: any Table
    private let keys: [ResolvedSortKey]
    private let columns: ColumnSet
    /// The memory limit of strings, in addition to ``maximumBytes(_:count:)``.
    private let budget: Int
    private let threads: Int
    private let control: JobControl

    private var selection: RecordSelection { columns.selection }

    /// Reads the required columns of the table.
    /// - Parameter usesCodes: true to check for few distinct strings; false if they are known to be many.
    init(
        _ table: any Table, _ keys: [ResolvedSortKey], _ records: RowNumbers?, _ store: ColumnStore? = nil, budget: Int = .max,
        threads: Int,
        control: JobControl, usesCodes: Bool
    ) throws {
        (self.table, self.keys, self.budget, self.threads, self.control) = (table, keys, budget, max(1, threads), control)
        let count = records?.count ?? table.recordCount
        // The number of distinct strings is not known yet, so a text key is estimated at twice the cost of a number. The total is corrected
        // when the columns have been read.
        control.begin(total: table.recordCount + count * keys.reduce(0) { $0 + ($1.ordering.isText ? 2 : 1) })
        let requests = usesCodes ? Self.requests(keys) : Self.requests(keys).filter { $0.form != .lowCardinality }
        columns = try ColumnSet(requests, records: records, of: table, store: store, threads: self.threads, control: control)
        control.begin(total: selection.slotCount + selection.positionCount * keys.reduce(0) { $0 + units($1) })
        control.advance(by: selection.slotCount)
    }

    /// The relative cost of a key in addition to reading its column. A column of many distinct strings is read again, and its strings are
    /// compared.
    private func units(_ key: ResolvedSortKey) -> Int {
        key.ordering.isText && columns.numberedColumn(key.column, .lowCardinality) == nil ? 3 : 1
    }

    /// The columns that can be read first.
    static func requests(_ keys: [ResolvedSortKey]) -> [ColumnSet.Request] {
        keys.map { key in
            switch key.ordering {
            case .text, .natural: ColumnSet.Request(column: key.column, form: .lowCardinality)
            case .number, .temporal, .flag: ColumnSet.Request(column: key.column, form: .values(key.ordering))
            }
        }
    }

    /// The maximum memory for sorting `count` records in addition to the result, without the bytes of strings.
    static func maximumBytes(_ keys: [ResolvedSortKey], count: Int) -> Int {
        let requests = Set(requests(keys))
        // Eight bytes for a value and one for its class, or four bytes for a field number.
        let columns = requests.reduce(0) { $0 + ($1.form == .lowCardinality ? 4 : 9) }
        let hasTexts = requests.contains { $0.form == .lowCardinality }
        // Memory for the current order, and for the next order with its items during the sort by a key.
        let work = max(count > SlotSort.packedLimit ? 36 : 12, hasTexts ? 41 : 0)
        return count * (columns + 4 + work)
    }

    /// The rule that orders slots with equal keys.
    struct Ties {
        let isBefore: (_ a: UInt32, _ b: UInt32) -> Bool
        /// Receives the positions whose slot has the same key as the slot at the previous position.
        let repeated: BitSet
    }

    /// The records in sorted order.
    /// - Parameter ties: the order of slots that are equal in the least significant key; if `nil`, they keep the given order.
    func records(reportFirst: ((RowNumbers) throws -> Void)? = nil, breaking ties: Ties? = nil) throws -> RowNumbers {
        var order = try selection.slotArray()
        // Stable sorts, least significant key first.
        for (index, key) in keys.enumerated().reversed() {
            order = try control.part(of: selection.positionCount * units(key)) {
                try sorted(order, by: key, index == 0 ? reportFirst : nil, index == keys.count - 1 ? ties : nil, $0)
            }
        }
        try control.checkCancellation()
        return try selection.records(at: order)
    }

    /// The slots sorted by one key. Ties keep the order of `order` (`nil` for ascending).
    private func sorted(
        _ order: UnsafeArray<UInt32>?, by key: ResolvedSortKey, _ reportFirst: ((RowNumbers) throws -> Void)?, _ ties: Ties?,
        _ control: JobControl
    ) throws -> UnsafeArray<UInt32> {
        func report(
            _ slots: UnsafeArray<UInt32>?, count: Int, _ precedes: (Int, Int) -> Bool,
            visit: ((Range<Int>, Int, (Int) throws -> Void) throws -> Void)? = nil
        ) throws {
            guard let reportFirst, count >= SortJob.minimumReportedCount else { return }
            let first = try FirstSlots(limit: SortJob.firstCount, threads: threads, control: control)
                .find(slots, count: count, precedes, visit: visit)
            try reportFirst(try selection.records(at: UnsafeArray(first)))
        }
        let sort = SlotSort(threads: threads, control: control)
        if let values = columns.values(ColumnSet.Request(column: key.column, form: .values(key.ordering))) {
            func precedes(_ a: Int, _ b: Int) -> Bool {
                key.isDescending ? values.key(a) > values.key(b) : values.key(a) < values.key(b)
            }
            if values.hasOnlyValues {
                // The first rows are reported only in their final order.
                if values.shared == nil {
                    try report(order, count: selection.positionCount, precedes) { range, last, body in
                        try values.forEachSlot(in: range, notAfter: last, isDescending: key.isDescending, body)
                    }
                }
                let sorted = try sort.sort(order, count: selection.positionCount, keys: values, isDescending: key.isDescending)
                let starts = try separate(sorted, sorted.count, values, key)
                return try sortedTies(sorted, ties) {
                    try findRepeated(sorted, 0..<sorted.count, except: starts, $0) { values.key(Int($0)) }
                }
            }
            var parts = try split(order) { values.kind($0) }
            if values.shared == nil { try report(parts[0], count: parts[0].count, precedes) }
            parts[0] = try sort.sort(parts[0], count: parts[0].count, keys: values, isDescending: key.isDescending)
            let unreadable = Int(FieldClass.unreadable.rawValue)
            parts[unreadable] = try sortedByFields(parts[unreadable], column: key.column, by: .text)
            let (sorted, valueCount) = (try joined(parts), parts[0].count)
            let starts = try separate(sorted, valueCount, values, key)
            return try sortedTies(sorted, ties) { repeated in
                try findRepeated(sorted, 0..<valueCount, except: starts, repeated) { values.key(Int($0)) }
                try findRepeated(sorted, valueCount..<sorted.count, repeated) { UInt64(values.kind(Int($0))) }
            }
        }
        if let numbers = columns.numberedColumn(key.column, .lowCardinality), key.ordering.isText {
            let ranks = try control.part(of: 0) {
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
        var parts = try split(order) { column.fieldClasses[$0] }
        try report(parts[0], count: parts[0].count) { key.isDescending ? column.precedes($1, $0) : column.precedes($0, $1) }
        parts[0] = try control.part(of: selection.positionCount * 2) {
            try TextSort(column: column, isDescending: key.isDescending, threads: threads, control: $0)
                .sort(parts[0], repeated: ties?.repeated)
        }
        let (sorted, valueCount) = (try joined(parts), parts[0].count)
        return try sortedTies(sorted, ties) {
            try findRepeated(sorted, valueCount..<sorted.count, $0) { UInt64(column.fieldClasses[Int($0)]) }
        }
    }

    /// Sorts the slots of each run of equal keys that may be keys of different numbers. The numbers are read again, because such runs are
    /// usually few.
    /// - Parameter count: the number of slots that have a value. They are the first slots of `order`.
    /// - Returns: the positions whose number differs from the previous one although their keys may be equal; `nil` without such keys.
    private func separate(
        _ order: UnsafeArray<UInt32>, _ count: Int, _ values: ValueVector, _ key: ResolvedSortKey
    ) throws -> BitSet? {
        guard let shared = values.shared else { return nil }
        var positions: [UInt32] = []
        var start = 0
        while start < count {
            let runKey = values.key(Int(order[start]))
            var (end, isShared) = (start, false)
            while end < count, values.key(Int(order[end])) == runKey {
                try control.checkCancellation(at: end)
                isShared = isShared || shared[Int(order[end])]
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
        // Exact numbers have the order of their keys, so the slots of all runs can be sorted together.
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

    /// Inserts into `repeated` the positions of a range whose mark equals the mark at the previous position.
    /// - Parameter starts: positions that are not inserted.
    private func findRepeated(
        _ order: UnsafeArray<UInt32>, _ range: Range<Int>, except starts: BitSet? = nil, _ repeated: BitSet, _ mark: (UInt32) -> UInt64
    ) throws {
        // Slots are at random addresses. Many marks are loaded at once to overlap the memory accesses.
        let marks = try UnsafeArray<UInt64>(count: 1024)
        var first = range.lowerBound
        while first + 1 < range.upperBound {
            try control.checkCancellation()
            let count = min(marks.count, range.upperBound - first)
            for offset in 0..<count { marks[offset] = mark(order[first + offset]) }
            for offset in 1..<count where marks[offset] == marks[offset - 1] && !(starts?[first + offset] ?? false) {
                repeated.insert(first + offset)
            }
            first += count - 1
        }
    }

    /// Sorts the slots of each run of ties.
    /// - Parameter find: inserts the positions of ties that are not known yet.
    private func sortedTies(_ order: UnsafeArray<UInt32>, _ ties: Ties?, _ find: (BitSet) throws -> Void) throws -> UnsafeArray<UInt32> {
        guard let ties else { return order }
        try find(ties.repeated)
        var comparisons = 0
        var next = ties.repeated.first(from: 1)
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
            next = ties.repeated.first(from: end + 1)
        }
        return order
    }

    /// The slots of each class in their previous order.
    private func split(_ order: UnsafeArray<UInt32>?, _ kind: (Int) -> UInt8) throws -> [UnsafeArray<UInt32>] {
        var counts = [Int](repeating: 0, count: Int(FieldClass.missing.rawValue) + 1)
        for position in 0..<selection.positionCount {
            try control.checkCancellation(at: position)
            counts[Int(kind(order.map { Int($0[position]) } ?? position))] += 1
        }
        let parts = try counts.map { try UnsafeArray<UInt32>(count: $0) }
        var ends = counts.map { _ in 0 }
        for position in 0..<selection.positionCount {
            try control.checkCancellation(at: position)
            let slot = order.map { Int($0[position]) } ?? position
            let part = Int(kind(slot))
            parts[part][ends[part]] = UInt32(slot)
            ends[part] += 1
        }
        return parts
    }

    private func joined(_ parts: [UnsafeArray<UInt32>]) throws -> UnsafeArray<UInt32> {
        let all = try UnsafeArray<UInt32>(count: parts.reduce(0) { $0 + $1.count })
        var end = 0
        for part in parts {
            (all.base + end).update(from: part.base, count: part.count)
            end += part.count
        }
        return all
    }

    /// Sorts slots by their fields. They are usually few, so they are read again instead of being cached.
    /// - Parameter repeated: receives the positions of slots whose field equals the one before.
    private func sortedByFields(
        _ slots: UnsafeArray<UInt32>, column: Int, by ordering: SortOrdering, isDescending: Bool = false, repeated: BitSet? = nil
    ) throws -> UnsafeArray<UInt32> {
        guard slots.count > 1 else { return slots }
        let records = try selection.records(at: slots)
        let part = try RecordSelection(order: records, recordCount: table.recordCount, shortLimit: control.shortLimit)
        // Each slot takes 41 bytes for sorting, in addition to the records and slots in this function.
        let text = try control.part(of: 0) {
            try KeyColumn(column, by: ordering, of: table, part, budget: budget - slots.count * 61, threads: threads, control: $0)
        }
        let order = try UnsafeArray<UInt32>(count: slots.count)
        for position in 0..<slots.count { order[position] = part.slots?[position] ?? UInt32(position) }
        let sorted = try control.part(of: 0) {
            try TextSort(column: text, isDescending: isDescending, threads: threads, control: $0).sort(order, repeated: repeated)
        }
        // Converts slots of the part to slots of the whole.
        let slotOfPart = try UnsafeArray<UInt32>(count: part.slotCount, repeating: 0)
        for position in 0..<slots.count { slotOfPart[Int(part.slots?[position] ?? UInt32(position))] = slots[position] }
        for position in 0..<sorted.count { sorted[position] = slotOfPart[Int(sorted[position])] }
        return sorted
    }
}
