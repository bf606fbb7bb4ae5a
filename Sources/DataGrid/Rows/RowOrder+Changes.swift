extension RowOrder {
    /// The record at each position, also where they stand as in the source; `nil` while the end is not known. O(count).
    private var allRecords: [UInt32]? {
        switch self {
        case .natural(let count): Array(0..<UInt32(count))
        case .spliced: nil
        case .permuted, .moved: records
        }
    }

    /// With rows that have come at one place, and what the others are called now; `nil` while it is not known what lies between head and
    /// tail. O(1) where rows stand as in the source and are numbered, otherwise O(count).
    func inserting(_ insertion: RowInsertion) -> (order: RowOrder, renaming: RowRenaming)? {
        let position = insertion.position
        guard let ids = insertion.ids else {
            let renaming = RowRenaming.raised(from: position, by: insertion.count)
            if case .natural(let count) = self { return (.natural(count: count + insertion.count), renaming) }
            guard var records = allRecords else { return nil }
            let (first, shift) = (UInt32(position), UInt32(insertion.count))
            for place in records.indices where records[place] >= first { records[place] += shift }
            records.insert(contentsOf: first..<first + shift, at: position)
            return (.permuted(RowPermutation(records)), renaming)
        }
        if case .natural(let count) = self, position == count, ids.enumerated().allSatisfy({ $1.rawValue == count + $0 }) {
            return (.natural(count: count + ids.count), .none)
        }
        guard var records = allRecords else { return nil }
        records.insert(contentsOf: ids.map { UInt32($0.rawValue) }, at: position)
        return (.permuted(RowPermutation(records)), .none)
    }

    /// Without the rows at these positions, and what the others are called now; `nil` while it is not known what lies between head and tail.
    /// - Parameter renumbering: the source numbers its rows in order, so those behind the ones that go get lesser numbers.
    /// - Complexity: O(1) where rows stand as in the source and are numbered, otherwise O(count + rows that go · log).
    func removing(_ range: Range<Int>, renumbering: Bool) -> (order: RowOrder, renaming: RowRenaming)? {
        if case .spliced = self { return nil }
        let gone = range.map { self[$0].rawValue }.sorted()
        let renaming = RowRenaming.gone(gone, closingUp: renumbering)
        if case .natural(let count) = self, renumbering || range.upperBound == count {
            return (.natural(count: count - range.count), renaming)
        }
        guard var records = allRecords else { return nil }
        records.removeSubrange(range)
        if renumbering { for place in records.indices { records[place] = UInt32(renaming(RowID(Int(records[place])))?.rawValue ?? 0) } }
        return (.permuted(RowPermutation(records)), renaming)
    }

    /// The positions of those of `rows` that are in this order, with their indices in `rows`; ascending by position.
    /// - Complexity: O(rows · log) for the source's order, otherwise O(count) besides.
    func positions(of rows: [RowID]) -> [(position: Int, index: Int)] {
        switch self {
        case .natural, .spliced:
            return rows.indices.compactMap { index in position(of: rows[index]).map { ($0, index) } }.sorted { $0.0 < $1.0 }
        case .permuted, .moved:
            // One walk along the order; most rows are ruled out by a look at a flag, of which there are so few that they stay in the cache.
            guard let greatest = rows.max(), greatest >= 0, let records else { return [] }
            let flagCount = 1 << (Int.bitWidth - min(rows.count * 64, greatest.rawValue).leadingZeroBitCount)
            let mask = UInt32(flagCount - 1)
            var isLikely = [Bool](repeating: false, count: flagCount)
            var indices: [UInt32: [Int]] = [:]
            for (index, row) in rows.enumerated() where row.rawValue >= 0 {
                isLikely[Int(UInt32(row.rawValue) & mask)] = true
                indices[UInt32(row.rawValue), default: []].append(index)
            }
            var found: [(position: Int, index: Int)] = []
            for (position, record) in records.enumerated() where isLikely[Int(record & mask)] {
                for index in indices[record] ?? [] { found.append((position, index)) }
            }
            return found
        }
    }
}
