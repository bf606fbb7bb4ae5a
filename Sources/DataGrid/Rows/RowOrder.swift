public import FieldValues

/// A list of records in an order of its own. Immutable; equal only to itself, so that comparing states costs nothing.
public final class RowPermutation: Sendable, Equatable {
    /// The record at each position.
    public let records: RowNumbers

    /// Takes the records as they are; none may occur twice.
    public init(_ records: RowNumbers) { self.records = records }

    /// Takes the records as they are; none may occur twice.
    public init(_ records: [UInt32]) { self.records = RowNumbers(records) }

    /// Whether it is the same object, O(1).
    public static func == (a: RowPermutation, b: RowPermutation) -> Bool { a === b }
}

/// Which row stands at which position: the map between identity and place.
public enum RowOrder: Equatable, Sendable {
    /// The order of the source: the row at position p is row p.
    case natural(count: Int)
    /// The first rows of the source, and its last ones, while what lies between is not known yet. The last are counted from the end.
    case spliced(head: Int, tail: Int)
    /// An order found by sorting, grouping or filtering.
    case permuted(RowPermutation)
    /// One of the others with rows moved by hand.
    indirect case moved(MovedRows)

    /// The number of positions.
    public var count: Int {
        switch self {
        case .natural(let count): count
        case .spliced(let head, let tail): head + tail
        case .permuted(let permutation): permutation.records.count
        case .moved(let rows): rows.base.count
        }
    }

    /// Whether rows have been moved by hand.
    public var isMoved: Bool {
        if case .moved = self { return true }
        return false
    }

    /// The order beneath, as it was before rows were moved by hand. O(1).
    package var unmoved: RowOrder {
        if case .moved(let rows) = self { return rows.base }
        return self
    }

    /// Rows moved by hand: runs of positions in ``unmoved``, in the sequence in which they stand now; empty when none were. O(1).
    package var movedRuns: [Range<Int>] {
        if case .moved(let rows) = self { return rows.runs }
        return []
    }

    /// The record at each position; `nil` when they stand as in the source. O(1), but O(count) for rows moved by hand.
    public var records: RowNumbers? { records(shortLimit: RowNumbers.shortLimit) }

    /// - Parameter shortLimit: up to how many rows numbers have 32 bits; less in tests.
    func records(shortLimit: Int) -> RowNumbers? {
        switch self {
        case .natural, .spliced: return nil
        case .permuted(let permutation): return permutation.records
        case .moved(let rows):
            guard case .permuted(let permutation) = rows.base else {
                return RowNumbers(rows.runs.joined(), ofRows: rows.base.count, shortLimit: shortLimit)
            }
            if case .short(let records) = permutation.records.form { return RowNumbers(rows.runs.flatMap { records[$0] }) }
            return RowNumbers(.long(rows.runs.flatMap { permutation.records.numbers(at: $0) }))
        }
    }

    /// Calls `body` with each position and its record, until it answers `false`; not where they stand as in the source. O(count), and nothing
    /// is copied.
    package func forEachRecord(while body: (_ position: Int, _ record: Int) throws -> Bool) rethrows {
        switch self {
        case .natural, .spliced: break
        case .permuted(let permutation): try permutation.records.forEach(while: body)
        case .moved(let rows):
            for (position, place) in rows.runs.joined().enumerated() where try !body(position, rows.base[place].rawValue) { return }
        }
    }

    /// The row at a position in `0 ..< count`. O(1); with rows moved by hand O(log runs).
    public subscript(position: Int) -> RowID {
        switch self {
        case .natural: RowID(position)
        case .spliced(let head, let tail): RowID(position < head ? position : position - head - tail)
        case .permuted(let permutation): RowID(permutation.records[position])
        case .moved(let rows): rows[position]
        }
    }

    /// The records from `position` on that follow each other in the source too, so that they can be read at once: one at least, 65,536
    /// at most, and none at or behind position `end`. O(records).
    public func consecutive(from position: Int, upTo end: Int) -> Range<Int> {
        let first = self[position].rawValue
        var count = 1
        if case .permuted(let permutation) = self, case .set(let set) = permutation.records.form {
            // Members are found faster together than each by its place.
            let records = set.numbers(at: position..<min(end, position + 1 << 12))
            while count < records.count, records[count] == first + count { count += 1 }
            return first..<first + count
        }
        while position + count < end, count < 1 << 16, self[position + count].rawValue == first + count { count += 1 }
        return first..<first + count
    }

    /// The position of a row; `nil` when it is not in this order. O(1), with rows moved by
    /// hand O(runs), but O(count) for permuted orders: not for every frame.
    public func position(of row: RowID) -> Int? {
        switch self {
        case .natural(let count):
            let position = row.isCountedFromEnd ? count + row.rawValue : row.rawValue
            return (0..<count).contains(position) ? position : nil
        case .spliced(let head, let tail):
            if row.isCountedFromEnd { return row.rawValue >= -tail ? head + tail + row.rawValue : nil }
            return row.rawValue < head ? row.rawValue : nil
        case .permuted(let permutation):
            return permutation.records.firstIndex(of: row.rawValue)
        case .moved(let rows): return rows.position(of: row)
        }
    }

    /// This order with the rows of `range` moved so that the first of them stands at `target`; all of them must find room there.
    ///
    /// O(runs), whatever the number of rows: what lies beneath stays shared. Every move adds three runs at most.
    public func moving(_ range: Range<Int>, to target: Int) -> RowOrder {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "no rows at \(range) of \(count)")
        precondition(target >= 0 && target <= count - range.count, "no room at \(target) for \(range.count) of \(count)")
        return MovedRows.order(self, after: RowMove(range, to: target))
    }
}

extension RowOrder {
    /// The rows in their order, as runs of ids that follow each other; `nil` where these are more than `limit`, or rows are counted from the end.
    /// O(1) in the order of the source, O(runs) for rows moved in that, otherwise O(count).
    func idRuns(upTo limit: Int) -> [Range<Int>]? {
        switch self {
        case .natural(let count): return count == 0 ? [] : [0..<count]
        case .spliced: return nil
        case .moved(let moved) where moved.base.records == nil: return moved.runs.count > limit ? nil : moved.runs
        case .permuted, .moved:
            var runs: [Range<Int>] = []
            records?.forEach { _, record in
                runs.append(joining: record..<record + 1)
                return runs.count <= limit
            }
            return runs.count > limit ? nil : runs
        }
    }

    /// Runs of positions in this order, in the sequence in which the rows of these ids stand then; `nil` unless they are all its rows.
    /// O(ids) in the order of the source, otherwise O(count).
    func runs(of ids: [Range<Int>]) -> [Range<Int>]? {
        // A view comes from a file: its runs may be of any size.
        guard ids.count <= count, ids.allSatisfy({ $0.lowerBound >= 0 && $0.count <= count }), ids.reduce(0, { $0 + $1.count }) == count
        else {
            return nil
        }
        guard let records else {
            if case .spliced = self { return nil }
            return ids
        }
        var positions = [Int: Int](minimumCapacity: records.count)
        records.forEach { position, record in
            positions[record] = position
            return true
        }
        var runs: [Range<Int>] = []
        for id in ids.joined() {
            guard let position = positions[id] else { return nil }
            runs.append(joining: position..<position + 1)
        }
        return runs
    }
}
