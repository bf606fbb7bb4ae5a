import FieldValues
import Tables
import Locks

/// The records that match a search, ascending. The result does not depend on `threads`.
/// - Parameter batch: called on any thread with the matches of consecutive ranges in ascending order, one call at a time.
/// - Complexity: one scan of the records. Memory: 4 bytes per match.
@discardableResult
func findRecords(
    matching search: TextSearch, in table: any Table, threads: Int, control: JobControl,
    batch: @Sendable (_ records: RowNumbers) -> Void = { _ in }
) throws -> RowNumbers {
    let scan = SearchScan(search, table, control: control)
    return try collectRecords(
        of: table, in: 0..<table.recordCount, size: scan.maximumRangeSize, threads: threads, control: control, batch
    ) { range, found in
        try scan.forEachMatch(in: range) {
            found.append($0)
            return true
        }
    }
}

/// The positions in `order` of the records that match a search, ascending.
/// - Parameter report: called on any thread with the number of matches found until then.
/// - Complexity: as for ``findRecords(matching:in:threads:control:batch:)``, plus O(order). Memory: 2 more bits for each record of the
///   table.
func findPositions(
    matching search: TextSearch, in table: any Table, order: RowSequence, threads: Int, control: JobControl,
    report: @Sendable (_ count: Int) -> Void
) throws -> RowNumbers {
    let counted = Atomic(0)
    @Sendable func count(_ matches: Int) { if matches > 0 { report(counted.add(matches, ordering: .relaxed).newValue) } }
    guard case .runs(let runs) = order else {
        // If the order has only some of the records, matches in other records do not count.
        let isShown = try BitSet(order, recordCount: table.recordCount, control)
        let isMatch = try BitSet(count: table.recordCount)
        try findRecords(matching: search, in: table, threads: threads, control: control) { records in
            var shown = 0
            records.forEach { _, record in
                if isShown[record] {
                    isMatch.insert(record)
                    shown += 1
                }
                return true
            }
            count(shown)
        }
        var found = RowNumbersBuilder(rowCount: order.count(ofRows: table.recordCount), shortLimit: control.shortLimit)
        var chunk: [Int] = []
        func flush() throws {
            try found.appendChecked(RowNumbers(.long(chunk)))
            chunk.removeAll(keepingCapacity: true)
        }
        try order.forEachRow { position, record in
            try control.checkCancellation(at: position)
            if record < table.recordCount, isMatch[record] { chunk.append(position) }
            if chunk.count == rangeSize { try flush() }
            return true
        }
        try flush()
        return found.numbers
    }
    let records = try findRecords(matching: search, in: table, threads: threads, control: control) { count($0.count) }
    if runs.count == 1 { return records }
    var found = RowNumbersBuilder(rowCount: order.count(ofRows: table.recordCount), shortLimit: control.shortLimit)
    var start = 0
    for run in runs {
        let positions = records.lowerBound(of: run.lowerBound)..<records.lowerBound(of: run.upperBound)
        for first in stride(from: positions.lowerBound, to: positions.upperBound, by: rangeSize) {
            try control.checkCancellation()
            let chunk = records.numbers(at: first..<min(positions.upperBound, first + rangeSize))
            try found.appendChecked(RowNumbers(.long(chunk.map { $0 - run.lowerBound + start })))
        }
        start += run.count
    }
    return found.numbers
}

extension BitSet {
    /// Creates the set of the records that occur in an order.
    fileprivate init(_ order: RowSequence, recordCount: Int, _ control: JobControl) throws {
        try self.init(count: recordCount)
        try order.forEachRow { position, record in
            try control.checkCancellation(at: position)
            if record < recordCount { insert(record) }
            return true
        }
    }
}
