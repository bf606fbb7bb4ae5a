import FieldValues

/// A change of the list of records that a row order stores.
private enum RecordChange {
    /// Inserts `count` consecutive record numbers, starting with the number `position`, at this position. Existing numbers from
    /// `position` onward increase by `count`.
    case insertingNumbers(position: Int, count: Int)
    /// Inserts these records at this position.
    case inserting([RowID], position: Int)
    /// Removes the records at these positions. If a change of ids is given, renumbers the remaining records.
    case removing(Range<Int>, RowIDChange?)

    func maximumRecord(after oldMaximum: Int) -> Int {
        switch self {
        case .insertingNumbers(_, let count): oldMaximum + count
        case .inserting(let ids, _): max(oldMaximum, ids.max()?.rawValue ?? 0)
        case .removing: oldMaximum
        }
    }

    func apply<Number: FixedWidthInteger>(to records: inout [Number]) {
        switch self {
        case .insertingNumbers(let position, let count):
            let (first, shift) = (Number(position), Number(count))
            for index in records.indices where records[index] >= first { records[index] += shift }
            records.insert(contentsOf: (0..<count).lazy.map { first + Number($0) }, at: position)
        case .inserting(let ids, let position): records.insert(contentsOf: ids.lazy.map { Number($0.rawValue) }, at: position)
        case .removing(let range, let newID):
            records.removeSubrange(range)
            guard let newID else { return }
            for index in records.indices { records[index] = Number(newID(RowID(Int(records[index])))?.rawValue ?? 0) }
        }
    }
}

extension RowOrder {
    /// The order after a change of its records. `nil` while the rows in the middle of the source are unknown, see
    /// ``spliced(first:head:tail:)``.
    /// O(count).
    private func applying(_ change: RecordChange, shortLimit: Int) -> RowOrder? {
        let old: (maximum: Int, records: RowNumbers)
        switch self {
        case .spliced: return nil
        case .natural(let count): old = (count - 1, RowNumbers(0..<count, ofRows: count, shortLimit: shortLimit))
        case .permuted, .moved:
            guard let records = records(shortLimit: shortLimit) else { return nil }
            if case .short(let short) = records.form {
                old = (short.max().map { Int($0) } ?? 0, records)
            } else {
                old = (records.max() ?? 0, records)
            }
        }
        if case .short(var records) = old.records.form, change.maximumRecord(after: old.maximum) < shortLimit {
            change.apply(to: &records)
            return .permuted(RowPermutation(records))
        }
        var records = old.records.numbers(at: 0..<old.records.count)
        change.apply(to: &records)
        return .permuted(RowPermutation(RowNumbers(.long(records))))
    }

    /// The order with inserted rows, and the new ids of the existing rows. `nil` while the rows in the middle of the source are unknown
    /// (``spliced(first:head:tail:)``).
    ///
    /// O(1) in source order if the source numbers its rows consecutively, otherwise O(count).
    /// - Parameter shortLimit: the number of rows up to which record numbers are stored in 32 bits; tests set it lower.
    func inserting(_ insertion: RowInsertion, shortLimit: Int = RowNumbers.shortLimit) -> (order: RowOrder, newID: RowIDChange)? {
        let position = insertion.position
        guard let ids = insertion.ids else {
            let newID = RowIDChange.shifted(from: position, by: insertion.count)
            if case .natural(let count) = self { return (.natural(count: count + insertion.count), newID) }
            return applying(.insertingNumbers(position: position, count: insertion.count), shortLimit: shortLimit).map { ($0, newID) }
        }
        if case .natural(let count) = self, position == count, ids.enumerated().allSatisfy({ $1.rawValue == count + $0 }) {
            return (.natural(count: count + ids.count), .none)
        }
        return applying(.inserting(ids, position: position), shortLimit: shortLimit).map { ($0, .none) }
    }

    /// The order without the rows at these positions, and the new ids of the remaining rows.
    ///
    /// `nil` while the rows in the middle of the source are unknown (``spliced(first:head:tail:)``).
    /// - Parameters:
    ///   - renumbering: true if the source numbers its rows consecutively. The numbers of rows after the removed rows then decrease.
    ///   - shortLimit: the number of rows up to which record numbers are stored in 32 bits; tests set it lower.
    /// - Complexity: O(1) in source order if the source numbers its rows consecutively, otherwise O(count + removed rows · log rows).
    func removing(
        _ range: Range<Int>, renumbering: Bool, shortLimit: Int = RowNumbers.shortLimit
    ) -> (order: RowOrder, newID: RowIDChange)? {
        if case .spliced = self { return nil }
        let removed: RowNumbers
        if case .natural = self {
            removed = RowNumbers(consecutive: range)
        } else {
            removed = RowNumbers(.long(range.map { self[$0].rawValue }.sorted()))
        }
        let newID = RowIDChange.removed(removed, renumbering: renumbering)
        if case .natural(let count) = self, renumbering || range.upperBound == count {
            return (.natural(count: count - range.count), newID)
        }
        return applying(.removing(range, renumbering ? newID : nil), shortLimit: shortLimit).map { ($0, newID) }
    }

    /// The positions of `rows` in this order, each with the index of the row in `rows`, ascending by position. Rows that are not in this
    /// order are omitted.
    /// - Complexity: O(rows · log rows) for the source's order, ascending records, and rows that were looked up in advance. O(rows ·
    ///   moved ranges) if users have moved few rows of the source's order or of consecutive records. Otherwise O(count + rows).
    package func positions(of rows: [RowID]) -> [(position: Int, index: Int)] {
        if case .permuted(let permutation) = self, let known = permutation.knownPositions(of: rows) { return known }
        guard !prefersLookup(ofRows: rows.count) else {
            return rows.indices.compactMap { index in position(of: rows[index]).map { ($0, index) } }.sorted { $0.0 < $1.0 }
        }
        // Scan the order once. Before each look-up in the dictionary, test a small array of flags, which excludes most records and fits in
        // the processor cache.
        guard let maximum = rows.max(), maximum >= 0 else { return [] }
        let flagCount = 1 << (Int.bitWidth - min(rows.count * 64, maximum.rawValue).leadingZeroBitCount)
        let mask = flagCount - 1
        var isLikely = [Bool](repeating: false, count: flagCount)
        var indices: [Int: [Int]] = [:]
        for (index, row) in rows.enumerated() where row.rawValue >= 0 {
            isLikely[row.rawValue & mask] = true
            indices[row.rawValue, default: []].append(index)
        }
        var found: [(position: Int, index: Int)] = []
        forEachRecord { position, record in
            if isLikely[record & mask] { for index in indices[record] ?? [] { found.append((position, index)) } }
            return true
        }
        return found
    }
}
