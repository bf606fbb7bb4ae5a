import FieldValues
import Locks
import Tables

/// Collects the matching records of a table in ascending order, on several threads.
/// - Parameters:
///   - slots: the slots of the records to test.
///   - size: the number of slots that a thread tests at once; each such group of slots is a range.
///   - batch: called on any thread with the matches of consecutive ranges in ascending order, one call at a time.
///   - find: tests a range and appends its matches.
func collectRecords(
    of table: any Table, in slots: Range<Int>, size: Int = rangeSize, threads: Int, control: JobControl,
    _ batch: @Sendable (_ records: RowNumbers) -> Void,
    find: (_ slots: Range<Int>, _ found: inout FoundRecords) throws -> Void
) throws -> RowNumbers {
    control.begin(total: slots.count)
    let is32Bit = table.recordCount <= control.shortLimit
    let matches = Mutex(OrderedMatches(recordCount: table.recordCount, shortLimit: control.shortLimit))
    try forEachRange(of: slots.count, size: size, threads: threads, control: control) { _, range in
        var found = FoundRecords(is32Bit: is32Bit)
        try find(range.lowerBound + slots.lowerBound..<range.upperBound + slots.lowerBound, &found)
        control.advance(by: range.count)
        try matches.withLock { try $0.add(found.numbers, range: range.lowerBound / size, batch) }
    }
    return matches.withLock { $0.allMatches.numbers }
}

/// Record numbers, in 32 bits each if that is enough for the table, otherwise 64.
struct FoundRecords {
    private let is32Bit: Bool
    private var short: [UInt32] = []
    private var long: [Int] = []

    init(is32Bit: Bool) { self.is32Bit = is32Bit }

    @inline(__always)
    mutating func append(_ record: Int) {
        if is32Bit { short.append(UInt32(truncatingIfNeeded: record)) } else { long.append(record) }
    }

    var numbers: RowNumbers { is32Bit ? RowNumbers(short) : RowNumbers(.long(long)) }
}

extension RowNumbersBuilder {
    /// Appends numbers that are greater than all existing ones. Throws if memory does not suffice.
    mutating func appendChecked(_ more: RowNumbers) throws {
        try Memory.check(byteCount: growthBytes(for: more.count))
        append(more)
    }
}

/// Restores the ascending order of matches that several threads find in ranges.
private struct OrderedMatches {
    private(set) var allMatches: RowNumbersBuilder
    /// The matches of ranges that wait for an earlier range, by range number.
    private var pendingMatches: [Int: RowNumbers] = [:]
    /// The number of the range whose matches follow those in ``allMatches``.
    private var nextRange = 0

    init(recordCount: Int, shortLimit: Int) { allMatches = RowNumbersBuilder(rowCount: recordCount, shortLimit: shortLimit) }

    mutating func add(_ matches: RowNumbers, range: Int, _ batch: (RowNumbers) -> Void) throws {
        pendingMatches[range] = matches
        while let matches = pendingMatches.removeValue(forKey: nextRange) {
            nextRange += 1
            guard !matches.isEmpty else { continue }
            try allMatches.appendChecked(matches)
            batch(matches)
        }
    }
}
