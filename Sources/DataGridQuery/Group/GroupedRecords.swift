import Tables
import FieldValues

/// The records of a table in nested groups, one level for each of `keys`, the first outermost; at most 255 levels.
///
/// Records whose fields have the same bytes are one group. Blank and missing fields are one group, the last of its level where groups
/// are in the order of their fields.
/// - Parameters:
///   - order: the records, each once, in the order within groups; `nil` for all, ascending.
///   - sort: the keys that put all records in `order`, or none for all, ascending; the result is then kept in `store`. `nil`: the order is
///     another one, or not of all records.
///   - needsRows: whether ``GroupResult/order`` is wanted. If not, it is empty where neither groups nor aggregates depend on it.
/// - Returns: the same groups for any number of `threads`.
/// - Throws: ``TooManyRows`` for more than 2^32 − 1 records, ``JobCancelled``, or the table's error.
/// - Complexity: one scan of all columns together, and one more of the column of a first or last field that orders groups; O(n) work for
///   each column, and O(g log g) for g groups. Memory for n records: 16 bytes × n; 4 bytes × n for each level; up to 8 bytes × n for each
///   column that is aggregated; distinct fields once, with 30 bytes each for each thread while they are read, and 8 later, or, where nearly
///   all fields differ, every field with 8 bytes. For each group 8 bytes (13 with several levels) and 16 for each aggregate; while groups
///   are put in the order of an aggregate 40 bytes × g and 4 × n besides.
func groupedRecords(
    of table: any Table, by keys: [GroupKey], order: RowNumbers? = nil, sortedBy sort: [SortKey]? = nil,
    aggregates: [AggregateRequest] = [], needsRows: Bool = true, store: ColumnStore? = nil, threads: Int, control: JobControl
) throws -> GroupResult {
    let item = sort.map { ColumnStore.Item.groups(keys, $0, aggregates) }
    if let item, let result = store?.content(item, of: table) as? GroupResult { return result }
    try control.checkCount(order?.count ?? table.recordCount)
    let threads = max(1, threads)
    // What the steps are beside each other; reading takes most of the time.
    let units = (reading: 8_000, fields: 500, level: 1_000, aggregates: 1_000)
    control.begin(total: units.reading + keys.count * (units.fields + units.level) + units.aggregates)
    let requests = keys.map { ColumnSet.Request(column: $0.column, form: .numbers) } + AggregateJob.requests(aggregates)
    let columns = try control.part(of: units.reading) {
        $0.begin(total: order?.count ?? table.recordCount)
        return try ColumnSet(requests, records: order, of: table, store: store, threads: threads, control: $0)
    }
    let selection = columns.selection

    let levels = try keys.map { key in
        let numbers = columns.numbers(key.column)!
        // To put all fields in order takes as long as reading them.
        let own = numbers.raw == nil ? units.fields : units.reading
        control.extend(by: own - units.fields)
        return try control.part(of: own) {
            try GroupLevel(numbers, key, isAlone: keys.count == 1 && selection.slots == nil, threads: threads, control: $0)
        }
    }
    let skipsOrder =
        !needsRows && keys.allSatisfy { $0.order == .value }
        && AggregateJob(columns: columns, threads: threads, control: control).isIndependentOfOrder(aggregates, levels: levels)
    // A group is a run of the same ranks, so stable sorts from the innermost level to the outermost bring them together.
    var sorted = skipsOrder ? nil : try selection.slotArray()
    for level in levels.reversed() {
        sorted = try control.part(of: units.level) {
            skipsOrder ? nil : try level.sorted(sorted, count: selection.positionCount, threads: threads, control: $0)
        }
    }
    let order = try sorted ?? UnsafeArray(count: 0)
    let groups = try GroupFinder(levels: levels, selection: selection, threads: threads, control: control).groups(order)
    let values = try control.part(of: units.aggregates) {
        try AggregateJob(columns: columns, threads: threads, control: $0)
            .values(aggregates, order: order, groups: groups, levels: levels)
    }
    var result = GroupResult(
        order: skipsOrder ? RowNumbers([]) : try selection.records(at: sorted), groups: groups, values: values,
        valuesPerGroup: aggregates.count)
    if keys.contains(where: { $0.order != .value }), !groups.isEmpty {
        sorted = nil
        try GroupOrder(table: table, keys: keys, aggregates: aggregates, threads: threads, control: control).sort(&result)
    }
    if let item, !skipsOrder { store?.keep(result, item, of: table) }
    return result
}
