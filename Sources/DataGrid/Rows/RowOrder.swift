public import FieldValues

/// A permutation of records. It is immutable and compared by identity, so that comparing states is fast.
public final class RowPermutation: Sendable, Equatable {
    /// The record at each position.
    public let records: RowNumbers
    /// True if the records are known to be ascending.
    private let isAscending: Bool
    /// The positions of records that were looked up in advance; `nil` for a record that is not in the permutation.
    private let found: [Int: Int?]

    /// Creates a permutation of distinct records.
    public init(_ records: RowNumbers) { (self.records, isAscending, found) = (records, records.consecutive != nil, [:]) }

    /// Creates a permutation of distinct records.
    public convenience init(_ records: [UInt32]) { self.init(RowNumbers(records)) }

    /// Creates a permutation of ascending records.
    package init(ascending records: RowNumbers) { (self.records, isAscending, found) = (records, true, [:]) }

    /// Creates a permutation of distinct records. Also looks up the positions of some rows, so that a grid later finds them without a scan.
    /// O(records).
    package init(_ records: RowNumbers, finding rows: [RowID]) {
        guard records.consecutive == nil else {
            (self.records, isAscending, found) = (records, true, [:])
            return
        }
        var found = Dictionary(rows.map { ($0.rawValue, Int?.none) }) { first, _ in first }
        for (position, index) in RowOrder.permuted(RowPermutation(records)).positions(of: rows) {
            found.updateValue(position, forKey: rows[index].rawValue)
        }
        (self.records, isAscending, self.found) = (records, false, found)
    }

    /// The positions of `rows` and their indices in `rows`, ascending by position; `nil` if finding them requires a scan. O(rows · log
    /// records).
    func knownPositions(of rows: [RowID]) -> [(position: Int, index: Int)]? {
        var positions: [(position: Int, index: Int)] = []
        for (index, row) in rows.enumerated() where !row.isCountedFromEnd {
            if isAscending {
                let position = records.lowerBound(of: row.rawValue)
                if position < records.count, records[position] == row.rawValue { positions.append((position, index)) }
            } else {
                guard let known = found[row.rawValue] else { return nil }
                if let known { positions.append((known, index)) }
            }
        }
        return positions.sorted { $0.position < $1.position }
    }

    /// True if the positions of `rows` can be found without a scan. O(rows).
    package func hasFastLookup(_ rows: [RowID]) -> Bool {
        isAscending || rows.allSatisfy { $0.isCountedFromEnd || found.index(forKey: $0.rawValue) != nil }
    }

    /// Compares by identity. O(1).
    public static func == (a: RowPermutation, b: RowPermutation) -> Bool { a === b }
}

/// The order of rows: a map from positions to identities.
public enum RowOrder: Equatable, Sendable {
    /// The order of the source: row p is at position p.
    case natural(count: Int)
    /// The first `head` and the last `tail` rows of the source, while the rows between them are unknown. The last rows are counted from the
    /// end.
    case spliced(head: Int, tail: Int)
    /// An order computed by sorting, grouping or filtering.
    case permuted(RowPermutation)
    /// Another order with rows moved by hand.
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

    /// True if rows were moved by hand.
    public var isMoved: Bool {
        if case .moved = self { return true }
        return false
    }

    /// The order before rows were moved by hand. O(1).
    package var unmoved: RowOrder {
        if case .moved(let rows) = self { return rows.base }
        return self
    }

    /// The runs of positions in ``unmoved`` in their current sequence; empty if no rows were moved by hand. O(1).
    package var movedRuns: [Range<Int>] {
        if case .moved(let rows) = self { return rows.runs }
        return []
    }

    /// The record at each position; `nil` in source order. O(1); O(count) if rows were moved by hand.
    public var records: RowNumbers? { records(shortLimit: RowNumbers.shortLimit) }

    /// - Parameter shortLimit: the number of rows up to which numbers have 32 bits; lower in tests.
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

    /// The records, if they are consecutive because a server has ordered them; otherwise `nil`. O(1).
    package var consecutiveRecords: Range<Int>? {
        guard case .permuted(let permutation) = self else { return nil }
        return permutation.records.consecutive
    }

    /// True if looking up this many rows, each with ``position(of:)``, is faster than a scan of the order. O(1).
    func prefersLookup(ofRows rowCount: Int) -> Bool {
        switch self {
        case .natural, .spliced: true
        case .permuted(let permutation): permutation.records.consecutive != nil
        case .moved(let rows): rows.base.prefersLookup(ofRows: rowCount) && rowCount <= rows.base.count / max(1, rows.runs.count)
        }
    }

    /// Calls `body` with each position and its record until `body` returns false. Does nothing in source order. O(count), without copying
    /// the records.
    package func forEachRecord(while body: (_ position: Int, _ record: Int) throws -> Bool) rethrows {
        switch self {
        case .natural, .spliced: break
        case .permuted(let permutation): try permutation.records.forEach(while: body)
        case .moved(let rows):
            for (position, place) in rows.runs.joined().enumerated() where try !body(position, rows.base[place].rawValue) { return }
        }
    }

    /// The row at a position in `0 ..< count`. O(1); O(log runs) for rows moved by hand.
    public subscript(position: Int) -> RowID {
        switch self {
        case .natural: RowID(position)
        case .spliced(let head, let tail): RowID(position < head ? position : position - head - tail)
        case .permuted(let permutation): RowID(permutation.records[position])
        case .moved(let rows): rows[position]
        }
    }

    /// The position of a row; `nil` if this order does not contain it.
    ///
    /// O(1); O(runs) for rows moved by hand. O(count) for permuted orders, so do not call it for every frame.
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

    /// The position of the row with a ``RowID/number``; `nil` if this order does not contain the row. The cost is that of
    /// ``position(of:)``.
    public func position(ofNumber number: Int) -> Int? {
        guard case .permuted(let permutation) = self, let rows = permutation.records.consecutive else { return position(of: RowID(number)) }
        return (0..<rows.count).contains(number) ? number : nil
    }

    /// The order with the rows of `range` moved so that the first of them is at `target`.
    ///
    /// O(runs), independent of the number of rows, because the base order is shared. Each move adds at most three runs.
    public func moving(_ range: Range<Int>, to target: Int) -> RowOrder {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "no rows at \(range) of \(count)")
        precondition(target >= 0 && target <= count - range.count, "no room at \(target) for \(range.count) of \(count)")
        return MovedRows.order(self, after: RowMove(range, to: target))
    }
}

extension RowOrder {
    /// The ids of the rows in order, as runs of consecutive numbers.
    ///
    /// `nil` if there are more than `limit` runs, or if some rows are counted from the end. O(1) in source order and for consecutive
    /// records, O(runs) for rows moved by hand from these, otherwise O(count).
    func idRuns(upTo limit: Int) -> [Range<Int>]? {
        switch self {
        case .natural(let count): return count == 0 ? [] : [0..<count]
        case .spliced: return nil
        case .moved(let moved) where moved.base.records == nil: return moved.runs.count > limit ? nil : moved.runs
        case .permuted, .moved:
            if let records = unmoved.consecutiveRecords {
                let runs = isMoved ? movedRuns : records.isEmpty ? [] : [0..<records.count]
                return runs.count > limit ? nil : runs.map { records.lowerBound + $0.lowerBound..<records.lowerBound + $0.upperBound }
            }
            var runs: [Range<Int>] = []
            records?.forEach { _, record in
                runs.append(joining: record..<record + 1)
                return runs.count <= limit
            }
            return runs.count > limit ? nil : runs
        }
    }

    /// Runs of positions in this order that produce the sequence `ids`; `nil` unless the sequence contains each row once.
    ///
    /// O(ids) in source order and for consecutive records, otherwise O(count).
    func runs(of ids: [Range<Int>]) -> [Range<Int>]? {
        // A saved view is read from a file, so its runs may be invalid.
        guard ids.count <= count, ids.allSatisfy({ $0.lowerBound >= 0 && $0.count <= count }), ids.reduce(0, { $0 + $1.count }) == count
        else {
            return nil
        }
        guard let records else {
            if case .spliced = self { return nil }
            return ids
        }
        if let consecutive = consecutiveRecords {
            guard ids.allSatisfy({ $0.clamped(to: consecutive) == $0 }) else { return nil }
            return ids.map { $0.lowerBound - consecutive.lowerBound..<$0.upperBound - consecutive.lowerBound }.joinedRuns
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
