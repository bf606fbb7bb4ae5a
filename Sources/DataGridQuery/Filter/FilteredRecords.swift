import Tables
import FieldValues

/// The records that match all of `filters`, ascending. The result does not depend on `threads`.
/// - Parameters:
///   - records: the distinct records to test; `nil` for all.
///   - first: the first record to test if `records` is `nil`.
///   - batch: called on any thread with the matches of consecutive ranges in ascending order, one call at a time.
/// - Complexity: 4 bytes of memory per match, and usually one scan of the columns that the filters use. Exceptions:
///   - No scan if `store` has the columns.
///   - If an index of the table finds few records, only these are read.
///   - If a matching field must contain certain bytes, the scan searches the table for these bytes, and parses only the records that may
///     contain them.
@discardableResult
func filteredRecords(
    of table: any Table, by filters: [Filter], within records: RowNumbers? = nil, from first: Int = 0, store: ColumnStore? = nil,
    threads: Int, control: JobControl, batch: @Sendable (_ records: RowNumbers) -> Void = { _ in }
) throws -> RowNumbers {
    let expression = FilterExpression.all(filters.map(\.expression))
    let program = FilterProgram(expression, allColumns: table.allColumns)
    let required = expression.requiredBytes
    let leading = LeadingComparison(expression, program: program, allColumns: table.allColumns)
    let columnar = table.columnar(storing: program.columns)
    if records == nil, let columnar,
        let found = try expression.indexedRecords(of: columnar, from: first, control: control, batch: batch)
    {
        return found
    }
    let selection = try RecordSelection(ascending: records, of: table, control)
    let first = records == nil ? min(max(0, first), selection.slotCount) : 0
    // If a table is slow to scan, its columns are read into the cache, where this filter and later filters are tested.
    if records == nil, first == 0, let store, let columnar, columnar.isSlowToScan {
        try ColumnarFilter.readColumns(of: expression, of: table, into: store, threads: threads, control: control)
    }
    // A filter on cached columns tests whole blocks, so it can only start at the first record.
    let columnarFilter = records == nil && first == 0 ? ColumnarFilter(expression, of: table, store: store) : nil
    if columnarFilter == nil, let columnar {
        let filter = TypedFilter(expression, of: columnar, threads: threads, control: control)
        return try collectRecords(
            of: table, in: first..<selection.slotCount, size: TypedFilter.rangeSize, threads: threads, control: control, batch
        ) { slots, found in
            if let records = selection.records {
                try filter.find(slots.map { records[$0] }, &found)
            } else {
                try filter.find(in: slots, &found)
            }
        }
    }
    return try collectRecords(of: table, in: first..<selection.slotCount, threads: threads, control: control, batch) { slots, found in
        if let columnarFilter {
            for (slot, matches) in zip(slots, try columnarFilter.matches(in: slots)) where matches { found.append(slot) }
            return
        }
        let scratch = program.scratch()
        defer { scratch.deallocate() }
        var rest = slots
        if !required.isEmpty, !selection.mapsSlotsToRecords {
            // Skip records that lack the required bytes, as long as that excludes most records.
            var count = 0
            try table.scan(slots, columns: program.columns, holding: required, control: control) { record, fields in
                if program.matches(fields, scratch) { found.append(record) }
                count += 1
                guard leading != nil, count >= 64, count * 4 > record - slots.lowerBound else { return true }
                rest = record + 1..<slots.upperBound
                return false
            }
            if rest == slots { return try scratch.check() }
        }
        guard let leading else {
            try selection.scanBatches(table, rest, columns: program.columns, control: control) { slot, batch in
                for record in 0..<batch.count where program.matches(batch.fields(of: record), scratch) {
                    found.append(selection.record(at: slot + record))
                }
            }
            return try scratch.check()
        }
        var leadingBuffers = try LeadingComparison.Buffers()
        try selection.scanBatches(table, rest, columns: program.columns, control: control) { slot, batch in
            try leading.forEachMatch(in: batch, &leadingBuffers, scratch) { found.append(selection.record(at: slot + $0)) }
        }
        try scratch.check()
    }
}
