public import DataGrid
import FieldValues
import Synchronization

/// The records that match, ascending; they also arrive on the way, so that a count can grow while the search runs.
/// - Parameters:
///   - records: the records to look at, each once; `nil` for all.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
///   - batch: called with the matches of one piece of the table after the other, ascending, never at the same time twice, on any thread.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: one scan of the records. Memory: 4 bytes a match.
@discardableResult
public func findRecords(
    matching search: TextSearch, in table: any RecordTable, within records: [UInt32]? = nil, threads: Int, control: JobControl,
    batch: @Sendable (_ records: [UInt32]) -> Void = { _ in }
) throws -> [UInt32] {
    let selection = RecordSelection(order: records?.sorted(), recordCount: table.recordCount)
    let matcher = TextMatcher(search)
    let columns = search.columns ?? Array(0..<table.columnCount)
    control.begin(total: selection.slotCount)
    let arrivals = Mutex(Arrivals())
    try forEachRange(of: selection.slotCount, threads: threads, control: control) { _, range in
        var matches: [UInt32] = []
        try selection.scan(table, range, columns: columns, control: control) { slot, fields in
            if fields.contains(where: { matcher.matches($0.bytes) }) { matches.append(UInt32(selection.record(at: slot))) }
            return true
        }
        control.advance(by: range.count)
        arrivals.withLock { $0.arrive(matches, range: range.lowerBound / rangeSize, batch) }
    }
    return arrivals.withLock { $0.all }
}

/// Puts what threads find in order.
struct Arrivals {
    var all: [UInt32] = []
    /// What was found beyond a range that is still being read.
    private var early: [Int: [UInt32]] = [:]
    private var next = 0

    mutating func arrive(_ matches: [UInt32], range: Int, _ batch: ([UInt32]) -> Void) {
        early[range] = matches
        while let matches = early.removeValue(forKey: next) {
            next += 1
            guard !matches.isEmpty else { continue }
            all.append(contentsOf: matches)
            batch(matches)
        }
    }
}
