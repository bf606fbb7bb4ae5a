public import DataGrid

/// The records of a table in nested groups, one level for each of `keys`, the first outermost.
///
/// Records whose fields are the same bytes are in one group; blank and missing fields are one group, the last of its level.
/// - Parameters:
///   - order: the records, each once, in the order they are to have within groups; `nil` for all, ascending.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: for each level and each column that is aggregated one scan and O(n) work, and O(g log g) for g groups. Memory: for n
///   records 4 bytes × n for each level and 32 bytes × n; the different fields of a column once.
public func groupedRecords(
    of table: any RecordTable, by keys: [GroupKey], order: [UInt32]? = nil, aggregates: [AggregateRequest] = [], threads: Int,
    control: JobControl
) throws -> GroupResult {
    let threads = max(1, threads)
    let selection = RecordSelection(order: order, recordCount: table.recordCount)
    let aggregated = Set(aggregates.map(\.column)).count
    control.begin(total: selection.slotCount * (keys.count + aggregated) + selection.positionCount * keys.count)

    var sorted = Storage<UInt32>(count: selection.positionCount)
    for position in 0..<sorted.count { sorted[position] = selection.slots?[position] ?? UInt32(position) }
    var levels: [GroupLevel] = []
    for key in keys {
        let column = try DistinctColumn(key.column, of: table, selection, threads: threads, control: control)
        levels.append(try GroupLevel(column, key, threads: threads, control: control))
    }
    let sort = KeySort(threads: threads, control: control)
    for level in levels.reversed() {
        let ranks = Storage<UInt64>(count: selection.slotCount)
        try forEachRange(of: selection.slotCount, threads: threads, control: control) { _, range in
            for slot in range { ranks[slot] = UInt64(level.rank(slot)) }
        }
        sorted = try sort.sort(sorted, count: sorted.count, keys: ranks, isDescending: false)
        control.advance(by: selection.positionCount)
    }
    let groups = try groups(in: sorted, levels, control)
    let figures = AggregateJob(
        table: table, selection: selection, order: sorted, groups: groups, levels: levels.count, threads: threads, control: control)
    let values = try figures.values(aggregates)
    return GroupResult(order: selection.records(of: sorted), groups: groups, values: values, valuesPerGroup: aggregates.count)
}

/// One level: the field of each slot as the rank of its group.
private struct GroupLevel {
    private let column: DistinctColumn
    private let ranks: [UInt32]

    init(_ column: DistinctColumn, _ key: GroupKey, threads: Int, control: JobControl) throws {
        self.column = column
        ranks = try column.ranks(key.ordering, isDescending: key.isDescending, threads: threads, control: control)
    }

    @inline(__always)
    func rank(_ slot: Int) -> UInt32 { ranks[Int(column.numbers[slot])] }

    func text(_ slot: Int) -> String { String(decoding: column.bytes(Int(column.numbers[slot])), as: UTF8.self) }
}

/// Where fields change along the sorted slots: a change at one level begins a group there and at all levels inside.
private func groups(in sorted: Storage<UInt32>, _ levels: [GroupLevel], _ control: JobControl) throws -> [GroupResult.Group] {
    var groups: [GroupResult.Group] = []
    var open = [Int](repeating: -1, count: levels.count)
    var last = [UInt32](repeating: 0, count: levels.count)
    for position in 0..<sorted.count {
        if position & 0xFFFF == 0 { try control.checkCancellation() }
        let slot = Int(sorted[position])
        var changes = position == 0
        for level in levels.indices {
            let rank = levels[level].rank(slot)
            if rank != last[level] { changes = true }
            guard changes else { continue }
            last[level] = rank
            if open[level] >= 0 { groups[open[level]].rows = groups[open[level]].rows.lowerBound..<position }
            open[level] = groups.count
            groups.append(GroupResult.Group(level: level, key: levels[level].text(slot), rows: position..<sorted.count))
        }
    }
    return groups
}
