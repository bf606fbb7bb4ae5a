public import FieldValues
public import Tables
import Locks

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
    matching search: TextSearch, in table: any Table, threads: Int, control: JobControl,
    batch: @Sendable (_ records: RowNumbers) -> Void = { _ in }
) throws -> RowNumbers {
    table.recordCount <= control.shortLimit
        ? try findRecords(search, table, threads: threads, control, batch) { RowNumbers(Array($0 as UnsafeBufferPointer<UInt32>)) }
        : try findRecords(search, table, threads: threads, control, batch) { RowNumbers(.long(Array($0))) }
}

/// - Parameter numbers: makes a list of the matches of a piece.
private func findRecords<Number: FixedWidthInteger & BitwiseCopyable>(
    _ search: TextSearch, _ table: any Table, threads: Int, _ control: JobControl, _ batch: @Sendable (_ records: RowNumbers) -> Void,
    numbers: (UnsafeBufferPointer<Number>) -> RowNumbers
) throws -> RowNumbers {
    let scan = SearchScan(search, table, control: control)
    control.begin(total: table.recordCount)
    let arrivals = Mutex(Arrivals(recordCount: table.recordCount, shortLimit: control.shortLimit))
    // What a thread finds in a range, so that no array grows.
    let found = try Storage<Number>(count: max(1, threads) * rangeSize)
    try forEachRange(of: table.recordCount, threads: threads, control: control) { thread, range in
        let start = found.base + thread * rangeSize
        var count = 0
        try scan.forEachMatch(in: range) {
            start[count] = Number($0)
            count += 1
            return true
        }
        let matches = numbers(UnsafeBufferPointer(start: start, count: count))
        control.advance(by: range.count)
        try arrivals.withLock { try $0.arrive(matches, range: range.lowerBound / rangeSize, batch) }
    }
    return arrivals.withLock { $0.all.numbers }
}

/// The positions of the records that match, ascending, in an order of records.
/// - Parameters:
///   - search: what a record has to hold.
///   - table: the records.
///   - order: the records as they are shown, each once; positions count in it.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
///   - control: asked whether the job is cancelled, and told its progress.
///   - report: told how many matches there are so far, on any thread.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: as ``findRecords(matching:in:threads:control:batch:)``, and O(order). Memory: 2 bits for each record of the table besides.
public func findPositions(
    matching search: TextSearch, in table: any Table, order: RowSequence, threads: Int, control: JobControl,
    report: @Sendable (_ count: Int) -> Void
) throws -> RowNumbers {
    let counted = Atomic(0)
    @Sendable func count(_ matches: Int) { if matches > 0 { report(counted.add(matches, ordering: .relaxed).newValue) } }
    guard case .runs(let runs) = order else {
        // Filters leave some of the records: only these count.
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
        var piece: [Int] = []
        func flush() throws {
            try Memory.check(byteCount: found.growth(for: piece.count))
            found.append(RowNumbers(.long(piece)))
            piece.removeAll(keepingCapacity: true)
        }
        try order.forEachRow { position, record in
            try control.checkCancellation(at: position)
            if record < table.recordCount, isMatch[record] { piece.append(position) }
            if piece.count == rangeSize { try flush() }
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
        let places = records.partition(from: run.lowerBound)..<records.partition(from: run.upperBound)
        for first in stride(from: places.lowerBound, to: places.upperBound, by: rangeSize) {
            try control.checkCancellation()
            let piece = records.numbers(at: first..<min(places.upperBound, first + rangeSize))
            try Memory.check(byteCount: found.growth(for: piece.count))
            found.append(RowNumbers(.long(piece.map { $0 - run.lowerBound + start })))
        }
        start += run.count
    }
    return found.numbers
}

extension BitSet {
    /// The records of an order.
    fileprivate init(_ order: RowSequence, recordCount: Int, _ control: JobControl) throws {
        try self.init(count: recordCount)
        try order.forEachRow { position, record in
            try control.checkCancellation(at: position)
            if record < recordCount { insert(record) }
            return true
        }
    }
}

/// Puts what threads find in order.
struct Arrivals {
    private(set) var all: RowNumbersBuilder
    /// What was found beyond a range that is still being read.
    private var early: [Int: RowNumbers] = [:]
    private var next = 0

    init(recordCount: Int, shortLimit: Int) { all = RowNumbersBuilder(rowCount: recordCount, shortLimit: shortLimit) }

    mutating func arrive(_ matches: RowNumbers, range: Int, _ batch: (RowNumbers) -> Void) throws {
        early[range] = matches
        while let matches = early.removeValue(forKey: next) {
            next += 1
            guard !matches.isEmpty else { continue }
            try Memory.check(byteCount: all.growth(for: matches.count))
            all.append(matches)
            batch(matches)
        }
    }
}
