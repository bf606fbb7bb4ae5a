public import FieldValues

/// A list of the records of a table in the order in which they are shown. The list is immutable and compared by identity, so that comparing
/// states is fast.
public final class RowPermutation: Sendable, Equatable {
    /// The number of the record at each position.
    public let records: RowNumbers
    /// True if the records are known to be ascending, so that a binary search can find their positions.
    private let isAscending: Bool
    /// The positions of some records, which were looked up when the permutation was created. A value is `nil` if the permutation does not
    /// contain the record.
    private let lookedUpPositions: [Int: Int?]

    /// Creates a permutation of these records, in which no record occurs twice.
    public init(_ records: RowNumbers) { (self.records, isAscending, lookedUpPositions) = (records, records.consecutive != nil, [:]) }

    /// Creates a permutation of these records, in which no record occurs twice.
    public convenience init(_ records: [UInt32]) { self.init(RowNumbers(records)) }

    /// Creates a permutation of ascending records, whose positions a binary search can find.
    package init(ascending records: RowNumbers) { (self.records, isAscending, lookedUpPositions) = (records, true, [:]) }

    /// Creates a permutation of these records, in which no record occurs twice. Looks up the positions of some rows now, so that a grid
    /// later finds them without a scan. O(records).
    package init(_ records: RowNumbers, finding rows: [RowID]) {
        guard records.consecutive == nil else {
            (self.records, isAscending, lookedUpPositions) = (records, true, [:])
            return
        }
        var lookedUpPositions = Dictionary(rows.map { ($0.rawValue, Int?.none) }) { first, _ in first }
        for (position, index) in RowOrder.permuted(RowPermutation(records)).positions(of: rows) {
            lookedUpPositions.updateValue(position, forKey: rows[index].rawValue)
        }
        (self.records, isAscending, self.lookedUpPositions) = (records, false, lookedUpPositions)
    }

    /// The positions of `rows`, each with the index of the row in `rows`, ascending by position. `nil` if some position can be found only
    /// by a scan of all records. O(rows · log records).
    func knownPositions(of rows: [RowID]) -> [(position: Int, index: Int)]? {
        var positions: [(position: Int, index: Int)] = []
        for (index, row) in rows.enumerated() where !row.isCountedFromEnd {
            if isAscending {
                let position = records.lowerBound(of: row.rawValue)
                if position < records.count, records[position] == row.rawValue { positions.append((position, index)) }
            } else {
                guard let known = lookedUpPositions[row.rawValue] else { return nil }
                if let known { positions.append((known, index)) }
            }
        }
        return positions.sorted { $0.position < $1.position }
    }

    /// True if the positions of `rows` can be found without a scan of all records. O(rows).
    package func hasFastLookup(_ rows: [RowID]) -> Bool {
        isAscending || rows.allSatisfy { $0.isCountedFromEnd || lookedUpPositions.index(forKey: $0.rawValue) != nil }
    }

    /// Compares by identity. O(1).
    public static func == (a: RowPermutation, b: RowPermutation) -> Bool { a === b }
}

/// The order of rows: the row at each position.
public enum RowOrder: Equatable, Sendable {
    /// The order of the source: the row with number p is at position p.
    case natural(count: Int)
    /// The first `head` and the last `tail` rows of the source, or of a query on a server, while the rows between them are unknown. The
    /// last rows are counted from the end.
    ///
    /// `first` is the number of the first row: 0 for the source, greater for a query, whose rows have consecutive numbers.
    case spliced(first: Int = 0, head: Int, tail: Int)
    /// An order computed by sorting, grouping or filtering.
    case permuted(RowPermutation)
    /// One of the orders above, after users have moved some of its rows.
    indirect case moved(MovedRows)

    /// An order of rows that a data source has sorted, filtered or grouped itself. No row occurs twice. O(rows).
    public static func rows(_ ids: [RowID]) -> RowOrder {
        .permuted(RowPermutation(RowNumbers(ids.lazy.map(\.rawValue), ofRows: ids.count)))
    }

    /// The number of rows in the order.
    public var count: Int {
        switch self {
        case .natural(let count): count
        case .spliced(_, let head, let tail): head + tail
        case .permuted(let permutation): permutation.records.count
        case .moved(let rows): rows.base.count
        }
    }

    /// True if users have moved rows, and not all rows are back in their original positions.
    public var isMoved: Bool {
        if case .moved = self { return true }
        return false
    }

    /// The order before users moved rows. O(1).
    package var unmoved: RowOrder {
        if case .moved(let rows) = self { return rows.base }
        return self
    }

    /// Ranges of positions in ``unmoved``, in the sequence in which they are shown now; empty if users have not moved rows. O(1).
    package var movedRuns: [Range<Int>] {
        if case .moved(let rows) = self { return rows.runs }
        return []
    }

    /// The record at each position; `nil` in source order, where records equal positions. O(1); O(count) if users have moved rows.
    public var records: RowNumbers? { records(shortLimit: RowNumbers.shortLimit) }

    /// - Parameter shortLimit: the number of rows up to which record numbers are stored in 32 bits; tests set it lower.
    func records(shortLimit: Int) -> RowNumbers? {
        switch self {
        case .natural: return nil
        case .spliced(let first, let head, _): return first > 0 ? RowNumbers(consecutive: first..<first + head) : nil
        case .permuted(let permutation): return permutation.records
        case .moved(let rows):
            guard case .permuted(let permutation) = rows.base else {
                return RowNumbers(rows.runs.joined(), ofRows: rows.base.count, shortLimit: shortLimit)
            }
            if case .short(let records) = permutation.records.form { return RowNumbers(rows.runs.flatMap { records[$0] }) }
            return RowNumbers(.long(rows.runs.flatMap { permutation.records.numbers(at: $0) }))
        }
    }

    /// The range of records if they are consecutive and ascending, as for an order that a server has computed; otherwise `nil`. O(1).
    package var consecutiveRecords: Range<Int>? {
        guard case .permuted(let permutation) = self else { return nil }
        return permutation.records.consecutive
    }

    /// The records of an order that a server has computed, without records that are counted from the end. `nil` for the order of the
    /// source, or if the records are not consecutive. O(1).
    package var serverRecords: Range<Int>? {
        if case .spliced(let first, let head, _) = self, first > 0 { return first..<first + head }
        return unmoved.consecutiveRecords
    }

    /// The order without rows that are counted from the end. O(1).
    package var withoutTail: RowOrder {
        guard case .spliced(let first, let head, _) = self else { return self }
        return first > 0 ? .permuted(RowPermutation(RowNumbers(consecutive: first..<first + head))) : .natural(count: head)
    }

    /// True if looking up this many rows, each with ``position(of:)``, is faster than a scan of the order. O(1).
    func prefersLookup(ofRows rowCount: Int) -> Bool {
        switch self {
        case .natural, .spliced: true
        case .permuted(let permutation): permutation.records.consecutive != nil
        case .moved(let rows): rows.base.prefersLookup(ofRows: rowCount) && rowCount <= rows.base.count / max(1, rows.runs.count)
        }
    }

    /// Calls `body` with each position and its record, until `body` returns false. `body` is not called in source order, where records
    /// equal positions. O(count), without copying the records.
    package func forEachRecord(while body: (_ position: Int, _ record: Int) throws -> Bool) rethrows {
        switch self {
        case .natural, .spliced: break
        case .permuted(let permutation): try permutation.records.forEach(while: body)
        case .moved(let rows):
            for (position, index) in rows.runs.joined().enumerated() where try !body(position, rows.base[index].rawValue) { return }
        }
    }

    /// The row at a position, which is in `0 ..< count`. O(1); O(log moved ranges) if users have moved rows.
    public subscript(position: Int) -> RowID {
        switch self {
        case .natural: RowID(position)
        case .spliced(let first, let head, let tail): RowID(position < head ? first + position : position - head - tail)
        case .permuted(let permutation): RowID(permutation.records[position])
        case .moved(let rows): rows[position]
        }
    }

    /// The position of a row; `nil` if this order does not contain it.
    ///
    /// O(1); O(moved ranges) if users have moved rows. O(count) for ``permuted(_:)`` orders, so do not call it for every frame.
    public func position(of row: RowID) -> Int? {
        switch self {
        case .natural(let count):
            let position = row.isCountedFromEnd ? count + row.rawValue : row.rawValue
            return (0..<count).contains(position) ? position : nil
        case .spliced(let first, let head, let tail):
            if row.isCountedFromEnd { return row.rawValue >= -tail ? head + tail + row.rawValue : nil }
            return (first..<first + head).contains(row.rawValue) ? row.rawValue - first : nil
        case .permuted(let permutation):
            return permutation.records.firstIndex(of: row.rawValue)
        case .moved(let rows): return rows.position(of: row)
        }
    }

    /// The position of the row whose ``RowID/number`` is `number`; `nil` if this order does not contain the row. The cost is that of
    /// ``position(of:)``.
    public func position(ofNumber number: Int) -> Int? {
        guard !isMoved, let rows = serverRecords else { return position(of: RowID(number)) }
        return (0..<rows.count).contains(number) ? number : nil
    }

    /// The order after the rows of `range` were moved so that the first of these rows is at `target`.
    ///
    /// O(moved ranges), independent of the number of rows, because the previous order is shared. Each move adds at most three ranges.
    public func moving(_ range: Range<Int>, to target: Int) -> RowOrder {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "no rows at \(range) of \(count)")
        precondition(target >= 0 && target <= count - range.count, "no room at \(target) for \(range.count) of \(count)")
        return MovedRows.order(self, after: RowMove(range, to: target))
    }
}

extension RowOrder {
    /// The ids of the rows in this order, as ranges of consecutive numbers.
    ///
    /// `nil` if there are more than `limit` ranges, or if some rows are counted from the end. O(1) in source order and for consecutive
    /// records, O(moved ranges) if users have moved such rows, otherwise O(count).
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

    /// The positions of the rows `ids` in this order, as ranges in the sequence of `ids`. `nil` unless `ids` contains each row once.
    ///
    /// O(ids) in source order and for consecutive records, otherwise O(count).
    func positionRuns(ofRows ids: [Range<Int>]) -> [Range<Int>]? {
        // The ids may come from the file of a saved view, and may be invalid.
        guard ids.count <= count, ids.allSatisfy({ $0.lowerBound >= 0 && $0.count <= count }), ids.reduce(0, { $0 + $1.count }) == count
        else {
            return nil
        }
        if case .spliced = self { return nil }
        guard let records else { return ids }
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
