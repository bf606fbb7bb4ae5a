import Tables
import FieldValues

/// Groups the records of a table by `keys`, one level per key, outermost first; at most 255 levels.
///
/// Records whose fields have the same bytes, or values in the same interval, are one group. Empty and missing fields are one group. If
/// groups are sorted by their fields, this group of empty fields is the last of its level.
/// - Parameters:
///   - order: the distinct records to group. Within each group, they keep this order. `nil` for all records, ascending.
///   - sort: the keys that produce `order` from all records; empty for ascending order. `nil` if no keys produce `order`, or if it does not
///     contain all records. The result can be cached in `store` unless `sort` is `nil`.
///   - needsRows: true if ``GroupResult/order`` is needed. Otherwise it is empty if neither groups nor aggregates depend on it.
/// - Returns: the groups. The result does not depend on `threads`.
/// - Throws: ``TooManyRows`` for more than 2^32 − 1 records, ``JobCancelled``, or the table's error.
/// - Complexity: one scan of all columns together, and another scan of a column if its first or last field orders groups. For n records and
///   g groups, O(n) work for each column and O(g log g). Memory:
///   - 16 bytes × n, 4 bytes × n for each level, and up to 8 bytes × n for each aggregated column.
///   - The distinct fields, each stored once with 30 more bytes per thread during reading, and 8 afterwards. If nearly all fields are
///     distinct, every field is stored with 8 more bytes.
///   - 8 bytes × g (13 with several levels), and 16 bytes for each aggregate of a group.
///   - For quantiles and deviations, 16 bytes per thread for each row of a group while it is processed.
///   - For an order of groups by an aggregate, temporarily 40 bytes × g and 4 bytes × n.
///   - Without `needsRows`, no memory for records if groups have at most 4,096 distinct fields and exact aggregates.
func groupedRecords(
    of table: any Table, by keys: [ResolvedGroupKey], order: RowNumbers? = nil, sortedBy sort: [ResolvedSortKey]? = nil,
    aggregates: [AggregateRequest] = [], needsRows: Bool = true, store: ColumnStore? = nil, threads: Int, control: JobControl
) throws -> GroupResult {
    let item = sort.map { ColumnStore.ItemKey.groups(keys, $0, aggregates) }
    if let item, let result = store?.storedItem(for: item, of: table) as? GroupResult { return result }
    try control.checkRecordCount(order?.count ?? table.recordCount)
    let threads = max(1, threads)
    // The estimated durations of the steps, in arbitrary units, for the progress of the job. Reading takes longest.
    let units = (reading: 8_000, fields: 500, level: 1_000, aggregates: 1_000)
    control.begin(total: units.reading + keys.count * (units.fields + units.level) + units.aggregates)
    if !needsRows {
        let selection = try RecordSelection(order: order, recordCount: table.recordCount, shortLimit: control.shortLimit)
        let result = try control.withPart(of: units.reading) {
            try GroupTotals.groups(of: table, selection, by: keys, aggregates, threads: threads, control: $0)
        }
        if let result { return result }
        control.extend(by: units.reading)
    }
    let requests = keys.map(\.request) + AggregateJob.requests(aggregates)
    let columns = try control.withPart(of: units.reading) {
        $0.begin(total: order?.count ?? table.recordCount)
        return try LoadedColumns(requests, records: order, of: table, store: store, threads: threads, control: $0)
    }
    let selection = columns.selection

    let levels = try keys.map { key in
        let numbers =
            try key.interval.map {
                try IntervalColumn(columns.values(key.request)!, $0, key.ordering, threads: threads, control: control).numberedColumn()
            } ?? columns.numberedColumn(key.column)!
        // In a raw column, all fields are sorted, which takes about as long as reading the fields.
        let levelUnits = numbers.raw == nil ? units.fields : units.reading
        control.extend(by: levelUnits - units.fields)
        return try control.withPart(of: levelUnits) {
            try GroupLevel(numbers, key, isOnlyLevel: keys.count == 1 && selection.slots == nil, threads: threads, control: $0)
        }
    }
    let skipsOrder =
        !needsRows && keys.allSatisfy { $0.order == .value }
        && AggregateJob(columns: columns, threads: threads, control: control).isIndependentOfOrder(aggregates, levels: levels)
    // The records are sorted stably by each level, from the innermost to the outermost. Records with equal ranks on all levels are then
    // consecutive.
    var sorted = skipsOrder ? nil : try selection.slotArray()
    for level in levels.reversed() {
        sorted = try control.withPart(of: units.level) {
            skipsOrder ? nil : try level.sorted(sorted, count: selection.positionCount, threads: threads, control: $0)
        }
    }
    let leftOut = try AggregateJob.leftOutValues(aggregates, of: table, selection) { columns.values($0) }
    let order = try sorted ?? UnsafeArray(count: 0)
    let groups = try GroupFinder(levels: levels, selection: selection, threads: threads, control: control).groups(order)
    let values = try control.withPart(of: units.aggregates) {
        try AggregateJob(columns: columns, threads: threads, control: $0)
            .values(aggregates, order: order, groups: groups, levels: levels)
    }
    var result = GroupResult(
        order: skipsOrder ? RowNumbers([]) : try selection.records(at: sorted), groups: groups, values: values,
        valuesPerGroup: aggregates.count)
    result.leftOutValues = leftOut
    if keys.contains(where: { $0.order != .value }), !groups.isEmpty {
        sorted = nil
        try GroupOrder(table: table, keys: keys, aggregates: aggregates, threads: threads, control: control).sort(&result)
    }
    if let item, !skipsOrder { store?.insert(result, for: item, of: table) }
    return result
}
