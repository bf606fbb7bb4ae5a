import Tables
import FieldValues
import Synchronization

/// A match of a search.
public struct SearchMatch: Sendable, Hashable {
    /// The position of the record in the searched order; without an order, the record number.
    public var position: Int
    /// The matching record.
    public var record: Int
    /// The first matching column.
    public var column: Int

    /// Creates a match.
    public init(position: Int, record: Int, column: Int) { (self.position, self.record, self.column) = (position, record, column) }
}

/// The direction of a search.
public enum SearchDirection: Sendable, Hashable {
    /// Toward the last row.
    case forward
    /// Toward the first row.
    case backward
}

/// The match nearest to a position.
/// - Parameters:
///   - start: the position where the search starts, inclusive. If it is out of range, the search starts at the nearer end.
///   - wraps: true to continue at the other end of the order, up to `start`.
/// - Complexity: a scan of the records between `start` and the match, in growing chunks. If the order is not ascending and a few thousand
///   records near `start` do not match, all records are scanned. That scan takes one bit of memory per record.
func firstMatch(
    of search: TextSearch, in table: any Table, from start: Int, direction: SearchDirection, wraps: Bool = true,
    order: RowSequence = .all, threads: Int, control: JobControl
) throws -> SearchMatch? {
    let job = try FirstMatchJob(search, table, order, threads: max(1, threads), control: control)
    guard job.count > 0 else { return nil }
    control.begin(total: job.count)
    let isForward = direction == .forward
    let split = isForward ? min(max(0, start), job.count) : min(max(-1, start), job.count - 1) + 1
    let parts = [0..<split, split..<job.count]
    let (near, far) = isForward ? (parts[1], parts[0]) : (parts[0], parts[1])
    if let match = try job.nearestMatch(in: near, isForward: isForward) { return match }
    return wraps ? try job.nearestMatch(in: far, isForward: isForward) : nil
}

/// Finds the match nearest to the start of a search, with several threads.
private struct FirstMatchJob {
    let table: any Table
    let scan: SearchScan
    let threads: Int
    let control: JobControl
    let count: Int
    private let order: RowSequence
    /// The records of a sorted or filtered order; `nil` if the order consists of runs of consecutive rows.
    private let recordList: RowNumbers?
    private let isAscending: Bool
    /// If the order is not ascending: the number of records that are read one by one before the whole table is scanned.
    private static let nearbyRecordCount = 2048

    init(_ search: TextSearch, _ table: any Table, _ order: RowSequence, threads: Int, control: JobControl) throws {
        self.table = table
        scan = SearchScan(search, table, control: control)
        self.threads = threads
        self.control = control
        self.order = order
        if case .list(_, let ranges) = order {
            if ranges.count > 1 { try Memory.check(byteCount: order.count(ofRows: table.recordCount) * MemoryLayout<Int>.stride) }
            let records = try (order.rows ?? RowNumbers([])).limited(toRecordCount: table.recordCount)
            (recordList, isAscending, count) = (records, records.isAscending(strictly: false), records.count)
        } else {
            (recordList, isAscending, count) = (nil, true, order.count(ofRows: table.recordCount))
        }
    }

    /// The first match in `positions` if `isForward`, otherwise the last one.
    func nearestMatch(in positions: Range<Int>, isForward: Bool) throws -> SearchMatch? {
        if let recordList {
            return isAscending
                ? try nearestMatch(in: positions, of: AscendingPositions(records: recordList, shift: 0), isForward: isForward)
                : try nearestMatch(in: positions, ofUnordered: recordList, isForward: isForward)
        }
        let runs = order.runs(at: positions, rowCount: table.recordCount)
        for (position, rows) in isForward ? runs : runs.reversed() {
            let ascending = AscendingPositions(records: nil, shift: rows.lowerBound - position)
            if let match = try nearestMatch(in: position..<position + rows.count, of: ascending, isForward: isForward) { return match }
        }
        return nil
    }

    /// A part of the order whose records are ascending, so that they can be read in one scan.
    private struct AscendingPositions {
        /// The record at each position. If `nil`, the record at a position is the position plus `shift`.
        let records: RowNumbers?
        let shift: Int

        func record(at position: Int) -> Int { records?[position] ?? position + shift }
    }

    private func nearestMatch(in positions: Range<Int>, ofUnordered records: RowNumbers, isForward: Bool) throws -> SearchMatch? {
        let near = isForward ? positions.prefix(Self.nearbyRecordCount) : positions.suffix(Self.nearbyRecordCount)
        for position in isForward ? Array(near) : near.reversed() {
            try control.checkCancellation()
            if let match = try match(at: position, records[position]) { return match }
        }
        guard positions.count > near.count else { return nil }
        let rest = isForward ? near.upperBound..<positions.upperBound : positions.lowerBound..<near.lowerBound
        let isMatch = try allMatches()
        let (start, end, step) = isForward ? (rest.lowerBound, rest.upperBound, 1) : (rest.upperBound - 1, rest.lowerBound - 1, -1)
        for position in stride(from: start, to: end, by: step) where isMatch[records[position]] {
            if let match = try match(at: position, records[position]) { return match }
        }
        return nil
    }

    private func nearestMatch(in positions: Range<Int>, of ascending: AscendingPositions, isForward: Bool) throws -> SearchMatch? {
        // The first chunk is small, so that a match close to the start is found at once. Later chunks are larger, so that all threads read.
        var rest = positions
        var size = 1024
        while !rest.isEmpty {
            let step = isForward ? rest.prefix(size) : rest.suffix(size)
            if let hit = try nearestPosition(inStep: step.lowerBound..<step.upperBound, of: ascending, isForward: isForward) {
                if let match = try match(at: hit, ascending.record(at: hit)) { return match }
                // The record that was found is only a possible match, so the search continues after it.
                rest = isForward ? hit + 1..<rest.upperBound : rest.lowerBound..<hit
                continue
            }
            rest = isForward ? step.upperBound..<rest.upperBound : rest.lowerBound..<step.lowerBound
            size = min(size * 4, 1 << 21)
        }
        return nil
    }

    private func match(at position: Int, _ record: Int) throws -> SearchMatch? {
        var found: SearchMatch?
        try table.scan(record..<record + 1, columns: scan.columns) { _, fields in
            if let index = scan.firstIndex(in: fields) {
                found = SearchMatch(position: position, record: record, column: scan.columns[index])
            }
            return true
        }
        return found
    }

    /// The nearest match in `step`, found by several threads. Threads skip positions that are farther than a match already found.
    private func nearestPosition(inStep step: Range<Int>, of ascending: AscendingPositions, isForward: Bool) throws -> Int? {
        let none = isForward ? Int.max : -1
        let best = Atomic(none)
        // Ranges are small, so that all threads have work, but not so small that scheduling takes long.
        let size = min(scan.maximumRangeSize, max(1 << 12, step.count / 8))
        try forEachRange(of: step.count, size: size, threads: threads, control: control) { _, range in
            // Threads take ranges in ascending order. A backward search starts with the last positions, so it counts positions from the
            // end.
            let part =
                isForward
                ? step.lowerBound + range.lowerBound..<step.lowerBound + range.upperBound
                : step.upperBound - range.upperBound..<step.upperBound - range.lowerBound
            func canContainBetterMatch() -> Bool {
                let bestSoFar = best.load(ordering: .relaxed)
                return isForward ? part.lowerBound < bestSoFar : part.upperBound > bestSoFar
            }
            guard canContainBetterMatch() else { return }
            try forEachMatch(at: part, of: ascending, while: canContainBetterMatch) { position in
                if isForward { best.min(position, ordering: .relaxed) } else { best.max(position, ordering: .relaxed) }
                return !isForward
            }
            control.advance(by: range.count)
        }
        let position = best.load(ordering: .relaxed)
        return position == none ? nil : position
    }

    /// Calls `body` with each of the ascending `positions` whose record matches, until it returns `false`.
    private func forEachMatch(
        at positions: Range<Int>, of ascending: AscendingPositions, while shouldContinue: () -> Bool, _ body: (_ position: Int) -> Bool
    ) throws {
        guard let all = ascending.records else {
            let shift = ascending.shift
            return try scan.forEachMatch(in: positions.lowerBound + shift..<positions.upperBound + shift, while: shouldContinue) {
                body($0 - shift)
            }
        }
        let records = all.numbers(at: positions)
        guard let first = records.first, let last = records.last else { return }
        if scan.isSelective, last - first < 16 * records.count {
            // Here, scanning all records costs less than reading only the records of the order.
            try scan.forEachMatch(in: first..<last + 1, while: shouldContinue) { record in
                var index = records.indices.partitioningIndex { records[$0] >= record }
                while index < records.endIndex, records[index] == record {
                    if !body(positions.lowerBound + index) { return false }
                    index += 1
                }
                return true
            }
        } else {
            let selection = try RecordSelection(order: RowNumbers(.long(records)), recordCount: table.recordCount)
            try selection.scan(table, 0..<records.count, columns: scan.columns, control: control) { slot, fields in
                scan.firstIndex(in: fields) == nil || body(positions.lowerBound + slot)
            }
        }
    }

    /// The set of all matching records of the table.
    private func allMatches() throws -> BitSet {
        let bits = try BitSet(count: table.recordCount)
        control.begin(total: table.recordCount)
        // A range starts and ends at a boundary of words in the set, so threads never write to the same word.
        try forEachRange(of: table.recordCount, size: scan.maximumRangeSize, threads: threads, control: control) { _, range in
            try scan.forEachMatch(in: range) {
                bits.insert($0)
                return true
            }
            control.advance(by: range.count)
        }
        return bits
    }
}
