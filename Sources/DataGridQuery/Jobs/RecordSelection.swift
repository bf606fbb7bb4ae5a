import DataGrid
import FieldValues

extension RecordTable {
    /// As ``RecordTable/scan(_:columns:holding:while:_:)``, for a job.
    /// - Throws: the table's error, or ``JobCancelled``.
    func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, control: JobControl, while isWanted: () -> Bool = { true },
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scan(records, columns: columns, holding: required, while: { !control.isCancelled && isWanted() }) { record, fields in
            (record & 63 != 0 || !control.isCancelled) && body(record, fields)
        }
        try control.checkCancellation()
    }
}

/// The records that a job is about, in two orders: ascending, as they are read (slots), and as given (positions).
///
/// What is read of a record is kept at its slot. `slots` then leads from positions to it.
struct RecordSelection: Sendable {
    /// The number of records that are read. More than ``positionCount`` when reading everything is cheaper than picking.
    let slotCount: Int
    /// The number of records that were given.
    let positionCount: Int
    /// The record at each slot; `nil` when slots are records.
    private let records: [UInt32]?
    /// Whether slots are something else than records.
    var hasRecords: Bool { records != nil }
    /// The slot of each position; `nil` when positions are slots.
    let slots: [UInt32]?

    /// - Parameter order: the records; `nil` for all, ascending. Records that the table does not have are left out.
    init(order: [UInt32]?, recordCount: Int) {
        guard var order else {
            (slotCount, positionCount, records, slots) = (recordCount, recordCount, nil, nil)
            return
        }
        var isAscending = true
        var isInside = true
        for index in order.indices {
            if index > 0, order[index] < order[index - 1] { isAscending = false }
            if order[index] >= recordCount { isInside = false }
        }
        if !isInside { order.removeAll { $0 >= recordCount } }
        positionCount = order.count
        if isAscending {
            (slotCount, records, slots) = (order.count, order, nil)
        } else if order.count > recordCount / 4 {
            (slotCount, records, slots) = (recordCount, nil, order)
        } else {
            let bits = BitSet(count: recordCount)
            for record in order { bits.insert(Int(record)) }
            let ascending = bits.records
            (slotCount, records, slots) = (ascending.count, ascending, bits.places(of: order))
        }
    }

    /// All records as slots, of which those of `slots` were given, in that order; `nil` for all, ascending.
    init(slots: [UInt32]?, recordCount: Int) {
        let inside = slots.map { $0.contains { $0 >= recordCount } ? $0.filter { $0 < recordCount } : $0 }
        (slotCount, positionCount, records, self.slots) = (recordCount, inside?.count ?? recordCount, nil, inside)
    }

    @inline(__always)
    func record(at slot: Int) -> Int { records.map { Int($0[slot]) } ?? slot }

    /// Reads the fields of `columns` at the slots of `range`, ascending; `body` answers whether to go on.
    /// - Throws: the table's error, ``JobCancelled``, or ``RecordsMissing``: no slot is ever left out in silence.
    func scan(
        _ table: any RecordTable, _ range: Range<Int>, columns: [Int], control: JobControl,
        _ body: (_ slot: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard let records else {
            var next = range.lowerBound
            var goesOn = true
            try table.scan(range, columns: columns) { record, fields in
                if record & 63 == 0, control.isCancelled { return false }
                goesOn = body(record, fields)
                next += 1
                return goesOn
            }
            try control.checkCancellation()
            if goesOn, next < range.upperBound { throw RecordsMissing() }
            return
        }
        // Reading over a few records costs less than looking up where the next one is.
        let gap: UInt32 = 64
        var slot = range.lowerBound
        var goesOn = true
        while slot < range.upperBound, goesOn {
            var end = slot + 1
            while end < range.upperBound, records[end] - records[end - 1] <= gap { end += 1 }
            let last = end
            try table.scan(Int(records[slot])..<Int(records[end - 1]) + 1, columns: columns) { record, fields in
                if record & 63 == 0, control.isCancelled { return false }
                while slot < last, Int(records[slot]) == record, goesOn {
                    goesOn = body(slot, fields)
                    slot += 1
                }
                return goesOn
            }
            try control.checkCancellation()
            if goesOn, slot < end { throw RecordsMissing() }
        }
    }

    /// As ``scan(_:_:columns:control:_:)``, by batches of consecutive slots.
    func scanBatches(
        _ table: any RecordTable, _ range: Range<Int>, columns: [Int], control: JobControl,
        _ body: (_ slot: Int, _ batch: FieldBatch) -> Void
    ) throws {
        guard records == nil else {
            return try scan(table, range, columns: columns, control: control) { slot, fields in
                guard let start = fields.baseAddress else { return true }
                body(slot, FieldBatch(first: record(at: slot), count: 1, width: fields.count, fields: start))
                return true
            }
        }
        var next = range.lowerBound
        try table.scanBatches(range, columns: columns) { batch in
            if control.isCancelled { return false }
            body(next, batch)
            next += batch.count
            return true
        }
        try control.checkCancellation()
        if next < range.upperBound { throw RecordsMissing() }
    }
}

/// The same records in ascending order, in which they are read fastest, each once; `nil` when they are all.
func ascending(_ records: [UInt32]?, recordCount: Int) -> [UInt32]? {
    guard let records else { return nil }
    let bits = BitSet(count: recordCount)
    for record in records where Int(record) < recordCount { bits.insert(Int(record)) }
    let ascending = bits.records
    return ascending.count == recordCount ? nil : ascending
}
