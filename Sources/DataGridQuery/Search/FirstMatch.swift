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
    case forward, backward
}

/// The nearest match from a place on.
/// - Parameters:
///   - start: the position where the search begins, itself included; a position outside begins at the nearer end.
///   - wraps: whether the search goes on from the other end, and back to `start`.
///   - order: the records as they are shown; `nil` for all, ascending. Positions count in it.
/// - Throws: ``JobCancelled``, or the table's error.
/// - Complexity: a scan of the records between `start` and the match, read in growing pieces. In an order that is not ascending, all
///   records are scanned once a few thousand near `start` did not match.
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
    let search: TextSearch
    let matcher: TextMatcher
    let columns: [Int]
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
        self.search = search
        matcher = TextMatcher(search)
        columns = search.columns ?? Array(0..<table.columnCount)
        self.threads = threads
        self.control = control
        count = order?.count ?? table.recordCount
        isAscending = order.map { order in order.indices.dropFirst().allSatisfy { order[$0 - 1] <= order[$0] } } ?? true
    }

    /// The first match among `positions`, or the last.
    func nearest(in positions: Range<Int>, isForward: Bool) throws -> SearchMatch? {
        if !isAscending {
            let near = isForward ? positions.prefix(Self.nearby) : positions.suffix(Self.nearby)
            for position in isForward ? Array(near) : near.reversed() {
                try control.checkCancellation()
                if let match = try match(at: position) { return match }
            }
            guard positions.count > near.count else { return nil }
            let rest = isForward ? near.upperBound..<positions.upperBound : positions.lowerBound..<near.lowerBound
            return try nearestByScan(in: rest, isForward: isForward)
        }
        // Pieces grow, so that a near match is found at once and a far one by large reads on all threads.
        var rest = positions
        var size = 1024
        while !rest.isEmpty {
            let piece = isForward ? rest.prefix(size) : rest.suffix(size)
            if let match = try nearestInPiece(piece.lowerBound..<piece.upperBound, isForward: isForward) { return match }
            rest = isForward ? piece.upperBound..<rest.upperBound : rest.lowerBound..<piece.lowerBound
            size = min(size * 4, 1 << 20)
        }
        return nil
    }

    private func match(at position: Int) throws -> SearchMatch? {
        let record = order.map { Int($0[position]) } ?? position
        var found: SearchMatch?
        try table.scan(record..<record + 1, columns: columns) { _, fields in
            if let index = fields.firstIndex(where: { matcher.matches($0.bytes) }) {
                found = SearchMatch(position: position, record: UInt32(record), column: columns[index])
            }
            return true
        }
        return found
    }

    /// Reads ascending positions; threads leave out what lies beyond the best match so far.
    private func nearestInPiece(_ piece: Range<Int>, isForward: Bool) throws -> SearchMatch? {
        let records = order.map { Array($0[piece]) }
        let offset = piece.lowerBound
        let selection =
            records.map { RecordSelection(order: $0, recordCount: table.recordCount) }
            ?? RecordSelection(order: nil, recordCount: table.recordCount)
        let shift = records == nil ? offset : 0
        let none = isForward ? Int.max : -1
        let best = Atomic(none)
        try forEachRange(of: piece.count, size: 1 << 13, threads: threads, control: control) { _, range in
            // Ranges are taken in ascending order; backwards, from the end.
            let part =
                isForward
                ? range.lowerBound + shift..<range.upperBound + shift
                : piece.count - range.upperBound + shift..<piece.count - range.lowerBound + shift
            let known = best.load(ordering: .relaxed)
            guard isForward ? part.lowerBound < known : part.upperBound > known else { return }
            try selection.scan(table, part, columns: columns, control: control) { slot, fields in
                guard fields.contains(where: { matcher.matches($0.bytes) }) else { return true }
                if isForward { best.min(slot, ordering: .relaxed) } else { best.max(slot, ordering: .relaxed) }
                return !isForward
            }
            control.advance(by: range.count)
        }
        let slot = best.load(ordering: .relaxed)
        return slot == none ? nil : try match(at: slot - shift + offset)
    }

    /// Finds all matches among positions in any order, and takes the nearest.
    private func nearestByScan(in positions: Range<Int>, isForward: Bool) throws -> SearchMatch? {
        guard let order else { return nil }
        let found = try findRecords(
            matching: search, in: table, within: Array(order[positions]), threads: threads, control: control)
        let set = Set(found)
        let hit = isForward ? positions.first { set.contains(order[$0]) } : positions.last { set.contains(order[$0]) }
        return try hit.flatMap { try match(at: $0) }
    }
}
