package import Tables
package import FieldValues

extension Table {
    /// Scans like ``Table/scan(_:columns:holding:while:_:)``, but throws if the job is cancelled.
    package func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, control: JobControl,
        while shouldContinue: () -> Bool = { true },
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        do {
            try scan(records, columns: columns, holding: required, while: { !control.isCancelled && shouldContinue() }) { record, fields in
                (record & 63 != 0 || !control.isCancelled) && body(record, fields)
            }
        } catch {
            // The error of a server for a cancelled statement is replaced by ``JobCancelled``.
            try control.checkCancellation()
            throw error
        }
        try control.checkCancellation()
    }
}

/// The records that a job processes, in two orders. *Slots* number them in ascending order, as they are read; *positions* number them in
/// the order of the caller.
///
/// Arrays of a job have an element for each slot. `slots` maps positions to slots.
struct RecordSelection: Sendable {
    /// The number of records to read. It is greater than ``positionCount`` if reading all records is cheaper than selecting some.
    let slotCount: Int
    /// The number of records that the caller passed.
    let positionCount: Int
    /// The record at each slot; `nil` if slots equal record numbers.
    let records: RowNumbers?
    /// True if the slot of a record differs from its number.
    var mapsSlotsToRecords: Bool { records != nil }
    /// The slot of each position; `nil` if positions equal slots. A slot has 32 bits, so a job that needs this mapping fails if it has too
    /// many records.
    let slots: [UInt32]?

    /// Selects all records.
    init(recordCount: Int) { (slotCount, positionCount, records, slots) = (recordCount, recordCount, nil, nil) }

    /// Selects some records.
    /// - Parameters:
    ///   - order: the records in the order of the caller; `nil` for all, ascending. Records that the table does not have are ignored.
    ///   - shortLimit: the maximum number of records with 32-bit numbers.
    init(order: RowNumbers?, recordCount: Int, shortLimit: Int = RowNumbers.shortLimit) throws {
        guard let order = try order?.limited(toRecordCount: recordCount) else {
            (slotCount, positionCount, records, slots) = (recordCount, recordCount, nil, nil)
            return
        }
        positionCount = order.count
        if order.isAscending(strictly: false) {
            (slotCount, records, slots) = (order.count, order, nil)
        } else if order.count > recordCount / 4, recordCount <= shortLimit {
            (slotCount, records, slots) = (recordCount, nil, try order.shortNumbers())
        } else if case .short(let short) = order.form {
            let bits = try BitSet(count: recordCount)
            for record in short { bits.insert(Int(record)) }
            let ascending = try bits.records()
            (slotCount, records, slots) = (ascending.count, RowNumbers(ascending), try bits.ranks(of: short))
        } else {
            let ascending = try order.ascending(recordCount: recordCount, shortLimit: shortLimit)
            (slotCount, records, slots) = (
                ascending.count, ascending,
                try [UInt32](filled: order.count) { slots in
                    order.forEach { position, number in
                        slots[position] = UInt32(ascending.lowerBound(of: number))
                        return true
                    }
                }
            )
        }
    }

    /// Selects distinct records in ascending order, which is the fastest order to read.
    init(ascending records: RowNumbers?, of table: any Table, _ control: JobControl) throws {
        let (recordCount, shortLimit) = (table.recordCount, control.shortLimit)
        let records = try records?.limited(toRecordCount: recordCount).ascending(recordCount: recordCount, shortLimit: shortLimit)
        try self.init(order: records?.count == recordCount ? nil : records, recordCount: recordCount, shortLimit: shortLimit)
    }

    /// Selects records for a job that reads only cached columns of the whole table, so slots equal record numbers.
    /// - Parameter slots: the record at each position; `nil` for all, ascending.
    init(slots: RowNumbers?, recordCount: Int) throws {
        let inside = try slots?.limited(toRecordCount: recordCount)
        (slotCount, positionCount, records, self.slots) = (recordCount, inside?.count ?? recordCount, nil, try inside?.shortNumbers())
    }

    @inline(__always)
    func record(at slot: Int) -> Int { records.map { $0[slot] } ?? slot }

    /// Reads the fields of `columns` at the slots of `range` in ascending order until `body` returns `false`.
    /// - Throws: the error of the table, ``JobCancelled``, or ``IncompleteScan`` if a slot cannot be read.
    func scan(
        _ table: any Table, _ range: Range<Int>, columns: [Int], control: JobControl,
        _ body: (_ slot: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard let records else {
            var next = range.lowerBound
            var continues = true
            try table.scan(range, columns: columns) { record, fields in
                if record & 63 == 0, control.isCancelled { return false }
                continues = body(record, fields)
                next += 1
                return continues
            }
            try control.checkCancellation()
            if continues, next < range.upperBound { throw IncompleteScan() }
            return
        }
        switch records.form {
        case .short(let records): try scan(table, records, range, from: 0, columns, control, body)
        case .long(let records): try scan(table, records, range, from: 0, columns, control, body)
        case .set(let set): try scan(table, set.numbers(at: range), range, from: range.lowerBound, columns, control, body)
        case .range(let numbers):
            try scan(
                table, Array(numbers.dropFirst(range.lowerBound).prefix(range.count)), range, from: range.lowerBound, columns, control, body
            )
        }
    }

    /// Reads the records at the slots of `range`.
    /// - Parameter first: the slot of the first element of `records`.
    private func scan<Number: FixedWidthInteger>(
        _ table: any Table, _ records: [Number], _ range: Range<Int>, from first: Int, _ columns: [Int], _ control: JobControl,
        _ body: (_ slot: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        // The maximum number of unneeded records that are read between two needed ones. Starting another scan would cost more.
        let gap: Number = 64
        var slot = range.lowerBound - first
        let last = range.upperBound - first
        var continues = true
        while slot < last, continues {
            var end = slot + 1
            while end < last, records[end] - records[end - 1] <= gap { end += 1 }
            let batchEnd = end
            try table.scan(Int(records[slot])..<Int(records[end - 1]) + 1, columns: columns) { record, fields in
                if record & 63 == 0, control.isCancelled { return false }
                while continues, slot < batchEnd, Int(records[slot]) == record {
                    continues = body(first + slot, fields)
                    slot += 1
                }
                return continues
            }
            try control.checkCancellation()
            if continues, slot < end { throw IncompleteScan() }
        }
    }

    /// Scans like ``scan(_:_:columns:control:_:)``, in batches of consecutive slots.
    func scanBatches(
        _ table: any Table, _ range: Range<Int>, columns: [Int], control: JobControl,
        _ body: (_ slot: Int, _ batch: FieldBatch) throws -> Void
    ) throws {
        // The callback of a table cannot throw, so an error of `body` is kept here.
        var failure: (any Error)?
        func callBody(_ slot: Int, _ batch: FieldBatch) -> Bool {
            do {
                try body(slot, batch)
                return true
            } catch {
                failure = error
                return false
            }
        }
        guard records == nil else {
            try scan(table, range, columns: columns, control: control) { slot, fields in
                guard let start = fields.baseAddress else { return true }
                return callBody(slot, FieldBatch(firstRecord: record(at: slot), count: 1, width: fields.count, fields: start))
            }
            if let failure { throw failure }
            return
        }
        var next = range.lowerBound
        try table.scanBatches(range, columns: columns) { batch in
            if control.isCancelled || !callBody(next, batch) { return false }
            next += batch.count
            return true
        }
        try control.checkCancellation()
        if let failure { throw failure }
        if next < range.upperBound { throw IncompleteScan() }
    }
}

extension RowNumbers {
    /// True if the numbers are ascending; if `strictly` is true, also without repetition. O(count).
    func isAscending(strictly: Bool) -> Bool {
        func isAscending<Number: FixedWidthInteger>(_ numbers: [Number]) -> Bool {
            numbers.withUnsafeBufferPointer { numbers in
                for index in numbers.indices.dropFirst() {
                    if numbers[index] < numbers[index - 1] || strictly && numbers[index] == numbers[index - 1] { return false }
                }
                return true
            }
        }
        return switch form {
        case .short(let numbers): isAscending(numbers)
        case .long(let numbers): isAscending(numbers)
        case .set, .range: true
        }
    }

    /// The numbers that are less than `recordCount`, in the same order. O(count).
    func limited(toRecordCount recordCount: Int) throws -> RowNumbers {
        switch form {
        case .short(let numbers):
            guard numbers.contains(where: { $0 >= recordCount }) else { return self }
            try Memory.check(byteCount: byteCount * 2)
            return RowNumbers(numbers.filter { $0 < recordCount })
        case .long(let numbers):
            guard numbers.contains(where: { $0 >= recordCount }) else { return self }
            try Memory.check(byteCount: byteCount * 2)
            return RowNumbers(.long(numbers.filter { $0 < recordCount }))
        case .set(let set):
            guard set.count > 0, set.number(at: set.count - 1) >= recordCount else { return self }
            let count = set.rank(of: recordCount)
            try Memory.check(byteCount: count * MemoryLayout<Int>.stride)
            return RowNumbers(.long(set.numbers(at: 0..<count)))
        case .range(let range): return RowNumbers(consecutive: range.clamped(to: 0..<recordCount))
        }
    }

    /// The numbers as 32-bit integers, like ``short``. Throws if memory for the copy is not available.
    func shortNumbers() throws -> [UInt32] {
        if case .short = form {} else { try Memory.check(byteCount: count * MemoryLayout<UInt32>.stride) }
        return short
    }

    /// The distinct numbers in ascending order. All must be less than `recordCount`.
    func ascending(recordCount: Int, shortLimit: Int) throws -> RowNumbers {
        if isAscending(strictly: true) { return self }
        if case .short(let numbers) = form {
            let bits = try BitSet(count: recordCount)
            for number in numbers { bits.insert(Int(number)) }
            return RowNumbers(try bits.records())
        }
        try Memory.check(byteCount: byteCount * 2 + recordCount / 8)
        var builder = RowNumbersBuilder(rowCount: recordCount, shortLimit: shortLimit)
        var last: Int?
        builder.append(
            RowNumbers(
                .long(
                    sorted().filter { number in
                        defer { last = number }
                        return number != last
                    })))
        return builder.numbers
    }
}
