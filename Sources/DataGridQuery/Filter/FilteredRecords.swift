public import Tables
public import FieldValues
import Locks

/// The records that fulfil all of `filters`, ascending; they also arrive on the way, so that the first can be shown while the rest is
/// looked through.
/// - Parameters:
///   - table: the records.
///   - filters: all have to hold.
///   - records: the records to look at, each once; `nil` for all.
///   - first: where to begin when `records` is `nil`: the records before it were looked at before.
///   - store: where columns are kept that were read before; when they tell all that the filters ask, nothing is read.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
///   - control: asked to go on and told the progress, again and again; it ends the work when that is cancelled.
///   - batch: called with what was found in one piece of the table after the other, ascending, never at the same time twice, on any
///     thread.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: one scan of the columns that the filters name; of conditions that ask for a text in a field, one of the table's bytes and
///   of the records that may have it. Memory: 4 bytes a record found.
@discardableResult
public func filteredRecords(
    of table: any Table, by filters: [Filter], within records: RowNumbers? = nil, from first: Int = 0, store: ColumnStore? = nil,
    threads: Int, control: JobControl, batch: @Sendable (_ records: RowNumbers) -> Void = { _ in }
) throws -> RowNumbers {
    let expression = FilterExpression.all(filters.map(\.expression))
    let program = FilterProgram(expression, allColumns: table.allColumns)
    let required = expression.requiredBytes
    let leading = LeadingComparison(expression, program: program, allColumns: table.allColumns)
    let selection = try RecordSelection(
        order: try ascending(records, recordCount: table.recordCount, shortLimit: control.shortLimit), recordCount: table.recordCount,
        shortLimit: control.shortLimit)
    let first = records == nil ? min(max(0, first), selection.slotCount) : 0
    let count = selection.slotCount - first
    control.begin(total: count)
    // Whole blocks of the columns are looked at, so from the beginning only.
    let kept = records == nil && first == 0 ? KeptFilter(expression, of: table, store: store) : nil
    let arrivals = Mutex(Arrivals(recordCount: table.recordCount, shortLimit: control.shortLimit))
    /// What a range leaves.
    func found<Number: FixedWidthInteger>(in slots: Range<Int>, _: Number.Type) throws -> [Number] {
        var found: [Number] = []
        let room = program.room()
        defer { room.deallocate() }
        if let kept {
            for (slot, holds) in zip(slots, try kept.holds(in: slots)) where holds { found.append(Number(slot)) }
            return found
        }
        var rest = slots
        if !required.isEmpty, !selection.hasRecords {
            // Records without the bytes are left out, as long as these are most.
            var count = 0
            try table.scan(slots, columns: program.columns, holding: required, control: control) { record, fields in
                if program.holds(fields, room) { found.append(Number(record)) }
                count += 1
                guard leading != nil, count >= 64, count * 4 > record - slots.lowerBound else { return true }
                rest = record + 1..<slots.upperBound
                return false
            }
            if rest == slots { return found }
        }
        guard let leading else {
            try selection.scanBatches(table, rest, columns: program.columns, control: control) { slot, batch in
                for record in 0..<batch.count where program.holds(batch.fields(of: record), room) {
                    found.append(Number(selection.record(at: slot + record)))
                }
            }
            return found
        }
        var leadingRoom = leading.room()
        try selection.scanBatches(table, rest, columns: program.columns, control: control) { slot, batch in
            leading.forEachHolding(in: batch, &leadingRoom) { found.append(Number(selection.record(at: slot + $0))) }
        }
        return found
    }
    try forEachRange(of: count, threads: threads, control: control) { _, range in
        let slots = range.lowerBound + first..<range.upperBound + first
        let found =
            table.recordCount <= control.shortLimit
            ? RowNumbers(try found(in: slots, UInt32.self)) : RowNumbers(.long(try found(in: slots, Int.self)))
        control.advance(by: range.count)
        try arrivals.withLock { try $0.arrive(found, range: range.lowerBound / rangeSize, batch) }
    }
    return arrivals.withLock { $0.all.numbers }
}
