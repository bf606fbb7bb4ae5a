public import Tables
public import FieldValues

/// The records of a table in nested groups, one level for each of `keys`, the first outermost.
///
/// Records whose fields are the same bytes are in one group; blank and missing fields are one group, the last of its level where groups
/// come in the order of their fields. There are at most 255 levels.
/// - Parameters:
///   - table: the records.
///   - keys: the column of each level.
///   - order: the records, each once, in the order they are to have within groups; `nil` for all, ascending.
///   - sort: the keys that have put all records in `order`, or none for all, ascending; then the result is kept in `store`, and taken
///     from there. `nil`: it is another order, or not of all.
///   - aggregates: the figures of each group.
///   - needsRows: whether ``GroupResult/order`` is wanted. If not, it is empty where neither groups nor figures depend on it.
///   - store: where columns are kept that were read before.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
///   - control: asked to go on and told the progress, again and again; it ends the work when that is cancelled.
/// - Throws: ``TooManyRows`` for more than 2^32 − 1 records, ``JobCancelled``, or the table's error.
/// - Complexity: one scan of all columns together, and where groups come in the order of a first or last field one more of its column;
///   O(n) work for each column, and O(g log g) for g groups. Memory: for n records 16 bytes × n, 2 bytes × n for each level (4 where more
///   than 65,536 fields differ), up to 8 bytes × n for each column that is aggregated; the different fields of a column once, with
///   30 bytes each for each thread while they are read, and 8 later; or, where nearly all differ, every field with 8 bytes, and while
///   they are sorted what a sort takes. For each group 8 bytes, 13 where there are several levels, and
///   16 for each aggregate; while groups are put in the order of a figure 40 bytes × g and 4 × n besides.
public func groupedRecords(
    of table: any Table, by keys: [GroupKey], order: RowNumbers? = nil, sortedBy sort: [SortKey]? = nil,
    aggregates: [AggregateRequest] = [], needsRows: Bool = true, store: ColumnStore? = nil, threads: Int, control: JobControl
) throws -> GroupResult {
    let item = sort.map { ColumnStore.Item.groups(keys, $0, aggregates) }
    if let item, let result = store?.content(item, of: table) as? GroupResult { return result }
    try control.checkCount(order?.count ?? table.recordCount)
    let threads = max(1, threads)
    // What the steps are beside each other; reading takes most of the time.
    let units = (reading: 8_000, fields: 500, level: 1_000, figures: 1_000)
    control.begin(total: units.reading + keys.count * (units.fields + units.level) + units.figures)
    let requests = keys.map { ColumnSet.Request(column: $0.column, form: .numbers) } + AggregateJob.requests(aggregates)
    let columns = try control.part(of: units.reading) {
        $0.begin(total: order?.count ?? table.recordCount)
        return try ColumnSet(requests, records: order, of: table, store: store, threads: threads, control: $0)
    }
    let selection = columns.selection

    let levels = try keys.map { key in
        let numbers = columns.numbers(key.column)!
        // To put all fields in order takes as long as reading them.
        let own = if case .plain = numbers { units.reading } else { units.fields }
        control.extend(by: own - units.fields)
        return try control.part(of: own) {
            try GroupLevel(numbers, key, isAlone: keys.count == 1 && selection.slots == nil, threads: threads, control: $0)
        }
    }
    let skipsOrder =
        !needsRows && keys.allSatisfy { $0.criterion == .field }
        && AggregateJob(columns: columns, threads: threads, control: control).isIndependentOfOrder(aggregates, levels: levels)
    // A group is a run of the same ranks, so stable sorts from the innermost level to the outermost bring them together.
    var sorted = skipsOrder ? nil : try selection.slotStorage()
    for level in levels.reversed() {
        sorted = try control.part(of: units.level) {
            skipsOrder ? nil : try level.sorted(sorted, count: selection.positionCount, threads: threads, control: $0)
        }
    }
    let order = try sorted ?? Storage(count: 0)
    let groups = try GroupFinder(levels: levels, selection: selection, threads: threads, control: control).groups(order)
    let values = try control.part(of: units.figures) {
        try AggregateJob(columns: columns, threads: threads, control: $0)
            .values(aggregates, order: order, groups: groups, levels: levels)
    }
    var result = GroupResult(
        order: skipsOrder ? RowNumbers([]) : try selection.records(of: sorted), groups: groups, values: values,
        valuesPerGroup: aggregates.count)
    if keys.contains(where: { $0.criterion != .field }), !groups.isEmpty {
        sorted = nil
        try GroupOrder(table: table, keys: keys, aggregates: aggregates, threads: threads, control: control).arrange(&result)
    }
    if let item, !skipsOrder { store?.keep(result, item, of: table) }
    return result
}
