public import DataGrid
import FieldValues
import Synchronization

/// Where a search leads.
public struct SearchMatch: Sendable, Hashable {
    /// The place in the order searched; the record when there is none.
    public var position: Int
    /// The record that matches.
    public var record: UInt32
    /// The first of the columns searched that matches.
    public var column: Int
}

/// Which way a search goes.
public enum SearchDirection: Sendable, Hashable {
    /// Towards the last row.
    case forward
    /// Towards the first row.
    case backward
}

/// The nearest match from a place on.
/// - Parameters:
///   - search: what is looked for.
///   - table: the records.
///   - start: the position where the search begins, itself included; a position outside begins at the nearer end.
///   - direction: towards the end, or towards the beginning.
///   - wraps: whether the search goes on from the other end, and back to `start`.
///   - order: the records as they are shown; `nil` for all, ascending. Positions count in it.
///   - threads: how many threads to use, the caller's among them.
///   - control: asked to go on and told the progress, again and again; it ends the work when that is cancelled.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: a scan of the records between `start` and the match, read in growing pieces. In an order that is not ascending, all
///   records are scanned once a few thousand near `start` did not match; that takes a bit for each record.
public func firstMatch(
    of search: TextSearch, in table: any RecordTable, from start: Int, direction: SearchDirection, wraps: Bool = true,
    order: [UInt32]? = nil, threads: Int, control: JobControl
) throws -> SearchMatch? {
    let job = FirstMatchJob(search, table, order, threads: max(1, threads), control: control)
    guard job.count > 0 else { return nil }
    control.begin(total: job.count)
    let isForward = direction == .forward
    let split = isForward ? min(max(0, start), job.count) : min(max(-1, start), job.count - 1) + 1
    let parts = [0..<split, split..<job.count]
    let (near, far) = isForward ? (parts[1], parts[0]) : (parts[0], parts[1])
    if let match = try job.nearest(in: near, isForward: isForward) { return match }
    return wraps ? try job.nearest(in: far, isForward: isForward) : nil
}

private struct FirstMatchJob {
    let table: any RecordTable
    let order: [UInt32]?
    let scan: SearchScan
    let threads: Int
    let control: JobControl
    let count: Int
    private let isAscending: Bool
    /// Records read one by one before all are scanned.
    private static let nearby = 2048

    init(_ search: TextSearch, _ table: any RecordTable, _ order: [UInt32]?, threads: Int, control: JobControl) {
        let order = order.map { $0.contains { $0 >= table.recordCount } ? $0.filter { $0 < table.recordCount } : $0 }
        self.table = table
        self.order = order
        scan = SearchScan(search, table, control: control)
        self.threads = threads
        self.control = control
        count = order?.count ?? table.recordCount
        isAscending = order.map { order in order.indices.dropFirst().allSatisfy { order[$0 - 1] <= order[$0] } } ?? true
    }

    /// The first match among `positions`, or the last.
    func nearest(in positions: Range<Int>, isForward: Bool) throws -> SearchMatch? {
        if let order, !isAscending {
            let near = isForward ? positions.prefix(Self.nearby) : positions.suffix(Self.nearby)
            for position in isForward ? Array(near) : near.reversed() {
                try control.checkCancellation()
                if let match = try match(at: position) { return match }
            }
            guard positions.count > near.count else { return nil }
            let rest = isForward ? near.upperBound..<positions.upperBound : positions.lowerBound..<near.lowerBound
            let isMatch = try allMatches()
            let (start, end, step) = isForward ? (rest.lowerBound, rest.upperBound, 1) : (rest.upperBound - 1, rest.lowerBound - 1, -1)
            for position in stride(from: start, to: end, by: step) where isMatch[Int(order[position])] {
                if let match = try match(at: position) { return match }
            }
            return nil
        }
        // Pieces grow, so that a near match is found at once and a far one by large reads on all threads.
        var rest = positions
        var size = 1024
        while !rest.isEmpty {
            let piece = isForward ? rest.prefix(size) : rest.suffix(size)
            if let hit = try nearestInPiece(piece.lowerBound..<piece.upperBound, isForward: isForward) {
                if let match = try match(at: hit) { return match }
                // What has no match after all is left behind.
                rest = isForward ? hit + 1..<rest.upperBound : rest.lowerBound..<hit
                continue
            }
            rest = isForward ? piece.upperBound..<rest.upperBound : rest.lowerBound..<piece.lowerBound
            size = min(size * 4, 1 << 21)
        }
        return nil
    }

    private func match(at position: Int) throws -> SearchMatch? {
        let record = order.map { Int($0[position]) } ?? position
        var found: SearchMatch?
        try table.scan(record..<record + 1, columns: scan.columns) { _, fields in
            if let index = scan.firstIndex(in: fields) {
                found = SearchMatch(position: position, record: UInt32(record), column: scan.columns[index])
            }
            return true
        }
        return found
    }

    /// Reads ascending positions; threads leave out what lies beyond the best match so far.
    private func nearestInPiece(_ piece: Range<Int>, isForward: Bool) throws -> Int? {
        let none = isForward ? Int.max : -1
        let best = Atomic(none)
        // Small pieces for all threads, large ones with little to do for each range.
        let size = min(rangeSize, max(1 << 12, piece.count / 8))
        try forEachRange(of: piece.count, size: size, threads: threads, control: control) { _, range in
            // Ranges are taken in ascending order; backwards, from the end.
            let part =
                isForward
                ? piece.lowerBound + range.lowerBound..<piece.lowerBound + range.upperBound
                : piece.upperBound - range.upperBound..<piece.upperBound - range.lowerBound
            func isOpen() -> Bool {
                let known = best.load(ordering: .relaxed)
                return isForward ? part.lowerBound < known : part.upperBound > known
            }
            guard isOpen() else { return }
            try forEachMatch(at: part, while: isOpen) { position in
                if isForward { best.min(position, ordering: .relaxed) } else { best.max(position, ordering: .relaxed) }
                return !isForward
            }
            control.advance(by: range.count)
        }
        let position = best.load(ordering: .relaxed)
        return position == none ? nil : position
    }

    /// Calls `body` for those of ascending `positions` whose records match, until it answers `false`.
    private func forEachMatch(at positions: Range<Int>, while isWanted: () -> Bool, _ body: (_ position: Int) -> Bool) throws {
        guard let order else { return try scan.forEachMatch(in: positions, while: isWanted, body) }
        let records = order[positions]
        guard let first = records.first.map(Int.init), let last = records.last.map(Int.init) else { return }
        if scan.isSelective, last - first < 16 * records.count {
            // To read over other records costs less than to pick these out.
            try scan.forEachMatch(in: first..<last + 1, while: isWanted) { record in
                var position = records.partition(from: UInt32(record))
                while position < records.endIndex, records[position] == record {
                    if !body(position) { return false }
                    position += 1
                }
                return true
            }
        } else {
            let selection = RecordSelection(order: Array(records), recordCount: table.recordCount)
            try selection.scan(table, 0..<records.count, columns: scan.columns, control: control) { slot, fields in
                scan.firstIndex(in: fields) == nil || body(positions.lowerBound + slot)
            }
        }
    }

    /// Of every record, whether it matches.
    private func allMatches() throws -> BitSet {
        let bits = BitSet(count: table.recordCount)
        control.begin(total: table.recordCount)
        // Ranges are whole words: threads write to different ones.
        try forEachRange(of: table.recordCount, threads: threads, control: control) { _, range in
            try scan.forEachMatch(in: range) {
                bits.insert($0)
                return true
            }
            control.advance(by: range.count)
        }
        return bits
    }
}

extension ArraySlice<UInt32> {
    /// The first index whose element is `value` or greater; the elements ascend. O(log n).
    fileprivate func partition(from value: UInt32) -> Int {
        indices.partitioningIndex { self[$0] >= value }
    }
}
