public import DataGrid
import Synchronization

/// The records that match, ascending; they also arrive on the way, so that a count can grow while the search runs.
/// - Parameters:
///   - search: what is looked for.
///   - table: the records.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
///   - control: asked to go on and told the progress, again and again; it ends the work when that is cancelled.
///   - batch: called with the matches of one piece of the table after the other, ascending, never at the same time twice, on any thread.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: one scan of the records. Memory: 4 bytes a match.
@discardableResult
public func findRecords(
    matching search: TextSearch, in table: any RecordTable, threads: Int, control: JobControl,
    batch: @Sendable (_ records: [UInt32]) -> Void = { _ in }
) throws -> [UInt32] {
    let scan = SearchScan(search, table, control: control)
    control.begin(total: table.recordCount)
    let arrivals = Mutex(Arrivals())
    // What a thread finds in a range, so that no array grows.
    let found = Storage<UInt32>(count: max(1, threads) * rangeSize)
    try forEachRange(of: table.recordCount, threads: threads, control: control) { thread, range in
        let start = found.base + thread * rangeSize
        var count = 0
        try scan.forEachMatch(in: range) {
            start[count] = UInt32($0)
            count += 1
            return true
        }
        let matches = Array(UnsafeBufferPointer(start: start, count: count))
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
