public import DataGrid
import FieldValues

/// The records of a table in nested groups, one level for each of `keys`, the first outermost.
///
/// Records whose fields are the same bytes are in one group; blank and missing fields are one group, the last of its level.
/// - Parameters:
///   - order: the records, each once, in the order they are to have within groups; `nil` for all, ascending.
///   - sort: the keys that have put all records in `order`, or none for all, ascending; then the result is kept in `store`, and taken
///     from there. `nil`: it is another order, or not of all.
///   - store: where columns are kept that were read before.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: one scan of all columns together, a further one for each column of keys with more than 65,536 different fields and
///   each whose different fields are counted; O(n) work for each column, and O(g log g) for g groups. Memory: for n records 16 bytes × n,
///   2 bytes × n for each level (4 where more than 65,536 fields differ), up to 8 bytes × n for each column that is aggregated; the
///   different fields of a column once.
public func groupedRecords(
    of table: any RecordTable, by keys: [GroupKey], order: [UInt32]? = nil, sortedBy sort: [SortKey]? = nil,
    aggregates: [AggregateRequest] = [], store: ColumnStore? = nil, threads: Int, control: JobControl
) throws -> GroupResult {
    let item = sort.map { ColumnStore.Item.groups(keys, $0, aggregates) }
    if let item, let result = store?.content(item, of: table) as? GroupResult { return result }
    let threads = max(1, threads)
    control.begin(total: table.recordCount + (order?.count ?? table.recordCount) * keys.count)
    let requests = keys.map { ColumnSet.Request(column: $0.column, ordering: nil) } + AggregateJob.requests(aggregates)
    let columns = try ColumnSet(requests, records: order, of: table, store: store, threads: threads, control: control)
    let selection = columns.selection
    control.begin(total: selection.slotCount + selection.positionCount * keys.count)
    control.advance(by: selection.slotCount)

    let levels = try keys.map { key in
        try GroupLevel(columns.codes(key.column), key, of: table, selection, threads: threads, control: control)
    }
    // A group is a run of the same ranks, so stable sorts from the innermost level to the outermost bring them together.
    var sorted = selection.slotStorage()
    for level in levels.reversed() {
        sorted = try level.sorted(sorted, count: selection.positionCount, threads: threads, control: control)
        control.advance(by: selection.positionCount)
    }
    let order = sorted ?? Storage(count: 0)
    let groups = keys.isEmpty ? [] : try groups(in: order, selection.positionCount, levels, control)
    let figures = AggregateJob(table: table, columns: columns, threads: threads, control: control)
    let values = try figures.values(aggregates, order: order, groups: groups, levels: levels)
    let result = GroupResult(order: selection.records(of: sorted), groups: groups, values: values, valuesPerGroup: aggregates.count)
    if let item { store?.keep(result, item, of: table) }
    return result
}

/// One level: the field of each slot as the rank of its group.
struct GroupLevel {
    private enum Column {
        case codes(CodeVector)
        case numbers(DistinctColumn)
    }
    private let column: Column
    private let ranks: [UInt32]

    /// - Parameter codes: the column as codes, if it could be had so.
    init(
        _ codes: CodeVector?, _ key: GroupKey, of table: any RecordTable, _ selection: RecordSelection, threads: Int, control: JobControl
    ) throws {
        if let codes {
            column = .codes(codes)
            ranks = try codes.groupRanks(key.ordering, isDescending: key.isDescending, threads: threads, control: control)
        } else {
            control.extend(by: selection.slotCount)
            let numbers = try DistinctColumn(key.column, of: table, selection, threads: threads, control: control)
            column = .numbers(numbers)
            ranks = try numbers.groupRanks(key.ordering, isDescending: key.isDescending, threads: threads, control: control)
        }
    }

    @inline(__always)
    func rank(_ slot: Int) -> UInt32 {
        switch column {
        case .codes(let codes): ranks[Int(codes.codes[slot])]
        case .numbers(let numbers): ranks[Int(numbers.numbers[slot])]
        }
    }

    func text(_ slot: Int) -> String {
        switch column {
        case .codes(let codes): ByteDictionary.text(codes.bytes(Int(codes.codes[slot])))
        case .numbers(let numbers): ByteDictionary.text(numbers.bytes(Int(numbers.numbers[slot])))
        }
    }

    func sorted(_ slots: Storage<UInt32>?, count: Int, threads: Int, control: JobControl) throws -> Storage<UInt32> {
        let sort = KeySort(threads: threads, control: control)
        switch column {
        case .codes(let codes):
            let keys = RankKeys(codes.codes, count: codes.count, ranks: ranks)
            return try sort.sort(slots, count: count, keys: keys, isDescending: false)
        case .numbers(let numbers):
            let keys = RankKeys(numbers.numbers, count: numbers.numbers.count, ranks: ranks)
            return try sort.sort(slots, count: count, keys: keys, isDescending: false)
        }
    }

    /// A number for each slot of the fields it may hold, when they are few: how many, and by slot.
    var fewCodes: CodeVector? {
        if case .codes(let codes) = column { return codes }
        return nil
    }

    func rank(ofCode code: Int) -> UInt32 { ranks[code] }
}

/// Where fields change along the sorted slots: a change at one level begins a group there and at all levels inside.
private func groups(in sorted: Storage<UInt32>, _ count: Int, _ levels: [GroupLevel], _ control: JobControl) throws -> [GroupResult.Group] {
    var groups: [GroupResult.Group] = []
    var open = [Int](repeating: -1, count: levels.count)
    var last = [UInt32](repeating: 0, count: levels.count)
    var position = 0
    while position < count {
        if position & 0xFFF == 0 { try control.checkCancellation() }
        let slot = Int(sorted[position])
        var changes = position == 0
        for level in levels.indices {
            let rank = levels[level].rank(slot)
            if rank != last[level] { changes = true }
            guard changes else { continue }
            last[level] = rank
            if open[level] >= 0 { groups[open[level]].rows = groups[open[level]].rows.lowerBound..<position }
            open[level] = groups.count
            groups.append(GroupResult.Group(level: level, key: levels[level].text(slot), rows: position..<count))
        }
        // Large groups are leapt through: twice as far each time, then by halves.
        func isSame(_ position: Int) -> Bool {
            let slot = Int(sorted[position])
            return levels.indices.allSatisfy { levels[$0].rank(slot) == last[$0] }
        }
        var step = 1
        var same = position
        while same + step < count, isSame(same + step) {
            same += step
            step *= 2
        }
        var end = min(count, same + step)
        while end - same > 1 {
            let middle = (same + end) / 2
            if isSame(middle) { same = middle } else { end = middle }
        }
        position = same + 1
    }
    return groups
}
